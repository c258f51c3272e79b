-- What the request shows of each required group, beside what gold and the judges say.
-- Grain: as in `placed`.
-- The join of `placed` with gold is a barrier: it keeps the list searches of `placed` from being repeated at every use.
SELECT
    placed.request_id,
    placed.group_no,
    placed.final_rank,
    placed.candidate_rank,
    placed.prompt_rank,
    placed.cited_rank,
    CASE WHEN placed.has_rerank THEN placed.candidate_rank ELSE placed.final_rank END AS first_rank,
    element_at_rank(
        placed.first_scores, CASE WHEN placed.has_rerank THEN placed.candidate_rank ELSE placed.final_rank END
    ) AS first_score,
    placed.first_kind,
    placed.depth,
    placed.final_recorded,
    placed.first_recorded,
    -- What stands in one of the rankings by its id would stand in the other one by the same.
    placed.ids_foreign AND placed.final_rank IS NULL AND placed.candidate_rank IS NULL AS hidden,
    placed.final_rank IS NULL AND (placed.final_gaps OR (placed.ids_foreign AND placed.candidate_rank IS NULL))
        AS final_has_gaps,
    placed.candidate_rank IS NULL AND (placed.candidate_gaps OR (placed.ids_foreign AND placed.final_rank IS NULL))
        AS candidates_have_gaps,
    placed.prompt_rank IS NULL AND placed.prompt_gaps AS prompt_has_gaps,
    placed.ranking_complete,
    placed.has_rerank,
    placed.k,
    placed.prompt_recorded,
    placed.citations_recorded,
    CASE
        WHEN placed.prompt_rank IS NULL AND placed.dropped IS NOT NULL
        THEN list_filter(placed.dropped, lambda chunk: list_contains(placed.alternatives, chunk.id))[1].reason
    END AS drop_reason,
    coalesce(placed.searched_text, gold_case.query) AS searched_text,
    placed.answer_is_missing,
    placed.attributes_were_dropped,
    placed.failed_stage,
    gold_case.expect,
    -- An answer that a person calls right is no refusal, where an answer is expected.
    CASE WHEN newest_verdict.confirmed AND gold_case.expect = 'answer' THEN FALSE ELSE newest_verdict.refused END
        AS refused,
    newest_verdict.clarified,
    newest_verdict.correct,
    -- What people say of a claim outweighs what is said of the answer as a whole.
    CASE
        WHEN claim_fact.denied_by_people THEN FALSE
        ELSE coalesce(newest_verdict.grounded, claim_fact.grounded)
    END AS grounded,
    claim_fact.unsupported AS unsupported_claims,
    claim_fact.undecided,
    claim_fact.uncited AS uncited_claims,
    claim_fact.miscited AS miscited_claims,
    claim_fact.unchecked,
    placed.corpus_loaded,
    placed.evidence_known,
    indexed.any_indexed,
    indexed.texts_known,
    indexed.words,
    limited.restricted,
    limited.permitted,
    limited.windowed,
    limited.windows,
    placed.user_groups,
    coalesce(gold_case.as_of, placed.started_at) AS asked_at,
    misled.superseded,
    truncated.request_id IS NOT NULL AS truncated,
    truncated.share AS prompt_share
FROM placed
JOIN gold_case ON gold_case.case_id = placed.case_id
LEFT JOIN newest_verdict ON newest_verdict.request_id = placed.request_id
LEFT JOIN claim_fact ON claim_fact.request_id = placed.request_id
LEFT JOIN indexed
    ON placed.corpus_loaded
    AND indexed.snapshot_id = placed.snapshot_id
    AND indexed.case_id = placed.case_id
    AND indexed.group_no = placed.group_no
LEFT JOIN limited
    ON placed.corpus_loaded
    AND limited.snapshot_id = placed.snapshot_id
    AND limited.case_id = placed.case_id
    AND limited.group_no = placed.group_no
LEFT JOIN misled ON misled.request_id = placed.request_id
LEFT JOIN truncated ON truncated.request_id = placed.request_id AND truncated.group_no = placed.group_no
