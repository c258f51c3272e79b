"""Judge anew what our own rules said, from the texts in a record: a verdict by rule need not be believed.

What people, models and other people's checks said is taken on trust, and so is what rules said where the record does
not hold all that they read: texts that were not loaded, a detector or patterns of refusals that a user brought. These
are not run, since a record may come from anybody.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from otel_ragfault.counting import counted
from otel_ragfault.errors import InputError
from otel_ragfault.jobs.label import judge_joined
from otel_ragfault.judging.verdicts import EXTRACTOR_VERSION
from otel_ragfault.model import Config
from otel_ragfault.model.config import pattern_of
from otel_ragfault.report.evidence.restored import settings, snapshot
from otel_ragfault.report.evidence.rows import Row

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_OF_REFUSALS: Final = frozenset({"refusal", "clarification", "grounded", "claim_found"})
_OF_CHUNKS: Final = frozenset({"grounded", "claim_support", "claim_correct", "claim_found", "citation"})
_CUT: Final = ("text", "cited_ids", "needs_support", "astray")
_PHRASES: Final = ("refusal_phrases", "extra_refusal_phrases")

_TIMED_OUT: Final = "was not done within"
_Key = tuple[str, str, str]
_Rows = Mapping[str, Sequence[Row]]


@dataclass(frozen=True, slots=True)
class Rejudged:
    """What came of it: ``problems``, the subjects of which rules were asked ``anew``, and verdicts ``on_trust``."""

    problems: tuple[str, ...]
    anew: tuple[str, ...]
    on_trust: tuple[str, ...]


def rejudge(con: "DuckDBPyConnection", rows: _Rows) -> Rejudged:
    """Judge a request anew by our rules, and compare what they say with what is recorded.

    Args:
        con: a database in which the rows are restored; its verdicts and claims are replaced.
        rows: the rows of the record, by part.

    Raises:
        InputError: the configuration is none.
        duckdb.Error: rows do not fit the schema of this release.
    """
    trusted_subjects = _OF_REFUSALS if _has_own_refusals(rows) else frozenset()
    found, claims = _judged(con, rows)
    recorded = _newest(row for row in rows["verdict"] if row["source"] == "rule")
    problems, on_trust = _other_claims(rows, claims), _others(rows)
    for key in sorted(recorded.keys() | found.keys()):
        was, now = recorded.get(key, {}).get("value"), found.get(key, {}).get("value")
        if was == now or (was is None and (key[0] in trusted_subjects or _may_be_of_another_snapshot(rows, key[0]))):
            continue
        if key[0] in trusted_subjects or _cannot_tell(rows, key[0], found.get(key, {})):
            on_trust.append(f"{_named(key)} by rule")
        else:
            problems.append(
                f"verdict {_named(key)}: {_word(was)} by rule is recorded, {_word(now)} follows from the texts"
            )
    subjects = {subject for subject, _, _ in recorded}
    told = {line.split()[0] for line in on_trust if line.endswith(" by rule")} | trusted_subjects
    return Rejudged(tuple(problems), tuple(sorted(subjects - told)), tuple(on_trust))


def _judged(con: "DuckDBPyConnection", rows: _Rows) -> tuple[dict[_Key, Row], list[Row]]:
    """Return what our rules say of the request now, and the claims into which its answer is cut."""
    for table in ("verdict", "answer_claim"):
        con.execute(f"DELETE FROM {table}")
    judge_joined(con, _config(rows), snapshot(rows))
    verdicts, claims = (
        [json.loads(text) for (text,) in con.execute(f"SELECT to_json(one) FROM {table} AS one").fetchall()]
        for table in ("verdict", "answer_claim")
    )
    return _newest(verdicts), claims


def _config(rows: _Rows) -> Config:
    """Return the configuration of our rules, of which a later release may know more keys, or fewer."""
    config = settings(rows)
    plain = {name: [one for one in config.get(name) or () if pattern_of(str(one)) is None] for name in _PHRASES}
    try:
        return Config.model_validate({**plain, "default_snapshot": config.get("default_snapshot")})
    except ValidationError as error:
        raise InputError(f"label_run: a configuration was wanted ({error.errors()[0]['msg']})") from None


def _has_own_refusals(rows: _Rows) -> bool:
    config = settings(rows)
    phrases = [one for name in _PHRASES for one in config.get(name) or ()]
    return config.get("refusal_detector") is not None or any(pattern_of(str(one)) is not None for one in phrases)


def _newest(verdicts: "Iterator[Row] | Sequence[Row]") -> dict[_Key, Row]:
    """Return the newest verdict on each thing: of our rules it is the one that counts."""
    by_time = sorted(verdicts, key=lambda row: str(row["judged_at"]))
    return {(row["subject"], row.get("target") or "", row.get("claim_id") or ""): row for row in by_time}


def _cannot_tell(rows: _Rows, subject: str, found: Row) -> bool:
    """Say whether rules would need what the record does not hold, or more time."""
    if _TIMED_OUT in (found.get("reason") or ""):
        return True
    if subject not in _OF_CHUNKS:
        return False
    [request] = rows["request"]
    named = {chunk for name in ("prompt_ids", "cited_ids") for chunk in request.get(name) or () if chunk is not None}
    return bool(named - {row["chunk_id"] for row in rows["corpus_chunk"] if "text" in row})


def _may_be_of_another_snapshot(rows: _Rows, subject: str) -> bool:
    """Say whether several snapshots may have been loaded, of which the rule of grounding then takes none."""
    return (
        subject == "grounded" and "snapshot_id" not in rows["request"][0] and not settings(rows).get("default_snapshot")
    )


def _other_claims(rows: _Rows, claims: Sequence[Row]) -> list[str]:
    """Name the claims that are not those into which the answer is cut."""
    ours = [row for row in rows["answer_claim"] if row["extractor_version"] == EXTRACTOR_VERSION]
    if not ours:
        return []
    was, now = ({row["claim_id"]: [row.get(name) for name in _CUT] for row in some} for some in (ours, claims))
    return [
        f"claim {name}: not what the answer says"
        for name in sorted(was.keys() | now.keys())
        if was.get(name) != now.get(name)
    ]


def _others(rows: _Rows) -> list[str]:
    """Name whose word is taken: judge, kind of judge, and on what."""
    said = Counter(
        f"{row['subject']} by {row.get('judge') or 'somebody'} ({row['source']})"
        for row in rows["verdict"]
        if row["source"] != "rule" and row.get("value") is not None
    )
    return [name if number == 1 else f"{name}, {counted(number, 'verdict')}" for name, number in sorted(said.items())]


def _named(key: _Key) -> str:
    return " ".join(filter(None, key))


def _word(value: object) -> str:
    return "nothing" if value is None else str(value).lower()
