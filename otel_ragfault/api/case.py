"""One request of a case: its card, as attributes and as a page."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import orjson

from otel_ragfault.api.markup import Html, badge, box, facts, join, label_badge, table
from otel_ragfault.api.opening import reading
from otel_ragfault.api.table import Table
from otel_ragfault.faults import advice_for, is_pass
from otel_ragfault.report import card_text, find_cards

if TYPE_CHECKING:
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from otel_ragfault.faults import Advice
    from otel_ragfault.report import Card

_BEYOND: Final = 3
"""Ranks that are shown beyond k and beyond the last required chunk."""

_FACTS: Final = ("label", "boundary", "outcome", "latent", "retrieved", "grounded", "correct", "cited", "k")
_PROPOSITIONS: Final = ("retrieved", "grounded", "correct", "cited")
_SAYS: Final[dict[bool | None, str]] = {True: "yes", False: "no", None: "not known"}
_SIGNS: Final[dict[bool | None, str]] = {True: "good", False: "bad", None: "open"}


class Case:
    """A request that was held against a gold case, as one labelling has it.

    >>> case = run["long-haul-cabin"]
    >>> case.label, case.boundary, case.outcome
    ('retrieval.below_k', 'retrieval', 'wrong')
    >>> case.prompt
    ['c01', 'c02']
    >>> [(hit["rank"], hit["id"]) for hit in case.ranking if hit["gold"]]
    [(3, 'c08')]
    """

    def __init__(self, database: "DuckDBPyConnection | Path", row: Mapping[str, Any]) -> None:
        self._database = database
        self._row = row

    @property
    def case_id(self) -> str:
        """The id of the gold case."""
        return str(self._row["case_id"])

    @property
    def request_id(self) -> str:
        """The id of the request, as hex."""
        return str(self._row["request_id"])

    @property
    def query(self) -> str | None:
        """The question."""
        found: str | None = self._row["query"]
        return found

    @property
    def label(self) -> str:
        """The first rule of the fault tree that explains the request."""
        return str(self._row["label"])

    @property
    def boundary(self) -> str | None:
        """Where the evidence was lost; ``None`` for a pass."""
        found: str | None = self._row["boundary"]
        return found

    @property
    def outcome(self) -> str:
        """What the user got: correct, wrong, refused or unjudged."""
        return str(self._row["outcome"])

    @property
    def passed(self) -> bool:
        """Whether the label is a pass."""
        return is_pass(self.label)

    @property
    def answer(self) -> str | None:
        """The text of the answer."""
        found: str | None = self.card["answer"]
        return found

    @property
    def prompt(self) -> list[str | None] | None:
        """The ids of the chunks that reached the prompt, in its order; ``None`` where that is not known."""
        found: list[str | None] | None = self.card["prompt_ids"]
        return found

    @property
    def advice(self) -> "Advice | None":
        """What the label tells: meaning, check, what to try first, what is usually wasted."""
        try:
            return advice_for(self.label)
        except KeyError:  # a labelling of another release
            return None

    @cached_property
    def card(self) -> "Card":
        """Everything that the label rests on."""
        with reading(self._database) as con:
            (card,) = find_cards(con, self.request_id, limit=1)
        card.fields.update({name: self._row[name] for name in _FACTS}, detail=orjson.loads(self._row["detail"]))
        if self.advice is not None:
            told = self.advice
            card.fields.update(
                meaning=told.meaning,
                check_with=told.check,
                try_first=told.try_first,
                wasted=told.wasted,
                failure_point=told.failure_point,
            )
        return card

    @cached_property
    def ranking(self) -> Table:
        """The final ranking: rank, id, score, whether gold requires it, whether it reached the prompt, was cited."""
        card = self.card
        gold, shown, cited = self._gold, set(card["prompt_ids"] or ()), set(card["cited_ids"] or ())
        scores = card["ranked_scores"] or []
        rows = [
            {
                "rank": rank,
                "id": chunk_id,
                "score": scores[rank - 1] if rank <= len(scores) else None,
                "gold": chunk_id in gold,
                "in_prompt": None if card["prompt_ids"] is None else chunk_id in shown,
                "cited": None if card["cited_ids"] is None else chunk_id in cited,
            }
            for rank, chunk_id in enumerate(card["ranked_ids"] or (), 1)
        ]
        return Table.of(rows, ("rank", "id", "score", "gold", "in_prompt", "cited"), f"ranking of {self.case_id}")

    @cached_property
    def verdicts(self) -> Table:
        """The verdicts that count: what was judged, the verdict, who decided and why."""
        columns = ("subject", "target", "claim_id", "claim", "value", "source", "judges", "disputed", "reason")
        rows = [{name: getattr(verdict, name) for name in columns} for verdict in self.card.verdicts]
        return Table.of(rows, columns, f"verdicts on {self.case_id}")

    @property
    def _gold(self) -> set[str]:
        return {evidence.chunk_id for evidence in self.card.evidence if evidence.chunk_id is not None}

    def __str__(self) -> str:
        """Return the card as text, as ``ragfault show`` prints it."""
        return card_text(self.card)

    def __repr__(self) -> str:
        return f"<Case {self.case_id}: {self.label}, {self.outcome}>"

    def _repr_html_(self) -> str:
        boundary = "" if self.boundary is None else f"boundary: {self.boundary}"
        title = join([self.case_id, label_badge(self.label), badge(self.outcome, self._tone)])
        return box(title, facts(self._facts(boundary)), self._ranking_html(), self._advice_html())

    @property
    def _tone(self) -> str:
        return _SIGNS[{"correct": True, "unjudged": None}.get(self.outcome, False)]

    def _facts(self, boundary: str) -> list[tuple[str, object]]:
        card = self.card
        says = [badge(f"{name} {_SAYS[card[name]]}", _SIGNS[card[name]]) for name in _PROPOSITIONS]
        prompt = (
            "not recorded" if self.prompt is None else join([self._chunk(one) for one in self.prompt] or ["nothing"])
        )
        cited = card["cited_ids"]
        rows: list[tuple[str, object]] = [
            ("query", self.query),
            ("in prompt", prompt),
            ("answer", self.answer),
            ("cites", None if cited is None else join([self._chunk(one) for one in cited] or ["nothing"])),
            ("propositions", join([*says, boundary])),
        ]
        if card["error_stage"] is not None:
            rows.append(("error", f"{card['error_stage']}: {card['error_message']}"))
        told = [str(verdict) for verdict in card.verdicts if verdict.source != "rule" or verdict.disputed]
        return [*rows, ("verdicts", "; ".join(told))] if told else rows

    def _chunk(self, chunk_id: str | None) -> Html:
        return badge("(no id)" if chunk_id is None else chunk_id, "good" if chunk_id in self._gold else "plain")

    def _ranking_html(self) -> Html:
        card, hits = self.card, self.ranking.rows()
        if card["ranked_ids"] is None:
            return join(["the ranking was not recorded"])
        k = card["k"] or 0
        last = max((hit["rank"] for hit in hits if hit["gold"]), default=0)
        shown = hits[: max(k, last) + _BEYOND]
        rows = [
            (
                hit["rank"],
                self._chunk(hit["id"]),
                "" if hit["score"] is None else hit["score"],
                badge("required", "good") if hit["gold"] else "",
                "" if not hit["in_prompt"] else "in prompt",
                f"beyond k={k}" if k and hit["rank"] > k else "",
            )
            for hit in shown
        ]
        missing = sorted(self._gold - {hit["id"] for hit in hits})
        rows.extend(
            ("-", self._chunk(chunk_id), "", badge("required", "good"), "", "not ranked") for chunk_id in missing
        )
        left = len(hits) - len(shown)
        return join([table(("rank", "chunk", "score", "gold", "", ""), rows), f"… {left} more" if left else ""])

    def _advice_html(self) -> Html:
        told = self.advice
        if told is None or self.passed:
            return Html("")
        return facts(
            [
                ("why", told.meaning),
                ("check", told.check),
                ("try first", told.try_first),
                ("usually wasted", told.wasted),
            ]
        )
