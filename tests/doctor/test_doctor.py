"""What requests record, the labels that are out of reach, and the problems, by the short notation of spans."""

import json

import pytest

from corpora import put_snapshot
from jobs.spans import answered, asked, chunks, pipeline, ranking, span
from otel_ragfault import semconv as s
from otel_ragfault.faults import FIELDS, RULES
from otel_ragfault.jobs.doctor import RECORDED, out_of_reach
from otel_ragfault.jobs.doctor_fixes import FIXES, PROBLEMS, fix_for
from otel_ragfault.jobs.doctor_problems import Profile


def codes(found):
    return {problem.code: problem.count for problem in found.problems}


def unreachable(found):
    return {label.label: label.missing for label in found.unreachable}


def load_corpus(con, *ids, document=None):
    put_snapshot(con, "s", [{"chunk_id": one, "doc_id": document} for one in ids])


def load_gold(con, case="case-1", *, check=True):
    con.execute(
        "INSERT INTO gold_case (case_id, query, query_key, expect, answer_check, tags, gold_version, loaded_at) "
        "VALUES (?, 'why?', 'why?', 'answer', ?, [], 'v', now()::TIMESTAMP)",
        [case, json.dumps({"must_contain": ["yes"]}) if check else None],
    )


def complete_request():
    """A request of ours that records everything."""
    scored = ranking(("a", 0.9), ("b", 0.1), k=2) | {
        s.RAGFAULT_SCORE_KIND: "similarity",
        s.RAGFAULT_RETRIEVAL_COMPLETE: True,
        s.GEN_AI_RETRIEVAL_QUERY_TEXT: "why?",
    }
    said = {s.RAGFAULT_CASE_ID: "case-1", s.GEN_AI_PROMPT_VERSION: "3"}
    generated = {s.GEN_AI_REQUEST_MODEL: "m", s.RAGFAULT_CITATIONS: json.dumps(["a"])}
    return [
        span(1, stage="request", attributes=asked("why?") | said),
        span(2, 1, stage="retrieval", attributes=scored),
        span(3, 1, stage="assembly", attributes=chunks("a")),
        span(4, 1, stage="generation", attributes=answered("yes") | asked("prompt with a") | generated),
    ]


def test_a_complete_request_has_no_problem_and_every_label_is_in_reach(con, diagnose):
    load_corpus(con, "a", "b")
    load_gold(con)
    found = diagnose(*complete_request())
    assert codes(found) == {}
    assert found.unreachable == ()
    assert found.present == dict.fromkeys(RECORDED, 1)
    assert (found.requests, found.with_gold, found.conventions) == (1, 1, {"ragfault": 1})


@pytest.mark.parametrize(
    ("without", "code"),
    [
        (s.RAGFAULT_SCORE_KIND, "no_score_kind"),
        (s.RAGFAULT_RETRIEVAL_COMPLETE, "no_ranking_complete"),
        (s.GEN_AI_RETRIEVAL_TOP_K, "no_k"),
        (s.GEN_AI_RETRIEVAL_DOCUMENTS, "no_ranking"),
        (s.RAGFAULT_ASSEMBLY_CHUNK_IDS, "no_prompt_ids"),
        (s.GEN_AI_REQUEST_MODEL, "no_model"),
        (s.GEN_AI_OUTPUT_MESSAGES, "no_answer"),
        (s.RAGFAULT_CITATIONS, "no_citations"),
        (s.GEN_AI_PROMPT_VERSION, "no_prompt_version"),
    ],
)
def test_what_is_left_out_is_the_one_problem(con, diagnose, without, code):
    load_corpus(con, "a", "b")
    load_gold(con)
    rows = []
    for row in complete_request():
        attributes = json.loads(row.attributes)
        attributes.pop(without, None)
        rows.append(row._replace(attributes=json.dumps(attributes)))
    found = diagnose(*rows)
    assert codes(found) == {code: 1}
    assert found.problems[0].services == ("shop",)


