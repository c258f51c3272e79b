"""Labelling as a job: what is joined, what is stored, what stops loudly."""

import json
import re
from datetime import UTC, datetime

import pytest

from jobs.spans import answered, asked, chunks, pipeline, ranking, span, store
from otel_ragfault import semconv as s
from otel_ragfault.corpus import load_corpus
from otel_ragfault.errors import InputError, NothingJoinedError
from otel_ragfault.gold import load_gold
from otel_ragfault.jobs.label import label_requests
from otel_ragfault.model import Config
from otel_ragfault.report.card import find_cards

CASE = {"case_id": "case-1", "query": "why?", "evidence": [["a"]], "answer": {"must_contain": ["yes"]}}


@pytest.fixture
def gold(con, tmp_path):
    def load(*cases):
        file = tmp_path / "gold.jsonl"
        file.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
        return load_gold(con, file)

    return load


@pytest.fixture
def corpus(con, tmp_path):
    def load(*lines, **options):
        file = tmp_path / "corpus.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return load_corpus(con, file, **options)

    return load


def newest(con, columns="label"):
    rows = con.execute(f"SELECT {columns} FROM current_label ORDER BY case_id, started_at").fetchall()
    return [row[0] if len(row) == 1 else row for row in rows]


def test_a_labelling_tells_what_it_found(con, gold):
    gold(CASE)
    store(con, *pipeline(), *pipeline(11, trace=2, case="unheard of", answer="no"))
    con.execute("UPDATE gold_case SET query_key = 'another question'")
    run = label_requests(con, Config())
    assert (run.requests, run.joined, run.labels, run.outcomes) == (2, 1, {"pass": 1}, {"correct": 1})


def test_a_request_without_case_id_joins_by_its_question_however_it_is_spaced_and_composed(con, gold):
    gold({**CASE, "query": "Où est  le café ?"})
    asks = pipeline(case=None)
    asks[0] = span(1, stage="request", attributes=asked("Ou\u0300 est le cafe\u0301\u00a0? "))
    store(con, *asks)
    assert label_requests(con, Config()).joined == 1


def test_a_question_that_two_cases_ask_joins_neither_by_its_text(con, gold):
    gold(CASE, {**CASE, "case_id": "case-2"})
    asks = pipeline()
    asks[0] = span(1, stage="request", attributes=asked("why?"))
    store(con, *asks)
    with pytest.raises(NothingJoinedError):
        label_requests(con, Config())


def test_nothing_of_an_earlier_labelling_is_overwritten(con, gold):
    gold(CASE)
    store(con, *pipeline())
    first = label_requests(con, Config())
    second = label_requests(con, Config(), override_k=1)
    assert con.execute("SELECT count(*) FROM label").fetchall() == [(2,)]
    assert newest(con, "run_id, k") == [(second.run_id, 1)]
    assert first.run_id < second.run_id


def test_an_answer_that_came_late_is_judged_anew(con, gold):
    gold(CASE)
    store(con, *pipeline()[:3])
    label_requests(con, Config())
    assert newest(con) == ["unknown.answer"]
    store(con, pipeline()[3])
    label_requests(con, Config())
    assert newest(con) == ["pass"]


def test_changed_gold_is_judged_anew_and_the_label_names_its_version(con, gold):
    gold(CASE)
    store(con, *pipeline())
    label_requests(con, Config())
    gold({**CASE, "answer": {"must_contain": ["no"]}})
    label_requests(con, Config())
    versions = con.execute("SELECT label, gold_version FROM label ORDER BY run_id").fetchall()
    assert [label for label, _ in versions] == ["pass", "generation.wrong_answer"]
    assert versions[0][1] != versions[1][1]


def test_a_person_outranks_the_rules(con, gold):
    gold(CASE)
    store(con, *pipeline(answer="certainly"))
    label_requests(con, Config())
    assert newest(con) == ["generation.wrong_answer"]
    con.execute(
        "INSERT INTO verdict BY NAME SELECT request_id, 'answer' AS subject, TRUE AS value, 'human' AS source, 'ann' AS config, now() AS judged_at FROM request"
    )
    label_requests(con, Config())
    assert newest(con, "label, outcome") == [("pass", "correct")]


