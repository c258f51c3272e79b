"""The document: its form, its JSON Schema, and how it is read and written."""

import hashlib
import json
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from otel_ragfault.errors import InputError
from otel_ragfault.report.evidence.rows import Row

FORMAT: Final = "otel-ragfault evidence record"
_DIGEST = r"^[0-9a-f]{64}$"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Unknown(_Part):
    """Something that is not known, and why."""

    name: str
    reason: str
    remedy: str


class Boundary(_Part):
    """What is known of a hand-off that evidence crosses, and what is not."""

    known: dict[str, Any]
    unknown: tuple[Unknown, ...]


class Writer(_Part):
    """What wrote the record: the tool, the schema of its database, and a digest of its rules."""

    tool: str
    version: str
    schema_version: int
    rules: str


class EvidenceRecord(_Part):
    """Everything that a label rests on. The digest is the SHA-256 of the record without it, as canonical JSON.

    ``boundaries`` is for people: the hand-offs in the order of the pipeline. ``rows`` is what the label is recomputed
    from: rows of the tables, by table; a column that is NULL is left out. ``texts`` holds the SHA-256 of every text, so
    that it can be compared with another copy.
    """

    format: Literal["otel-ragfault evidence record"] = FORMAT
    format_version: Literal[1] = 1
    written_at: str
    written_by: Writer
    case_id: str
    request_id: str
    trace_id: str
    label: str
    outcome: str
    boundaries: dict[str, Boundary]
    texts: dict[str, Annotated[str, Field(pattern=_DIGEST)]]
    rows: dict[str, tuple[Row, ...]]
    digest: Annotated[str, Field(pattern=_DIGEST)] = "0" * 64

    def digested(self) -> str:
        """Return the digest that the record should have."""
        return digest_of(self.model_dump(mode="json", exclude={"digest"}))


def digest_of(value: Any) -> str:
    """Return the SHA-256 of a value as canonical JSON: keys sorted, no white space, UTF-8."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def evidence_json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a record."""
    schema = EvidenceRecord.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def write_evidence(record: EvidenceRecord, path: Path) -> None:
    """Write a record; the file is there whole or not at all.

    Raises:
        InputError: it cannot be written.
    """
    write_json(record.model_dump(mode="json"), path)


def write_json(value: Any, path: Path) -> None:
    """Write a value as JSON; the file is there whole or not at all.

    Raises:
        InputError: it cannot be written.
    """
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    unfinished = path.with_name(f".{path.name}.part")
    try:
        unfinished.write_text(f"{text}\n", encoding="utf-8")
        unfinished.replace(path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise InputError(f"{path}: cannot be written ({error.strerror}); name a file that can be") from error


def read_evidence(path: Path) -> EvidenceRecord:
    """Read a record. Whether it is true is for :func:`~otel_ragfault.report.evidence.verify_evidence` to say.

    Raises:
        InputError: it is not a record of a version that this release knows.
    """
    try:
        found = json.loads(path.read_bytes(), object_pairs_hook=_once, parse_constant=_no_json)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); name an evidence record") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON ({error}); name a file that ragfault record wrote") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise InputError(f"{path}: not an evidence record; a file that ragfault record wrote was wanted")
    try:
        record = EvidenceRecord.model_validate(found)
        record.digested()
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"{path}: {where}: {first['msg']}; the file was changed, or is of another release") from None
    except ValueError as error:  # half a character, or nested too deeply
        raise InputError(f"{path}: no record has such a value ({error}); the file was changed") from None
    return record


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON. Of a name that stands twice, a person may read one value and a program the other."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} stands twice in an object")
    return found


def _no_json(word: str) -> float:
    raise ValueError(f"{word} is no JSON")
