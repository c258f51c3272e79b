"""What goes wrong with a spool. The messages are for the person who has to make room, or to give permissions."""

from otel_ragfault.errors import DatabaseError


class SpoolError(DatabaseError):
    """The spool cannot be written or read."""


class SpoolFullError(SpoolError):
    """The spool is at its bound, or the disk is full: nothing of the record was kept, and it may be sent later."""
