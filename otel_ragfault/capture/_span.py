"""A stage that is running: its span, and what may be recorded on it by hand."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from opentelemetry.context import Context, get_value
from opentelemetry.trace import INVALID_SPAN, Span

from otel_ragfault import semconv
from otel_ragfault.capture._answers import Answer, answer_attributes
from otel_ragfault.capture._chunks import chunk_ids_json, dropped_json
from otel_ragfault.capture._context import STAGE_KEY, leave
from otel_ragfault.capture._errors import record_error
from otel_ragfault.capture._failures import Guard, count_failure
from otel_ragfault.capture._kinds import ALL_SETTINGS, Kind
from otel_ragfault.capture._messages import input_messages, shown_text
from otel_ragfault.capture._rankings import ranking_json
from otel_ragfault.capture._text import View

if TYPE_CHECKING:
    from contextvars import Token

_RECORD = Guard("record")
_END = Guard("end")


class StageSpan:
    """The handle of a running stage: what ``with retrieval(...) as span`` binds and :func:`current_stage` returns.

    What is recorded through it wins over what is read from arguments and return values. None of its methods raises;
    after the stage has ended, or where nothing is traced, they do nothing.
    """

    __slots__ = ("_kind", "_told", "mark", "recording", "span", "view")

    def __init__(self, span: Span, kind: Kind | None, view: View, recording: bool) -> None:  # noqa: FBT001  # by position: the hot path
        self.span = span
        """The OpenTelemetry span, for attributes of your own."""
        self.recording = recording
        """Whether anything that is recorded now will be kept."""
        self._kind = kind
        self.view = view
        self.mark: Token[Context] | None = None
        self._told: set[str] | None = None

    # --- for users -------------------------------------------------------------------------------------------------

    def record_documents(self, documents: Any, *, complete: bool | None = None, score_kind: str | None = None) -> None:
        """Records a ranking, best first: ids, ``(id, score)`` pairs, mappings, or the objects of a client.

        Args:
            documents: The items in rank order; the order is the rank, whatever the scores say.
            complete: Whether this is all that the retriever scored.
            score_kind: ``bm25``, ``similarity`` or ``distance``.
        """
        with _RECORD:
            self._tell(
                {semconv.GEN_AI_RETRIEVAL_DOCUMENTS: ranking_json(documents, self.view) if self.recording else None}
            )
        self.set(complete=complete, score_kind=score_kind)

    def record_chunks(
        self, chunks: Any, *, dropped: Any = None, budget: int | None = None, budget_unit: str | None = None
    ) -> None:
        """Records the chunks of the prompt, in prompt order, and those that were left out.

        Args:
            chunks: Ids or chunks.
            dropped: ``(id, reason)`` pairs, ``{"id", "reason"}`` mappings, or ids alone.
            budget: The size that the context may have.
            budget_unit: ``words``, ``characters`` or ``tokens``.
        """
        with _RECORD:
            if self.recording:
                found = {
                    semconv.RAGFAULT_ASSEMBLY_CHUNK_IDS: chunk_ids_json(chunks),
                    semconv.RAGFAULT_ASSEMBLY_DROPPED: dropped_json(dropped),
                }
                self._tell(found)
        self.set(budget=budget, budget_unit=budget_unit)

    def record_answer(  # the fields of an answer, each optional and by name
        self,
        text: str | None = None,
        *,
        citations: Iterable[Any] | None = None,
        decision: str | None = None,
        finish_reasons: Iterable[str] | str | None = None,
        response_model: str | None = None,
        response_id: str | None = None,
        input_tokens: int | None = None,
        output_tokens: int | None = None,
    ) -> None:
        """Records an answer, or what is known of it; the fields are those of :class:`Answer`."""
        with _RECORD:
            if self.recording:
                answer = Answer(
                    text=text,
                    citations=citations,
                    decision=decision,
                    finish_reasons=finish_reasons,
                    response_model=response_model,
                    response_id=response_id,
                    input_tokens=input_tokens,
                    output_tokens=output_tokens,
                )
                self._tell(answer_attributes(answer, self.view))

    def record_query(self, query: Any) -> None:
        """Records the text that is searched for; on a request, the user's question."""
        with _RECORD:
            if self._kind is not None and self._kind.stage == semconv.STAGE_REQUEST:
                self._tell({semconv.GEN_AI_INPUT_MESSAGES: input_messages(query, self.view)})
            else:
                self._tell({semconv.GEN_AI_RETRIEVAL_QUERY_TEXT: shown_text(query, self.view)})

    def record_prompt(self, prompt: Any) -> None:
        """Records the prompt as sent: a string, or the messages of any common client."""
        with _RECORD:
            self._tell({semconv.GEN_AI_INPUT_MESSAGES: input_messages(prompt, self.view)})

    def set(self, **settings: Any) -> None:
        """Sets what is also an argument of the decorators, when it is known only later: ``span.set(k=5)``.

        Case, run and snapshot are handed down when the request starts; set later, they stay on this span alone.
        """
        with _RECORD:
            if not self.recording:
                return
            for name, value in settings.items():
                setting = (self._kind.settings.get(name) if self._kind else None) or ALL_SETTINGS.get(name)
                if setting is None:
                    count_failure("set.unknown", f"found {name}, one of {', '.join(sorted(ALL_SETTINGS))} was wanted")
                elif value is not None:
                    self._tell({setting.attribute: setting.convert(value, self.view)})

    # --- for the wrappers ------------------------------------------------------------------------------------------

    def leave(self) -> None:
        """Makes current what was current before."""
        mark = self.mark
        if mark is not None:
            self.mark = None
            leave(mark)

    def write(self, name: str, value: Any) -> None:
        """Writes what was read from a call, unless the user has told better."""
        if value is not None and self.recording and (self._told is None or name not in self._told):
            self.span.set_attribute(name, value)

    def write_all(self, attributes: Mapping[str, Any]) -> None:
        """Writes several attributes in that way."""
        for name, value in attributes.items():
            self.write(name, value)

    def end(self, error: BaseException | None = None) -> None:
        """Ends the span, once."""
        if self.recording:
            self.recording = False
            if error is not None and not isinstance(error, GeneratorExit):
                record_error(self.span, error, self.view)
            try:
                self.span.end()
            except Exception as failure:  # noqa: BLE001  # a span processor of the user's
                _END.caught(failure)

    def _tell(self, attributes: Mapping[str, Any]) -> None:
        if not self.recording:
            return
        told = {name: value for name, value in attributes.items() if value is not None}
        self._told = (self._told or set()) | told.keys()
        for name, value in told.items():
            self.span.set_attribute(name, value)


NOWHERE = StageSpan(INVALID_SPAN, None, View(content=False, redact=None), False)  # noqa: FBT003
"""The handle where nothing is traced."""


def current_stage() -> StageSpan:
    """Returns the handle of the innermost running stage, to record from inside a decorated function.

    ``current_stage().record_answer(citations=cited)``. Outside of any stage the handle records nothing.
    """
    found = get_value(STAGE_KEY)
    return found if isinstance(found, StageSpan) else NOWHERE
