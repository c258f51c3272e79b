"""Rankings whose ids are none of the snapshot: told by the texts of their hits, else unknown; never a fault of retrieval."""

import json

import pytest

from corpora import put_snapshot
from jobs.spans import answered, asked, messages, pipeline, ranking, requests, span, store
from otel_ragfault import semconv as s
from otel_ragfault.corpus import drop_snapshot
from otel_ragfault.gold import load_gold
from otel_ragfault.jobs.build import build_requests
from otel_ragfault.jobs.label import label_requests
from otel_ragfault.jobs.replaying import Grid, replay
from otel_ragfault.model import Config

TEXTS = {
    "c1": "Cabins of long flights are economy.",
    "c2": "Taxi bills above 15 euros need a printed receipt.",
    "c3": "Gym fees are paid by nobody in this company.",
}
CORPUS = [{"chunk_id": name, "text": text} for name, text in TEXTS.items()]
BARE = [{"chunk_id": name} for name in TEXTS]
IDS = "ranked_ids, candidate_ids, prompt_ids, cited_ids, id_source, id_snapshot, assembly_source"


def hits(*names, known=False, **texts):
    """A ranking whose ids are made up, with texts."""
    documents = [
        {"id": name if known else f"uuid-{name}", "score": 0.5, "content": texts.get(name, TEXTS.get(name))}
        for name in names
    ]
    return {s.GEN_AI_RETRIEVAL_DOCUMENTS: json.dumps(documents), s.GEN_AI_RETRIEVAL_TOP_K: 3}


def asking(*names, shown=("c1",), trace=1, answer="A printed receipt. [1]", **more):
    """A request of another instrumentation: ids are made up, the prompt is known by its text only."""
    prompt = "Sources:\n" + "\n\n".join(TEXTS[name] for name in shown) + "\n\nQuestion: why?"
    return [
        span(1, operation="invoke_workflow", trace=trace, attributes=asked("why?") | answered(answer)),
        span(2, 1, operation="retrieval", trace=trace, attributes=hits(*names, **more)),
        span(
            3,
            1,
            operation="chat",
            trace=trace,
            attributes={s.GEN_AI_INPUT_MESSAGES: messages("user", prompt)} | answered(answer),
        ),
    ]


@pytest.fixture
def gold(con, tmp_path):
    def load(*evidence, answer="receipt"):
        case = {
            "case_id": "case-1",
            "query": "why?",
            "evidence": [list(evidence)],
            "answer": {"must_contain": [answer]},
        }
        file = tmp_path / "gold.jsonl"
        file.write_text(json.dumps(case), encoding="utf-8")
        return load_gold(con, file)

    return load


def label(con, **settings):
    label_requests(con, Config(**settings))
    return con.execute("SELECT label FROM current_label ORDER BY request_id").fetchall()


def ids(con):
    (row,) = requests(con, IDS)
    return tuple(row.values())


TOLD = (["c1", "c2"], None, ["c2"], ["c2"], "text_match", "s", "text_match")
AS_RECORDED = (["uuid-c1", "uuid-c2"], None, ["uuid-c2"], ["uuid-c2"])


def test_foreign_ids_are_told_by_the_texts_of_the_hits(con, gold):
    put_snapshot(con, "s", CORPUS)
    gold("c2")
    store(con, *asking("c1", "c2", shown=["c2"]))
    assert label(con) == [("pass",)]
    assert ids(con) == TOLD


def test_a_corpus_that_is_loaded_later_is_taken_up_by_the_next_labelling(con, gold):
    gold("c2")
    store(con, *asking("c1", "c2", shown=["c2"]))
    assert label(con) == [("unknown.corpus",)]
    assert ids(con)[:6] == (*AS_RECORDED, "recorded", None)
    put_snapshot(con, "s", CORPUS)
    assert label(con) == [("pass",)]
    assert ids(con) == TOLD


def test_building_all_anew_gives_what_the_labelling_took_up(con, gold):
    gold("c2")
    store(con, *asking("c1", "c2", shown=["c2"]))
    put_snapshot(con, "s", BARE)
    label(con)
    put_snapshot(con, "t", CORPUS)
    label(con)
    (before,) = requests(con, "* EXCLUDE (built_at)")
    build_requests(con, anew=True)
    assert requests(con, "* EXCLUDE (built_at)") == [before]
    assert before["id_source"] == "text_match"


def test_a_snapshot_without_texts_changes_nothing_and_retrieval_is_not_blamed(con, gold):
    put_snapshot(con, "s", BARE)
    gold("c2")
    store(con, *asking("c1", "c2", shown=["c2"]))
    assert label(con) == [("unknown.ids",)]
    assert ids(con)[:6] == (*AS_RECORDED, "foreign", "s")


def test_ids_are_told_anew_for_the_snapshot_that_counts(con, gold):
    other = [{"chunk_id": f"new-{name}", "text": text} for name, text in TEXTS.items()]
    put_snapshot(con, "s", CORPUS)
    gold("c2")
    store(con, *asking("c1", "c2", shown=["c2"]))
    label(con)
    put_snapshot(con, "t", other)
    label(con)
    assert ids(con)[0] == ["new-c1", "new-c2"]
    assert label(con, default_snapshot="s") == [("pass",)]
    assert ids(con) == TOLD