def test_since_leaves_out_what_started_earlier(con, gold):
    gold(CASE)
    store(con, *pipeline(1), *pipeline(11, trace=2))
    moment = datetime.fromtimestamp(1_790_000_000 + 11, UTC)
    run = label_requests(con, Config(), since=moment)
    assert (run.requests, run.joined) == (1, 1)


def test_k_is_the_recorded_one_else_the_configured_one_unless_overridden(con, gold):
    gold(CASE)
    rows, other = (
        pipeline(hits=("x", "y", "a"), shown=("x",)),
        pipeline(11, trace=2, hits=("x", "y", "a"), shown=("x",)),
    )
    scored = ranking(("x", 3.0), ("y", 2.0), ("a", 1.0))
    rows[1] = span(2, 1, stage="retrieval", attributes=scored)
    other[1] = span(12, 11, stage="retrieval", trace=2, attributes=scored | {s.GEN_AI_RETRIEVAL_TOP_K: 2})
    store(con, *rows, *other)
    found = []
    for config, k in ((Config(), None), (Config(k=3), None), (Config(k=3), 1)):
        label_requests(con, config, override_k=k)
        found.append(newest(con, "label, k"))
    assert found == [
        [("unknown.k", None), ("retrieval.below_k", 2)],
        [("assembly.cut", 3), ("retrieval.below_k", 2)],
        [("retrieval.below_k", 1), ("retrieval.below_k", 1)],
    ]


def test_without_gold_the_job_stops_and_says_what_to_do(con):
    store(con, *pipeline())
    with pytest.raises(InputError, match=r"no gold case is loaded.*gold load"):
        label_requests(con, Config())


def test_when_nothing_joins_the_job_stops_and_shows_both_sides(con, gold):
    gold({**CASE, "case_id": "Case 1", "query": "how?"})
    store(con, *pipeline())
    with pytest.raises(NothingJoinedError, match=r"'case-1'.*'why\?'.*'Case 1'.*'how\?'"):
        label_requests(con, Config())


def test_without_requests_the_job_stops(con, gold):
    gold(CASE)
    with pytest.raises(NothingJoinedError, match="no request to label"):
        label_requests(con, Config())


@pytest.mark.parametrize(
    ("evidence", "said"),
    [
        pytest.param("doc-1", "document", id="a document id for a chunk id"),
        pytest.param("a ", "case|space", id="a trailing blank"),
        pytest.param("A", "case|space", id="another case"),
        pytest.param("caf\u00e9", "NFC", id="NFC for NFD"),
        pytest.param(7, "number|0", id="7 for 007"),
    ],
)
def test_gold_ids_that_only_almost_match_are_named_before_labelling(con, gold, corpus, evidence, said):
    gold({**CASE, "evidence": [[evidence]]})
    corpus({"chunk_id": "a", "doc_id": "doc-1"}, {"chunk_id": "cafe\u0301"}, {"chunk_id": "007"})
    store(con, *pipeline())
    (warning,) = label_requests(con, Config()).warnings
    assert re.search(said, warning), warning


def test_a_loaded_but_empty_corpus_proves_absence_and_none_does_not(con, gold, corpus):
    gold({**CASE, "evidence": [["z"]]})
    store(con, *pipeline())
    label_requests(con, Config())
    assert newest(con) == ["unknown.corpus"]
    corpus(allow_empty=True, snapshot_id="empty")
    label_requests(con, Config())
    assert newest(con) == ["source.not_indexed"]


def test_a_zero_from_bm25_proves_nothing_while_the_texts_share_a_term(con, gold, corpus):
    gold({**CASE, "query": "apple price", "evidence": [["a"]]})
    rows = pipeline(shown=("x",))
    zero = ranking(("x", 1.0), ("y", 0.0), ("a", 0.0), k=2) | {
        s.RAGFAULT_SCORE_KIND: "bm25",
        s.RAGFAULT_RETRIEVAL_COMPLETE: True,
    }
    rows[1] = span(2, 1, stage="retrieval", attributes=zero | {s.GEN_AI_RETRIEVAL_QUERY_TEXT: "apple price"})
    store(con, *rows)
    found = []
    for text in (None, "an Apple a day", "nothing of the kind", "the price-less"):
        if text is not None:
            corpus({"chunk_id": "a", "text": text}, snapshot_id="s", replace=True)
        label_requests(con, Config())
        found += newest(con)
    assert found == ["unknown.scores", "retrieval.below_k", "retrieval.no_overlap", "retrieval.below_k"]