def test_each_request_is_counted_in_the_service_and_convention_that_wrote_it(diagnose):
    other = [row._replace(service="desk") for row in pipeline(11, trace=2, case="case-2")]
    found = diagnose(*pipeline(), *other, span(21, operation="chat", trace=3, attributes=answered("yes")))
    groups = {(group.service, group.convention): group for group in found.groups}
    assert {key: group.requests for key, group in groups.items()} == {
        ("shop", "ragfault"): 1,
        ("desk", "ragfault"): 1,
        ("shop", "otel_genai"): 1,
    }
    assert groups["shop", "ragfault"].present["prompt_ids"] == 1
    assert groups["shop", "otel_genai"].present["prompt_ids"] == 0
    assert groups["shop", "ragfault"].prompt_sources == {"explicit": 1}
    assert groups["desk", "ragfault"].instrumentations == ("app 1",)


def test_what_the_prompt_held_decides_everything_after_it(con, diagnose):
    load_corpus(con, "a", "b")
    load_gold(con)
    found = unreachable(diagnose(*[row for row in complete_request() if row.stage != "assembly"]))
    keys = [rule.key for rule in RULES]
    assert found == dict.fromkeys(set(keys[keys.index("assembly.cut") :]) - {"source.stale"}, ("prompt_ids",))


def test_without_a_corpus_absence_from_the_index_is_out_of_reach(con, diagnose):
    load_gold(con)
    found = diagnose(*complete_request())
    assert unreachable(found) == {"source.not_indexed": ("corpus",)}
    assert codes(found) == {"no_corpus": 1}


def test_an_answer_that_gold_cannot_check_needs_a_verdict(con, diagnose):
    load_corpus(con, "a")
    load_gold(con, check=False)
    assert unreachable(diagnose(*complete_request()))["generation.wrong_answer"] == ("verdict",)


def test_every_field_of_every_rule_is_looked_at():
    profile = Profile("shop", "ragfault", "unknown", True, frozenset(), frozenset(FIELDS), frozenset(), 1)
    found = {label.label: set(label.missing) for label in out_of_reach([profile])}
    for key in {rule.key for rule in RULES}:  # of several rules for a label the one that needs least counts
        assert any(set(rule.needs) <= found.get(key, set()) for rule in RULES if rule.key == key), key


def test_every_field_of_the_rules_can_be_told_missing(con, diagnose):
    load_gold(con, check=False)
    rows = [
        span(1, stage="request", attributes={s.RAGFAULT_CASE_ID: "case-1"}),
        span(2, 1, stage="retrieval", dropped=3),
        span(3, 1, stage="generation"),
    ]
    told = {field for label in diagnose(*rows).unreachable for field in label.missing}
    put_snapshot(con, "s", [{"chunk_id": "a", "permitted": ["hr"]}])
    con.execute("INSERT INTO gold_evidence (case_id, group_no, member_no, chunk_id) VALUES ('case-1', 1, 1, 'a')")
    told |= {field for label in diagnose().unreachable for field in label.missing}
    told |= {
        field for label in diagnose(*pipeline(31, trace=3, hits=("x", "y"))).unreachable for field in label.missing
    }
    assert told == set(FIELDS) - {"claims"}, "what a judge could not tell, no pipeline fails to record"


@pytest.mark.parametrize(
    ("gap", "found"), [pytest.param(2, {"split_trace": 2}, id="close"), pytest.param(600, {}, id="far apart")]
)
def test_halves_of_a_question_in_two_traces_are_told_by_service_and_time(diagnose, gap, found):
    rows = [
        span(1, operation="retrieval", attributes=ranking("a") | {s.GEN_AI_RETRIEVAL_QUERY_TEXT: "why?"}),
        span(2, operation="chat", trace=2, at=1 + gap, attributes=asked("prompt") | answered("yes")),
    ]
    assert {code: n for code, n in codes(diagnose(*rows)).items() if code == "split_trace"} == found


