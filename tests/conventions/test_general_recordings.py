"""What is recovered from each recording, question by question, against its corpus and its cases."""

import pytest

from conventions.recorded import cases, chunks_in, corpus, ids, questions, stages

KILN, STUDIO = "kiln-001#", "studio-002#"


def chunks(short):
    """Write ``"k1 s2"`` out as ids."""
    return [(KILN if one[0] == "k" else STUDIO) + one[1:] for one in short.split()]


# A row a question: the case, the rankings of its retrievals outermost first, the ranking after a rerank stage, the
# chunks in the prompt. The same pipelines were recorded by several instrumentations, which have to agree.
LANGCHAIN = [
    ("case-01", ["s2 k1 k2 k0"], None, "s2 k1 k2 k0"),
    ("case-02", ["k3 k2 k1 s0"], None, "k3 k2 k1 s0"),
    ("case-01", ["s2 k1 k0 s3"], None, "s2 k1 k0 s3"),
    ("case-02", ["k3 s3 s1 s2"], None, "k3 s3 s1 s2"),
    ("case-01", ["k1 k0", "s2 k1 k2 k0 s1 s3"], None, "k1 k0"),
    ("case-02", ["k3 k2", "k3 k2 k1 s0 s1 k0"], None, "k3 k2"),
]
LANGCHAIN_OUTERMOST = [(case, rankings[:1], None, prompt) for case, rankings, _, prompt in LANGCHAIN]
LLAMAINDEX = [
    ("case-01", ["k1 s2 k2 k0 k3"], None, "k1 s2 k2 k0 k3"),
    ("case-02", ["k3 s1 k2 k1 s0"], None, "k3 s1 k2 k1 s0"),
    ("case-01", ["k1 s2 k2 k0 k3 s1"], "k1 k0", "k1 k0"),
    ("case-02", ["k3 s1 k2 k1 s0 s2"], "k3 k1", "k3 k1"),
    ("case-01", ["k1 s2 k2"], None, "k1 s2 k2"),
    ("case-02", ["k3 s1 k2"], None, "k3 s1 k2"),
]
LLAMAINDEX_WITHOUT_RERANK = [(case, rankings, None, prompt) for case, rankings, _, prompt in LLAMAINDEX]
HAYSTACK = [
    ("case-01", ["k1 k0 s2 s1 k2"], "k1 k0", "k1 k0"),
    ("case-02", ["k3 s0 k2 k0 k1"], "k3 k2", "k3 k2"),
    ("case-03", ["s1 s3 k2 k0 k1"], "s1 s3", "s1 s3"),
]
CHROMA = [
    ("case-01", ["s2 k1 k2 k0"], None, "s2 k1 k2"),
    ("case-02", ["k3 k2 k1 s0"], None, "k3 k2 k1"),
    ("case-03", ["s1 k2 s3 k0"], None, "s1 k2 s3"),
]
SPEC_SHAPE = [
    ("case-01", ["s2 k1 k2 k0"], None, "s2 k1 k2"),
    ("case-02", ["k3 k2 k1 s0"], None, "k3 k2 k1"),
]

RECOVERED = {
    "openinference-langchain": LANGCHAIN,
    "traceloop-langchain": LANGCHAIN,
    "otel-genai-langchain": LANGCHAIN_OUTERMOST,
    "openinference-llama-index": LLAMAINDEX,
    "openinference-llama-index.dual-genai": LLAMAINDEX,
    "traceloop-llamaindex": LLAMAINDEX,
    "otel-genai-llama-index": LLAMAINDEX_WITHOUT_RERANK,
    "openinference-haystack": HAYSTACK,
    "traceloop-chromadb": CHROMA,
    "otel-semconv-spec-shape": SPEC_SHAPE,
}
WITHOUT_TEXTS = {"otel-genai-langchain", "otel-genai-llama-index", "otel-semconv-spec-shape"}
WITHOUT_QUERY = {"traceloop-chromadb"}
WITH_REQUEST = {  # the span of the whole question shows what was asked
    "openinference-langchain",
    "openinference-llama-index",
    "openinference-llama-index.dual-genai",
    "openinference-haystack",
    "traceloop-langchain",
    "traceloop-llamaindex",
}
WITH_CASE = {"openinference-langchain", "traceloop-langchain", "traceloop-chromadb", "otel-semconv-spec-shape"}
WITH_PROMPT_VERSION = WITH_REQUEST - {"openinference-haystack", "traceloop-llamaindex"} | {"otel-semconv-spec-shape"}
WITH_FINISH_REASON = set(RECOVERED) - {"openinference-haystack"}
WITH_RESPONSE_ID = {
    "openinference-langchain",
    "otel-genai-langchain",
    "otel-genai-llama-index",
    "otel-semconv-spec-shape",
    "traceloop-chromadb",
    "traceloop-langchain",
    "traceloop-llamaindex",
}

ROWS = [
    pytest.param(name, number, *row, id=f"{name}-{number}")
    for name, rows in RECOVERED.items()
    for number, row in enumerate(rows)
]


def asked(name, number):
    """Return what is told of a question; the line of the Chroma recording that fills the index is none."""
    return [told for told in questions(name) if any(one.record for one in told)][number]


