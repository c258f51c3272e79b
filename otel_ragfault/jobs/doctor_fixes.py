"""What mends each problem: an environment variable, an attribute, or a few lines of code, for each instrumentation.

Names in :data:`FIXES` are the beginning of an instrumentation scope, the framework that a scope is about, or a
convention: the first that fits, in this order, wins, and of two of a kind the longer. The empty name fits everything.
Settings are those of the releases in ``tests/conventions/recordings``.
"""

from collections.abc import Sequence
from typing import Final

PROBLEMS: Final[dict[str, str]] = {
    "no_spans": "The database holds no spans.",
    "no_requests": "There are spans, but no retrieval, generation or request of a RAG pipeline was recognised in them.",
    "dropped_attributes": "The SDK discarded attributes or events beyond its limit, the top ranks first.",
    "cut_values": "A limit cut values, so that the JSON in them is broken.",
    "content_off": "Content is not recorded: it is switched off, or stripped on its way.",
    "redacted": "Content was replaced by a placeholder.",
    "unreadable_values": "Values are there in a form that no convention knows.",
    "split_trace": "Retrieval and generation of one question are in different traces: no span is around both.",
    "no_query": "The question is not recorded.",
    "no_ranking": "The ranking is not recorded.",
    "no_ids": "Ranked chunks have no ids.",
    "ids_not_chunks": "The recorded ids name whole files, so that several chunks share one.",
    "document_ids": "The ranking holds ids of documents where the corpus snapshot and gold have ids of chunks.",
    "foreign_ids": "None of the ranked ids is in the corpus snapshot.",
    "ids_by_text": "Ranked ids are not those of the corpus snapshot: the chunks were told by the texts of the hits.",
    "no_corpus": "No corpus snapshot is loaded for these requests: what is not ranked may be missing from the index.",
    "no_scores": "Not every ranked chunk has a score.",
    "no_score_kind": "It is not known what the scores are: bm25, similarity or distance.",
    "no_k": "It is not known how many ranked chunks were passed on.",
    "no_prompt_ids": "It is not known which chunks reached the prompt, and their texts could not be found in it.",
    "no_prompt_text": "The text of the prompt is not recorded.",
    "no_answer": "The answer is not recorded.",
    "no_gold": "No gold is loaded: nothing can be labelled.",
    "no_case_id": "Requests name no case, and their question is that of no loaded gold case.",
    "unknown_case": "The case that requests name is in no loaded gold file.",
    "no_groups": "The corpus says who may see its chunks, and it is not recorded to which groups the user belongs.",
    "no_model": "No model is named.",
    "no_prompt_version": "The version of the prompt template is not recorded, so that versions cannot be compared.",
    "no_citations": "No citation was recorded or found in the answer.",
    "no_ranking_complete": "The ranking ends at k, or it is not known whether it holds all that was scored.",
}
"""Every problem and what it means, in the order in which they are to be mended."""

_ROOT = """\
from otel_ragfault import request
with request(query=question, case_id=case_id):  # case_id only for test traffic
    answer = pipeline(question)"""

_ROOT_VERSION = """\
from otel_ragfault import request
with request(query=question, prompt_version="3"):
    answer = pipeline(question)"""

_RETRIEVAL = """\
from otel_ragfault import retrieval
@retrieval(k=5, score_kind="similarity")  # on the function that returns hits with id, score and text
def search(query): ..."""

_ASSEMBLY = """\
from otel_ragfault import assembly
with assembly() as span:
    span.record_chunks([chunk.id for chunk in shown])  # what goes into the prompt, in its order"""

_GENERATION = """\
from otel_ragfault import generation
@generation(model="…")  # on the function that takes the prompt and returns the answer
def generate(prompt): ..."""

_LANGCHAIN_METADATA = 'chain.invoke(question, config={"metadata": {"case_id": case_id}})'
_LANGCHAIN_VERSION = 'chain.invoke(question, config={"metadata": {"prompt_version": "3"}})'
_LANGCHAIN_SCORES = """\
for document, score in vector_store.similarity_search_with_score(query, k=4):  # as_retriever() discards scores
    document.metadata["relevance_score"] = score
    documents.append(document)"""
_LANGCHAIN_IDS = """\
Document(id=chunk_id, page_content=text, metadata={"chunk_id": chunk_id})  # when the index is filled"""
_LLAMAINDEX_IDS = """\
SentenceSplitter(id_func=lambda number, document: f"{document.doc_id}-{number}")  # else nodes get random ids
# and the same ids in corpus.jsonl"""
_GENAI_CONTENT = """\
export OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY
# "true" captures nothing from 1.3b0 on, EVENT_ONLY leaves out what was retrieved; releases before 1.0 also need
# OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental"""
_LEGACY_CONTENT = """\
export OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true
# this release writes messages as log records: export logs to the same receiver, or upgrade to
# opentelemetry-instrumentation-genai-openai and set SPAN_ONLY"""
_SPAN = """\
with trace.get_tracer("app").start_as_current_span("request") as span:  # around the whole request
    span.set_attribute("{}", {})
    answer = pipeline(question)"""
