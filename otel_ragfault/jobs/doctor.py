"""Find out what each pipeline fails to record, which labels are out of reach for it, and what mends that.

The database is only read. The SQL tells which sets of fields occur and why; what follows from them is decided here: the
labels from the rules of the fault tree, the problems and their fixes from :mod:`otel_ragfault.jobs.doctor_problems`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from otel_ragfault.faults import FIELDS, RULES, Rule
from otel_ragfault.jobs.doctor_problems import Loaded, Problem, Profile, find_problems
from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.model import Config

RECORDED: Final = (
    "query",
    "ranking",
    "ranking_complete",
    "scores",
    "score_kind",
    "k",
    "prompt_ids",
    "prompt_text",
    "answer",
    "citations",
    "case_id",
    "model",
    "prompt_version",
    "corpus",
)
"""What a request may record, in the order of the pipeline."""

_SECONDS_APART: Final = 10.0


@dataclass(frozen=True, slots=True)
class Group:
    """The requests of one ``service`` in one ``convention``.

    Attributes:
        instrumentations: names and versions of the scopes that wrote spans of the service.
        present: field → requests that record it.
        prompt_sources: how the prompt ids are known → requests.
    """

    service: str | None
    convention: str
    requests: int
    instrumentations: tuple[str, ...]
    present: dict[str, int]
    prompt_sources: dict[str, int]


@dataclass(frozen=True, slots=True)
class OutOfReach:
    """A ``label`` that some ``requests`` cannot get, and the fields that are ``missing`` from them."""

    label: str
    requests: int
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What ``ragfault doctor`` finds."""

    requests: int
    conventions: dict[str, int]
    present: dict[str, int]
    prompt_sources: dict[str, int]
    with_gold: int
    loaded: Loaded
    groups: tuple[Group, ...] = ()
    unreachable: tuple[OutOfReach, ...] = ()
    problems: tuple[Problem, ...] = field(default=())


def examine(con: "DuckDBPyConnection", config: "Config") -> Diagnosis:
    """Examine every request of a database, which may be open for reading only.

    Args:
        con: the database.
        config: the default k and the default snapshot.
    """
    profiles = _profiles(con, config)
    scopes = _scopes(con)
    loaded = _loaded(con)
    return Diagnosis(
        requests=sum(profile.requests for profile in profiles),
        conventions=_counted((profile.convention, profile.requests) for profile in profiles),
        present=_present(profiles),
        prompt_sources=_counted((profile.prompt_source, profile.requests) for profile in profiles),
        with_gold=sum(profile.requests for profile in profiles if profile.has_gold),
        loaded=loaded,
        groups=tuple(_groups(profiles, scopes)),
        unreachable=tuple(out_of_reach(profiles)),
        problems=tuple(find_problems(profiles, loaded, scopes)),
    )


def _profiles(con: "DuckDBPyConnection", config: "Config") -> list[Profile]:
    con.execute("CREATE OR REPLACE TEMP TABLE subject_scope AS SELECT CAST(NULL AS TIMESTAMP) AS since")
    for name in ("subject", "joined"):
        con.execute(read_query("labelling", name).text)
    snapshot = config.default_snapshot
    if snapshot is None:
        newest = con.execute("SELECT snapshot_id FROM corpus_snapshot ORDER BY loaded_at DESC LIMIT 1").fetchone()
        snapshot = None if newest is None else newest[0]
    parameters = {"default_snapshot": snapshot, "default_k": config.k, "seconds": _SECONDS_APART}
    rows = con.execute(read_query("doctor", "profile").body, parameters).fetchall()
    return [_profile(row) for row in rows]


def _profile(row: Sequence[Any]) -> Profile:
    service, convention, source, has_gold, recorded, lacking, marks, requests = row
    return Profile(
        service, convention, source, has_gold, frozenset(recorded), frozenset(lacking), frozenset(marks), requests
    )


def _scopes(con: "DuckDBPyConnection") -> dict[str | None, dict[str, tuple[str, ...]]]:
    """Return the scopes that wrote spans of each service, with their versions; the most frequent first."""
    found: dict[str | None, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for service, scope, versions, _ in con.execute(read_query("doctor", "instrumentation").body).fetchall():
        if scope is not None:
            found[service][scope] = tuple(versions or ())
    return dict(found)


def _loaded(con: "DuckDBPyConnection") -> Loaded:
    ((spans, traces, request_traces, gold_cases, snapshots),) = con.execute(
        read_query("doctor", "loaded").body
    ).fetchall()
    return Loaded(spans, traces - request_traces, gold_cases, snapshots)


def _groups(profiles: Iterable[Profile], scopes: dict[str | None, dict[str, tuple[str, ...]]]) -> Iterable[Group]:
    parts: dict[tuple[str | None, str], list[Profile]] = defaultdict(list)
    for profile in profiles:
        parts[profile.service, profile.convention].append(profile)
    for (service, convention), inside in parts.items():
        yield Group(
            service,
            convention,
            sum(profile.requests for profile in inside),
            tuple(" ".join((scope, *versions)) for scope, versions in scopes.get(service, {}).items()),
            _present(inside),
            _counted((profile.prompt_source, profile.requests) for profile in inside),
        )


def _present(profiles: Sequence[Profile]) -> dict[str, int]:
    return {name: sum(one.requests for one in profiles if name in one.recorded) for name in RECORDED}


def _counted(pairs: Iterable[tuple[str, int]]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for name, count in pairs:
        counts[name] += count
    return dict(counts.most_common())


# --- labels ----------------------------------------------------------------------------------------------------------


def out_of_reach(profiles: Sequence[Profile], rules: Sequence[Rule] = RULES) -> Iterable[OutOfReach]:
    """Yield each label that requests cannot get because of what they do not record, in the order of the walk.

    A label that several rules give is out of reach only where all of them are.
    """
    ways: dict[str, list[frozenset[str]]] = defaultdict(list)
    for rule, fields in _fields_on_the_way(rules):
        ways[rule.key].append(fields)
    for label, each in ways.items():
        requests = 0
        missing: set[str] = set()
        for profile in profiles:
            lost = min((fields & profile.lacking for fields in each), key=len)
            requests += profile.requests if lost else 0
            missing |= lost
        if requests:
            yield OutOfReach(label, requests, tuple(name for name in FIELDS if name in missing))


def _fields_on_the_way(rules: Sequence[Rule]) -> Iterable[tuple[Rule, frozenset[str]]]:
    """Yield each rule with the fields that the walk needs to come to it and to decide it.

    A rule is passed without its fields where it does not apply: evidence that is in the prompt, a question that expects
    no refusal. Two kinds of rule stop every walk that lacks a field: one that needs a single field, for which nothing
    else can stand in, and one whose condition is a single fact.
    """
    passed: frozenset[str] = frozenset()
    for rule in rules:
        yield rule, passed | frozenset(rule.needs)
        if len(rule.needs) == 1 or " " not in rule.when:
            passed |= frozenset(rule.needs)
