"""Reconstruct a verdict from its record alone: no database of the pipeline, no model, no network."""

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import duckdb

from otel_ragfault.errors import InputError
from otel_ragfault.judging.claims.run import CLAIM_JUDGE_VERSION
from otel_ragfault.judging.judge import JUDGE_VERSION
from otel_ragfault.judging.verdicts import EXTRACTOR_VERSION
from otel_ragfault.report.evidence.document import EvidenceRecord, digest_of
from otel_ragfault.report.evidence.minimum import boundaries
from otel_ragfault.report.evidence.rejudge import Rejudged, rejudge
from otel_ragfault.report.evidence.restored import restored, settings, snapshot
from otel_ragfault.sql import labelling_statement

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from duckdb import DuckDBPyConnection

    from otel_ragfault.report.evidence.rows import Row

_RECOMPUTED: Final = (
    "label",
    "boundary",
    "outcome",
    "latent",
    "retrieved",
    "grounded",
    "correct",
    "cited",
    "k",
    "gold_version",
    "detail",
)
_TEXTS: Final[tuple[str, ...]] = ("query", "retrieval_query", "prompt_text", "answer")
_OF_REQUEST: Final = ("request", "answer_claim", "verdict")
_OF_CASE: Final = ("gold_case", "gold_evidence", "resolved_evidence", "resolved_quote")


@dataclass(frozen=True, slots=True)
class Verification:
    """What came of it: ``label`` as recorded, ``recomputed`` from the rows, ``problems`` that were found.

    ``other_rules``: this release's rules are not those that gave the label, so that another label is no sign of a
    changed record. ``rejudged`` are the subjects of which verdicts by rule were judged anew from the texts,
    ``on_trust`` the verdicts that were not.
    """

    label: str
    recomputed: str | None
    problems: tuple[str, ...]
    other_rules: bool
    rejudged: tuple[str, ...] = ()
    on_trust: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the record is whole and its label follows from it."""
        return not self.problems


def verify_evidence(record: EvidenceRecord) -> Verification:
    """Check a record: digest, hashes, what it shows for people, verdicts by rule, and the label, from its rows."""
    problems = []
    if record.digested() != record.digest:
        problems.append("the digest does not match: the file was changed after it was written")
    label, again = None, Rejudged((), (), ())
    try:
        with restored(record.rows) as con:
            found, again = relabel(con, record.rows), rejudge(con, record.rows)
    except (duckdb.Error, InputError, LookupError) as error:
        problems.append(f"the label cannot be recomputed ({' '.join(str(error).split())[:200]})")
    else:  # only now is it known that the rows are such as the checks read
        label = found["label"]
        problems += _inconsistent(record)
        problems += _differences(record, found)
        problems += again.problems
    return Verification(
        record.label, label, tuple(problems), record.written_by.rules != rules(), again.anew, again.on_trust
    )


def _inconsistent(record: EvidenceRecord) -> list[str]:
    """Return what is wrong with the texts, with what people are shown, and with rows of others."""
    problems = [f"text {name}: the hash does not match" for name in differing(hashes(record.rows), record.texts)]
    shown = {name: boundary.model_dump(mode="json") for name, boundary in boundaries(record.rows).items()}
    told = {name: boundary.model_dump(mode="json") for name, boundary in record.boundaries.items()}
    problems += [f"boundary {name}: not what the rows say" for name in differing(shown, told)]
    [label] = record.rows["label"]
    owners = [(part, "request_id") for part in _OF_REQUEST] + [(part, "case_id") for part in _OF_CASE]
    problems += [
        f"{part}: a row of another {name.removesuffix('_id')}"
        for part, name in [*owners, ("label_run", "run_id")]
        if any(row.get(name) != label[name] for row in record.rows[part])
    ]
    problems += [
        f"text chunk:{row['chunk_id']}: the hash of the row does not match"
        for row in record.rows["corpus_chunk"]
        if "text" in row and row.get("text_hash") != _sha256(row["text"])
    ]
    return problems


def rules() -> str:
    """Return a digest of the rules, facts and judges of this release."""
    return digest_of([labelling_statement(), JUDGE_VERSION, CLAIM_JUDGE_VERSION, EXTRACTOR_VERSION])


def differing(one: "Mapping[str, Any]", other: "Mapping[str, Any]") -> list[str]:
    """Return the keys under which two mappings differ, sorted."""
    return sorted(key for key in one.keys() | other.keys() if one.get(key) != other.get(key))


def hashes(rows: "Mapping[str, Sequence[Row]]") -> dict[str, str]:
    """Return the SHA-256 of each text: ``query``, ``answer`` …, and ``chunk:<id>`` for those of the corpus."""
    texts = {name: row[name] for row in rows["request"] for name in _TEXTS if name in row}
    texts |= {f"chunk:{row['chunk_id']}": row["text"] for row in rows["corpus_chunk"] if "text" in row}
    return {name: _sha256(text) for name, text in texts.items()}


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def relabel(con: "DuckDBPyConnection", rows: "Mapping[str, Sequence[Row]]") -> "Row":
    """Return the label that follows from the rows of a record, in the shape of a row of the table label.

    Args:
        con: a database in which they are restored.
        rows: the rows, by part.

    Raises:
        InputError: rows are not of this case.
        duckdb.Error: they do not fit the schema of this release.
    """
    found = con.execute(
        f"SELECT to_json(labelled) FROM ({labelling_statement()}) AS labelled", _parameters(rows)
    ).fetchall()
    if len(found) != 1:
        raise InputError(f"one label was wanted, {len(found)} came out")
    return {name: value for name, value in json.loads(found[0][0]).items() if value is not None}


def _parameters(rows: "Mapping[str, Sequence[Row]]") -> dict[str, object]:
    config, [label] = settings(rows), rows["label"]
    return {
        "k": label.get("k"),  # whether it was recorded, a default or an override: it is the one that was used
        "default_k": None,
        "floor": config.get("similarity_floor"),
        "default_snapshot": snapshot(rows),
        "stopwords": config.get("stopwords", []),
    }


def _differences(record: EvidenceRecord, found: "Row") -> list[str]:
    [label] = record.rows["label"]
    shown = [
        f"{name}: {label.get(name)!r} is recorded, {found.get(name)!r} follows from the record"
        for name in _RECOMPUTED
        if _unordered(label.get(name)) != _unordered(found.get(name))
    ]
    [request] = record.rows["request"]
    kept_as = {name: label[name] for name in ("label", "outcome", "case_id")}
    kept_as |= {"request_id": _hex(label["request_id"]), "trace_id": _hex(request["trace_id"])}
    for name, kept in kept_as.items():
        told = getattr(record, name)
        if told != kept:
            shown.append(f"{name}: {told!r} is shown, the row says {kept!r}")
    return shown


def _hex(uuid: str) -> str:
    return uuid.replace("-", "")


def _unordered(value: Any) -> Any:
    """Return a value with its lists in one order: groups and chunks are written as the database comes by them."""
    if isinstance(value, list):
        return sorted((_unordered(item) for item in value), key=json.dumps)
    if isinstance(value, dict):
        return {name: _unordered(item) for name, item in value.items()}
    return value
