"""Every failure the project can explain.

An error carries one line in three parts: what was found, what was wanted, what to do. Errors become text, and exit
code 2, only in :mod:`otel_ragfault.cli`; everything below raises them.
"""


class RagfaultError(Exception):
    """A failure with an explanation; the message is one line meant for the person at the terminal."""


class InputError(RagfaultError):
    """A file, an argument or a value is not what it has to be."""


class ConfigError(RagfaultError):
    """The configuration cannot be read or does not validate."""


class DatabaseError(RagfaultError):
    """The database cannot be opened, is not ours, or is in use."""


class DatabaseBusyError(DatabaseError):
    """Another process, or another connection of this one, holds the database or is loading its spool."""


class SchemaVersionError(DatabaseError):
    """The database was written by another version of the schema that this version cannot read."""


class OlderSchemaError(SchemaVersionError):
    """The database has an older schema; opening it for writing brings it up to date."""


class NothingJoinedError(RagfaultError):
    """No request could be joined to gold, so that no label would mean anything."""


class QueryError(RagfaultError):
    """A query is not known, not read-only, or fails."""


class MissingPackageError(RagfaultError, ImportError):
    """A package that is optional was wanted, and is not installed."""