def test_the_detail_keeps_the_failing_groups_and_those_lost_later(con, gold):
    gold({**CASE, "evidence": [["c"], ["b"], ["a"]]})
    rows = pipeline(shown=("a",))
    said = ranking(("a", 3.0), ("b", 2.0), ("c", 1.0), k=2) | {s.RAGFAULT_SCORE_KIND: "similarity"}
    rows[1] = span(2, 1, stage="retrieval", attributes=said)
    rows[2] = span(
        3,
        1,
        stage="assembly",
        attributes=chunks("a") | {s.RAGFAULT_ASSEMBLY_DROPPED: json.dumps([{"id": "b", "reason": "budget"}])},
    )
    store(con, *rows)
    label_requests(con, Config())
    ((label, detail),) = con.execute("SELECT label, detail FROM label").fetchall()
    found = json.loads(detail)
    assert label == "retrieval.below_k"
    assert (found["stopped_at"], found["missing"], found["k"], found["depth"]) == ("retrieval.below_k", None, 2, 3)
    assert [(g["group"], g["rank"], g["score"]) for g in found["failing"]] == [(1, 3, 1.0)]
    assert [(g["group"], g["rank"], g["reason"]) for g in found["also_lost"]] == [(2, 2, "budget")]


def test_a_right_answer_without_the_evidence_is_a_latent_fault(con, gold):
    gold({**CASE, "evidence": [["b"]]})
    rows = pipeline(hits=(("a", 2.0), ("b", 1.0)), shown=("a",))
    rows[1] = span(
        2, 1, stage="retrieval", attributes=ranking(("a", 2.0), ("b", 1.0), k=2) | {s.RAGFAULT_SCORE_KIND: "similarity"}
    )
    store(con, *rows)
    label_requests(con, Config())
    assert newest(con, "label, outcome, latent") == [("assembly.cut", "correct", True)]


FAILURES = [
    pytest.param({2}, "pass", id="a retrieval failed, and the generator answered all the same"),
    pytest.param({4}, "error.generation", id="a stream was torn in the middle of the answer"),
    pytest.param({1, 4}, "error.generation", id="the caller got the generator's exception"),
    pytest.param({1}, "error.request", id="the caller got an exception after the answer was made"),
]


@pytest.mark.parametrize(("failing", "label"), FAILURES)
def test_an_error_is_the_label_when_the_caller_got_no_answer_of_the_pipeline(con, gold, failing, label):
    gold(CASE)
    store(con, *[row._replace(status_code=2) if row.span_id in failing else row for row in pipeline()])
    label_requests(con, Config())
    assert newest(con) == [label]


def test_a_text_in_the_place_of_a_failed_stage_is_no_answer(con, gold):
    gold(CASE)
    _, retrieval, assembly, _ = pipeline()
    canned = span(1, stage="request", attributes=asked("why?") | answered("yes, but try later"))
    store(con, canned, retrieval, assembly._replace(status_code=2, status_message="no room"))
    con.execute("UPDATE gold_case SET query_key = 'why?'")
    label_requests(con, Config())
    assert newest(con, "label, outcome") == [("error.assembly", "wrong")]


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        pytest.param("Which oven do you have?", "pass.correct_clarification", id="asks back"),
        pytest.param('Do you mean "fast" or "slow"?"', "pass.correct_clarification", id="a quote behind the mark"),
        pytest.param("Use the fast programme.", "decision.not_clarified", id="answers"),
        pytest.param("I cannot help with that.", "decision.not_clarified", id="refuses"),
    ],
)
def test_a_question_back_is_told_from_an_answer(con, gold, answer, label):
    gold({"case_id": "case-1", "query": "why?", "expect": "clarify"})
    store(con, *pipeline(answer=answer))
    label_requests(con, Config())
    assert newest(con) == [label]


def test_a_ranking_lost_with_dropped_attributes_is_blamed_on_telemetry_not_on_retrieval(con, gold):
    gold({**CASE, "evidence": [["z"]]})
    rows = pipeline()
    rows[1] = span(2, 1, stage="retrieval", dropped=76, attributes={s.GEN_AI_RETRIEVAL_TOP_K: 5})
    store(con, *rows)
    label_requests(con, Config())
    assert newest(con) == ["unknown.dropped_attributes"]


