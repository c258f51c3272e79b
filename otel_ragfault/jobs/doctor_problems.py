"""What is wrong with the records of a pipeline: one problem a cause, each with its exact fix.

A field that is missing for a known cause (content switched off, attributes dropped, halves of one question in two
traces) is no problem of its own: the fix of the cause brings it back.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from otel_ragfault.jobs.doctor_fixes import PROBLEMS, fix_for

Scopes = Mapping[str | None, Mapping[str, tuple[str, ...]]]
"""The instrumentation scopes of each service, with their versions."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A number of ``requests`` of one service and convention that record the same.

    Attributes:
        prompt_source: how the prompt ids are known.
        has_gold: whether they are held against gold.
        recorded: fields that are there.
        lacking: fields of the fault rules that are not.
        marks: why something is missing, in the words of ``request.missing`` and of ``queries/doctor/profile.sql``.
    """

    service: str | None
    convention: str
    prompt_source: str
    has_gold: bool
    recorded: frozenset[str]
    lacking: frozenset[str]
    marks: frozenset[str]
    requests: int


@dataclass(frozen=True, slots=True)
class Loaded:
    """What the database holds: ``spans``, traces ``without_request``, gold cases and corpus snapshots."""

    spans: int
    without_request: int
    gold_cases: int
    snapshots: int


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem: its ``code``, how many requests have it (``count``), where, what it means, and the ``fix``."""

    code: str
    count: int
    services: tuple[str | None, ...]
    conventions: tuple[str, ...]
    meaning: str
    fix: str


_NO_CALL: Final = "no_call"  # no problem: a request for which no model was called has no prompt
_CONTENT: Final = frozenset(
    {"query", "ranking", "scores", "score_kind", "k", "prompt_ids", "prompt_text", "answer", "citations"}
)
_OF_RANKING: Final = frozenset({"ranking", "scores", "score_kind", "k", "ranking_complete", "prompt_ids"})
_EXPLAINED: Final[dict[str, frozenset[str]]] = {
    "content_off": _CONTENT,
    "redacted": _CONTENT,
    "dropped_attributes": _CONTENT | {"model"},
    "split_trace": _CONTENT | {"model", "ranking_complete"},
    "no_ids": frozenset({"ranking", "prompt_ids", "citations"}),
    "ids_not_chunks": frozenset({"ranking", "prompt_ids", "citations"}),
    _NO_CALL: frozenset({"prompt_text", "model"}),
}
"""The fields whose absence a cause explains."""

_EXPLAINED_FOR: Final[dict[tuple[str, str], frozenset[str]]] = {
    ("content_off", "haystack"): frozenset({"model"}),  # its name is in what the generator returned
}
"""The same for one convention only."""

_FOLLOWS: Final[dict[str, frozenset[str]]] = {
    "ranking": _OF_RANKING - {"ranking"},
    "scores": frozenset({"score_kind"}),
    "answer": frozenset({"citations"}),
    "prompt_text": frozenset({"prompt_ids"}),
    "prompt_ids": frozenset({"citations"}),
}
"""The fields that cannot be there without another one."""

_MISSING_FIELDS: Final = tuple(code for code in PROBLEMS if code.startswith("no_"))


def find_problems(profiles: Sequence[Profile], loaded: Loaded, scopes: Scopes) -> Iterator[Problem]:
    """Yield the problems in the order in which they are to be mended."""
    yield from _of_database(profiles, loaded, scopes)
    found: dict[tuple[str, str], list[Profile]] = defaultdict(list)
    for profile in profiles:
        for code in _codes(profile, loaded):
            names = (*scopes.get(profile.service, {}), profile.convention)
            found[code, fix_for(code, names)].append(profile)
    order = list(PROBLEMS)
    for (code, fix), inside in sorted(found.items(), key=lambda item: order.index(item[0][0])):
        yield _problem(code, fix, inside)


def _problem(code: str, fix: str, profiles: Sequence[Profile]) -> Problem:
    return Problem(
        code,
        sum(profile.requests for profile in profiles),
        tuple(dict.fromkeys(profile.service for profile in profiles)),
        tuple(dict.fromkeys(profile.convention for profile in profiles)),
        PROBLEMS[code],
        fix,
    )


def _of_database(profiles: Sequence[Profile], loaded: Loaded, scopes: Scopes) -> Iterator[Problem]:
    if not profiles:
        code = "no_requests" if loaded.spans else "no_spans"
        yield Problem(code, loaded.without_request, tuple(scopes), (), PROBLEMS[code], fix_for(code, ()))


def _codes(profile: Profile, loaded: Loaded) -> Iterator[str]:
    causes = set(_causes(profile.marks))
    if "ids_not_chunks" in causes:  # that is why they are left out
        causes.discard("no_ids")
    yield from causes - {_NO_CALL}
    explained = frozenset().union(
        *(_EXPLAINED.get(cause, frozenset()) for cause in causes),
        *(_EXPLAINED_FOR.get((cause, profile.convention), frozenset()) for cause in causes),
    )
    explained |= frozenset(mark.split(".", 1)[1] for mark in profile.marks if "." in mark)
    yield from (f"no_{name}" for name in _unexplained(profile, explained))
    yield from _of_gold(profile, loaded, causes)


def _of_gold(profile: Profile, loaded: Loaded, causes: set[str]) -> Iterator[str]:
    if not loaded.gold_cases:
        yield "no_gold"
    if profile.has_gold or "split_trace" in causes:
        return
    if "case_id" not in profile.recorded:
        yield "no_case_id"
    elif loaded.gold_cases:
        yield "unknown_case"


def _causes(marks: Iterable[str]) -> Iterator[str]:
    """Yield the codes of what is known to be the cause of a loss."""
    for mark in marks:
        kind = mark.split(".", 1)[0]
        yield {"dropped": "dropped_attributes", "cut": "cut_values", "unreadable": "unreadable_values"}.get(kind, kind)


def _unexplained(profile: Profile, explained: Iterable[str]) -> Iterator[str]:
    """Yield the missing fields that neither a cause nor another missing field explains."""
    gone = set(explained)
    for name, followers in _FOLLOWS.items():
        if name not in profile.recorded:
            gone |= followers
    for code in _MISSING_FIELDS:
        name = code.removeprefix("no_")
        if name in _RECORDABLE and name not in profile.recorded and name not in gone:
            yield name


_RECORDABLE: Final = _CONTENT | {"ranking_complete", "model", "prompt_version", "corpus"}
