"""Reconstruct a verdict from its record alone: no database of the pipeline, no model, no network."""

import hashlib
import json
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import duckdb

from otel_ragfault import __version__
from otel_ragfault.errors import InputError
from otel_ragfault.report.evidence.document import EvidenceRecord, digest_of
from otel_ragfault.report.evidence.minimum import boundaries
from otel_ragfault.report.evidence.rows import parts, write_rows
from otel_ragfault.sql import labelling_statement, read_query
from otel_ragfault.store.derived import refresh_derived
from otel_ragfault.store.schema import create_schema

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
    changed record.
    """

    label: str
    recomputed: str | None
    problems: tuple[str, ...]
    other_rules: bool

    @property
    def holds(self) -> bool:
        """Whether the record is whole and its label follows from it."""
        return not self.problems


def verify_evidence(record: EvidenceRecord) -> Verification:
    """Check a record: digest, hashes of texts, what it shows for people, and the label, recomputed from its rows."""
    problems = []
    if record.digested() != record.digest:
        problems.append("the digest does not match: the file was changed after it was written")
    label = None
    try:
        found = relabel(record.rows)
    except (duckdb.Error, InputError, LookupError) as error:
        problems.append(f"the label cannot be recomputed ({' '.join(str(error).split())[:200]})")
    else:  # only now is it known that the rows are such as the checks read
        label = found["label"]
        problems += _inconsistent(record)
        problems += _differences(record, found)
    return Verification(record.label, label, tuple(problems), record.written_by.rules != rules())


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
    """Return a digest of the rules and facts of this release."""
    return digest_of(labelling_statement())


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


def relabel(rows: "Mapping[str, Sequence[Row]]") -> "Row":
    """Return the label that follows from the rows of a record, in the shape of a row of the table label.

    Raises:
        InputError: rows are missing, or are not of this case, or no rows of our tables.
        duckdb.Error: they do not fit the schema of this release.
    """
    if rows.keys() != set(parts()):
        raise InputError(f"other rows than those of {', '.join(parts())} were found, or fewer")
    for part in ("request", "gold_case", "label", "label_run"):
        if len(rows.get(part, ())) != 1:
            raise InputError(f"one row of {part} was wanted, {len(rows.get(part, ()))} were found")
    [label], [run] = rows["label"], rows["label_run"]
    with closing(duckdb.connect()) as con:
        create_schema(con, f"otel-ragfault {__version__}")
        refresh_derived(con)
        for part in parts():
            if rows[part]:
                write_rows(con, part, rows[part])
        con.execute("CREATE TEMP VIEW subject AS FROM request")
        con.execute("CREATE TEMP VIEW judged AS FROM verdict")
        con.execute(read_query("labelling", "joined").text)
        found = con.execute(
            f"SELECT to_json(labelled) FROM ({labelling_statement()}) AS labelled", _parameters(rows, label, run)
        ).fetchall()
    if len(found) != 1:
        raise InputError(f"one label was wanted, {len(found)} came out")
    return {name: value for name, value in json.loads(found[0][0]).items() if value is not None}


def _parameters(rows: "Mapping[str, Sequence[Row]]", label: "Row", run: "Row") -> dict[str, object]:
    config = run["config"]
    if not isinstance(config, dict):
        raise InputError("label_run: a configuration was wanted; the file was changed")
    return {
        "k": label.get("k"),  # whether it was recorded, a default or an override: it is the one that was used
        "default_k": None,
        "floor": config.get("similarity_floor"),
        "default_snapshot": next((row["snapshot_id"] for row in rows.get("corpus_snapshot", ())), None),
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