def test_a_snapshot_that_goes_leaves_what_was_recorded(con, gold):
    put_snapshot(con, "s", CORPUS)
    gold("c2")
    store(con, *asking("c1", "c2", shown=["c2"]))
    label(con)
    drop_snapshot(con, "s")
    assert label(con) == [("unknown.corpus",)]
    assert ids(con)[:6] == (*AS_RECORDED, "recorded", None)


def test_a_snapshot_that_is_replaced_is_looked_at_again(con, gold):
    put_snapshot(con, "s", BARE)
    gold("c2")
    store(con, *asking("c1", "c2", shown=["c2"]))
    assert label(con) == [("unknown.ids",)]
    put_snapshot(con, "s", CORPUS, replace=True)
    assert label(con) == [("pass",)]


def test_a_ranking_that_is_told_in_part_proves_no_absence(con, gold):
    put_snapshot(con, "s", CORPUS)
    gold("c3")
    store(con, *asking("c1", "c2", "c3", c3="The text of the chunk, but cut"))
    assert label(con) == [("unknown.ids",)]
    assert ids(con)[0] == ["c1", "c2", "uuid-c3"]
    assert ids(con)[4] == "text_match_partly"


def test_a_ranking_that_is_told_whole_proves_an_absence(con, gold):
    put_snapshot(con, "s", CORPUS)
    gold("c3")
    store(con, *asking("c1", "c2"))
    assert label(con) == [("retrieval.not_ranked",)]


def test_ids_that_are_in_the_snapshot_stay_whatever_their_texts(con, gold):
    put_snapshot(con, "s", CORPUS)
    gold("c3")
    store(con, *asking("c1", "c2", known=True, c1=TEXTS["c3"]))
    assert label(con) == [("retrieval.not_ranked",)]
    assert ids(con)[0] == ["c1", "c2"]
    assert ids(con)[4] == "recorded"


def test_first_stage_prompt_citations_and_dropped_chunks_are_told_with_the_ranking(con):
    put_snapshot(con, "s", CORPUS)
    rows = [
        span(1, stage="request", attributes=asked("why?")),
        span(2, 1, stage="retrieval", attributes=hits("c1", "c2", "c3")),
        span(3, 1, stage="rerank", attributes=ranking("uuid-c2", "uuid-c1", k=2)),
        span(
            4,
            1,
            stage="assembly",
            attributes={
                s.RAGFAULT_ASSEMBLY_CHUNK_IDS: '["uuid-c2"]',
                s.RAGFAULT_ASSEMBLY_DROPPED: '[{"id": "uuid-c1", "reason": "budget"}]',
            },
        ),
        span(5, 1, stage="generation", attributes=answered("yes") | {s.RAGFAULT_CITATIONS: '["uuid-c2", "elsewhere"]'}),
    ]
    store(con, *rows)
    build_requests(con)
    (row,) = requests(con)
    assert row["candidate_ids"] == ["c1", "c2", "c3"]
    assert row["ranked_ids"] == ["c2", "c1"]
    assert (row["prompt_ids"], row["cited_ids"]) == (["c2"], ["c2", "elsewhere"])
    assert row["dropped"] == [{"id": "c1", "reason": "budget"}]
    assert (row["id_source"], row["assembly_source"]) == ("text_match", "explicit")


def own(*names, shown):
    return pipeline(hits=names, shown=shown, answer="receipt")


@pytest.mark.parametrize(
    ("ranked", "shown", "snapshot", "wanted"),
    [
        (("x", "y"), ("x",), BARE, "unknown.ids"),
        (("x", "y"), ("c2",), BARE, "pass"),  # what is in the prompt needs no ranking
        (("x", "c1"), ("x",), BARE, "retrieval.not_ranked"),  # in part in the snapshot
        ((), (), BARE, "retrieval.not_ranked"),  # nothing was ranked
        (("x", "c2"), ("x",), [{"chunk_id": "z"}], "unknown.scores"),  # gold knows the ids of the ranking: it goes on
        (("x", "y"), ("x",), [{"chunk_id": "z"}], "unknown.ids"),
        (("x", "y"), ("x",), None, "unknown.corpus"),
    ],
)
def test_a_ranking_of_which_no_id_is_in_the_snapshot_proves_nothing(con, gold, ranked, shown, snapshot, wanted):
    if snapshot is not None:
        put_snapshot(con, "s", snapshot)
    gold("c2")
    store(con, *own(*ranked, shown=shown))
    assert label(con) == [(wanted,)]


def test_what_is_not_known_is_not_said_to_be_missed(con, gold):
    put_snapshot(con, "s", BARE)
    gold("c2")
    store(con, *asking("c1", "c2", shown=["c2"]))
    label(con)
    row = con.execute("SELECT label, outcome, retrieved, cited, detail->>'missing' FROM current_label").fetchone()
    assert row == ("unknown.ids", "correct", None, None, "ids")


def test_another_k_is_replayed_on_ids_that_were_told(con, gold):
    gold("c2")
    store(con, *asking("c1", "c2", shown=["c1", "c2"]))
    put_snapshot(con, "s", CORPUS)
    assert [row.label for row in replay(con, Config(), Grid(ks=(None, 1)))] == ["pass", "retrieval.below_k"]


def test_another_k_of_a_foreign_ranking_is_unknown(con, gold):
    gold("c2")
    store(con, *asking("c1", "c2", shown=["c2"]))
    put_snapshot(con, "s", BARE)
    assert [row.label for row in replay(con, Config(), Grid(ks=(None, 1)))] == ["unknown.ids", "unknown.ids"]
