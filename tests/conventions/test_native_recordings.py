"""What is recovered from the recordings of native instrumentations, question by question."""

import pytest

from conventions.recorded import cases, corpus, ids, questions, stages
from otel_ragfault.conventions.mapping import convention
from otel_ragfault.model.mapping import ConventionMapping
from otel_ragfault.recovery import map_citations, match_prompt

# A row a question: the case, its retrievals outermost first, the ranking after a rerank stage, the chunks of the
# prompt, the cited one.
LANGCHAIN = [
    ("case-01", ["s2 k1 k2 k0"], None, "s2 k1 k2 k0", "k1"),
    ("case-02", ["k3 k2 k1 s0"], None, "k3 k2 k1 s0", "k3"),
    ("case-01", ["s2 k1 k0 s3"], None, "s2 k1 k0 s3", "k1"),
    ("case-02", ["k3 s3 s1 s2"], None, "k3 s3 s1 s2", "k3"),
    ("case-01", ["k1 k0", "s2 k1 k2 k0 s1 s3"], None, "k1 k0", "k1"),
    ("case-02", ["k3 k2", "k3 k2 k1 s0 s1 k0"], None, "k3 k2", "k3"),
]
WITHOUT_BM25 = [LANGCHAIN[number] for number in (0, 1, 4, 5)]
DECORATED = [
    ("case-01", ["s2 k1 k2"], None, "s2 k1 k2", "k1"),
    ("case-02", ["k3 k2 k1"], None, "k3 k2 k1", "k3"),
]
LLAMAINDEX = [
    ("case-01", ["k1 s2 k2 k0 k3"], None, "k1 s2 k2 k0 k3", None),
    ("case-02", ["k3 s1 k2 k1 s0"], None, "k3 s1 k2 k1 s0", None),
    ("case-01", ["k1 s2 k2 k0 k3 s1"], "k1 k0", "k1 k0", None),
    ("case-02", ["k3 s1 k2 k1 s0 s2"], "k3 k1", "k3 k1", None),
    ("case-01", ["k1 s2 k2"], None, "k1 s2 k2", "k1"),
    ("case-02", ["k3 s1 k2"], None, "k3 s1 k2", "k3"),
]
HAYSTACK = [
    ("case-01", ["k1 k0 s2 s1 k2"], "k1 k0", "k1 k0", "k1"),
    ("case-02", ["k3 s0 k2 k0 k1"], "k3 k2", "k3 k2", "k3"),
    ("case-03", ["s1 s3 k2 k0 k1"], "s1 s3", "s1 s3", "s1"),
]
PYDANTIC_AI = [
    ("case-01", ["s2 k1 k2 k0"], None, "s2 k1 k2 k0", "k1"),
    ("case-02", ["k3 k2 k1 s0"], None, "k3 k2 k1 s0", "k3"),
]
RECOVERED = {
    "haystack-native": HAYSTACK,
    "langfuse": WITHOUT_BM25 + DECORATED,
    "langsmith-otel": LANGCHAIN,
    "llamaindex-own-otel": LLAMAINDEX,
    "mlflow-langchain": WITHOUT_BM25,
    "mlflow-llamaindex": LLAMAINDEX,
    "pydantic-ai": PYDANTIC_AI,
}
CONVENTION = {
    "haystack-native": "haystack",
    "haystack-native.nocontent": "haystack",
    "langfuse": "langfuse",
    "langsmith-otel": "langsmith",
    "llamaindex-own-otel": "llamaindex_events",
    "mlflow-langchain": "mlflow",
    "mlflow-langchain.genai-semconv": "mlflow",
    "mlflow-llamaindex": "mlflow",
    "mlflow-llamaindex.genai-semconv": "mlflow",
    "pydantic-ai": "pydantic_ai",
}
LANGCHAINS = {"langfuse", "langsmith-otel", "mlflow-langchain"}
NAMES_CASE = LANGCHAINS | {"pydantic-ai"}
TOOL = ConventionMapping.model_validate(
    {
        "name": "studio",
        "spans": [
            {
                "match": {"scope": "pydantic-ai", "attributes": {"gen_ai.tool.name": "search_chunks"}},
                "stage": "retrieval",
                "query": "gen_ai.tool.call.arguments.query",
                "top_k": "gen_ai.tool.call.arguments.k",
                "hits": "gen_ai.tool.call.result",
                "score_kind": "similarity",
            }
        ],
    }
)


def chunks(short):
    """Write ``"k1 s2"`` out as ids."""
    return [("kiln-001#" if one[0] == "k" else "studio-002#") + one[1:] for one in short.split()]


ROWS = [
    pytest.param(name, number, *row, id=f"{name}-{number}")
    for name, rows in RECOVERED.items()
    for number, row in enumerate(rows)
]
PARAMETERS = ("name", "number", "case", "rankings", "reranked", "prompt", "cited")


