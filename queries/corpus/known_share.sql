-- How well snapshots know the ids that joined requests ranked, of requests that do not name the snapshot they searched.
-- Grain: one row a loaded snapshot (snapshot_id). Columns: requests, those looked at; strangers, those of which the
-- snapshot knows less than half of the ids.
-- Parameters: $snapshot_id, only this snapshot, NULL: all; $most, how many joined requests are looked at, a fair sample.
WITH sample AS (
    SELECT request_id
    FROM joined
    ORDER BY hash(request_id)
    LIMIT $most
),
ranked AS (
    SELECT request_id, list_distinct(list_filter(ranked_ids, lambda id: id IS NOT NULL)) AS ids
    FROM request
    SEMI JOIN sample USING (request_id)
    WHERE snapshot_id IS NULL AND list_count(ranked_ids) > 0
),
hit AS (SELECT request_id, unnest(ids) AS chunk_id FROM ranked),
chosen AS (
    SELECT snapshot_id
    FROM corpus_snapshot
    WHERE $snapshot_id IS NULL OR snapshot_id = $snapshot_id
),
known AS (
    SELECT hit.request_id, corpus_chunk.snapshot_id, count(*) AS ids
    FROM hit
    JOIN corpus_chunk USING (chunk_id)
    WHERE $snapshot_id IS NULL OR corpus_chunk.snapshot_id = $snapshot_id
    GROUP BY hit.request_id, corpus_chunk.snapshot_id
)
SELECT
    chosen.snapshot_id,
    count(*) AS requests,
    count(*) FILTER (2 * coalesce(known.ids, 0) < len(ranked.ids)) AS strangers
FROM chosen
CROSS JOIN ranked
LEFT JOIN known ON known.snapshot_id = chosen.snapshot_id AND known.request_id = ranked.request_id
GROUP BY chosen.snapshot_id
ORDER BY strangers, chosen.snapshot_id DESC;