def test_every_recorded_question_is_in_the_table():
    counted = {name: len([told for told in questions(name) if any(one.record for one in told)]) for name in RECOVERED}
    assert counted == {name: len(rows) for name, rows in RECOVERED.items()}


@pytest.mark.parametrize(("name", "number", "case", "rankings", "reranked", "prompt"), ROWS)
def test_rankings_are_complete_and_in_order(name, number, case, rankings, reranked, prompt):
    told = asked(name, number)
    found = [record.hits for record in stages(told, "retrieval")]
    assert [ids(hits) for hits in found] == [chunks(ranking) for ranking in rankings]
    texts = [hit.text for hits in found for hit in hits]
    if name in WITHOUT_TEXTS:
        assert set(texts) == {None}
    else:
        assert texts == [corpus()[hit.id] for hits in found for hit in hits]
    reranks = stages(told, "rerank")
    assert [ids(record.hits) for record in reranks] == ([] if reranked is None else [chunks(reranked)])
    assert [ids(record.input_hits) for record in reranks] == ([] if reranked is None else [chunks(rankings[0])])
    assert all(not record.problems for record in stages(told, "retrieval") + reranks)


@pytest.mark.parametrize(("name", "number", "case", "rankings", "reranked", "prompt"), ROWS)
def test_scores_are_those_of_the_recorded_stage(name, number, case, rankings, reranked, prompt):
    told = asked(name, number)
    for record in stages(told, "retrieval"):
        scores = [hit.score for hit in record.hits]
        if "langchain" in name and not (number >= 4 and len(scores) == 2):
            assert set(scores) == {None}  # as_retriever() discards them
        else:
            assert scores == sorted(scores, reverse=record.score_kind != "distance")
    for record in stages(told, "rerank"):
        assert [hit.score for hit in record.hits] == sorted((hit.score for hit in record.hits), reverse=True)


@pytest.mark.parametrize(("name", "number", "case", "rankings", "reranked", "prompt"), ROWS)
def test_prompt_and_answer_are_those_of_the_call_that_answered(name, number, case, rankings, reranked, prompt):
    told = asked(name, number)
    (answered,) = stages(told, "generation")
    assert chunks_in(answered.prompt_text) == chunks(prompt)
    assert cases()[case]["query"] in answered.prompt_text
    assert all(words in answered.answer for words in cases()[case]["must_contain"])
    assert answered.finish_reasons == (("stop",) if name in WITH_FINISH_REASON else None)
    assert (answered.response_id or "").startswith("chatcmpl-") == (name in WITH_RESPONSE_ID)
    assert answered.input_tokens > answered.output_tokens > 10
    assert "stub-chat-1" in (answered.request_model or answered.response_model)
    assert answered.problems == ()


@pytest.mark.parametrize(("name", "number", "case", "rankings", "reranked", "prompt"), ROWS)
def test_the_question_is_found(name, number, case, rankings, reranked, prompt):
    told = asked(name, number)
    question = cases()[case]["query"]
    searched = {record.query for record in stages(told, "retrieval", twins=True)}
    assert searched == ({None} if name in WITHOUT_QUERY else {question})
    requests = stages(told, "request")
    assert [record.query for record in requests if record.query is not None] == (
        [question] if name in WITH_REQUEST else []
    )
    for record in requests:
        if record.answer is not None:
            assert all(words in record.answer for words in cases()[case]["must_contain"])


@pytest.mark.parametrize(("name", "number", "case", "rankings", "reranked", "prompt"), ROWS)
def test_the_request_is_named(name, number, case, rankings, reranked, prompt):
    records = [one.record for one in asked(name, number) if one.record]
    assert {record.case_id for record in records} - {None} == ({case} if name in WITH_CASE else set())
    assert {record.prompt_version for record in records} - {None} == (
        {"qa-v3"} if name in WITH_PROMPT_VERSION else set()
    )


@pytest.mark.parametrize("name", ["openinference-langchain", "traceloop-langchain"])
@pytest.mark.parametrize("number", range(6))
def test_the_task_that_made_the_prompt_shows_its_chunks_with_their_ids(name, number):
    (made,) = [one.record for one in asked(name, number) if one.record and one.record.prompt_hits]
    assert made.kind is None
    assert ids(made.prompt_hits) == chunks(LANGCHAIN[number][3])
    assert [hit.text for hit in made.prompt_hits] == [corpus()[hit.id] for hit in made.prompt_hits]
    assert made.input_hits == made.prompt_hits


@pytest.mark.parametrize("number", range(6))
def test_the_synthesizer_shows_the_nodes_it_took(number):
    (made,) = [one.record for one in asked("traceloop-llamaindex", number) if one.record and one.record.prompt_hits]
    wanted = chunks(LLAMAINDEX[number][3])
    if number < 4:
        assert ids(made.prompt_hits) == wanted
    # CitationQueryEngine gives nodes new ids, and numbers their texts: they are joined by text.
    assert [corpus()[chunk] in hit.text for hit, chunk in zip(made.prompt_hits, wanted, strict=True)] == [True] * len(
        wanted
    )