def retrievals(name, number):
    """Return the retrievals of a question; those of Pydantic AI take a mapping."""
    told = questions(name)[number]
    if name != "pydantic-ai":
        return stages(told, "retrieval")
    mapped = convention(TOOL)
    return [mapped.read(one.view) for one in told if mapped.claims(one.view)]


def answered(name, number):
    """Return the model call that answered."""
    (found,) = stages(questions(name)[number], "generation")
    return found


@pytest.mark.parametrize("name", CONVENTION)
def test_every_span_of_a_recording_has_its_convention(name):
    assert {one.convention for told in questions(name) for one in told} == {CONVENTION[name]}


@pytest.mark.parametrize(PARAMETERS, ROWS)
def test_rankings_are_complete_with_ids_and_texts(name, number, case, rankings, reranked, prompt, cited):
    records = retrievals(name, number)
    assert [ids(record.hits) for record in records] == [chunks(ranking) for ranking in rankings]
    assert all(hit.text == corpus()[hit.id] for record in records for hit in record.hits)
    assert {record.query for record in records} == {cases()[case]["query"]}
    assert all(record.problems == () for record in records)


@pytest.mark.parametrize(PARAMETERS, ROWS)
def test_scores_are_there_where_they_were_recorded(name, number, case, rankings, reranked, prompt, cited):
    for record in retrievals(name, number):
        scores = [hit.score for hit in record.hits]
        langchain = name in LANGCHAINS and (name, number) not in {("langfuse", 4), ("langfuse", 5)}
        if langchain and len(scores) != 2:  # only the reranker left a score in the metadata
            assert set(scores) == {None}
        else:
            assert scores == sorted(scores, reverse=True)
            assert None not in scores


@pytest.mark.parametrize(PARAMETERS, ROWS)
def test_a_rerank_stage_is_told_apart(name, number, case, rankings, reranked, prompt, cited):
    told = questions(name)[number]
    reranks = stages(told, "rerank")
    assert len(reranks) == (reranked is not None)
    for record in reranks:
        if name == "llamaindex-own-otel":  # no event: the nodes that came out are those of the synthesizer
            assert record.hits is None
            (made,) = [found for found in stages(told, "assembly") if found.prompt_hits]
            assert ids(made.prompt_hits) == chunks(reranked)
            assert made.prompt_hits[0].score == 8.0  # the reranker's, not the retriever's
        else:
            assert ids(record.hits) == chunks(reranked)
            assert ids(record.input_hits) == chunks(rankings[0])
            assert None not in [hit.score for hit in record.hits]


@pytest.mark.parametrize(PARAMETERS, ROWS)
def test_the_chunks_of_the_prompt_are_recovered_in_order(name, number, case, rankings, reranked, prompt, cited):
    told = questions(name)[number]
    explicit = [one.record.prompt_ids for one in told if one.record and one.record.prompt_ids is not None]
    if name == "haystack-native" or (name == "langfuse" and number >= 4):
        assert [list(found) for found in explicit] == [chunks(prompt)]
    else:
        assert explicit == []
    if name == "langfuse" and number >= 4:  # a function's arguments: no prompt was recorded
        assert ids(answered(name, number).prompt_hits) == chunks(prompt)
        return
    pool = {hit.id: hit.text for record in retrievals(name, number) for hit in record.hits}
    matches = match_prompt(list(pool.items()), answered(name, number).prompt_text)
    assert [match.id for match in matches] == chunks(prompt)
    assert {match.how for match in matches} == {"exact"}


@pytest.mark.parametrize("name", sorted(LANGCHAINS))
def test_the_step_that_formats_documents_shows_them(name):
    for number, row in enumerate(RECOVERED[name]):
        shown = [one.record for one in questions(name)[number] if one.record and one.record.prompt_hits]
        assert [ids(record.prompt_hits) for record in shown] == [chunks(row[3])]


@pytest.mark.parametrize(PARAMETERS, ROWS)
def test_answer_and_model_are_those_of_the_call_that_answered(name, number, case, rankings, reranked, prompt, cited):
    record = answered(name, number)
    assert all(words in record.answer for words in cases()[case]["must_contain"])
    assert "stub-chat-1" in (record.response_model or record.request_model)
    assert record.input_tokens > record.output_tokens > 10
    assert record.problems == ()
    told = questions(name)[number]
    records = [one.record for one in told if one.record and not one.record.internal]
    finish = {found.finish_reasons for found in records} - {None}
    assert finish == (set() if name == "langfuse" and number >= 4 else {("stop",)})
    assert bool({found.response_id for found in records} - {None}) == (name != "haystack-native")
    found = map_citations(record.answer, chunks(prompt))
    assert found.ids == (() if cited is None else tuple(chunks(cited)))
    assert found.unmapped == ()


