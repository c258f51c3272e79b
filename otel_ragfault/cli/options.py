"""Options that several commands share, and the kinds of value that they take."""

import math
import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:  # generic for the type checker, and only in newer versions of click at run time
    _TextType = click.ParamType[str]
    _TimeType = click.ParamType[datetime]
    _FloatType = click.ParamType[float]
else:
    _TextType = _TimeType = _FloatType = click.ParamType


class Text(_TextType):
    """A text in UTF-8, whatever the locale made of the bytes that were typed."""

    name = "TEXT"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Read the text."""
        try:
            return os.fsencode(value).decode()
        except UnicodeError:
            self.fail(f"found {value!a}, wanted text in UTF-8.", param, ctx)


class File(click.Path):
    """A path. The database keeps names of files as text, so that bytes which are no text cannot be a name."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Read the path."""
        text = os.fspath(value)
        if not text or "\0" in text or any("\udc80" <= character <= "\udcff" for character in text):
            self.fail(f"found {text!a}, wanted the name of a file, in the encoding of this locale.", param, ctx)
        return Path(text)


class OutFile(File):
    """A file that will be written: that it can be is asked before anything is done."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Read the path."""
        from otel_ragfault.cli.replacing import check_target
        from otel_ragfault.errors import InputError

        path = super().convert(value, param, ctx)
        try:
            check_target(path)
        except InputError as error:
            self.fail(f"{error}.", param, ctx)
        return path


class Moment(_TimeType):
    """An ISO 8601 time; without a zone it is UTC."""

    name = "TIME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Read the time."""
        from otel_ragfault.model.fields import as_time

        try:
            time = as_time(value)
        except ValueError as error:
            self.fail(f"{error}.", param, ctx)
        if time is None:
            self.fail("a time was wanted.", param, ctx)
        return time


class Finite(_FloatType):
    """A number that is neither infinite nor NaN."""

    name = "NUMBER"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the number."""
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            self.fail(f"found {value!r}, wanted a finite number.", param, ctx)
        return number


class Positive(Finite):
    """A finite number above 0."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the number."""
        number = super().convert(value, param, ctx)
        if number <= 0:
            self.fail(f"found {value!r}, wanted a number above 0.", param, ctx)
        return number


GENERATORS: Final = "module:function, file.py:function, an http(s) address, command:PROGRAM ARGUMENTS or shell:LINE"
"""What --generator takes, as its help says it."""

db_option: Final = click.option(
    "--db", required=True, envvar="RAGFAULT_DB", show_envvar=True, metavar="DB", type=File(), help="The database file."
)
optional_db_option: Final = click.option(
    "--db", envvar="RAGFAULT_DB", show_envvar=True, metavar="DB", type=File(), help="The database file."
)
json_option: Final = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
config_option: Final = click.option(
    "--config",
    "config_file",
    metavar="FILE",
    type=File(),
    help="Read this configuration file instead of the nearest ragfault.toml or pyproject.toml.",
)
