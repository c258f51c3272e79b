"""What the recorded pipelines really did, written down by hand from the corpus and the pipelines' code.

Chunks are short here: ``k1`` is ``kiln-001#1``, ``s2`` is ``studio-002#2``. Every instrumentation recorded the same few
pipelines, so that one truth stands for all of them.
"""

from typing import NamedTuple

CASES = ("case-01", "case-02", "case-03")
GOLD = ("k1", "k3", "s1")


class Step(NamedTuple):
    """The final ranking of a pipeline for one question, its scores as far as the pipeline had them, and the prompt."""

    ranking: str | None
    scores: tuple[float, ...] | None
    prompt: str | None


def _same(ranking, *scores):
    return Step(ranking, scores or None, ranking)


# (pipeline, question) -> what happened
TRUTH = {
    # LangChain: as_retriever() throws scores away; its small reranker writes relevance_score.
    ("vector", 0): _same("s2 k1 k2 k0"),
    ("vector", 1): _same("k3 k2 k1 s0"),
    ("bm25", 0): _same("s2 k1 k0 s3"),
    ("bm25", 1): _same("k3 s3 s1 s2"),
    ("reranked", 0): _same("k1 k0", 0.6667, 0.5),
    ("reranked", 1): _same("k3 k2", 0.8, 0.2),
    ("reranked", 2): _same("s1 s3", 0.8, 0.2),
    # Written by hand: four ranked or three, three in the prompt.
    ("search", 0): Step("s2 k1 k2 k0", (0.481, 0.426, 0.365, 0.306), "s2 k1 k2"),
    ("search", 1): Step("k3 k2 k1 s0", (0.478, 0.2, 0.187, 0.149), "k3 k2 k1"),
    ("search of 3", 0): _same("s2 k1 k2", 0.481, 0.426, 0.365),
    ("search of 3", 1): _same("k3 k2 k1", 0.478, 0.2, 0.187),
    ("chroma", 0): Step("s2 k1 k2 k0", (0.519, 0.574, 0.635, 0.694), "s2 k1 k2"),
    ("chroma", 1): Step("k3 k2 k1 s0", (0.522, 0.8, 0.813, 0.851), "k3 k2 k1"),
    ("chroma", 2): Step("s1 k2 s3 k0", (0.454, 0.746, 0.79, 0.906), "s1 k2 s3"),
    # LlamaIndex: a query engine, one with LLMRerank (six ranked, two left), one that cites.
    ("engine", 0): _same("k1 s2 k2 k0 k3", 0.408, 0.393, 0.345, 0.314, 0.178),
    ("engine", 1): _same("k3 s1 k2 k1 s0", 0.39, 0.187, 0.151, 0.149, 0.105),
    ("llm rerank", 0): _same("k1 k0", 8.0, 6.0),
    ("llm rerank", 1): _same("k3 k1", 8.0, 2.0),
    ("citing", 0): _same("k1 s2 k2", 0.408, 0.393, 0.345),
    ("citing", 1): _same("k3 s1 k2", 0.39, 0.187, 0.151),
    # Nothing but a model call or an answer was recorded: no retrieval is in the spans.
    ("unseen", 0): Step(None, None, None),
    ("unseen", 1): Step(None, None, None),
    ("unseen", 2): Step(None, None, None),
}

LANGCHAIN = [(pipeline, question) for pipeline in ("vector", "bm25", "reranked") for question in (0, 1)]
LLAMAINDEX = [(pipeline, question) for pipeline in ("engine", "llm rerank", "citing") for question in (0, 1)]
HAYSTACK = [("reranked", question) for question in (0, 1, 2)]


class Row(NamedTuple):
    """A line of the table: the questions of a recording in the order of their start, and of how many each field is right.

    ``source`` is how the prompt ids are known. ``labels`` are in the order of the questions; ``-`` has no gold, because
    neither the case nor the question was recorded.
    """

    asked: list
    ranked: int
    scores: int
    prompt_ids: int
    prompt_text: int
    answer: int
    case_id: int
    cited: int
    sources: set
    labels: list


def _all_pass(asked, scores, source="text_match", *, cases=0, cited=None, prompt_text=None):
    count = len(asked)
    return Row(
        *(asked, count, scores, count, count if prompt_text is None else prompt_text, count, cases),
        *(count if cited is None else cited, {source}, ["pass"] * count),
    )


