"""One piece of a streamed answer, and the joining of the pieces."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from otel_ragfault.capture._answers import FIELDS, NO_ANSWER, Answer, read_answer
from otel_ragfault.capture._failures import Guard
from otel_ragfault.capture._messages import text_of_content
from otel_ragfault.capture._values import peek

Delta = Callable[[Any], str | None]

_DELTA = Guard("delta")


class AnswerPieces:
    """Gathers a streamed answer: text is kept only where content is recorded, the rest is small."""

    __slots__ = ("_answer", "_delta", "_keep", "_texts")

    def __init__(self, delta: Delta | None, *, keep_text: bool) -> None:
        self._delta = delta
        self._keep = keep_text
        self._texts: list[str] = []
        self._answer = NO_ANSWER

    def add(self, piece: Any) -> None:
        """Takes the next piece as the consumer takes it."""
        if type(piece) is str and self._delta is None:
            if self._keep:
                self._texts.append(piece)
            return
        with _DELTA:
            text = self._delta(piece) if self._delta is not None else delta_text(piece)
            if isinstance(text, str) and self._keep:
                self._texts.append(text)
            if not isinstance(piece, str):
                self._answer = merged(self._answer, read_answer(_envelope(piece)))

    def answer(self) -> Answer:
        """Returns the answer as far as it was consumed."""
        if self._texts:
            return replace(self._answer, text="".join(self._texts))
        return replace(self._answer, text=None)


def delta_text(piece: Any) -> str | None:
    """Returns the text that a piece adds: a string, or the text of the chunk types of the model clients."""
    if isinstance(piece, str):
        return piece
    if isinstance(piece, Answer):
        return piece.text
    choices = peek(piece, ("choices",))
    if isinstance(choices, list | tuple):
        return text_of_content(peek(peek(choices[0], ("delta",)), ("content",))) if choices else None
    delta = peek(piece, ("delta",))
    if delta is not None:
        return delta if isinstance(delta, str) else text_of_content(peek(delta, ("text", "content")))
    return text_of_content(peek(piece, ("text", "content", "token", "answer")))


def _envelope(piece: Any) -> Any:
    """Opens events that carry the response (``message_start`` and ``response.completed``)."""
    inner = peek(piece, ("response", "message"))
    return inner if peek(inner, ("usage", "model")) is not None else piece


def merged(known: Answer, later: Answer) -> Answer:
    """Lets what a later piece tells replace what was known."""
    told = {name: value for name in FIELDS if (value := getattr(later, name)) is not None}
    return replace(known, **told) if told else known
