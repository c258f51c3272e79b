"""What a replay may claim: no more than the record shows."""

import pytest

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.label import label_requests
from otel_ragfault.jobs.replaying import Grid
from otel_ragfault.model import Config


def recorded_label(con):
    label_requests(con, Config())
    ((label,),) = con.execute("SELECT label FROM current_label").fetchall()
    return label


@pytest.mark.parametrize("complete", [{}, {"complete": False}], ids=["not said", "cut"])
@pytest.mark.parametrize("hits", [("a", "b"), ("x", "b")], ids=["found", "not found"])
def test_a_k_beyond_the_recorded_ranking_is_not_known(recorded, replayed, complete, hits):
    recorded(hits, hits, answer="yes", texts={"a": "q", "b": "r"}, **complete)
    row = replayed(k=20)
    assert (row.prompt, row.needs_generator) == (None, False)
    assert row.label == ("unknown.prompt_ids" if "a" in hits else "unknown.ranking")
    assert row.not_known == "k is beyond what was recorded of the ranking"


def test_a_k_beyond_a_whole_ranking_takes_all_of_it(recorded, replayed):
    recorded(("x", "a"), ("x",), k=1, complete=True)
    assert replayed(k=20).prompt == ["x", "a"]


def test_a_ranking_shorter_than_the_recorded_k_is_at_its_end_up_to_that_k(recorded, replayed):
    recorded(("x", "a"), ("x", "a"), k=10)
    assert replayed(k=5).prompt == ["x", "a"]
    assert replayed(k=11).prompt is None


def test_a_whole_first_stage_does_not_make_a_cut_reranking_whole(recorded, replayed):
    recorded(("x", "a", "b"), ("b",), k=1, complete=True, reranked=("b", "x"))
    assert replayed(k=2).prompt == ["b", "x"]
    assert replayed(k=3).prompt is None


@pytest.mark.parametrize("k", [None, 2])
@pytest.mark.parametrize(
    ("evidence", "shown"),
    [("a", ("b",)), ("parent", ("parent",)), ("a", ("b", "a")), ("a", None)],
    ids=["filtered", "expanded", "reordered", "not recorded"],
)
def test_the_recorded_setting_gives_the_recorded_prompt_and_label(con, recorded, replayed, evidence, shown, k):
    recorded(("a", "b"), shown, complete=True, answer="yes", case={"evidence": [[evidence]]})
    row = replayed(k=k)
    assert row.prompt == (None if shown is None else list(shown))
    assert (row.label, row.needs_generator) == (recorded_label(con), False)


@pytest.mark.parametrize("shown", [("b",), ("a2",)], ids=["filtered", "expanded"])
def test_what_assembly_does_by_another_rule_is_not_replayed(recorded, replayed, shown):
    recorded(("a", "b", "c"), shown, complete=True)
    row = replayed(k=1)
    assert (row.prompt, row.label) == (None, "unknown.prompt_ids")
    assert row.not_known == "the recorded prompt was packed by another rule"


def test_a_record_without_k_passed_everything_on(recorded, replayed):
    recorded(("x", "a"), ("x", "a"), k=None)
    assert replayed().prompt == ["x", "a"]
    assert replayed(k=1).prompt == ["x"]


@pytest.mark.parametrize("k", [0, -1])
def test_a_recorded_k_below_one_changes_no_recorded_prompt_and_makes_none_up(recorded, replayed, k):
    recorded(("x", "a"), ("x",), k=k, complete=True)
    assert replayed().prompt == ["x"]
    assert replayed(k=2).prompt is None
    assert replayed(budget=9).prompt is None


def test_k_of_nothing_is_an_empty_prompt_and_less_is_refused(con, recorded, replayed):
    recorded(("x", "a"), ("x", "a"), complete=True)
    assert replayed(k=0).prompt == []
    with pytest.raises(InputError, match=r"found -1.*0 or more"):
        Grid(ks=(-1,))


def test_a_generation_that_failed_may_succeed_with_another_prompt(con, recorded, replayed):
    recorded(("x", "a"), ("x",), k=1, complete=True, answer=None, failed=True)
    assert recorded_label(con) == replayed().label == "error.generation"
    row = replayed(k=2)
    assert (row.label, row.needs_generator) == ("unknown.answer", True)


def test_an_answer_that_was_not_recorded_needs_no_generator(recorded, replayed):
    recorded(("a",), ("a",), k=1, complete=True, answer=None)
    row = replayed()
    assert (row.label, row.needs_generator) == ("unknown.answer", False)


def test_an_unknown_prompt_is_not_said_to_change(recorded, replayed):
    recorded(None, ("x",), case={"expect": "refuse", "evidence": [], "answer": None})
    row = replayed(k=1)
    assert (row.prompt, row.label, row.needs_generator) == (None, "unknown.answer", False)


@pytest.mark.parametrize(
    ("texts", "hits", "budget"),
    [
        ({"x": "one two\n", "a": "\u2003three\u00a0four\u0085"}, ("x", "a"), 4),
        ({"x": "  ", "a": "three four"}, ("x", "a"), 2),
        ({"x": "one two", "a": "three four"}, ("x", "x", "a"), 4),
    ],
    ids=["Unicode white space", "blank", "ranked twice"],
)
def test_sizes_are_words_and_a_chunk_is_packed_once(recorded, replayed, texts, hits, budget):
    recorded(hits, ("x", "a"), k=3, complete=True, texts=texts)
    assert replayed(budget=budget).prompt == ["x", "a"]
    assert replayed(budget=budget - 1).prompt == ["x"]


def test_a_budget_over_a_chunk_of_unknown_size_is_not_known(recorded, replayed):
    recorded(("x", "a"), ("x", "a"), complete=True)
    row = replayed(budget=9)
    assert row.prompt is None
    assert "load the corpus" in row.not_known
