"""Ask an OpenAI-compatible endpoint once, in the dialect that it understands.

Not every server knows JSON schemas, ``max_completion_tokens`` or ``temperature``. What a server refuses is left out
from then on, for all that follows. Retrying is not done here.
"""

import math
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final, Literal

from otel_ragfault.errors import InputError
from otel_ragfault.judging.model.address import check_address
from otel_ragfault.judging.model.prompt import Message
from otel_ragfault.model.wording import shown

if TYPE_CHECKING:
    from openai import OpenAI

FailureKind = Literal[
    "timeout",
    "connection",
    "unreachable",
    "rate_limit",
    "server_error",
    "not_allowed",
    "not_found",
    "bad_request",
    "not_openai",
]
RETRIED: Final[frozenset[str]] = frozenset({"timeout", "connection", "unreachable", "rate_limit", "server_error"})
"""What may go away when it is tried again."""

HOPELESS: Final[frozenset[str]] = frozenset({"not_allowed", "not_found"})
"""What is the same for every other question."""

HOPELESS_AT_FIRST: Final[frozenset[str]] = frozenset({"unreachable", "not_openai"})
"""What is the same for every other question while the endpoint has not replied to any."""

_FORMATS: Final = ("json_schema", "json_object", "none")
_REFUSED_KEY: Final = "not-needed"  # servers on one's own machine want some key
_BAD_REQUESTS: Final = (400, 422)


class AskError(Exception):
    """The endpoint did not reply. ``kind`` says why, ``wait`` how long it asks to be left alone, in seconds."""

    def __init__(self, kind: FailureKind, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.kind: FailureKind = kind
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: its text, or why there is none; tokens are ``None`` where the endpoint does not count them."""

    text: str | None
    declined: str | None
    is_cut: bool
    input_tokens: int | None
    output_tokens: int | None


class Endpoint:
    """An endpoint of chat completions and a model of it.

    Args:
        base_url: where it is; ``None`` for that of the environment, or OpenAI's own.
        model: the model.
        api_key: the key, from the environment; ``None`` where none is needed.
        timeout: seconds for one request.
        temperature: ``None`` leaves it to the model.
        max_tokens: tokens of a reply at the most.

    Raises:
        InputError: the extra ``judge`` is not installed, or the address is none.
    """

    def __init__(
        self,
        base_url: str | None,
        model: str,
        *,
        api_key: str | None,
        timeout: float = 60.0,
        temperature: float | None = 0.0,
        max_tokens: int = 500,
    ) -> None:
        self.model = model
        self.max_tokens = max_tokens
        self._client = _client(base_url, api_key, timeout)
        self._temperature = temperature
        self._format = 0
        self._limit_name = "max_tokens"
        self._lock = threading.Lock()

    def close(self) -> None:
        """Close its connections."""
        self._client.close()

    def ask(self, messages: list[Message], schema: Mapping[str, Any]) -> Reply:
        """Ask once.

        Raises:
            AskError: there is no reply.
        """
        import openai

        while True:
            dialect = (self._format, self._temperature, self._limit_name)
            try:
                return _read(self._client.chat.completions.create(**self._request(messages, schema)))
            except openai.APITimeoutError as error:
                raise AskError("timeout", "no reply in time") from error
            except openai.APIConnectionError as error:
                raise _unconnected(error) from error
            except openai.APIStatusError as error:
                if error.status_code not in _BAD_REQUESTS or not self._adapt(dialect, _line(error)):
                    raise _explained(error) from error
            except (openai.APIError, ValueError) as error:  # a body that is no JSON, or not of this protocol
                raise AskError("not_openai", _line(error)) from error

    def _request(self, messages: list[Message], schema: Mapping[str, Any]) -> dict[str, Any]:
        formats: dict[str, dict[str, Any]] = {
            "json_schema": {
                "type": "json_schema",
                "json_schema": {"name": "checklist", "strict": True, "schema": schema},
            },
            "json_object": {"type": "json_object"},
        }
        request: dict[str, Any] = {"model": self.model, "messages": messages, self._limit_name: self.max_tokens}
        if (chosen := _FORMATS[self._format]) in formats:
            request["response_format"] = formats[chosen]
        if self._temperature is not None:
            request["temperature"] = self._temperature
        return request

    def _adapt(self, dialect: tuple[int, float | None, str], message: str) -> bool:
        """Leave out what the server refused; say whether there was anything left to leave out."""
        with self._lock:
            if dialect != (self._format, self._temperature, self._limit_name):
                return True  # another thread has learnt it already
            if "max_completion_tokens" in message and self._limit_name == "max_tokens":
                self._limit_name = "max_completion_tokens"
            elif "temperature" in message and self._temperature is not None:
                self._temperature = None
            elif self._format + 1 < len(_FORMATS):
                self._format += 1
            else:
                return False
            return True


def _client(base_url: str | None, api_key: str | None, timeout: float) -> "OpenAI":
    check_address(base_url)
    try:
        import openai
    except ImportError as error:
        raise InputError(
            "the client of the model judge is not installed; install it with: pip install 'otel-ragfault[judge]'"
        ) from error
    try:
        return openai.OpenAI(base_url=base_url, api_key=api_key or _REFUSED_KEY, timeout=timeout, max_retries=0)
    except Exception as error:  # whatever the client's own library makes of an address
        raise InputError(
            f"--base-url: {_line(error)}; an address such as http://127.0.0.1:8000/v1 was wanted"
        ) from error


def _unconnected(error: Any) -> AskError:
    """Tell an address where nobody listens from a connection that broke."""
    cause = error.__cause__
    if type(cause).__name__ == "ConnectError":  # of httpx or httpx2, whichever the client was built on
        return AskError("unreachable", f"no connection to {error.request.url.netloc.decode()} ({_line(cause)})")
    return AskError("connection", _line(cause or error))


def _read(completion: Any) -> Reply:
    if isinstance(completion, str):  # a page, say
        raise ValueError(f"found {shown(' '.join(completion.split()))} instead of a reply in JSON")  # noqa: TRY004
    choices = getattr(completion, "choices", None)
    if not choices:
        raise ValueError("the reply holds no choice")
    choice, usage = choices[0], getattr(completion, "usage", None)
    message = choice.message
    refusal = getattr(message, "refusal", None)
    filtered = choice.finish_reason == "content_filter"
    declined = refusal or ("stopped by a content filter" if filtered else None)
    return Reply(
        text=message.content,
        declined=declined,
        is_cut=choice.finish_reason == "length",
        input_tokens=getattr(usage, "prompt_tokens", None),
        output_tokens=getattr(usage, "completion_tokens", None),
    )


def _explained(error: Any) -> AskError:
    status = int(error.status_code)
    kinds: dict[int, FailureKind] = {
        401: "not_allowed",
        403: "not_allowed",
        404: "not_found",
        408: "timeout",
        429: "rate_limit",
    }
    kind = kinds.get(status, "server_error" if status >= 500 or status in (409, 425) else "bad_request")  # noqa: PLR2004 - HTTP
    return AskError(kind, f"HTTP {status}: {_line(error)}", _wait(error.response.headers))


def _wait(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that Retry-After asks for, as a number or as a date."""
    told = headers.get("retry-after")
    if told is None:
        return None
    try:
        seconds = float(told)
    except ValueError:
        from datetime import UTC, datetime

        try:
            seconds = (parsedate_to_datetime(told) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError):
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _line(error: object) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__
