"""Rules as they are typed: ``passed >= 0.9``, ``count label:unknown <= 3``, ``boundary:retrieval [hard] : 0.02``."""

import re
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from otel_ragfault.errors import InputError
from otel_ragfault.faults import stops
from otel_ragfault.model.gate import BOUNDARIES, Figure, NoRegression, Requirement
from otel_ragfault.model.problems import faults

_Rule = TypeVar("_Rule", bound=Figure)

_NUMBER: Final = r"(?P<number>\d+(?:\.\d*)?|\.\d+)\s*(?P<percent>%)?"
_WHOLE: Final = 100  # percent
_FIGURE: Final = r"(?P<name>[^\[\]<>=]+?)\s*(?:\[(?P<tag>[^\]]+)\])?"
_REQUIREMENT: Final = re.compile(rf"\s*(?P<count>count\s+)?{_FIGURE}\s*(?P<sign>>=|<=)\s*{_NUMBER}\s*")
_NO_REGRESSION: Final = re.compile(rf"\s*{_FIGURE}\s*(?::\s*{_NUMBER})?\s*")


def requirement(text: str) -> Requirement:
    """Read a threshold.

    Raises:
        InputError: the text is none.
    """
    found = _REQUIREMENT.fullmatch(text)
    if found is None:
        raise InputError(
            f"--require: found {text!r}, wanted a figure, >= or <=, and a number, such as 'passed>=0.9', "
            "'passed>=90%', 'label:unknown<=0.1', 'count unknown<=3' or 'recall_groups@5 [policy] >= 0.8'"
        )
    limit = "at_least" if found["sign"] == ">=" else "at_most"
    _check_unit(text, found)
    values = {limit: _number(found), "of": "count" if found["count"] else "share"}
    return _validated("--require", text, Requirement, {**_figure(found), **values})


def no_regression(text: str) -> NoRegression:
    """Read a figure that must not become worse, with a tolerance behind a colon.

    Raises:
        InputError: the text is none.
    """
    found = _NO_REGRESSION.fullmatch(text)
    if found is None:
        raise InputError(
            f"--no-regression: found {text!r}, wanted a figure, and a tolerance where there is one, such as 'passed', "
            "'boundary:retrieval', 'passed:0.02' or 'passed:2%'"
        )
    tolerance = {} if found["number"] is None else {"tolerance": _number(found)}
    return _validated("--no-regression", text, NoRegression, {**_figure(found), **tolerance})


def _number(found: re.Match[str]) -> float:
    return float(found["number"]) / (_WHOLE if found["percent"] else 1)


def _check_unit(text: str, found: re.Match[str]) -> None:
    """Refuse a share above 1, and a count in percent.

    Raises:
        InputError: it is one of these.
    """
    if not found["percent"] if found["count"] else _number(found) <= 1:
        return
    wanted = "a number of cases" if found["count"] else "a share from 0 to 1"
    tag = "" if found["tag"] is None else f"[{found['tag'].strip()}]"
    rule, number = f"{found['name'].strip()}{tag}{found['sign']}", found["number"]
    share = number if float(number) <= _WHOLE else "90"
    raise InputError(
        f"--require: found {text!r}, wanted {wanted}; write '{rule}{share}%' for a share, or 'count {rule}{number}' "
        "for a number of cases"
    )


def _figure(found: re.Match[str]) -> dict[str, Any]:
    name, tag = found["name"].strip(), found["tag"]
    kind, colon, bare = name.partition(":")
    if not (colon and kind in {"measure", "label", "boundary"}):
        kind, bare = _kind(name), name
    return {kind: bare.strip(), **({} if tag is None else {"tag": tag.strip()})}


def _kind(name: str) -> str:
    """Return what a bare name is: a boundary, a label or a family of labels, or else a measure."""
    labels = {stop.label for stop in stops()}
    if name in BOUNDARIES:
        return "boundary"
    return "label" if name in labels or any(label.startswith(f"{name}.") for label in labels) else "measure"


def _validated(option: str, text: str, model: type[_Rule], values: dict[str, Any]) -> _Rule:
    try:
        return model.model_validate(values)
    except ValidationError as error:
        field, reason = next(iter(faults(error, model)))
        raise InputError(f"{option} {text!r}: {field}: {reason}") from None
