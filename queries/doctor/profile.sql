-- What requests record, what the rules miss in them, and what is known of why.
-- Grain: one row a service, convention and set of what is recorded; `requests` counts its requests.
-- Parameters: $default_snapshot, the snapshot of requests that name none; $default_k, the k of requests that record none;
-- $seconds, how far apart the parts of one question may start.
-- `recorded` names the fields that are there, `lacking` the fields of the rules that are not, `marks` the reasons: words
-- of request.missing that are no field, and no_ids, split_trace, document_ids, foreign_ids, ids_by_text, no_call, no_groups.
-- The relation `joined` tells which requests have gold.
WITH known AS (
    SELECT
        request.*,
        corpus_snapshot.snapshot_id AS loaded_snapshot,
        corpus_snapshot.chunks AS loaded_chunks,
        len(ranked_ids) > list_count(ranked_ids) OR coalesce(len(candidate_ids) > list_count(candidate_ids), FALSE)
            AS gaps,
        ranked_ids IS NOT NULL AND (NOT has_rerank OR candidate_ids IS NOT NULL) AS ranked,
        CASE WHEN has_rerank THEN candidate_scores ELSE ranked_scores END AS first_scores,
        CASE WHEN has_rerank THEN candidate_score_kind ELSE score_kind END AS first_kind,
        -- What building or labelling found of the ids, unless another corpus counts by now.
        CASE WHEN id_snapshot = corpus_snapshot.snapshot_id THEN id_source END AS held,
        coalesce(prompt_text, request_model, response_model, response_id) IS NOT NULL
            OR coalesce(input_tokens, output_tokens) IS NOT NULL AS called
    FROM request
    LEFT JOIN corpus_snapshot
        ON corpus_snapshot.snapshot_id = coalesce(request.snapshot_id, CAST($default_snapshot AS VARCHAR))
),
-- Rankings none of whose ids is in the snapshot: ids of documents, or of something else.
searched AS (
    SELECT
        request_id,
        loaded_snapshot,
        unnest(list_concat(coalesce(ranked_ids, []), coalesce(candidate_ids, []))) AS id
    FROM known
    WHERE loaded_chunks > 0 AND coalesce(held = 'foreign', TRUE)
),
-- Pipelines that call a model for other requests: some have nothing to ask it, or take an answer from elsewhere.
calling AS (SELECT DISTINCT coalesce(service, '') AS service, convention FROM known WHERE called),
placed AS (
    SELECT searched.request_id, bool_or(chunk.chunk_id IS NOT NULL) AS chunks, bool_or(document.doc_id IS NOT NULL) AS documents
    FROM searched
    LEFT JOIN corpus_chunk AS chunk ON chunk.snapshot_id = searched.loaded_snapshot AND chunk.chunk_id = searched.id
    LEFT JOIN (SELECT DISTINCT snapshot_id, doc_id FROM corpus_chunk WHERE doc_id IS NOT NULL) AS document
        ON document.snapshot_id = searched.loaded_snapshot AND document.doc_id = searched.id
    WHERE searched.id IS NOT NULL
    GROUP BY searched.request_id
),
-- Requests without a request span that hold only the first or only the last half of a pipeline.
half AS (
    SELECT
        request_id,
        coalesce(service, '') AS service,
        started_at,
        retrieval_query IS NOT NULL OR ranked_ids IS NOT NULL AS retrieves
    FROM request
    WHERE
        anchor_span_id IS NULL
        AND (retrieval_query IS NOT NULL OR ranked_ids IS NOT NULL)
            <> (prompt_text IS NOT NULL OR answer IS NOT NULL OR request_model IS NOT NULL OR response_model IS NOT NULL)
),
pair AS (
    SELECT retrieving.request_id AS retrieving_id, answering.request_id AS answering_id
    FROM (FROM half WHERE NOT retrieves) AS answering
    ASOF JOIN (FROM half WHERE retrieves) AS retrieving
        ON retrieving.service = answering.service AND retrieving.started_at <= answering.started_at
    WHERE answering.started_at - retrieving.started_at <= to_seconds(CAST($seconds AS DOUBLE))
),
part AS (
    SELECT retrieving_id AS request_id FROM pair
    UNION
    SELECT answering_id FROM pair
),
-- Snapshots with chunks that not everybody may see, and cases whose evidence in a snapshot is of that kind.
restricted AS (SELECT DISTINCT snapshot_id FROM corpus_chunk WHERE permitted IS NOT NULL),
guarded AS (
    SELECT DISTINCT joined.request_id, required_evidence.snapshot_id
    FROM required_evidence
    JOIN restricted ON restricted.snapshot_id = required_evidence.snapshot_id
    JOIN corpus_chunk
        ON corpus_chunk.snapshot_id = required_evidence.snapshot_id
        AND corpus_chunk.chunk_id = required_evidence.chunk_id
    JOIN joined ON joined.case_id = required_evidence.case_id
    GROUP BY joined.request_id, required_evidence.snapshot_id, required_evidence.group_no
    HAVING count(corpus_chunk.permitted) = count(*)
),
judgeable AS (
    SELECT joined.request_id, bool_or(gold_case.expect <> 'answer' OR gold_case.answer_check IS NOT NULL) AS by_rule
    FROM joined
    JOIN gold_case ON gold_case.case_id = joined.case_id
    GROUP BY joined.request_id
),
told AS (
    SELECT
        known.service,
        known.convention,
        known.assembly_source,
        judgeable.request_id IS NOT NULL AS has_gold,
        list_filter([
            CASE WHEN query IS NOT NULL THEN 'query' END,
            CASE WHEN ranked AND NOT gaps THEN 'ranking' END,
            CASE WHEN ranking_complete THEN 'ranking_complete' END,
            CASE WHEN ranked AND list_count(first_scores) = len(first_scores) THEN 'scores' END,
            CASE WHEN first_kind IS NOT NULL THEN 'score_kind' END,
            CASE WHEN k IS NOT NULL THEN 'k' END,
            CASE WHEN len(prompt_ids) = list_count(prompt_ids) THEN 'prompt_ids' END,
            CASE WHEN prompt_text IS NOT NULL THEN 'prompt_text' END,
            CASE WHEN answer IS NOT NULL THEN 'answer' END,
            CASE WHEN cited_ids IS NOT NULL THEN 'citations' END,
            CASE WHEN known.case_id IS NOT NULL THEN 'case_id' END,
            CASE WHEN request_model IS NOT NULL OR response_model IS NOT NULL THEN 'model' END,
            CASE WHEN prompt_version IS NOT NULL THEN 'prompt_version' END,
            CASE WHEN loaded_snapshot IS NOT NULL THEN 'corpus' END
        ], lambda field: field IS NOT NULL) AS recorded,
        list_filter([
            CASE WHEN (NOT ranked OR gaps) AND list_contains(missing, 'dropped_attributes') THEN 'dropped_attributes' END,
            CASE WHEN NOT placed.chunks OR held = 'text_match_partly' THEN 'ids' END,
            CASE WHEN coalesce(NOT ranked OR gaps, TRUE) THEN 'ranking' END,
            CASE WHEN loaded_snapshot IS NULL THEN 'corpus' END,
            CASE WHEN guarded.request_id IS NOT NULL AND user_groups IS NULL THEN 'permissions' END,
            CASE WHEN first_kind IS NULL OR list_count(first_scores) < len(first_scores) THEN 'scores' END,
            CASE WHEN k IS NULL AND CAST($default_k AS BIGINT) IS NULL THEN 'k' END,
            CASE WHEN len(prompt_ids) > list_count(prompt_ids) OR prompt_ids IS NULL THEN 'prompt_ids' END,
            CASE WHEN answer IS NULL AND decision IS NULL THEN 'answer' END,
            CASE WHEN NOT coalesce(judgeable.by_rule, TRUE) AND NOT EXISTS (
                FROM verdict WHERE verdict.request_id = known.request_id AND verdict.value IS NOT NULL
            ) THEN 'verdict' END
        ], lambda field: field IS NOT NULL) AS lacking,
        list_sort(list_distinct(list_concat(
            list_filter(missing, lambda word:
                contains(word, '.') OR word IN ('dropped_attributes', 'content_off', 'redacted', 'ids_not_chunks')),
            list_filter([
                CASE WHEN ranked AND gaps THEN 'no_ids' END,
                CASE WHEN part.request_id IS NOT NULL THEN 'split_trace' END,
                CASE WHEN NOT placed.chunks THEN
                    CASE WHEN placed.documents THEN 'document_ids' ELSE 'foreign_ids' END END,
                CASE WHEN held IN ('text_match', 'text_match_partly') THEN 'ids_by_text' END,
                CASE WHEN NOT called AND answer IS NOT NULL AND calling.convention IS NOT NULL THEN 'no_call' END,
                CASE WHEN restricted.snapshot_id IS NOT NULL AND user_groups IS NULL THEN 'no_groups' END
            ], lambda mark: mark IS NOT NULL)
        ))) AS marks
    FROM known
    LEFT JOIN judgeable ON judgeable.request_id = known.request_id
    LEFT JOIN placed ON placed.request_id = known.request_id
    LEFT JOIN part ON part.request_id = known.request_id
    LEFT JOIN calling
        ON calling.service = coalesce(known.service, '') AND calling.convention = known.convention
    LEFT JOIN restricted ON restricted.snapshot_id = known.loaded_snapshot
    LEFT JOIN guarded ON guarded.request_id = known.request_id AND guarded.snapshot_id = known.loaded_snapshot
)
SELECT service, convention, assembly_source, has_gold, recorded, lacking, marks, count(*) AS requests
FROM told
GROUP BY ALL
ORDER BY ALL