def test_the_halves_of_other_services_are_no_pair(diagnose):
    rows = [
        span(1, operation="retrieval", attributes=ranking("a")),
        span(2, operation="chat", trace=2, attributes=answered("yes"))._replace(service="desk"),
    ]
    assert "split_trace" not in codes(diagnose(*rows))


@pytest.mark.parametrize(
    ("corpus", "document", "code"),
    [
        pytest.param(["a#1", "b#1"], "a", "document_ids", id="documents"),
        pytest.param(["x"], None, "foreign_ids", id="something else"),
        pytest.param(["b"], None, None, id="one is there"),
    ],
)
def test_ranked_ids_are_held_against_the_corpus(con, diagnose, corpus, document, code):
    load_corpus(con, *corpus, document=document)
    found = codes(diagnose(*complete_request()))
    assert {name for name in found if name in {"document_ids", "foreign_ids"}} == ({code} if code else set())


def test_ids_that_were_told_by_texts_are_named_and_nothing_is_out_of_reach_for_them(con, diagnose):
    put_snapshot(con, "s", [{"chunk_id": "x", "text": "First text."}, {"chunk_id": "y", "text": "Second text."}])
    documents = [{"id": "a", "content": "First text."}, {"id": "b", "content": "Second text."}]
    rows = complete_request()
    rows[1] = span(
        2,
        1,
        stage="retrieval",
        attributes={s.GEN_AI_RETRIEVAL_DOCUMENTS: json.dumps(documents), s.GEN_AI_RETRIEVAL_TOP_K: 2},
    )
    found = diagnose(*rows)
    assert codes(found)["ids_by_text"] == 1
    assert "foreign_ids" not in codes(found)
    assert not [label for label, missing in unreachable(found).items() if "ids" in missing]


def test_the_doctor_says_foreign_where_labels_do(con, diagnose):
    load_corpus(con, "c")
    ranks = [*(f"x{number}" for number in range(12)), "c"]
    found = diagnose(*pipeline(hits=ranks), *pipeline(11, trace=2))
    assert codes(found)["foreign_ids"] == 1, "the thirteenth id of the first request is in the snapshot"
    assert con.execute("SELECT id_source FROM request ORDER BY trace_id").fetchall() == [("recorded",), ("foreign",)]
    assert unreachable(found)["retrieval.not_ranked"] == ("ids",)


def test_a_request_for_which_no_model_was_called_lacks_neither_prompt_nor_model(diagnose):
    def rows(first, trace, *generation):
        said = asked("why?") | answered("Empty Response")
        return [span(first, operation="invoke_workflow", trace=trace, attributes=said), *generation]

    model = span(12, 11, operation="chat", trace=2, attributes=answered("yes") | {s.GEN_AI_REQUEST_MODEL: "m"})
    assert {"no_prompt_text", "no_model"} <= set(codes(diagnose(*rows(1, 1)))), "nowhere is a model called"
    found = codes(diagnose(*rows(11, 2, model)))
    assert (found.get("no_prompt_text"), found.get("no_model")) == (1, None), "only where one was called"


def test_permissions_in_the_corpus_want_the_groups_of_the_user(con, diagnose):
    put_snapshot(con, "s", [{"chunk_id": "a", "permitted": ["hr"]}, {"chunk_id": "b"}])
    load_gold(con)
    anybody, known = complete_request(), complete_request()
    known[0] = span(1, stage="request", trace=2, attributes=asked("why?") | {s.RAGFAULT_USER_GROUPS: "[]"})
    assert codes(diagnose(*anybody))["no_groups"] == 1
    assert codes(diagnose(known[0]))["no_groups"] == 1, "the other one says its groups"


