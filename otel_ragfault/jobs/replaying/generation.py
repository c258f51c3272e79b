"""Answers to prompts that were never recorded: the user's generator, asked once a question and prompt."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from otel_ragfault.jobs.generators import Call, Chunk, Generated, Generator, Limits, generate_all, unsampled
from otel_ragfault.recovery import map_citations
from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Prompt = tuple[str, str | None, tuple[str | None, ...]]
"""A question, the snapshot, and the ids of the chunks in their order."""

GENERATED: Final = pa.schema(
    {
        "hypothetical_id": pa.string(),
        "answer": pa.string(),
        "cited_ids": pa.list_(pa.string()),
        "decision": pa.string(),
        "failure": pa.string(),
    }
)


@dataclass(slots=True)
class Generation:
    """A generator, its bounds, and what it has answered so far.

    Attributes:
        generator: who is asked.
        limits: how many calls at a time, how fast, how long.
        progress: called with the calls done and the calls in all.
        answers: what was made of each prompt.
    """

    generator: Generator
    limits: Limits = field(default_factory=Limits)
    progress: Callable[[int, int], None] | None = None
    answers: dict[Prompt, Generated] = field(default_factory=dict)

    def ask(self, con: "DuckDBPyConnection", prompts: "dict[Prompt, None]") -> None:
        """Ask for every prompt that was not asked for yet, and whose texts are all loaded."""
        texts = {(snapshot, chunk): text for snapshot, chunk, text in con.execute(_query("chunk_text")).fetchall()}
        calls = []
        for prompt in prompts:
            question, snapshot, ids = prompt
            chunks = [Chunk(id, texts[snapshot, id]) for id in ids if id is not None and (snapshot, id) in texts]  # noqa: A001
            if prompt not in self.answers and len(chunks) == len(ids):
                calls.append(Call(prompt, question, chunks))
        for number, (call, made) in enumerate(generate_all(self.generator, calls, self.limits, around=_untraced), 1):
            self.answers[call.key] = made
            if self.progress is not None:
                self.progress(number, len(calls))

    def rows(self, con: "DuckDBPyConnection") -> list[dict[str, Any]]:
        """Return what was made of the prompts of the present setting, as rows of the relation generated."""
        return [self._row(hypothetical_id, prompt) for hypothetical_id, prompt in changed_prompts(con)]

    def _row(self, hypothetical_id: str, prompt: Prompt) -> dict[str, Any]:
        made = self.answers.get(prompt)
        row = {"hypothetical_id": hypothetical_id}
        if made is None:
            return {**row, "failure": "the text of a chunk is not known, so that no generator was asked"}
        if made.failure is not None:
            return {**row, "failure": f"the generator gave no answer: {made.failure.message}"}
        cited = made.citations
        if cited is None and made.answer is not None:
            cited = map_citations(made.answer, prompt[2]).ids or None
        cited_ids = None if cited is None else list(cited)
        return {**row, "answer": made.answer, "cited_ids": cited_ids, "decision": made.decision}


def _untraced(_: Call[Prompt], made: Callable[[], Generated]) -> Generated:
    """Ask a generator so that what it records of itself is no traffic: a replay is hypothetical."""
    with unsampled():
        return made()


def changed_prompts(con: "DuckDBPyConnection") -> Iterator[tuple[str, Prompt]]:
    """Yield the requests of the present setting whose prompt is another one than the recorded, with that prompt."""
    for hypothetical_id, question, snapshot, ids in con.execute(_query("to_generate")).fetchall():
        yield hypothetical_id, (question, snapshot, tuple(ids))


def _query(name: str) -> str:
    return read_query("whatif", name).body
