-- The requests as they would have been: ranking, k and prompt of `tried`, the recorded answer only where the prompt is the
-- same, and for other prompts what a generator made of them (the relation generated), if one was asked.
-- Grain: one row a request and setting, in the shape of the table request, temporary. `request_id` is the hypothetical one.
-- A changed prompt without a generator has no answer: what would become of it is not known, not even that it fails.
-- Where k is beyond what was recorded, a hit without an id stands for what is ranked there: its absence proves nothing.
CREATE OR REPLACE TEMP TABLE hypothetical AS
SELECT
    request.* REPLACE (
        tried.hypothetical_id AS request_id,
        CASE
            WHEN tried.as_recorded THEN request.ranked_ids
            WHEN tried.beyond THEN list_append(tried.ids, NULL)
            ELSE tried.ids
        END AS ranked_ids,
        CASE WHEN tried.as_recorded THEN request.ranked_scores ELSE tried.scores END AS ranked_scores,
        CASE WHEN tried.as_recorded THEN request.score_kind ELSE tried.score_kind END AS score_kind,
        CASE WHEN tried.as_recorded THEN request.candidate_ids ELSE tried.candidate_ids END AS candidate_ids,
        CASE WHEN tried.as_recorded THEN request.candidate_scores ELSE tried.candidate_scores END AS candidate_scores,
        tried.reranked AS has_rerank,
        tried.passed AS k,
        tried.budget AS budget,
        tried.unit AS budget_unit,
        tried.prompt_ids AS prompt_ids,
        CASE WHEN tried.same_prompt THEN request.prompt_shares END AS prompt_shares,
        CASE WHEN tried.as_recorded THEN request.assembly_source
            WHEN tried.prompt_ids IS NULL THEN 'unknown'
            ELSE 'replayed' END AS assembly_source,
        CASE WHEN tried.as_recorded THEN request.dropped END AS dropped,
        CASE WHEN tried.same_prompt THEN request.prompt_text END AS prompt_text,
        CASE WHEN tried.same_prompt THEN request.answer ELSE generated.answer END AS answer,
        CASE WHEN tried.same_prompt OR generated.hypothetical_id IS NULL THEN request.answered ELSE generated.failure IS NULL END
            AS answered,
        CASE WHEN tried.same_prompt THEN request.cited_ids ELSE generated.cited_ids END AS cited_ids,
        CASE WHEN tried.same_prompt THEN request.decision ELSE generated.decision END AS decision,
        CASE WHEN tried.same_prompt THEN request.finish_reasons END AS finish_reasons,
        CASE WHEN tried.same_prompt OR request.error_stage NOT IN ('generation', 'request')
            THEN request.error_stage END AS error_stage
    )
FROM request
JOIN tried ON tried.request_id = request.request_id
LEFT JOIN generated ON CAST(generated.hypothetical_id AS UUID) = tried.hypothetical_id
