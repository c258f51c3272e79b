-- What context assembly makes of a ranking, a cutoff and a budget.
-- Grain: one row a request of the relation to_pack (request_id). `prompt_ids` is NULL where it cannot be told: the ranking
-- or the cutoff is not known, the size of a chunk, or a score that decides which chunk comes first.
-- Packing chooses: `stop` takes chunks by rank and ends at the first that does not fit; `skip` passes over it; `shortest`
-- takes the smallest first, which shows the most chunks; `score_density` takes those first that have the most score for
-- their size. Without a budget everything is taken. None of them knows gold. Ties go by rank.
-- Ordering places what was chosen: `ranked`, best first; `reversed`, best last, next to the question; `sides`, best first,
-- second best last, and so on to the middle, where models overlook most.
-- A chunk that is ranked twice is packed once.
WITH taken AS (
    SELECT to_pack.*, position.rank, to_pack.ids[position.rank] AS id
    FROM to_pack
    CROSS JOIN LATERAL (SELECT unnest(generate_series(1, least(to_pack.k, len(to_pack.ids)))) AS rank) AS position
    WHERE
        to_pack.ids[position.rank] IS NULL
        OR list_position(to_pack.ids, to_pack.ids[position.rank]) = position.rank
),
weighed AS (
    SELECT
        taken.request_id,
        taken.rank,
        taken.packing,
        chunk_size.size,
        CASE
            WHEN taken.packing <> 'score_density' THEN 0
            WHEN taken.score_kind IN ('bm25', 'similarity') THEN taken.scores[taken.rank]
        END AS score
    FROM taken
    LEFT JOIN chunk_size
        ON chunk_size.unit = taken.unit
        AND chunk_size.snapshot_id = taken.snapshot_id
        AND chunk_size.chunk_id = taken.id
),
-- What has no score above 0 is worth no room, and comes last; what takes no room comes first.
lined_up AS (
    SELECT
        request_id,
        list(
            struct_pack(rank := rank, size := size)
            ORDER BY
                CASE
                    WHEN packing = 'shortest' THEN size
                    WHEN packing = 'score_density' AND size = 0 THEN CAST('-infinity' AS DOUBLE)
                    WHEN packing = 'score_density' THEN -greatest(score, 0) / size
                    ELSE 0
                END,
                rank
        ) AS chunks,
        list(rank ORDER BY rank) AS ranks,
        count(size) = count(*) AS sized,
        count(score) = count(*) AS scored
    FROM weighed
    GROUP BY request_id
),
chosen AS (
    SELECT
        to_pack.*,
        CASE
            WHEN to_pack.ids IS NULL OR to_pack.k IS NULL OR to_pack.k < 0 THEN NULL
            WHEN lined_up.chunks IS NULL THEN CAST([] AS BIGINT[])
            WHEN to_pack.budget IS NULL THEN lined_up.ranks
            WHEN NOT lined_up.sized OR NOT lined_up.scored THEN NULL
            ELSE list_sort(list_reduce(
                lined_up.chunks,
                lambda prompt, chunk: CASE
                    WHEN prompt.open AND prompt.used + chunk.size <= to_pack.budget
                    THEN {'ranks': list_append(prompt.ranks, chunk.rank), 'used': prompt.used + chunk.size, 'open': TRUE}
                    ELSE {'ranks': prompt.ranks, 'used': prompt.used, 'open': prompt.open AND to_pack.packing <> 'stop'}
                END,
                {'ranks': CAST([] AS BIGINT[]), 'used': CAST(0 AS BIGINT), 'open': TRUE}
            ).ranks)
        END AS ranks
    FROM to_pack
    LEFT JOIN lined_up ON lined_up.request_id = to_pack.request_id
)
SELECT
    request_id,
    list_transform(
        CASE ordering
            WHEN 'reversed' THEN list_reverse(ranks)
            WHEN 'sides' THEN list_concat(
                list_filter(ranks, lambda rank, place: place % 2 = 1),
                list_reverse(list_filter(ranks, lambda rank, place: place % 2 = 0))
            )
            ELSE ranks
        END,
        lambda rank: ids[rank]
    ) AS prompt_ids
FROM chosen
