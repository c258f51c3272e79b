"""Attribute names, in one place.

Names with a ``GEN_AI_`` prefix come from the OpenTelemetry semantic conventions for generative AI
(https://github.com/open-telemetry/semantic-conventions-genai). Names with a ``RAGFAULT_`` prefix carry what those
conventions do not define. Nothing else in this project spells an attribute name in a string of its own; the SQL in
``queries/records/`` is checked against this module by a test.
"""

from typing import Final

# --- OpenTelemetry GenAI -------------------------------------------------------------------------------------------

GEN_AI_OPERATION_NAME: Final = "gen_ai.operation.name"
"""``str``: what the span does; see the ``OPERATION_*`` values below."""

GEN_AI_RETRIEVAL_QUERY_TEXT: Final = "gen_ai.retrieval.query.text"
"""``str``: the text that was searched for. Content: written only when content capture is on."""

GEN_AI_RETRIEVAL_DOCUMENTS: Final = "gen_ai.retrieval.documents"
"""JSON ``[{"id": str | null, "score": float | null, "content"?: str}, …]``; the order of the array is the rank."""

GEN_AI_RETRIEVAL_TOP_K: Final = "gen_ai.retrieval.top_k"
"""``int``: how many of the ranked documents are passed on to the next stage."""

GEN_AI_DATA_SOURCE_ID: Final = "gen_ai.data_source.id"
"""``str``: the index or data source that was searched."""

GEN_AI_PROVIDER_NAME: Final = "gen_ai.provider.name"
"""``str``: the provider of the model."""

GEN_AI_REQUEST_MODEL: Final = "gen_ai.request.model"
"""``str``: the model that was asked for."""

GEN_AI_RESPONSE_MODEL: Final = "gen_ai.response.model"
"""``str``: the model that answered."""

GEN_AI_RESPONSE_ID: Final = "gen_ai.response.id"
"""``str``: the completion's identifier; evaluation events refer to it."""

GEN_AI_RESPONSE_FINISH_REASONS: Final = "gen_ai.response.finish_reasons"
"""``str[]``: why the model stopped, one value a choice."""

GEN_AI_USAGE_INPUT_TOKENS: Final = "gen_ai.usage.input_tokens"
"""``int``: tokens of the prompt."""

GEN_AI_USAGE_OUTPUT_TOKENS: Final = "gen_ai.usage.output_tokens"
"""``int``: tokens of the answer."""

GEN_AI_PROMPT_NAME: Final = "gen_ai.prompt.name"
"""``str``: the name of the prompt template."""

GEN_AI_PROMPT_VERSION: Final = "gen_ai.prompt.version"
"""``str``: the version of the prompt template."""

GEN_AI_SYSTEM_INSTRUCTIONS: Final = "gen_ai.system_instructions"
"""JSON ``[{"type": "text", "content": str}, …]``. Content."""

GEN_AI_INPUT_MESSAGES: Final = "gen_ai.input.messages"
"""JSON ``[{"role": str, "parts": [{"type": "text", "content": str}, …]}, …]``. Content.

On a request span: the user's question. On a generation span: the prompt as sent.
"""

GEN_AI_OUTPUT_MESSAGES: Final = "gen_ai.output.messages"
"""JSON in the shape of :data:`GEN_AI_INPUT_MESSAGES`: the answer. Content."""

GEN_AI_EVALUATION_EVENT: Final = "gen_ai.evaluation.result"
"""Name of the event, a log record or an event of a span, that carries the result of an evaluation."""

GEN_AI_EVALUATION_NAME: Final = "gen_ai.evaluation.name"
"""``str``: what was evaluated: groundedness, correctness, …"""

GEN_AI_EVALUATION_SCORE_VALUE: Final = "gen_ai.evaluation.score.value"
"""``float``: the score that the evaluator gave."""

GEN_AI_EVALUATION_SCORE_LABEL: Final = "gen_ai.evaluation.score.label"
"""``str``: the score in a word: pass, fail, correct, …"""

GEN_AI_EVALUATION_EXPLANATION: Final = "gen_ai.evaluation.explanation"
"""``str``: why. Content."""

ERROR_TYPE: Final = "error.type"
"""``str``: the class of the exception that ended the span."""

SERVICE_NAME: Final = "service.name"
"""``str`` (resource): the service that produced the span."""