def _nothing(asked, label, *, answer=0, prompt_text=0, cases=0, cited=0):
    return Row(asked, 0, 0, 0, prompt_text, answer, cases, cited, {"unknown"}, [label] * len(asked))


RANKING, PROMPT, DROPPED = "unknown.ranking", "unknown.prompt_ids", "unknown.dropped_attributes"
_BEDROCK = [("search", 0), ("unseen", 0), ("search", 1), ("unseen", 1)]
_UNROOTED = [
    *(("engine", 0), ("unseen", 0), ("engine", 1), ("unseen", 1)),
    # The calls of the reranker are told by their prompts, and make no records of their own.
    *(("llm rerank", 0), ("unseen", 0), ("llm rerank", 1), ("unseen", 1)),
    *(("citing", 0), ("unseen", 0), ("citing", 1), ("unseen", 1)),
]

TABLE = {
    "haystack-native": _all_pass(HAYSTACK, 3, "explicit"),
    "haystack-native.nocontent": _nothing(HAYSTACK, RANKING),
    "langfuse": Row(
        [*LANGCHAIN[:2], *LANGCHAIN[4:], ("search of 3", 0), ("search of 3", 1)],
        *(6, 4, 6, 4, 6, 6, 6),
        {"text_match", "explicit"},
        ["pass"] * 6,
    ),
    "langsmith-otel": _all_pass(LANGCHAIN, 2, cases=6),
    "llamaindex-own-otel": _all_pass(LLAMAINDEX, 6, cited=2),
    "mlflow-langchain": _all_pass([*LANGCHAIN[:2], *LANGCHAIN[4:]], 2, cases=4),
    "mlflow-langchain.genai-semconv": _nothing(
        [*LANGCHAIN[:2], *LANGCHAIN[4:]], RANKING, answer=4, prompt_text=4, cases=4
    ),
    "mlflow-llamaindex": _all_pass(LLAMAINDEX, 6, cited=2),
    "mlflow-llamaindex.genai-semconv": _nothing(LLAMAINDEX, "-"),
    "openinference-bedrock-kb": Row(_BEDROCK, 2, 2, 0, 0, 2, 0, 2, {"unknown"}, [PROMPT, RANKING] * 2),
    "openinference-haystack": _all_pass(HAYSTACK, 3),
    "openinference-langchain": _all_pass(LANGCHAIN, 2, cases=6),
    "openinference-llama-index": _all_pass(LLAMAINDEX, 6, cited=2),
    "openinference-llama-index.dual-genai": _all_pass(LLAMAINDEX, 6, cited=2),
    "openinference-llama-index.top50-sdk-default": _nothing([("unseen", 0), ("unseen", 1)], DROPPED),
    "otel-genai-bedrock-kb": Row(_BEDROCK, 0, 2, 0, 0, 2, 0, 0, {"unknown"}, [RANKING] * 4),
    "otel-genai-langchain": _all_pass(LANGCHAIN, 2, "id_lookup"),
    "otel-genai-langchain.events": _nothing(LANGCHAIN, "-", answer=6, prompt_text=6),
    "otel-genai-langchain.nocontent": _nothing(LANGCHAIN, "-"),
    "otel-genai-llama-index": Row(
        *(_UNROOTED, 4, 4, 0, 6, 6, 0, 0, {"unknown"}),
        ["-" if pipeline == "unseen" else PROMPT for pipeline, _ in _UNROOTED],
    ),
    "otel-openai-v2": _nothing([("unseen", 0), ("unseen", 1)], RANKING, answer=2, prompt_text=2, cases=2),
    "otel-semconv-spec-shape": _all_pass([("search", 0), ("search", 1)], 2, "id_lookup", cases=2),
    "pydantic-ai": _nothing([("unseen", 0), ("unseen", 1)], RANKING, answer=2, prompt_text=2, cases=2),
    "traceloop-chromadb": _all_pass([("chroma", 0), ("chroma", 1), ("chroma", 2)], 3, cases=3),
    "traceloop-langchain": _all_pass(LANGCHAIN, 2, cases=6),
    "traceloop-llamaindex": _all_pass(LLAMAINDEX, 6, cited=2),
}
