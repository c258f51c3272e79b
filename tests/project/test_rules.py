"""The rules as data: their order, their fields, and advice for every label they can give."""

import dataclasses

from otel_ragfault.faults import FIELDS, RULES, advice_for, advice_rows, stops
from otel_ragfault.store import connect

# The order in which evidence crosses the hand-offs.
ORDER = (
    "error.retrieval",
    "error.rerank",
    "error.assembly",
    "error.generation",
    "error.request",
    "pass.correct_refusal",
    "decision.answered_unanswerable",
    "pass.correct_clarification",
    "decision.not_clarified",
    "source.not_indexed",
    "source.not_permitted",
    "source.stale",
    "retrieval.no_overlap",
    "retrieval.below_floor",
    "retrieval.not_ranked",
    "rerank.demoted",
    "retrieval.below_k",
    "assembly.cut",
    "assembly.truncated",
    "decision.refused_answerable",
    "source.stale",  # once more: what a superseded version in the prompt says is no fault of the generator
    "generation.wrong_answer",
    "grounding.unsupported",
    "citation.missing",
    "citation.wrong",
    "pass",
)


def test_the_walk_has_every_rule_once_and_in_order():
    assert tuple(rule.key for rule in RULES) == ORDER


def test_only_the_last_rule_always_holds():
    assert [rule.key for rule in RULES if rule.when == "TRUE"] == ["pass"]
    assert RULES[-1].needs == ()


def test_every_need_of_a_rule_is_a_field_and_every_field_is_needed():
    needed = {field for rule in RULES for field in rule.needs}
    assert needed == set(FIELDS)


def test_every_label_of_the_tree_has_complete_advice():
    labels = {stop.label for stop in stops()}
    assert {"unknown.ranking", "unknown.scores", "unknown.corpus", "unknown.prompt_ids", "unknown.answer"} <= labels
    for label in labels:
        texts = dataclasses.asdict(advice_for(label))
        texts.pop("failure_point")
        assert all(text and text.endswith((".", "?")) for text in texts.values()), label


def test_stops_of_earlier_rules_have_lower_numbers_and_no_number_is_used_twice():
    numbers = [stop.number for stop in stops()]
    assert numbers == sorted(set(numbers))
    assert [stop.rule.key for stop in stops() if stop.missing is None] == list(ORDER)


def test_the_rule_table_holds_the_advice_for_every_label_once(tmp_path):
    with connect(tmp_path / "new.duckdb", create=True) as con:
        rows = con.execute("SELECT * FROM rule ORDER BY position").fetchall()
    assert rows == advice_rows()
    assert sorted(row[1] for row in rows) == sorted({stop.label for stop in stops()})
