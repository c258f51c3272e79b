"""The project's own labelled answers: what they are, and how a reading of them is measured."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from otel_ragfault.judging import detect_refusal

SET = Path(__file__).with_name("refusal_answers.jsonl")


class Labelled(NamedTuple):
    """One answer: ``kind`` is refusal, partial, clarification, answer, or refusal and question; ``half`` dev or held."""

    id: str
    half: str
    kind: str
    answer: str

    @property
    def language(self) -> str:
        return self.id.partition("-")[0]

    @property
    def refuses(self) -> bool:
        return self.kind.startswith("refusal")

    @property
    def asks(self) -> bool:
        return self.kind in {"clarification", "refusal and question"}


class Measured(NamedTuple):
    """Precision and recall of refusals, and every answer that was told wrongly."""

    precision: float
    recall: float
    missed: list[Labelled]
    taken: list[Labelled]


def labelled(half: str | None = None, language: str | None = None) -> list[Labelled]:
    """Return the answers of a half and a language, or all."""
    rows = [Labelled(**json.loads(line)) for line in SET.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if half in {None, row.half} and language in {None, row.language}]


def measure(rows: Iterable[Labelled]) -> Measured:
    """Compare what the detector says with the labels."""
    rows = list(rows)
    told = [detect_refusal(row.answer).value for row in rows]
    found = [row for row, value in zip(rows, told, strict=True) if value and row.refuses]
    missed = [row for row, value in zip(rows, told, strict=True) if not value and row.refuses]
    taken = [row for row, value in zip(rows, told, strict=True) if value and not row.refuses]
    return Measured(len(found) / (len(found) + len(taken)), len(found) / (len(found) + len(missed)), missed, taken)
