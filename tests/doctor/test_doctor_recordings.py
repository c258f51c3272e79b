"""What the doctor says of each recording of a real instrumentation."""

import pytest

# Nobody loaded gold or a corpus, and no recording tells whether its ranking is complete, where it has one.
ALWAYS = {"no_corpus", "no_gold"}
PLAIN = ALWAYS | {"no_ranking_complete"}

RECORDINGS = {
    "haystack-native": PLAIN | {"no_case_id", "no_prompt_version"},
    "haystack-native.nocontent": ALWAYS | {"content_off", "no_case_id", "no_prompt_version"},
    "langfuse": PLAIN | {"no_scores", "no_score_kind", "no_prompt_text", "no_prompt_version"},
    "langsmith-otel": PLAIN | {"no_scores"},
    "llamaindex-own-otel": PLAIN | {"no_score_kind", "no_case_id", "no_prompt_version", "no_citations"},
    "mlflow-langchain": PLAIN | {"no_scores"},
    "mlflow-langchain.genai-semconv": ALWAYS | {"content_off"},
    "mlflow-llamaindex.genai-semconv": ALWAYS | {"content_off", "no_case_id", "no_prompt_version"},
    "openinference-haystack": PLAIN | {"no_case_id", "no_prompt_version"},
    "openinference-langchain": PLAIN | {"no_scores"},
    "openinference-llama-index": PLAIN | {"no_case_id", "no_citations"},
    "openinference-llama-index.top50-sdk-default": ALWAYS | {"dropped_attributes", "no_case_id", "no_prompt_version"},
    "otel-genai-langchain": PLAIN | {"no_scores", "no_score_kind", "no_prompt_ids", "no_case_id", "no_prompt_version"},
    "otel-genai-langchain.nocontent": ALWAYS | {"content_off", "no_case_id", "no_prompt_version"},
    "otel-genai-llama-index": ALWAYS | {"split_trace", "no_prompt_version"},
    "otel-openai-v2": ALWAYS | {"content_off", "no_prompt_version"},
    "pydantic-ai": ALWAYS | {"no_ranking", "no_prompt_version"},
    "traceloop-chromadb": PLAIN | {"no_query", "no_prompt_version"},
    "traceloop-langchain": PLAIN | {"no_scores"},
}
FIXES = [
    ("haystack-native.nocontent", "content_off", "HAYSTACK_CONTENT_TRACING_ENABLED=true"),
    ("mlflow-langchain.genai-semconv", "content_off", "unset MLFLOW_ENABLE_OTEL_GENAI_SEMCONV"),
    ("otel-genai-langchain.nocontent", "content_off", "CAPTURE_MESSAGE_CONTENT=SPAN_ONLY"),
    ("otel-openai-v2", "content_off", "export logs to the same receiver"),
    ("openinference-llama-index.top50-sdk-default", "dropped_attributes", "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT=10000"),
    ("otel-genai-bedrock-kb", "ids_not_chunks", "openinference-instrumentation-bedrock"),
    ("otel-genai-langchain", "no_prompt_ids", "ragfault corpus load"),
    ("otel-genai-llama-index", "split_trace", "with request(query=question"),
    ("openinference-langchain", "no_scores", "similarity_search_with_score"),
    ("pydantic-ai", "no_ranking", "[[mapping]]"),
]


@pytest.mark.parametrize(("name", "expected"), RECORDINGS.items())
def test_the_problems_of_a_recording(recording, name, expected):
    assert {problem.code for problem in recording(name).problems} == expected


@pytest.mark.parametrize(("name", "code", "words"), FIXES)
def test_the_fix_is_that_of_the_instrumentation(recording, name, code, words):
    fixes = [problem.fix for problem in recording(name).problems if problem.code == code]
    assert len(fixes) == 1
    assert words in fixes[0]


def test_dropped_attributes_put_every_retrieval_label_out_of_reach(recording):
    found = recording("openinference-llama-index.top50-sdk-default")
    lost = {label.label for label in found.unreachable if "dropped_attributes" in label.missing}
    assert {"source.not_indexed", "retrieval.not_ranked", "retrieval.below_k"} <= lost


def test_mixed_traffic_is_told_apart(recording):
    names = ("haystack-native", "otel-genai-langchain.nocontent", "haystack-native.nocontent")
    found = recording(*names)
    assert {group.service: group.requests for group in found.groups} == {
        f"fixture-{name}": count for name, count in zip(names, (3, 6, 3), strict=True)
    }
    off = {problem.services: problem for problem in found.problems if problem.code == "content_off"}
    assert set(off) == {("fixture-haystack-native.nocontent",), ("fixture-otel-genai-langchain.nocontent",)}