@pytest.mark.parametrize("name", ["openinference-llama-index", "traceloop-llamaindex"])
def test_nested_spans_of_one_stage_are_twins(name):
    for number, told in enumerate(questions(name)):
        reranked = LLAMAINDEX[number][2] is not None
        assert len(stages(told, "retrieval", twins=True)) == 2
        assert len(stages(told, "generation", twins=True, internal=True)) == (4 if reranked else 2)
        assert len(stages(told, "generation", internal=True)) == (2 if reranked else 1)
        twins = [record for record in stages(told, "generation", twins=True, internal=True) if record.twin]
        assert {record.internal for record in twins} == ({True, False} if reranked else {False})
        assert all(record.prompt_text is None and record.answer for record in twins)


def test_copies_of_genai_attributes_change_nothing():
    plain, dual = questions("openinference-llama-index"), questions("openinference-llama-index.dual-genai")
    for one, other in zip(plain, dual, strict=True):
        assert [(told.convention, told.record) for told in one] == [(told.convention, told.record) for told in other]


@pytest.mark.parametrize("number", range(2))
def test_an_evicted_top_of_the_ranking_is_no_ranking(number):
    told = questions("openinference-llama-index.top50-sdk-default")[number]
    (record,) = stages(told, "retrieval")
    assert record.hits is None
    assert record.problems == ("dropped.ranking",)
    assert [twin.hits for twin in stages(told, "retrieval", twins=True)] == [None, None]


def test_bedrock_retrieves_chunks_and_cites_when_it_answers_itself():
    told = questions("openinference-bedrock-kb")
    for number, ranking in ((0, "s2 k1 k2 k0"), (2, "k3 k2 k1 s0")):
        (record,) = stages(told[number], "retrieval")
        assert ids(record.hits) == chunks(ranking)
        assert [hit.text for hit in record.hits] == [corpus()[hit.id] for hit in record.hits]
        assert record.top_k == 4
    for number, cited, case in ((1, "k1", "case-01"), (3, "k3", "case-02")):
        (record,) = stages(told[number], "request")
        assert record.cited == tuple(chunks(cited))
        assert record.hits is None
        assert record.query == cases()[case]["query"]
        assert all(words in record.answer for words in cases()[case]["must_contain"])


def test_uris_of_files_are_not_ids_of_chunks():
    told = questions("otel-genai-bedrock-kb")
    for number in (0, 2):
        (record,) = stages(told[number], "retrieval")
        assert ids(record.hits) == [None] * 4
        assert all(hit.score > 0 for hit in record.hits)
        assert record.problems == ("ids_not_chunks",)
    for number, case in ((1, "case-01"), (3, "case-02")):
        (record,) = stages(told[number], "request")
        assert record.query == cases()[case]["query"]
        assert record.prompt_text is None  # what was sent is the question, not the prompt
        assert record.session_id == "sess-0001"


@pytest.mark.parametrize("name", ["otel-genai-langchain.nocontent", "otel-genai-langchain.events"])
def test_spans_without_content_say_so(name):
    for told in questions(name):
        for kind in ("retrieval", "generation"):
            (record,) = stages(told, kind)
            assert record.problems == ("content_off",)
            assert record.hits is record.query is record.prompt_text is record.answer is None
        (answered,) = stages(told, "generation")
        assert answered.response_id.startswith("chatcmpl-")
        assert answered.finish_reasons == ("stop",)


def test_messages_in_the_log_leave_the_span_without_content():
    for told, case in zip(questions("otel-openai-v2"), ("case-01", "case-02"), strict=True):
        (answered,) = stages(told, "generation")
        assert answered.problems == ("content_off",)
        assert answered.response_model == "stub-chat-1-2026-01-15"
        assert [one.record.case_id for one in told if one.convention == "plain"] == [case]


@pytest.mark.parametrize(
    ("name", "convention"),
    [(name, name.partition("-")[0].replace("otel", "otel_genai")) for name in RECOVERED]
    + [("otel-genai-bedrock-kb", "otel_genai"), ("openinference-bedrock-kb", "openinference")],
)
def test_spans_are_read_by_the_convention_of_their_instrumentation(name, convention):
    found = {one.convention for told in questions(name) for one in told if one.view.scope_name != "app"}
    assert found == {convention}


def test_prompt_templates_of_llamaindex_are_those_with_variables():
    for name in ("openinference-llama-index", "traceloop-llamaindex"):
        for told in questions(name):
            twins = [record for record in stages(told, "generation", twins=True) if record.twin]
            assert all("{context_str}" in record.prompt_template for record in twins)


def test_score_kinds_are_told_where_the_instrumentation_tells():
    told = {
        name: {record.score_kind for question in questions(name) for record in stages(question, "retrieval")}
        for name in (
            "openinference-haystack",
            "openinference-llama-index",
            "traceloop-llamaindex",
            "traceloop-chromadb",
        )
    }
    assert told == {
        "openinference-haystack": {"bm25"},
        "openinference-llama-index": {"similarity"},
        "traceloop-llamaindex": {"similarity"},
        "traceloop-chromadb": {"distance"},
    }
