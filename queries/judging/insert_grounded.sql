-- Store what is grounded by plain sight: the whole answer stands in one chunk of the prompt, or in the prompt's text.
-- Compared are the letters and digits in lower case, in their order, and the text itself in NFC with single blanks;
-- markers in square brackets are passed over. An answer of fewer than three words says too little, one that repeats the
-- question says nothing, and a refusal may stand in the instructions: none of them counts. Anything else is not known:
-- where texts were compared, or an earlier verdict is withdrawn, a row without a value says so. Its digest of the inputs
-- keeps equal ones from being compared again.
-- Grain: one row of verdict for each joined request whose inputs changed.
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
-- Nothing is compared without an answer, for a refusal, or without a prompt.
input AS (
    SELECT
        request.request_id,
        request.answer IS NOT NULL
            AND refusal.verdict.value IS DISTINCT FROM TRUE
            AND (request.prompt_ids IS NOT NULL OR request.prompt_text IS NOT NULL) AS comparable,
        coalesce(
            request.snapshot_id,
            CAST($default_snapshot AS VARCHAR),
            (SELECT snapshot_id FROM only_snapshot)
        ) AS snapshot_id,
        grounding.verdict AS before
    FROM joined_request
    JOIN request ON request.request_id = joined_request.request_id
    LEFT JOIN newest AS refusal ON refusal.request_id = request.request_id AND refusal.subject = 'refusal'
    LEFT JOIN newest AS grounding ON grounding.request_id = request.request_id AND grounding.subject = 'grounded'
),
digested AS (
    SELECT
        input.*,
        md5(CAST(to_json(struct_pack(
            judge := CAST($judge AS VARCHAR),
            comparable := input.comparable,
            answer := request.answer,
            query := request.query,
            prompt_ids := request.prompt_ids,
            prompt_text := md5(request.prompt_text),
            snapshot_id := input.snapshot_id,
            loaded_at := corpus_snapshot.loaded_at
        )) AS VARCHAR)) AS config
    FROM input
    JOIN request ON request.request_id = input.request_id
    LEFT JOIN corpus_snapshot ON corpus_snapshot.snapshot_id = input.snapshot_id
),
pending AS MATERIALIZED (
    SELECT request_id, comparable, snapshot_id, config, before
    FROM digested
    WHERE CASE WHEN comparable THEN before.config IS DISTINCT FROM config ELSE before.value END
),
answered AS (
    SELECT
        request.request_id,
        request.prompt_ids,
        request.prompt_text,
        pending.snapshot_id,
        lower(normalise_text(regexp_replace(request.answer, '\s*\[[^\]\[]{1,40}\]', '', 'g'))) AS said,
        lower(normalise_text(request.query)) AS asked
    FROM pending
    JOIN request ON request.request_id = pending.request_id
    WHERE pending.comparable
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
shown AS (
    SELECT request_id, snapshot_id, said, words, unnest(prompt_ids) AS chunk_id
    FROM claim
),
chunk AS (
    SELECT
        corpus_chunk.snapshot_id,
        corpus_chunk.chunk_id,
        lower(normalise_text(corpus_chunk.text)) AS text,
        ' ' || array_to_string(words_of(corpus_chunk.text), ' ') || ' ' AS words
    FROM corpus_chunk
    SEMI JOIN shown ON shown.snapshot_id = corpus_chunk.snapshot_id AND shown.chunk_id = corpus_chunk.chunk_id
    WHERE corpus_chunk.text IS NOT NULL
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
)
SELECT
    pending.request_id,
    'grounded' AS subject,
    CASE WHEN now_known.request_id IS NOT NULL THEN TRUE END AS value,
    coalesce(
        now_known.reason,
        CASE WHEN pending.before.value THEN 'no longer verbatim in the prompt' ELSE 'not verbatim in the prompt' END
    ) AS reason,
    'rule' AS source,
    pending.config,
    CAST($judged_at AS TIMESTAMP) AS judged_at
FROM pending
LEFT JOIN now_known ON now_known.request_id = pending.request_id;
