"""Slices of the cases: by tag, by what gold expects, by service."""

from collections.abc import Callable, Sequence
from typing import Final

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.comparing.reading import Case
from otel_ragfault.jobs.comparing.result import CaseChange
from otel_ragfault.model.wording import shown

_Pair = tuple[Case, Case]


def _tags(pair: _Pair) -> list[str]:
    return sorted({*pair[0].tags, *pair[1].tags}) or ["(none)"]


def _expect(pair: _Pair) -> list[str]:
    return [pair[1].expect]


def _service(pair: _Pair) -> list[str]:
    """Return the service that answered on both sides; a case that went from one to another belongs to neither."""
    named = pair[0].services | pair[1].services
    return [next(iter(named)) or "(none)"] if len(named) == 1 else ["(several)"]


_DIMENSIONS: Final[dict[str, Callable[[_Pair], list[str]]]] = {"tag": _tags, "expect": _expect, "service": _service}


def sliced(pairs: Sequence[_Pair], cases: Sequence[CaseChange], by: Sequence[str]) -> dict[str, list[CaseChange]]:
    """Return the slices by name, such as ``tag=tables``. A case with several tags is in several slices.

    Raises:
        InputError: that is no dimension.
    """
    for unknown in (name for name in by if name not in _DIMENSIONS):
        raise InputError(f"by: found {shown(unknown)}; wanted one of {', '.join(_DIMENSIONS)}")
    result: dict[str, list[CaseChange]] = {}
    for dimension in dict.fromkeys(by):
        found: dict[str, list[CaseChange]] = {}
        for pair, case in zip(pairs, cases, strict=True):
            for value in _DIMENSIONS[dimension](pair):
                found.setdefault(f"{dimension}={value}", []).append(case)
        result |= dict(sorted(found.items()))
    return result