_OPENINFERENCE = """\
from openinference.instrumentation import using_attributes
with using_attributes({}):
    answer = pipeline(question)"""
_TRACELOOP = "Traceloop.set_association_properties({})  # before each request"
_LANGFUSE = """\
from langfuse import propagate_attributes
with propagate_attributes(metadata={}):  # inside the outermost observation
    answer = pipeline(question)"""
_MLFLOW = """\
with mlflow.start_span("request") as span:
    span.set_attribute("metadata", {})
    answer = pipeline(question)"""
_CASE = '{"case_id": case_id}'
_VERSION = '{"prompt_version": "3"}'
_CORPUS_TEXTS = """\
ragfault corpus load --db DB corpus.jsonl
# with chunk_id and text: the texts are then looked up by id and found in the prompt. Without a corpus:
"""

_SAME_IDS = {
    "": """\
ragfault corpus load --db DB corpus.jsonl  # with the ids that the retriever returns
# or give what is indexed the ids of corpus.jsonl as its own: where spans have a document.id, chunk_id in the metadata
# is not looked at""",
    "langchain": _LANGCHAIN_IDS,
    "llama_index": _LLAMAINDEX_IDS,
    "haystack": "Document(id=chunk_id, content=text)  # when the store is filled",
}

FIXES: Final[dict[str, dict[str, str]]] = {
    "no_spans": {"": "ragfault import --db DB traces.jsonl  # or send spans to: ragfault collect --db DB"},
    "no_requests": {
        "": "ragfault map --try traces.jsonl  # shows what is read from each span, for a [[mapping]] in ragfault.toml"
    },
    "dropped_attributes": {
        "": "export OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT=10000 OTEL_SPAN_EVENT_COUNT_LIMIT=10000",
        "llamaindex_events": "export OTEL_SPAN_EVENT_COUNT_LIMIT=10000 OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT=10000",
        "openinference": """\
export OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT=10000
# or use the TracerProvider of the package openinference-instrumentation, which raises the limit itself""",
    },
    "cut_values": {
        "": """\
unset OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT
# and take truncation out of the transform and attributes processors of a Collector"""
    },
    "content_off": {
        "": _GENAI_CONTENT,
        "opentelemetry.instrumentation.openai_v2": _LEGACY_CONTENT,
        "haystack": "export HAYSTACK_CONTENT_TRACING_ENABLED=true  # before haystack is imported",
        "traceloop": "export TRACELOOP_TRACE_CONTENT=true",
        "openinference": """\
unset OPENINFERENCE_HIDE_INPUTS OPENINFERENCE_HIDE_OUTPUTS OPENINFERENCE_HIDE_INPUT_MESSAGES \\
    OPENINFERENCE_HIDE_OUTPUT_MESSAGES OPENINFERENCE_HIDE_INPUT_TEXT OPENINFERENCE_HIDE_OUTPUT_TEXT""",
        "mlflow": """\
unset MLFLOW_ENABLE_OTEL_GENAI_SEMCONV
# that mode strips questions and documents; the native form of MLflow is read in full""",
        "langfuse": """\
export LANGFUSE_OBSERVE_DECORATOR_IO_CAPTURE_ENABLED=true
# and no capture_input=False or capture_output=False on @observe""",
        "langsmith": "export LANGSMITH_HIDE_INPUTS=false LANGSMITH_HIDE_OUTPUTS=false",
        "pydantic_ai": "Agent.instrument_all(InstrumentationSettings(include_content=True))",
        "llamaindex_events": "LlamaIndexOpenTelemetry(...).start_registering()  # before engines are made",
        "ragfault": "export OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY  # or configure(content=True)",
    },
    "redacted": {
        "": "unset the redaction of the instrumentation or of the Collector for query, documents, prompt and answer",
        "openinference": """\
unset OPENINFERENCE_HIDE_INPUTS OPENINFERENCE_HIDE_OUTPUTS OPENINFERENCE_HIDE_INPUT_MESSAGES \\
    OPENINFERENCE_HIDE_OUTPUT_MESSAGES OPENINFERENCE_HIDE_INPUT_TEXT OPENINFERENCE_HIDE_OUTPUT_TEXT""",
        "langfuse": "Langfuse(mask=None)",
        "langsmith": "export LANGSMITH_HIDE_INPUTS=false LANGSMITH_HIDE_OUTPUTS=false",
    },
    "unreadable_values": {
        "": "ragfault map --try traces.jsonl  # then give the field a path in a [[mapping]] of ragfault.toml"
    },
    "split_trace": {"": _ROOT},
    "no_query": {"": _ROOT},
    "no_ranking": {
        "": _RETRIEVAL,
        "pydantic_ai": """\
[[mapping]]  # in ragfault.toml; the tool has to return its hits with ids
name = "tools"
spans = [{ match = { attributes = { "gen_ai.tool.name" = "search" } }, stage = "retrieval", \
hits = "gen_ai.tool.call.result" }]""",
        "traceloop": "pip install -U opentelemetry-instrumentation-langchain  # 0.47 has no span for the retriever\n"
        + _RETRIEVAL,
        "openinference.instrumentation.bedrock": "client.retrieve(...)  # and generate yourself: retrieve_and_generate "
        "records only what it cites",
        "opentelemetry.instrumentation.genai.bedrock": "client.retrieve(...)  # and generate yourself: "
        "retrieve_and_generate records no ranking",
    },
    "no_ids": {"": _RETRIEVAL, "langchain": _LANGCHAIN_IDS},
    "ids_not_chunks": {
        "": _RETRIEVAL,
        "opentelemetry.instrumentation.genai.bedrock": "pip install openinference-instrumentation-bedrock  # records "
        "x-amz-bedrock-kb-chunk-id, this one the URI of the file",
    },
    "document_ids": {"": "record the id of the chunk, not of its document: " + _LANGCHAIN_IDS},
    "foreign_ids": _SAME_IDS,
    "ids_by_text": _SAME_IDS,
    "no_corpus": {"": "ragfault corpus load --db DB corpus.jsonl"},
    "no_scores": {"": _RETRIEVAL, **dict.fromkeys(("langchain", "langsmith", "mlflow", "langfuse"), _LANGCHAIN_SCORES)},
    "no_score_kind": {"": _RETRIEVAL},
    "no_k": {"": "@retrieval(k=5), or k = 5 in ragfault.toml, or RAGFAULT_K=5"},
    "no_prompt_ids": {"": _CORPUS_TEXTS + _ASSEMBLY, "ragfault": _ASSEMBLY},
    "no_prompt_text": {"": _GENERATION},
    "no_answer": {"": _GENERATION},
    "no_gold": {"": "ragfault gold load --db DB gold.jsonl"},
    "no_case_id": {
        "": _SPAN.format("ragfault.case_id", "case_id"),
        "openinference": _OPENINFERENCE.format(f"metadata={_CASE}"),
        "traceloop": _TRACELOOP.format(_CASE),
        "langfuse": _LANGFUSE.format(_CASE),
        "mlflow": _MLFLOW.format(_CASE),
        "pydantic_ai": f"agent.run_sync(question, metadata={_CASE})",
        "langchain": _LANGCHAIN_METADATA,
        "langsmith": _LANGCHAIN_METADATA,
        "opentelemetry.instrumentation.genai": _ROOT,
        "ragfault": '@request(case_id=lambda call: call["case_id"])  # on the function that takes the question',
    },
    "unknown_case": {"": "ragfault gold load --db DB gold.jsonl  # with these case ids"},
    "no_groups": {
        "": _SPAN.format("ragfault.user.groups", '["staff", "hr"]'),
        "ragfault": '@request(groups=lambda call: call["user"].groups)  # on the function that takes the question',
    },
    "no_model": {"": _GENERATION},
    "no_prompt_version": {
        "": _SPAN.format("gen_ai.prompt.version", '"3"'),
        "openinference": _OPENINFERENCE.format('prompt_template=template, prompt_template_version="3"'),
        "traceloop": _TRACELOOP.format(_VERSION),
        "langfuse": _LANGFUSE.format(_VERSION),
        "mlflow": _MLFLOW.format(_VERSION),
        "pydantic_ai": f"agent.run_sync(question, metadata={_VERSION})",
        "langchain": _LANGCHAIN_VERSION,
        "langsmith": _LANGCHAIN_VERSION,
        "opentelemetry.instrumentation.genai": _ROOT_VERSION,
        "ragfault": '@request(prompt_version="3")  # on the function that takes the question',
    },
    "no_citations": {
        "": 'ask for "[n]" after each statement in the prompt, or record ids: span.record_answer(answer, citations=ids)'
    },
    "no_ranking_complete": {"": "@retrieval(k=5, complete=True)  # record all that was scored, pass on k of it"},
}


_FRAMEWORKS: Final = frozenset({"langchain", "llama_index"})


def fix_for(code: str, names: Sequence[str]) -> str:
    """Return what mends a problem.

    Args:
        code: the problem.
        names: the scopes of the instrumentations, the convention last. What a scope says is more exact.
    """
    fixes = FIXES[code]
    for fitting in (
        [key for key in fixes if key and any(name.startswith(key) for name in names if "." in key)],
        [key for key in fixes if key in _FRAMEWORKS and any(key in name.split(".") for name in names)],
        [key for key in fixes if key and any(name.startswith(key) for name in names)],
    ):
        if fitting:
            return fixes[max(fitting, key=len)]
    return fixes[""]
