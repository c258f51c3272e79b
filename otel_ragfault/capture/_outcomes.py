"""Reading what a stage produced: a whole result at once, or piece by piece as a stream is consumed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from otel_ragfault import semconv
from otel_ragfault.capture._answers import Attributes, answer_attributes, read_answer
from otel_ragfault.capture._chunks import assembly_attributes
from otel_ragfault.capture._deltas import AnswerPieces, Delta, merged
from otel_ragfault.capture._failures import Guard
from otel_ragfault.capture._rankings import ranking_json, row_of
from otel_ragfault.capture._span import StageSpan
from otel_ragfault.capture._text import View, dumps

Extract = Callable[[Any], Any]

_EXTRACT = Guard("extract")
_OUTCOME = Guard("outcome")


@dataclass(frozen=True, slots=True)
class Reading:
    """How the results of one decorated function are read.

    ``extract`` sees a whole result; of a streamed ranking, each item; of a streamed answer, the joined text.
    """

    reads: str
    extract: Extract | None = None
    delta: Delta | None = None

    def write(self, stage: StageSpan, result: Any, view: View) -> None:
        """Writes what a result tells to the stage's span."""
        if not stage.recording:
            return
        try:
            if self.extract is not None:
                result = _extracted(self.extract, result)
            if self.reads == "documents":
                stage.write(semconv.GEN_AI_RETRIEVAL_DOCUMENTS, ranking_json(result, view))
            elif self.reads == "chunks":
                stage.write_all(assembly_attributes(result))
            else:
                stage.write_all(answer_attributes(read_answer(result), view))
        except Exception as error:  # noqa: BLE001  # whatever the user's objects do
            _OUTCOME.caught(error)

    def pieces(self, view: View) -> "Pieces":
        """Returns an empty collection for the pieces of a stream."""
        return Pieces(self, view)


class Pieces:
    """What a consumer has taken from a stream so far; holds what will be written, never the items themselves."""

    __slots__ = ("_answer", "_reading", "_rows", "_view")

    def __init__(self, reading: Reading, view: View) -> None:
        self._reading = reading
        self._view = view
        self._rows: list[dict[str, Any]] = []
        self._answer = AnswerPieces(reading.delta, keep_text=view.content or reading.extract is not None)

    def add(self, item: Any) -> None:
        """Takes the next item."""
        if self._reading.reads == "answer":
            self._answer.add(item)
            return
        if self._reading.extract is not None:
            item = _extracted(self._reading.extract, item)
        self._rows.append(row_of(item, self._view))

    def write(self, stage: StageSpan, *, exhausted: bool) -> None:
        """Writes the pieces to the stage's span; a ranking that was not read to its end is not complete."""
        stage.write_all(self._attributes())
        if self._reading.reads == "documents" and not exhausted:
            stage.write(semconv.RAGFAULT_RETRIEVAL_COMPLETE, value=False)

    def _attributes(self) -> Attributes:
        if self._reading.reads == "documents":
            return {semconv.GEN_AI_RETRIEVAL_DOCUMENTS: dumps(self._rows)}
        if self._reading.reads == "chunks":
            return {semconv.RAGFAULT_ASSEMBLY_CHUNK_IDS: dumps([row["id"] for row in self._rows])}
        answer = self._answer.answer()
        if self._reading.extract is not None:
            answer = merged(answer, read_answer(_extracted(self._reading.extract, answer.text or "")))
        return answer_attributes(answer, self._view)


def _extracted(extract: Extract, result: Any) -> Any:
    """Asks the user's function; an iterator that it returns is ours to read, and a mapping may be an answer."""
    with _EXTRACT:
        found = extract(result)
        if hasattr(type(found), "__next__"):
            return list(found)
        return found
    return None