@pytest.mark.parametrize(PARAMETERS, ROWS)
def test_question_and_answer_of_the_request(name, number, case, rankings, reranked, prompt, cited):
    (request,) = stages(questions(name)[number], "request")
    assert request.query == cases()[case]["query"]
    assert request.answer == answered(name, number).answer
    assert request.problems == ()


@pytest.mark.parametrize(PARAMETERS, ROWS)
def test_the_request_is_named(name, number, case, rankings, reranked, prompt, cited):
    records = [one.record for one in questions(name)[number] if one.record]
    assert {record.case_id for record in records} - {None} == ({case} if name in NAMES_CASE else set())
    langchain = name in LANGCHAINS and not (name == "langfuse" and number >= 4)
    assert {record.prompt_version for record in records} - {None} == ({"qa-v3"} if langchain else set())
    assert {record.run_id for record in records} - {None} == ({"r-001"} if langchain else set())
    assert bool({record.session_id for record in records} - {None}) == (langchain or name == "pydantic-ai")


def test_haystack_tells_what_it_cites():
    for number, (*_, cited) in enumerate(HAYSTACK):
        told = questions("haystack-native")[number]
        assert [one.record.cited for one in told if one.record and one.record.cited] == [tuple(chunks(cited))]


@pytest.mark.parametrize("name", ["mlflow-llamaindex", "llamaindex-own-otel"])
def test_nested_spans_of_one_stage_are_twins_and_rerankers_calls_internal(name):
    for number, row in enumerate(LLAMAINDEX):
        told = questions(name)[number]
        reranked = row[2] is not None
        assert len(stages(told, "generation", twins=True, internal=True)) == (4 if reranked else 2)
        assert len(stages(told, "generation", internal=True)) == (2 if reranked else 1)
        twins = [record for record in stages(told, "generation", twins=True, internal=True) if record.twin]
        assert {record.internal for record in twins} == ({True, False} if reranked else {False})
        assert all("{context_str}" in record.prompt_template for record in twins)


def test_nodes_of_the_citation_engine_have_texts_and_no_ids():
    for name in ("mlflow-llamaindex", "llamaindex-own-otel"):
        for number in (4, 5):
            (made,) = [found for found in stages(questions(name)[number], "assembly") if found.prompt_hits]
            assert ids(made.prompt_hits) == [None] * 3
            assert [hit.text.strip() for hit in made.prompt_hits] == [
                corpus()[chunk] for chunk in chunks(LLAMAINDEX[number][3])
            ]


def test_the_call_of_a_tool_is_no_answer_and_a_tool_without_mapping_no_stage():
    for told in questions("pydantic-ai"):
        calls = stages(told, "generation", internal=True)
        assert [call.internal for call in calls] == [True, False]
        assert [one.record for one in told if one.name.startswith("execute_tool")] == [None]


# --- content that is off ---------------------------------------------------------------------------------------------


def test_haystack_without_content_says_so_at_every_stage():
    for told, case in zip(questions("haystack-native.nocontent"), ("case-01", "case-02", "case-03"), strict=True):
        records = [one.record for one in told if one.record]
        assert [(record.kind, record.problems) for record in records] == [
            (kind, ("content_off",)) for kind in ("request", "retrieval", "rerank", "assembly", "generation")
        ]
        assert records[0].query == cases()[case]["query"]  # the input of the pipeline is recorded all the same
        assert all(record.hits is None and record.prompt_ids is None for record in records)


@pytest.mark.parametrize("name", ["mlflow-langchain.genai-semconv", "mlflow-llamaindex.genai-semconv"])
def test_mlflow_with_genai_names_lost_its_rankings(name):
    for told in questions(name):
        records = [one.record for one in told if one.record]
        retrieved = stages(told, "retrieval")
        assert retrieved
        assert all(record.hits is None and record.problems == ("content_off",) for record in retrieved)
        (request,) = stages(told, "request")
        assert request.problems == ("content_off",)
        assert all(
            "content_off" in record.problems or record.answer for record in records if record.kind == "generation"
        )


def test_mlflow_with_genai_names_keeps_the_texts_of_langchain():
    for number, row in enumerate(WITHOUT_BM25):
        told = questions("mlflow-langchain.genai-semconv")[number]
        (call,) = stages(told, "generation")
        assert [match.id for match in match_prompt(list(corpus().items()), call.prompt_text)] == chunks(row[3])
        assert all(words in call.answer for words in cases()[row[0]]["must_contain"])
        assert {one.record.case_id for one in told if one.record} == {row[0]}


def test_mlflow_with_genai_names_shows_the_prompt_of_llamaindex_by_its_template():
    for number, row in enumerate(LLAMAINDEX):
        calls = stages(questions("mlflow-llamaindex.genai-semconv")[number], "generation", twins=True)
        (text,) = {call.prompt_text for call in calls} - {None}
        assert [match.id for match in match_prompt(list(corpus().items()), text)] == chunks(row[3])
