"""Why a request is refused, and what that is called in each protocol."""

from enum import Enum
from typing import Final

RETRY_FULL: Final = 10
RETRY_SOON: Final = 1


class Reason(Enum):
    """The kinds of refusal: name in metrics, HTTP status, gRPC code, seconds after which to send again.

    Without such seconds the same request can never succeed, and a sender that is told so does not repeat it.
    """

    MALFORMED = ("malformed", 400, 3, None)
    BAD_COMPRESSION = ("bad_compression", 400, 3, None)
    UNAUTHENTICATED = ("unauthenticated", 401, 16, None)
    NOT_FOUND = ("not_found", 404, 5, None)
    WRONG_METHOD = ("wrong_method", 405, 12, None)
    TOO_SLOW = ("too_slow", 408, 4, None)
    TOO_LARGE = ("too_large", 413, 3, None)
    WRONG_TYPE = ("wrong_type", 415, 3, None)
    INTERNAL = ("internal", 500, 13, None)
    SPOOL_FULL = ("spool_full", 503, 8, RETRY_FULL)
    SPOOL_FAILED = ("spool_failed", 503, 14, RETRY_FULL)
    BUSY = ("busy", 503, 8, RETRY_SOON)
    STOPPING = ("stopping", 503, 14, RETRY_SOON)

    def __init__(self, label: str, http_status: int, grpc_code: int, retry_after: int | None) -> None:
        self.label = label
        self.http_status = http_status
        self.grpc_code = grpc_code
        self.retry_after = retry_after


class RefusedError(Exception):
    """A request that is not taken. The message is for the person who runs the sender."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
