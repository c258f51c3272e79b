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

GEN_AI_REQUEST_PREFIX: Final = "gen_ai.request."
"""The beginning of the attributes that hold parameters of a call: the model, the temperature and others."""

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

SERVICE_VERSION: Final = "service.version"
"""``str`` (resource): the version of the service."""

OPERATION_INVOKE_WORKFLOW: Final = "invoke_workflow"
OPERATION_INVOKE_AGENT: Final = "invoke_agent"
OPERATION_RETRIEVAL: Final = "retrieval"
OPERATION_CHAT: Final = "chat"
OPERATION_EMBEDDINGS: Final = "embeddings"
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

RAGFAULT_EVALUATION_ID: Final = "ragfault.evaluation.id"
"""``str``: identity of an evaluation event that ``ragfault emit`` sent; the same whenever it is sent again."""

RAGFAULT_EVALUATION_SUBJECT: Final = "ragfault.evaluation.subject"
"""``str``: what such an event is about: :data:`EVALUATION_SUBJECT_LABEL`, or what a verdict judged."""

EVALUATION_SUBJECT_LABEL: Final = "label"
"""The subject of an event that carries a label; events with any other subject carry a verdict."""

RAGFAULT_EVALUATION_SOURCE: Final = "ragfault.evaluation.source"
"""``str``: who judged: ``rule``, ``human``, ``model`` or ``code``."""

RAGFAULT_EVALUATION_JUDGE: Final = "ragfault.evaluation.judge"
"""``str``: name of the person, the model or the check."""

RAGFAULT_EVALUATION_REPEAT: Final = "ragfault.evaluation.repeat"
"""``int``: number of the repetition by the same judge, from 1."""

RAGFAULT_EVALUATION_TARGET: Final = "ragfault.evaluation.target"
"""``str``: id of the claim or of the cited chunk that was judged."""

RAGFAULT_EVALUATION_CLAIM_ID: Final = "ragfault.evaluation.claim_id"
"""``str``: for a citation, id of the claim that cites."""

RAGFAULT_EVALUATION_CLAIM: Final = "ragfault.evaluation.claim"
"""``str``: the claim as it was judged. Content."""

RAGFAULT_LABEL_BOUNDARY: Final = "ragfault.label.boundary"
"""``str``: where the evidence was lost: source set, retrieval, assembly, generation, citation or decision."""

RAGFAULT_LABEL_OUTCOME: Final = "ragfault.label.outcome"
"""``str``: what the user got: correct, wrong, refused or unjudged."""

RAGFAULT_LABEL_LATENT: Final = "ragfault.label.latent"
"""``bool``: a right answer in spite of the label."""

RAGFAULT_LABELLING_ID: Final = "ragfault.labelling.id"
"""``str``: the labelling that first gave the label."""

RAGFAULT_PROBE_ID: Final = "ragfault.probe.id"
"""``str``: identity of a probe: what was asked of which generator, and the repeat.

On every span of a probe: its trace is no request of the pipeline.
"""

RAGFAULT_PROBE_RUN_ID: Final = "ragfault.probe.run_id"
"""``str``: the call of ``ragfault probe`` that ran the probe."""

RAGFAULT_PROBE_REQUEST_ID: Final = "ragfault.probe.request_id"
"""``str``: the request whose prompt was changed, as 32 hex digits. The request span links to its trace."""

RAGFAULT_PROBE_INTERVENTION: Final = "ragfault.probe.intervention"
"""``str``: what was changed: ``original`` (nothing), ``gold_only``, ``drop_required``, …"""

RAGFAULT_PROBE_STEP: Final = "ragfault.probe.step"
"""``str``: which of several changes of this kind: the chunk that was dropped, ``+4``; absent where there is one."""

RAGFAULT_PROBE_REPEAT: Final = "ragfault.probe.repeat"
"""``int``: number of the repetition, from 1."""

RAGFAULT_PROBE_SEED: Final = "ragfault.probe.seed"
"""``int``: the seed that planted values follow from."""

RAGFAULT_PROBE_GENERATOR: Final = "ragfault.probe.generator"
"""``str``: the generator, as the user named it."""

RAGFAULT_PROBE_GENERATOR_ID: Final = "ragfault.probe.generator_id"
"""``str``: identity of the generator: its name, and a digest of its code where that is known."""

RAGFAULT_PROBE_CHUNKS: Final = "ragfault.probe.chunks"
"""JSON ``[{"id": str, "text": str}, …]``: exactly what the generator got, in order. Content."""

RAGFAULT_PROBE_CHANGED: Final = "ragfault.probe.changed"
"""``str``: what was changed, in words. Content."""

RAGFAULT_PROBE_PLANTED: Final = "ragfault.probe.planted"
"""``str``: the value that was planted. Content."""

RAGFAULT_PROBE_REPLACED: Final = "ragfault.probe.replaced"
"""``str``: the value that it took the place of, or contradicts. Content."""

RAGFAULT_PROBE_FAILURE: Final = "ragfault.probe.failure"
"""``str``: why the generator gave no answer: ``raised``, ``timeout``, ``died``, …; the status of the span says more."""

PROBE_NAME: Final = "ragfault.probe"
"""The second word of the names of a probe's spans, by which they are told without reading their attributes."""

PROPAGATED: Final = (
    RAGFAULT_CASE_ID,
    RAGFAULT_RUN_ID,
    RAGFAULT_SNAPSHOT_ID,
    RAGFAULT_USER_GROUPS,
    GEN_AI_PROMPT_NAME,
    GEN_AI_PROMPT_VERSION,
)
"""Attributes that the span processor copies from the request onto every span of it."""