def test_dropped_attributes_explain_what_else_is_missing(diagnose):
    rows = [span(1, stage="request", attributes=asked("why?")), span(2, 1, stage="retrieval", dropped=76)]
    found = diagnose(*rows)
    assert "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT" in found.problems[0].fix
    assert found.problems[0].code == "dropped_attributes"
    assert set(codes(found)).isdisjoint({"no_ranking", "no_k", "no_answer"})
    assert "dropped_attributes" in unreachable(found)["source.not_indexed"]


def test_values_that_were_cut_are_told_by_their_limit(diagnose):
    attributes = {s.GEN_AI_RETRIEVAL_DOCUMENTS: '[{"id": "a"}, {"i'}
    found = diagnose(span(1, stage="request"), span(2, 1, stage="retrieval", attributes=attributes))
    problem = next(problem for problem in found.problems if problem.code == "cut_values")
    assert "VALUE_LENGTH_LIMIT" in problem.fix
    assert "no_ranking" not in codes(found)


@pytest.mark.parametrize(
    ("case", "code"),
    [
        pytest.param(None, "no_case_id", id="no case"),
        pytest.param("other", "unknown_case", id="another case"),
        pytest.param("case-1", None, id="the case"),
    ],
)
def test_requests_that_no_gold_belongs_to(con, diagnose, case, code):
    load_gold(con)
    said = {} if case is None else {s.RAGFAULT_CASE_ID: case}
    found = codes(diagnose(span(1, stage="request", attributes=asked("what?") | said)))
    assert {name for name in found if name in {"no_case_id", "unknown_case", "no_gold"}} == ({code} if code else set())


def test_gold_may_be_joined_by_the_question(con, diagnose):
    load_gold(con)
    assert "no_case_id" not in codes(diagnose(span(1, stage="request", attributes=asked("why?"))))


def test_an_empty_database_says_what_to_do(diagnose):
    found = diagnose()
    assert codes(found) == {"no_spans": 0}
    assert "ragfault import" in found.problems[0].fix


def test_spans_without_a_request_lead_to_a_mapping(diagnose):
    found = diagnose(span(1))
    assert codes(found) == {"no_requests": 1}
    assert "ragfault map --try" in found.problems[0].fix


def test_a_default_k_stands_in(diagnose):
    rows = [span(1, stage="request"), span(2, 1, stage="retrieval", attributes=ranking("a"))]
    assert "retrieval.below_k" in unreachable(diagnose(*rows))
    assert "retrieval.below_k" not in unreachable(diagnose(k=3))


def test_every_problem_has_a_meaning_and_a_fix_for_everybody():
    assert set(FIXES) == set(PROBLEMS)
    for code, fixes in FIXES.items():
        assert fix_for(code, ()) == fixes[""], code
        assert all(fix.strip() == fix for fix in fixes.values()), code
        assert PROBLEMS[code].endswith("."), code


def test_the_most_exact_name_chooses_the_fix():
    scopes = ("opentelemetry.instrumentation.genai.langchain", "otel_genai")
    assert "request(" in fix_for("no_case_id", scopes)
    assert "metadata" in fix_for("no_case_id", ("openinference.instrumentation.langchain", "openinference"))
    assert "using_attributes" in fix_for("no_case_id", ("openinference.instrumentation.haystack", "openinference"))
    assert "set_attribute" in fix_for("no_case_id", ("my_application", "haystack"))
    assert "HAYSTACK" in fix_for("content_off", ("my_application", "haystack"))
    assert "OPENINFERENCE" in fix_for("content_off", ("openinference.instrumentation.haystack", "openinference"))
    assert "association" in fix_for("no_case_id", ("opentelemetry.instrumentation.llamaindex", "traceloop"))
    assert "id_func" in fix_for("foreign_ids", ("openinference.instrumentation.llama_index", "openinference"))
    assert "page_content" in fix_for("foreign_ids", ("openinference.instrumentation.langchain", "openinference"))
