-- What a model judge is shown of each request: question, answer, what gold expects, the chunks that were shown, the claims.
-- Grain: one row a request of the relation subject that has an answer (request_id).
-- Parameters: $version, of the extractor of claims; $default_snapshot, the snapshot of requests that name none.
-- Lists are NULL where nothing is known; a chunk's text is NULL where the snapshot does not hold it.
WITH asked AS (
    SELECT
        subject.request_id,
        coalesce(subject.query, gold_case.query) AS query,
        subject.answer,
        subject.prompt_text,
        subject.prompt_ids,
        subject.cited_ids,
        coalesce(subject.snapshot_id, CAST($default_snapshot AS VARCHAR)) AS snapshot_id,
        gold_case.case_id,
        gold_case.expect,
        CAST(gold_case.answer_check AS VARCHAR) AS answer_check,
        CAST(gold_case.claims AS VARCHAR) AS claims
    FROM subject
    LEFT JOIN joined ON joined.request_id = subject.request_id
    LEFT JOIN gold_case ON gold_case.case_id = joined.case_id
    WHERE subject.answer IS NOT NULL
),
wanted AS (
    SELECT request_id, snapshot_id, unnest(prompt_ids) AS chunk_id FROM asked
    UNION
    SELECT request_id, snapshot_id, unnest(cited_ids) FROM asked
    UNION
    SELECT asked.request_id, asked.snapshot_id, gold_evidence.chunk_id
    FROM asked
    JOIN gold_evidence ON gold_evidence.case_id = asked.case_id
),
known AS (
    SELECT wanted.request_id, map_from_entries(list((wanted.chunk_id, corpus_chunk.text))) AS texts
    FROM wanted
    JOIN corpus_chunk
        ON corpus_chunk.snapshot_id = wanted.snapshot_id AND corpus_chunk.chunk_id = wanted.chunk_id
    WHERE wanted.chunk_id IS NOT NULL AND corpus_chunk.text IS NOT NULL
    GROUP BY wanted.request_id
),
evidence AS (
    SELECT
        case_id,
        list(DISTINCT chunk_id ORDER BY chunk_id) FILTER (chunk_id IS NOT NULL) AS evidence_ids,
        list(DISTINCT quote ORDER BY quote) FILTER (quote IS NOT NULL) AS quotes
    FROM gold_evidence
    GROUP BY case_id
),
cut AS (
    SELECT
        request_id,
        list(struct_pack(id := claim_id, text := text, cited := cited_ids, states := needs_support) ORDER BY claim_no)
            AS answer_claims
    FROM answer_claim
    WHERE extractor_version = $version
    GROUP BY request_id
)
SELECT
    asked.request_id,
    asked.query,
    asked.answer,
    asked.prompt_text,
    asked.prompt_ids,
    asked.expect,
    asked.answer_check,
    asked.claims,
    evidence.evidence_ids,
    evidence.quotes,
    known.texts,
    cut.answer_claims
FROM asked
LEFT JOIN known ON known.request_id = asked.request_id
LEFT JOIN evidence ON evidence.case_id = asked.case_id
LEFT JOIN cut ON cut.request_id = asked.request_id
ORDER BY asked.request_id;