def test_failure_buckets_add_up_and_carry_the_advice(con, gold):
    gold(CASE, {**CASE, "case_id": "case-2", "query": "what?", "expect": "refuse", "evidence": []})
    store(con, *pipeline(), *pipeline(11, trace=2), *pipeline(21, trace=3, case="case-2"))
    label_requests(con, Config())
    rows = con.execute(
        "SELECT label, requests, share, try_first IS NOT NULL, wasted IS NOT NULL FROM failure_bucket"
    ).fetchall()
    assert [row[:2] for row in rows] == [("pass", 2), ("decision.answered_unanswerable", 1)]
    assert sum(row[2] for row in rows) == pytest.approx(1)
    assert all(row[3:] == (True, True) for row in rows)


def say(con, subject, value):
    """A person gives a verdict."""
    con.execute(
        "INSERT INTO verdict BY NAME SELECT request_id, $subject AS subject, $value AS value, 'human' AS source, 'ann' AS config, now() AS judged_at FROM request",
        {"subject": subject, "value": value},
    )


HEDGED = "I do not know the reason. The answer is yes."


def test_an_answer_that_a_person_calls_right_is_no_refusal(con, gold):
    gold(CASE)
    store(con, *pipeline(answer=HEDGED))
    label_requests(con, Config())
    assert newest(con) == ["decision.refused_answerable"]
    say(con, "answer", value=True)
    label_requests(con, Config())
    assert newest(con, "label, outcome") == [("pass", "correct")]
    say(con, "refusal", value=True)
    label_requests(con, Config())
    assert newest(con) == ["decision.refused_answerable"]


def test_where_a_refusal_is_expected_a_right_answer_leaves_the_refusal_as_it_is(con, gold):
    gold({"case_id": "case-1", "query": "why?", "expect": "refuse"})
    store(con, *pipeline(answer=HEDGED))
    label_requests(con, Config())
    say(con, "answer", value=True)
    label_requests(con, Config())
    assert newest(con) == ["pass.correct_refusal"]


@pytest.mark.parametrize(
    ("asked_for", "text", "label"),
    [
        ("差旅报销标准是多少", "公司差旅报销标准规定如下", "retrieval.below_k"),
        ("ค่าเดินทาง", "ตารางค่าเดินทางของบริษัท", "retrieval.below_k"),
        ("カード", "会社カードの規定", "retrieval.below_k"),
        ("差旅", "其他", "retrieval.no_overlap"),
    ],
    ids=["Han", "Thai", "Katakana", "nothing shared"],
)
def test_shared_characters_count_as_overlap_in_scripts_without_blanks(con, gold, corpus, asked_for, text, label):
    gold(CASE)
    corpus({"chunk_id": "a", "text": text})
    rows = pipeline(shown=("x",))
    searched = {s.RAGFAULT_SCORE_KIND: "bm25", s.GEN_AI_RETRIEVAL_QUERY_TEXT: asked_for}
    rows[1] = span(2, 1, stage="retrieval", attributes=ranking(("x", 0.9), ("y", 0.0), ("a", 0.0), k=2) | searched)
    store(con, *rows)
    label_requests(con, Config())
    assert newest(con) == [label]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Wi-Fi 6 für 3日間", ["wi", "fi", "6", "für", "3", "日", "間"]),
        ("カード", ["カー", "ド"]),
        ("ที่", ["ที่"]),
    ],
)
def test_words_are_runs_of_letters_and_digits_or_characters_with_their_marks(con, text, words):
    assert con.execute("SELECT words_of(?)", [text]).fetchall() == [(words,)]


def test_the_card_looks_into_the_snapshot_that_the_labelling_used(con, gold, corpus):
    gold(CASE)
    corpus({"chunk_id": "a", "text": "t"}, snapshot_id="s1")
    corpus({"chunk_id": "x", "text": "t"}, snapshot_id="s2")
    store(con, *pipeline(hits=(("x", 0.9),), shown=("x",)))
    for snapshot, indexed in [("s1", True), (None, False), ("s1", True)]:
        label_requests(con, Config(default_snapshot=snapshot))
        (card,) = find_cards(con, "case-1")
        assert (card["label"] != "source.not_indexed", card.evidence[0].indexed) == (indexed, indexed)
