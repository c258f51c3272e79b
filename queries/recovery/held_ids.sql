-- Rankings whose ids were not held against the snapshot of their request yet, and how much of them the snapshot knows.
-- Grain: one row a request of the relation recoverable with a ranking that is not empty (request_id), temporary.
-- Parameters: $default_snapshot, the snapshot of requests that name none; NULL: the newest; $batch, requests a batch.
-- `snapshot_id` is NULL where none is loaded. `id_source` is foreign where hits have ids and none of them is a chunk of the
-- snapshot; nothing is foreign to an empty one. `tellable`: spans may show texts of hits, the snapshot has texts, and some
-- hit is no chunk of it by its id; `batch` deals them out, for their texts are many. `was_told`: ids were told by texts
-- before, so that what was recorded stands in the spans only.
CREATE OR REPLACE TEMP TABLE held_ids AS
WITH newest AS (
    SELECT coalesce(CAST($default_snapshot AS VARCHAR), arg_max(snapshot_id, loaded_at)) AS snapshot_id
    FROM corpus_snapshot
),
unheld AS (
    SELECT
        recoverable.request_id,
        recoverable.hit_texts,
        recoverable.id_source,
        corpus_snapshot.snapshot_id,
        corpus_snapshot.chunks,
        list_concat(coalesce(recoverable.ranked_ids, []), coalesce(recoverable.candidate_ids, [])) AS ids
    FROM recoverable
    CROSS JOIN newest
    LEFT JOIN corpus_snapshot
        ON corpus_snapshot.snapshot_id = coalesce(recoverable.snapshot_id, newest.snapshot_id)
    WHERE
        recoverable.id_snapshot IS DISTINCT FROM corpus_snapshot.snapshot_id
        AND (len(recoverable.ranked_ids) > 0 OR len(recoverable.candidate_ids) > 0)
),
chunk AS (
    SELECT corpus_chunk.snapshot_id, corpus_chunk.chunk_id, corpus_chunk.text IS NOT NULL AS has_text
    FROM corpus_chunk
    SEMI JOIN unheld ON unheld.snapshot_id = corpus_chunk.snapshot_id
),
texted AS (SELECT DISTINCT snapshot_id FROM chunk WHERE has_text),
-- Most rankings need one look: their first hit is a chunk, and no text is there to tell another by.
doubtful AS (
    SELECT unheld.*
    FROM unheld
    LEFT JOIN chunk ON chunk.snapshot_id = unheld.snapshot_id AND chunk.chunk_id = unheld.ids[1]
    WHERE unheld.snapshot_id IS NOT NULL AND (chunk.chunk_id IS NULL OR coalesce(unheld.hit_texts, TRUE))
),
hit AS (SELECT request_id, snapshot_id, unnest(ids) AS id FROM doubtful),
counted AS (
    SELECT hit.request_id, count(*) AS hits, count(hit.id) AS named, count(chunk.chunk_id) AS known
    FROM hit
    LEFT JOIN chunk ON chunk.snapshot_id = hit.snapshot_id AND chunk.chunk_id = hit.id
    GROUP BY hit.request_id
),
held AS (
    SELECT
        unheld.request_id,
        unheld.snapshot_id,
        CASE WHEN counted.known = 0 AND counted.named > 0 AND unheld.chunks > 0 THEN 'foreign' ELSE 'recorded' END AS id_source,
        coalesce(unheld.hit_texts, TRUE) AND texted.snapshot_id IS NOT NULL AND coalesce(counted.hits > counted.known, FALSE)
            AS tellable,
        coalesce(unheld.id_source IN ('text_match', 'text_match_partly'), FALSE) AS was_told
    FROM unheld
    LEFT JOIN counted ON counted.request_id = unheld.request_id
    LEFT JOIN texted ON texted.snapshot_id = unheld.snapshot_id
)
SELECT *, (row_number() OVER (PARTITION BY snapshot_id, tellable ORDER BY request_id) - 1) // $batch AS batch
FROM held
