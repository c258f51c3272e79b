-- What context assembly would have taken from the recorded ranking under another k and another budget.
-- Grain: one row a joined request (request_id), temporary.
-- Parameters: $k (NULL: as recorded), $budget (NULL: as recorded), $unit (words or characters; NULL: as recorded),
-- $packing (stop: at the first chunk that does not fit; skip: go on behind it), $default_k, $default_snapshot.
-- `prompt_ids` is NULL where that cannot be told: no ranking, no k, or a budget and a chunk whose text is not loaded.
CREATE OR REPLACE TEMP TABLE packed AS
WITH setting AS (
    SELECT
        request.request_id,
        request.ranked_ids,
        coalesce(CAST($k AS BIGINT), request.k, CAST($default_k AS BIGINT)) AS k,
        coalesce(CAST($budget AS BIGINT), request.budget) AS budget,
        coalesce(CAST($unit AS VARCHAR), request.budget_unit, 'words') AS unit,
        coalesce(request.snapshot_id, CAST($default_snapshot AS VARCHAR)) AS snapshot_id
    FROM request
    SEMI JOIN joined ON joined.request_id = request.request_id
),
taken AS (
    SELECT setting.request_id, setting.snapshot_id, setting.unit, position.rank, setting.ranked_ids[position.rank] AS id
    FROM setting
    CROSS JOIN LATERAL (SELECT unnest(generate_series(1, least(setting.k, len(setting.ranked_ids)))) AS rank) AS position
),
sized AS (
    SELECT
        taken.request_id,
        list(
            struct_pack(
                id := taken.id,
                size := CASE taken.unit
                    WHEN 'words' THEN len(regexp_split_to_array(trim(corpus_chunk.text), '\s+'))
                    WHEN 'characters' THEN len(corpus_chunk.text)
                END
            )
            ORDER BY taken.rank
        ) AS chunks
    FROM taken
    LEFT JOIN corpus_chunk ON corpus_chunk.snapshot_id = taken.snapshot_id AND corpus_chunk.chunk_id = taken.id
    GROUP BY taken.request_id
)
SELECT
    setting.request_id,
    setting.k,
    setting.budget,
    setting.unit,
    CASE
        WHEN setting.ranked_ids IS NULL OR setting.k IS NULL THEN NULL
        WHEN setting.budget IS NULL THEN setting.ranked_ids[1:setting.k]
        WHEN list_bool_or(list_transform(sized.chunks, lambda chunk: chunk.size IS NULL)) THEN NULL
        WHEN sized.chunks IS NULL THEN CAST([] AS VARCHAR[])
        ELSE list_reduce(
            sized.chunks,
            lambda prompt, chunk: CASE
                WHEN prompt.open AND prompt.used + chunk.size <= setting.budget
                THEN {'ids': list_append(prompt.ids, chunk.id), 'used': prompt.used + chunk.size, 'open': TRUE}
                ELSE {'ids': prompt.ids, 'used': prompt.used, 'open': prompt.open AND $packing = 'skip'}
            END,
            {'ids': CAST([] AS VARCHAR[]), 'used': CAST(0 AS BIGINT), 'open': TRUE}
        ).ids
    END AS prompt_ids
FROM setting
LEFT JOIN sized ON sized.request_id = setting.request_id
