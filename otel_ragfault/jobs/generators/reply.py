"""What a generator returned, read as an answer: a text, an ``Answer``, a mapping, a pair, a stream of texts."""

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, Final

from otel_ragfault import semconv
from otel_ragfault.capture import Answer
from otel_ragfault.jobs.generators.values import MOST_BYTES, Failure, Generated
from otel_ragfault.model.wording import shown

_WANTED: Final = 'a text, an Answer, or a mapping such as {"answer": "…", "citations": ["c1"]} was wanted'
_TEXT_NAMES: Final = ("answer", "text", "content")
_PAIR: Final = 2
_MOST_KEYS: Final = 5


class ReplyError(Exception):
    """What was returned is no answer; ``failure`` says why."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def read_reply(result: Any) -> Generated:
    """Read what a generator returned; what is no answer becomes a failure."""
    try:
        return _read(result)
    except ReplyError as error:
        return Generated(failure=error.failure)


def whole_stream(parts: Iterator[Any]) -> str:
    """Join the texts of a stream.

    Raises:
        ReplyError: a part is no text, or there is too much of it.
    """
    stream = _Stream()
    for part in parts:
        stream.take(part)
    return stream.text


async def whole_async_stream(parts: AsyncIterator[Any]) -> str:
    """Join the texts of an asynchronous stream.

    Raises:
        ReplyError: a part is no text, or there is too much of it.
    """
    stream = _Stream()
    async for part in parts:
        stream.take(part)
    return stream.text


class _Stream:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0

    def take(self, part: Any) -> None:
        if not isinstance(part, str):
            raise ReplyError(Failure("wrong_type", f"a stream yielded {_named(part)}; texts were wanted"))
        self._size += len(part)
        if self._size > MOST_BYTES:
            raise ReplyError(too_large(None))
        self._parts.append(part)

    @property
    def text(self) -> str:
        return "".join(self._parts)


def too_large(size: int | None) -> Failure:
    """Return the failure of an answer that is too large; ``size`` in bytes, where it is known."""
    found = "more" if size is None else f"{size / 1e6:.1f} MB"
    return Failure("too_large", f"the answer has {found}; at most {MOST_BYTES / 1e6:.0f} MB was wanted")


def decoded(said: bytes, charset: str = "utf-8") -> str | Failure:
    """Return the text of bytes, without blanks around it, or why it is none."""
    try:
        return said.decode(charset).strip()
    except LookupError:
        return Failure("wrong_type", f"the answer is encoded as {shown(charset)}, which is not known; wanted UTF-8")
    except ValueError as error:
        where = f", byte {error.start + 1}" if isinstance(error, UnicodeDecodeError) else ""
        return Failure("wrong_type", f"the answer cannot be decoded ({charset}{where}); a text in UTF-8 was wanted")


def _read(result: Any) -> Generated:
    if result is None:
        raise ReplyError(Failure("nothing", f"it returned nothing (None); {_WANTED}"))
    if isinstance(result, str):
        return _generated(result, None, None)
    if isinstance(result, Answer):
        return _generated(result.text, result.citations, result.decision)
    if isinstance(result, Mapping):
        return _generated(_named_text(result), result.get("citations"), result.get("decision"), keys=list(result))
    if isinstance(result, tuple) and len(result) == _PAIR:
        return _generated(result[0], result[1], None)
    for name in _TEXT_NAMES:  # messages of model clients
        text = getattr(result, name, None)
        if isinstance(text, str):
            return _generated(text, getattr(result, "citations", None), getattr(result, "decision", None))
    raise _wrong(result)


def _named_text(result: Mapping[Any, Any]) -> Any:
    return next((result[name] for name in _TEXT_NAMES if result.get(name) is not None), None)


def _generated(text: Any, citations: Any, decision: Any, *, keys: list[Any] | None = None) -> Generated:
    decided = _decision(decision)
    if text is None and decided in (None, semconv.DECISION_ANSWER):
        raise ReplyError(_without_text(keys))
    if text is not None and not isinstance(text, str):
        raise _wrong(text)
    answer = None if text is None else _storable(text)
    return Generated(answer=answer, citations=_citations(citations), decision=decided)


def _without_text(keys: list[Any] | None) -> Failure:
    """Say that there is no text; of a mapping, which key is missing or empty."""
    named = [name for name in _TEXT_NAMES if name in (keys or ())]
    if keys is None or named:
        empty = f"{shown(named[0])} is empty" if named else "the answer has no text"
        return Failure("nothing", f"{empty}; {_WANTED}")
    found = f"found {', '.join(map(shown, keys[:_MOST_KEYS]))}" if keys else "it is empty"
    return Failure("wrong_type", f"it returned a mapping without the key 'answer' ({found}); {_WANTED}")


def _storable(text: str) -> str:
    """Return the text with what UTF-8 has no form for written as an escape."""
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MOST_BYTES:
        raise ReplyError(too_large(size))
    return str.__str__(text).encode("utf-8", "backslashreplace").decode()


def _citations(value: Any) -> tuple[str, ...] | None:
    if value is None:
        return None
    if isinstance(value, str) or not isinstance(value, list | tuple | set | frozenset):
        raise ReplyError(Failure("wrong_type", f"citations: found {_named(value)}; a list of chunk ids was wanted"))
    ids = [_cited_id(one) for one in value]
    return tuple(sorted(ids)) if isinstance(value, set | frozenset) else tuple(ids)


def _cited_id(value: Any) -> str:
    """Return the id of what is cited: an id, a chunk, or an object with one."""
    cited = value.get("id") if isinstance(value, Mapping) else getattr(value, "id", value)
    if isinstance(cited, int) and not isinstance(cited, bool):
        return str(cited)
    if not isinstance(cited, str):
        raise ReplyError(Failure("wrong_type", f"citations: found {_named(cited)}; a list of chunk ids was wanted"))
    return _storable(cited)


def _decision(value: Any) -> str | None:
    if value is None:
        return None
    word = getattr(value, "value", value)
    if isinstance(word, str) and word.strip().lower() in semconv.DECISIONS:
        return word.strip().lower()
    raise ReplyError(
        Failure("wrong_type", f"decision: found {_named(word)}; one of {', '.join(semconv.DECISIONS)} was wanted")
    )


def _wrong(value: Any) -> ReplyError:
    return ReplyError(Failure("wrong_type", f"it returned {_named(value)}; {_WANTED}"))


def _named(value: Any) -> str:
    """Return a value as a message shows it, with its type where that is the user's own."""
    if value is None or isinstance(value, bool | int | float | str | dict | list):
        return shown(value)
    return f"a {type(value).__name__}"
