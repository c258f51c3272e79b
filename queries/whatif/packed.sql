-- What context assembly would have taken from the recorded ranking under another k and another budget.
-- Grain: one row a joined request (request_id), temporary.
-- Parameters: $k (NULL: as recorded), $budget (NULL: as recorded), $unit (words or characters; NULL: as recorded),
-- $packing (stop: at the first chunk that does not fit; skip: go on behind it), $default_k, $default_snapshot.
-- Under the recorded setting the prompt is the recorded one. Another setting is packed by our rule only where that rule
-- makes the recorded prompt out of the recorded setting; a chunk that is ranked twice is packed once.
-- `prompt_ids` is NULL where it cannot be told, and `not_known` says why. `same_prompt`: nothing changed for the generator.
-- `beyond`: k is beyond what was recorded of a ranking that is not known to be whole; what stands there is not known.
CREATE OR REPLACE TEMP TABLE packed AS
WITH recorded AS (
    SELECT
        request.request_id,
        request.ranked_ids,
        request.prompt_ids,
        coalesce(request.k, CAST($default_k AS BIGINT)) AS k,
        request.budget,
        coalesce(request.budget_unit, 'words') AS unit,
        coalesce(request.snapshot_id, CAST($default_snapshot AS VARCHAR)) AS snapshot_id,
        coalesce(request.ranking_complete, FALSE)
            AND (NOT request.has_rerank OR coalesce(len(request.ranked_ids) >= len(request.candidate_ids), FALSE)) AS whole
    FROM request
    SEMI JOIN joined ON joined.request_id = request.request_id
),
asked AS (
    SELECT
        request_id,
        coalesce(CAST($k AS BIGINT), k) AS k,
        coalesce(CAST($budget AS BIGINT), budget) AS budget,
        coalesce(CAST($unit AS VARCHAR), unit) AS unit
    FROM recorded
),
-- What was recorded without a k passed everything on. A k that asked for more than there was shows the end of the ranking.
setting AS (
    SELECT
        asked.*,
        coalesce(recorded.k, len(recorded.ranked_ids)) AS recorded_k,
        asked.k IS NOT DISTINCT FROM recorded.k
            AND asked.budget IS NOT DISTINCT FROM recorded.budget
            AND (asked.budget IS NULL OR asked.unit = recorded.unit) AS as_recorded,
        coalesce(asked.k > greatest(len(recorded.ranked_ids), coalesce(recorded.k, 0)), FALSE) AND NOT recorded.whole AS beyond
    FROM asked
    JOIN recorded ON recorded.request_id = asked.request_id
),
packing AS (
    SELECT setting.request_id, TRUE AS by_record, setting.recorded_k AS k, recorded.budget, recorded.unit, recorded.ranked_ids, recorded.snapshot_id
    FROM setting
    JOIN recorded ON recorded.request_id = setting.request_id
    WHERE NOT setting.as_recorded
    UNION ALL
    SELECT setting.request_id, FALSE AS by_record, setting.k, setting.budget, setting.unit, recorded.ranked_ids, recorded.snapshot_id
    FROM setting
    JOIN recorded ON recorded.request_id = setting.request_id
    WHERE NOT setting.as_recorded
),
taken AS (
    SELECT packing.*, position.rank, packing.ranked_ids[position.rank] AS id
    FROM packing
    CROSS JOIN LATERAL (SELECT unnest(generate_series(1, least(packing.k, len(packing.ranked_ids)))) AS rank) AS position
    WHERE
        packing.ranked_ids[position.rank] IS NULL
        OR list_position(packing.ranked_ids, packing.ranked_ids[position.rank]) = position.rank
),
sized AS (
    SELECT
        taken.request_id,
        taken.by_record,
        list(
            struct_pack(
                id := taken.id,
                size := CASE taken.unit
                    WHEN 'words' THEN len(regexp_extract_all(corpus_chunk.text, '[^\s\p{Z}\x{0b}\x{1c}-\x{1f}\x{85}]+'))
                    WHEN 'characters' THEN len(corpus_chunk.text)
                END
            )
            ORDER BY taken.rank
        ) AS chunks
    FROM taken
    LEFT JOIN corpus_chunk ON corpus_chunk.snapshot_id = taken.snapshot_id AND corpus_chunk.chunk_id = taken.id
    GROUP BY taken.request_id, taken.by_record
),
made AS (
    SELECT
        packing.request_id,
        packing.by_record,
        CASE
            WHEN packing.ranked_ids IS NULL OR packing.k IS NULL OR packing.k < 0 THEN NULL
            WHEN sized.chunks IS NULL THEN CAST([] AS VARCHAR[])
            WHEN packing.budget IS NULL THEN list_transform(sized.chunks, lambda chunk: chunk.id)
            WHEN list_bool_or(list_transform(sized.chunks, lambda chunk: chunk.size IS NULL)) THEN NULL
            ELSE list_reduce(
                sized.chunks,
                lambda prompt, chunk: CASE
                    WHEN prompt.open AND prompt.used + chunk.size <= packing.budget
                    THEN {'ids': list_append(prompt.ids, chunk.id), 'used': prompt.used + chunk.size, 'open': TRUE}
                    ELSE {'ids': prompt.ids, 'used': prompt.used, 'open': prompt.open AND $packing = 'skip'}
                END,
                {'ids': CAST([] AS VARCHAR[]), 'used': CAST(0 AS BIGINT), 'open': TRUE}
            ).ids
        END AS prompt_ids
    FROM packing
    LEFT JOIN sized ON sized.request_id = packing.request_id AND sized.by_record = packing.by_record
),
told AS (
    SELECT
        setting.request_id,
        setting.k,
        setting.budget,
        setting.unit,
        setting.as_recorded,
        setting.beyond,
        recorded.prompt_ids AS recorded_prompt,
        new.prompt_ids AS new_prompt,
        CASE
            WHEN recorded.prompt_ids IS NULL THEN 'the prompt is not recorded'
            WHEN setting.as_recorded THEN NULL
            WHEN recorded.ranked_ids IS NULL THEN 'no ranking is recorded'
            WHEN setting.k IS NULL OR setting.k < 0 OR setting.recorded_k < 0 THEN 'k is not recorded'
            WHEN setting.beyond THEN 'k is beyond what was recorded of the ranking'
            WHEN old.prompt_ids IS NULL OR new.prompt_ids IS NULL
            THEN 'the size of a chunk is not known: load the corpus with its texts, and count the budget in words or characters'
            WHEN old.prompt_ids <> recorded.prompt_ids THEN 'the recorded prompt was packed by another rule'
        END AS not_known
    FROM setting
    JOIN recorded ON recorded.request_id = setting.request_id
    LEFT JOIN made AS old ON old.request_id = setting.request_id AND old.by_record
    LEFT JOIN made AS new ON new.request_id = setting.request_id AND NOT new.by_record
)
SELECT
    request_id,
    k,
    budget,
    unit,
    as_recorded,
    beyond,
    not_known,
    CASE WHEN as_recorded THEN recorded_prompt WHEN not_known IS NULL THEN new_prompt END AS prompt_ids,
    as_recorded OR (not_known IS NULL AND new_prompt = recorded_prompt) AS same_prompt
FROM told
