"""How much a run may still ask: requests and tokens, shared by its threads."""

import threading


class Budget:
    """Counts requests and tokens, and says when no more may be spent.

    A request is counted, with the tokens it is expected to take, before it is sent, so that threads cannot overspend
    together. What it really took replaces the estimate.

    Args:
        requests: requests at the most, retries included; ``None`` without a limit.
        tokens: tokens at the most, of questions and replies; ``None`` without a limit.
    """

    def __init__(self, requests: int | None = None, tokens: int | None = None) -> None:
        self._most_requests = requests
        self._most_tokens = tokens
        self._lock = threading.Lock()
        self.requests = 0
        self.input_tokens = 0
        self.output_tokens = 0
        self._reserved = 0

    def take(self, estimate: int) -> bool:
        """Take a request out of the budget; say whether it may be sent."""
        with self._lock:
            tokens = self.input_tokens + self.output_tokens + self._reserved + estimate
            if self._most_requests is not None and self.requests >= self._most_requests:
                return False
            if self._most_tokens is not None and tokens > self._most_tokens:
                return False
            self.requests += 1
            self._reserved += estimate
            return True

    def settle(self, estimate: int, input_tokens: int, output_tokens: int) -> None:
        """Replace the estimate of a request by what it took."""
        with self._lock:
            self._reserved -= estimate
            self.input_tokens += input_tokens
            self.output_tokens += output_tokens
