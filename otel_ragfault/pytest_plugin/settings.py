"""What a test of gold cases is held against: its marker before the ini file."""

from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from otel_ragfault.errors import InputError
from otel_ragfault.gold import check_gold
from otel_ragfault.model import InvalidFileError
from otel_ragfault.model.wording import did_you_mean, shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from otel_ragfault.model import GoldCase

_MARKER: Final = "ragfault"


@dataclass(frozen=True, slots=True)
class Settings:
    """Where gold and corpus are, and how labels are made.

    Attributes:
        gold: gold files.
        corpus: the corpus file; ``None`` where there is none.
        snapshot: the id under which the corpus is loaded; ``None`` takes what the pipeline says.
        k: how many ranked chunks are passed on, where the pipeline does not say so.
        config: the configuration file; ``None`` is the nearest one.
        cases: only these case ids; empty for all.
        tags: only cases with one of these tags; empty for all.
    """

    gold: tuple[Path, ...]
    corpus: Path | None = None
    snapshot: str | None = None
    k: int | None = None
    config: Path | None = None
    cases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


def settings_of(item: pytest.Item) -> Settings:
    """Return the settings of a test.

    Raises:
        InputError: the marker or the ini file says something that is none, or no gold is named.
    """
    marked = _marked(item)
    config = item.config
    folder = item.path.parent
    gold = _paths(marked.get("gold"), folder) or tuple(config.getini("ragfault_gold") or ())
    if not gold:
        raise InputError(
            "no gold file is named; one was wanted, so that each of its cases is a test; set ragfault_gold in the ini "
            'file of pytest, or mark the test with @pytest.mark.ragfault(gold="gold.jsonl")'
        )
    corpus = _paths(marked.get("corpus"), folder) or tuple(config.getini("ragfault_corpus") or ())
    chosen = _paths(marked.get("config"), folder) or tuple(config.getini("ragfault_config") or ())
    k = marked.get("k", config.getini("ragfault_k") or None)
    return Settings(
        gold=gold,
        corpus=_only(corpus, "corpus"),
        snapshot=marked.get("snapshot", config.getini("ragfault_snapshot") or None),
        k=None if k is None else _number(k),
        config=_only(chosen, "config"),
        cases=_names(marked.get("cases")),
        tags=_names(marked.get("tags")),
    )


def chosen_cases(settings: Settings) -> "Sequence[GoldCase]":
    """Return the gold cases of a test, in the order of their files.

    Raises:
        InputError: a file cannot be read or is not valid, a case id is in two of them, or nothing is chosen.
    """
    cases: dict[str, GoldCase] = {}
    for path in settings.gold:
        for case in _cases(path, path.stat().st_mtime_ns if path.exists() else 0):
            if case.case_id in cases:
                raise InputError(f"{path}: case {case.case_id!r} is in another gold file too; give it once")
            cases[case.case_id] = case
    for case_id in settings.cases:
        if case_id not in cases:
            guess = did_you_mean(case_id, cases)
            hint = f"did you mean {guess!r}?" if guess else "name cases of the gold file"
            raise InputError(f"found case {shown(case_id)}, which gold does not have; {hint}")
    chosen = [
        case
        for case in cases.values()
        if (not settings.cases or case.case_id in settings.cases)
        and (not settings.tags or set(settings.tags) & set(case.tags))
    ]
    if not chosen:
        raise InputError(
            f"no gold case is left of {len(cases)}; correct the gold file, or cases and tags of the marker"
        )
    return chosen


@cache
def _cases(path: Path, _changed: int) -> "tuple[GoldCase, ...]":
    found = check_gold(path)
    if found.problems:
        raise InvalidFileError(found.problems, "correct the gold file")
    return tuple(case for _, case in found.cases)


def _marked(item: pytest.Item) -> "Mapping[str, Any]":
    """Return what the markers of a test say; the closest one wins, key by key."""
    known = [field.name for field in fields(Settings)]
    said: dict[str, Any] = {}
    for mark in item.iter_markers(_MARKER):
        if mark.args:
            raise InputError(f"@pytest.mark.ragfault takes names only, such as gold=; found {shown(mark.args[0])}")
        for name in mark.kwargs:
            if name not in known:
                guess = did_you_mean(name, known)
                hint = f"did you mean {guess}?" if guess else f"wanted some of {', '.join(known)}"
                raise InputError(f"@pytest.mark.ragfault: found {name}=; {hint}")
        said = {**mark.kwargs, **said}
    return said


def _paths(value: Any, folder: Path) -> tuple[Path, ...]:
    if value is None:
        return ()
    given = value if isinstance(value, list | tuple) else (value,)
    return tuple(folder / path for path in given)


def _only(paths: tuple[Path, ...], name: str) -> Path | None:
    if len(paths) > 1:
        raise InputError(f"ragfault_{name}: found {len(paths)} files; one was wanted; name one")
    return Path(paths[0]) if paths else None


def _names(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def _number(value: Any) -> int:
    if str(value).isascii() and str(value).isdecimal() and int(value) > 0:
        return int(value)
    raise InputError(f"ragfault_k: found {shown(value)}; a whole number from 1 on was wanted; correct it")
