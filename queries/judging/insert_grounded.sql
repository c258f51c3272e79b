-- Store what is grounded by plain sight: the whole answer stands in one chunk of the prompt, or in the prompt's text.
-- Compared are the letters and digits in lower case, in their order, and the text itself in NFC with single blanks;
-- markers in square brackets are passed over. An answer of fewer than three words says too little, one that repeats the
-- question says nothing, and a refusal may stand in the instructions: none of them counts. Anything else is not known,
-- so that it gets no row, except that an earlier verdict is withdrawn by a row without a value.
-- Grain: one row of verdict for each joined request whose verdict changes.
-- Parameters: $judge, a digest of the judge's version and configuration; $default_snapshot, the snapshot of requests
-- that name none (NULL: the only one loaded); $judged_at, the time of judging, UTC.
INSERT INTO verdict BY NAME
WITH newest AS (
    SELECT
        request_id,
        subject,
        max_by(struct_pack(value := value, config := config), judged_at) AS verdict
    FROM verdict
    WHERE source = 'rule' AND subject IN ('grounded', 'refusal')
    GROUP BY request_id, subject
),
only_snapshot AS (
    SELECT CASE WHEN count(*) = 1 THEN min(snapshot_id) END AS snapshot_id FROM corpus_snapshot
),
answered AS (
    SELECT
        request.request_id,
        request.prompt_ids,
        request.prompt_text,
        coalesce(
            request.snapshot_id,
            CAST($default_snapshot AS VARCHAR),
            (SELECT snapshot_id FROM only_snapshot)
        ) AS snapshot_id,
        lower(normalise_text(regexp_replace(request.answer, '\s*\[[^\]\[]{1,40}\]', '', 'g'))) AS said,
        lower(normalise_text(request.query)) AS asked
    FROM joined_request
    JOIN request ON request.request_id = joined_request.request_id
    LEFT JOIN newest ON newest.request_id = request.request_id AND newest.subject = 'refusal'
    WHERE request.answer IS NOT NULL AND newest.verdict.value IS DISTINCT FROM TRUE
),
claim AS (
    SELECT
        request_id,
        prompt_ids,
        prompt_text,
        snapshot_id,
        regexp_replace(said, '^[\s\p{P}]+|[\s.,;:!?"'')\p{Pf}]+$', '', 'g') AS said,
        ' ' || array_to_string(words_of(said), ' ') || ' ' AS words
    FROM answered
    WHERE len(words_of(said)) >= 3
      AND NOT contains(coalesce(asked, ''), regexp_replace(said, '[\s\p{P}]+$', ''))
),
chunk AS (
    SELECT
        snapshot_id,
        chunk_id,
        lower(normalise_text(text)) AS text,
        ' ' || array_to_string(words_of(text), ' ') || ' ' AS words
    FROM corpus_chunk
    WHERE text IS NOT NULL
),
shown AS (
    SELECT request_id, snapshot_id, said, words, unnest(prompt_ids) AS chunk_id
    FROM claim
),
grounded AS (
    SELECT shown.request_id, 'verbatim in chunk ' || min(shown.chunk_id) AS reason
    FROM shown
    JOIN chunk ON chunk.snapshot_id = shown.snapshot_id AND chunk.chunk_id = shown.chunk_id
    WHERE contains(chunk.text, shown.said) AND contains(chunk.words, shown.words)
    GROUP BY shown.request_id
    UNION ALL
    SELECT request_id, 'verbatim in the prompt' AS reason
    FROM claim
    WHERE contains(lower(normalise_text(prompt_text)), said)
      AND contains(' ' || array_to_string(words_of(prompt_text), ' ') || ' ', words)
),
now_known AS (
    SELECT request_id, min(reason) AS reason
    FROM grounded
    GROUP BY request_id
),
verdict_now AS (
    SELECT
        joined_request.request_id,
        CASE WHEN now_known.request_id IS NOT NULL THEN TRUE END AS value,
        coalesce(now_known.reason, 'no longer verbatim in the prompt') AS reason,
        newest.verdict AS before
    FROM joined_request
    LEFT JOIN now_known ON now_known.request_id = joined_request.request_id
    LEFT JOIN newest ON newest.request_id = joined_request.request_id AND newest.subject = 'grounded'
)
SELECT
    request_id,
    'grounded' AS subject,
    value,
    reason,
    'rule' AS source,
    md5(CAST($judge AS VARCHAR) || ':' || reason) AS config,
    CAST($judged_at AS TIMESTAMP) AS judged_at
FROM verdict_now
WHERE value IS DISTINCT FROM before.value
   OR (value AND before.config <> md5(CAST($judge AS VARCHAR) || ':' || reason));
