"""A database in memory with gold and corpus, in which the spans of one test after the other are labelled."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import orjson

from otel_ragfault import semconv
from otel_ragfault.corpus import load_corpus
from otel_ragfault.errors import NothingJoinedError
from otel_ragfault.faults import is_pass
from otel_ragfault.gold import load_gold
from otel_ragfault.jobs.label import label_requests
from otel_ragfault.landing import decode_spans, land, to_table
from otel_ragfault.model import Config, load_config
from otel_ragfault.report import card_text, find_cards
from otel_ragfault.store import connect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection
    from opentelemetry.sdk.trace import ReadableSpan

    from otel_ragfault.landing import SpanRow
    from otel_ragfault.pytest_plugin.settings import Settings
    from otel_ragfault.report import Card

_SOURCE: Final = "pytest"
_SESSION: Final = "session.id"


@dataclass(frozen=True, slots=True)
class Labelled:
    """What one request of a case got.

    Attributes:
        label: key of the rule, or ``unknown.<field>``.
        boundary: where the evidence was lost; ``None`` for a pass.
        outcome: correct, wrong, refused or unjudged.
        card: everything that the label rests on; ``str(labelled)`` is the card as text.
    """

    label: str
    boundary: str | None
    outcome: str
    card: "Card"

    @property
    def passed(self) -> bool:
        """Whether the label is a pass."""
        return is_pass(self.label)

    def __str__(self) -> str:
        return card_text(self.card)


class Bench:
    """Where the cases of some gold are labelled, one test after the other."""

    def __init__(self, settings: "Settings") -> None:
        overrides = {"k": settings.k, "default_snapshot": settings.snapshot}
        self._config: Config = load_config(settings.config, overrides=overrides).config
        self._con: DuckDBPyConnection = connect(":memory:", create=True)
        self._snapshot: str | None = None
        if settings.corpus is not None:
            loaded = load_corpus(self._con, settings.corpus, snapshot_id=settings.snapshot)
            self._snapshot = loaded.snapshot_id
        for path in settings.gold:
            load_gold(self._con, path, allow_contradictions=True)

    def label(self, spans: "Sequence[ReadableSpan]", case_id: str, since: datetime) -> "list[Labelled]":
        """Store the spans of a case, and return what its requests got: none where no request was found in them."""
        rows = self._told(decode_spans(spans).rows, case_id)
        land(self._con, to_table(rows), source=_SOURCE)
        try:
            label_requests(self._con, self._config, since=since)
        except NothingJoinedError:
            return []
        cards = find_cards(self._con, case_id, limit=None)
        moment = since.astimezone(UTC).replace(tzinfo=None)
        return [
            Labelled(card["label"], card["boundary"], card["outcome"], card)
            for card in cards
            if card["label"] is not None and card["started_at"] >= moment
        ]

    def close(self) -> None:
        """Forget everything."""
        self._con.close()

    def _told(self, rows: "Sequence[SpanRow]", case_id: str) -> "list[SpanRow]":
        """Return rows that say which case they belong to, where the pipeline lost the context on its way.

        All of them were recorded while one case ran. The corpus of the test is the one that was searched, whatever name
        the pipeline has for it.
        """
        traces = {row.trace_id for row in rows}
        said = {semconv.RAGFAULT_CASE_ID: case_id}
        if len(traces) > 1:
            said[_SESSION] = rows[0].trace_id.hex()
        return [row._replace(attributes=self._attributes(row.attributes, said)) for row in rows]

    def _attributes(self, text: str, said: dict[str, str]) -> str:
        told: dict[str, Any] = orjson.loads(text)
        told = {**said, **told, semconv.RAGFAULT_CASE_ID: said[semconv.RAGFAULT_CASE_ID]}
        if self._snapshot is not None and semconv.RAGFAULT_SNAPSHOT_ID in told:
            told[semconv.RAGFAULT_SNAPSHOT_ID] = self._snapshot
        return orjson.dumps(told).decode()
