"""Options that take a list, as in ``2,3,14``."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from otel_ragfault.jobs.measure_names import MEASURES, measure_called

if TYPE_CHECKING:  # generic for the type checker, and only in newer versions of click at run time
    _NumbersType = click.ParamType[list[int]]
    _ScoresType = click.ParamType[list[float]]
    _ChoicesType = click.ParamType[list[str]]
    _MeasureType = click.ParamType[str]
else:
    _NumbersType = _ScoresType = _ChoicesType = _MeasureType = click.ParamType


class Numbers(_NumbersType):
    """A list of positive whole numbers, as in ``2,3,14``."""

    name = "N[,N…]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[int]:
        """Read the list."""
        parts = _parts(value)
        if not all(part.isascii() and part.isdecimal() and 0 < int(part) < 2**31 for part in parts):
            self.fail(f"found {value!r}, wanted positive whole numbers such as 2,3,14.", param, ctx)
        return [int(part) for part in parts]


class Scores(_ScoresType):
    """A list of finite numbers, as in ``0.3,0.45``."""

    name = "NUMBER[,NUMBER…]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[float]:
        """Read the list."""
        try:
            numbers = [float(part) for part in _parts(value)]
        except ValueError:
            numbers = [math.nan]
        if not all(map(math.isfinite, numbers)):
            self.fail(f"found {value!r}, wanted finite numbers such as 0.3,0.45.", param, ctx)
        return numbers


class Choices(_ChoicesType):
    """A list of known words, as in ``stop,skip``."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self.name = "NAME[,NAME…]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        """Read the list."""
        parts = _parts(value)
        if not set(parts) <= set(self.words):
            self.fail(f"found {value!r}, wanted one or several of {','.join(self.words)}.", param, ctx)
        return parts


class MeasureName(_MeasureType):
    """A measure, with a rank or without: ``ndcg``, ``recall_groups@5``; ``recall@5`` is another name of it."""

    name = "MEASURE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Read the name."""
        name = measure_called(str(value))
        bare, at, k = name.partition("@")
        if bare not in MEASURES or (at and not (k.isascii() and k.isdecimal() and 0 < int(k) < 2**31)):
            self.fail(f"{value!r} is not one of {', '.join(MEASURES)}, with a rank or without (ndcg@5).", param, ctx)
        return name


def _parts(value: Any) -> list[str]:
    return [part.strip() for part in str(value).split(",")]