OPERATION_INVOKE_WORKFLOW: Final = "invoke_workflow"
OPERATION_INVOKE_AGENT: Final = "invoke_agent"
OPERATION_RETRIEVAL: Final = "retrieval"
OPERATION_CHAT: Final = "chat"
OPERATION_TEXT_COMPLETION: Final = "text_completion"
OPERATION_GENERATE_CONTENT: Final = "generate_content"

CAPTURE_CONTENT_ENV: Final = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
"""Environment variable: ``SPAN_ONLY`` or ``SPAN_AND_EVENT`` put content on spans; ``NO_CONTENT`` is the default."""

# --- What the conventions lack -------------------------------------------------------------------------------------

SCOPE_NAME: Final = "otel_ragfault"
"""Name of the instrumentation scope of our own spans."""

RAGFAULT_STAGE: Final = "ragfault.stage"
"""``str``: one of the ``STAGE_*`` values; marks a span as one of ours."""

STAGE_REQUEST: Final = "request"
STAGE_RETRIEVAL: Final = "retrieval"
STAGE_RERANK: Final = "rerank"
STAGE_ASSEMBLY: Final = "assembly"
STAGE_GENERATION: Final = "generation"
STAGES: Final = (STAGE_REQUEST, STAGE_RETRIEVAL, STAGE_RERANK, STAGE_ASSEMBLY, STAGE_GENERATION)

RAGFAULT_CASE_ID: Final = "ragfault.case_id"
"""``str``: the gold case that a test request belongs to. Also a W3C baggage key."""

RAGFAULT_RUN_ID: Final = "ragfault.run_id"
"""``str``: the run of the pipeline (a test run, a configuration). Also a W3C baggage key."""

RAGFAULT_SNAPSHOT_ID: Final = "ragfault.corpus.snapshot_id"
"""``str``: the corpus snapshot that was searched. Also a W3C baggage key."""

RAGFAULT_USER_GROUPS: Final = "ragfault.user.groups"
"""JSON ``[str, …]``: groups of the user who asks, for whom the index is searched. ``[]`` for a user without any.

Also a W3C baggage key. Held against ``permitted`` of the corpus. A ``str[]``, or a single name, is read as well.
"""

RAGFAULT_RETRIEVAL_COMPLETE: Final = "ragfault.retrieval.complete"
"""``bool``: whether the recorded ranking is all that the retriever scored. ``False`` when only the top k came back."""

RAGFAULT_SCORE_KIND: Final = "ragfault.retrieval.score_kind"
"""``str``: what the scores are; one of the ``SCORE_*`` values. Also on rerank spans."""

SCORE_BM25: Final = "bm25"
SCORE_SIMILARITY: Final = "similarity"
SCORE_DISTANCE: Final = "distance"
SCORE_KINDS: Final = (SCORE_BM25, SCORE_SIMILARITY, SCORE_DISTANCE)

RAGFAULT_ASSEMBLY_CHUNK_IDS: Final = "ragfault.assembly.chunk_ids"
"""JSON ``[str | null, …]``: the chunks that reached the prompt, in prompt order."""

RAGFAULT_ASSEMBLY_DROPPED: Final = "ragfault.assembly.dropped"
"""JSON ``[{"id": str, "reason": str}, …]``: chunks that were left out, and why (budget, duplicate, filter, …)."""

RAGFAULT_ASSEMBLY_BUDGET: Final = "ragfault.assembly.budget"
"""``int``: the size that the context may have, in :data:`RAGFAULT_ASSEMBLY_BUDGET_UNIT`."""

RAGFAULT_ASSEMBLY_BUDGET_UNIT: Final = "ragfault.assembly.budget_unit"
"""``str``: ``words``, ``characters`` or ``tokens``."""

RAGFAULT_CITATIONS: Final = "ragfault.citations"
"""JSON ``[str, …]``: chunk ids that the answer cites, in the order of the answer."""

RAGFAULT_DECISION: Final = "ragfault.decision"
"""``str``: what the system decided, where it says so itself; one of the ``DECISION_*`` values."""

DECISION_ANSWER: Final = "answer"
DECISION_REFUSE: Final = "refuse"
DECISION_CLARIFY: Final = "clarify"
DECISIONS: Final = (DECISION_ANSWER, DECISION_REFUSE, DECISION_CLARIFY)

PROPAGATED: Final = (
    RAGFAULT_CASE_ID,
    RAGFAULT_RUN_ID,
    RAGFAULT_SNAPSHOT_ID,
    RAGFAULT_USER_GROUPS,
    GEN_AI_PROMPT_NAME,
    GEN_AI_PROMPT_VERSION,
)
"""Attributes that the span processor copies from the request onto every span of it."""
