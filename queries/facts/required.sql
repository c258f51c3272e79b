-- What gold requires, in the ids of a snapshot.
-- Grain: one row a required group of a case in a snapshot (snapshot_id, case_id, group_no); the snapshot '' stands for
-- requests whose snapshot is not loaded. Any of `alternatives` satisfies the group; none does where the list is empty.
-- `evidence_known` is FALSE where an alternative is named by a quote that could not be looked for. `quotes` are the passages
-- by which the alternatives are named; NULL where one is a plain id, which tells no passage. `split`: chunking cut the
-- passage, and the group is a part of it.
SELECT
    snapshot_id,
    case_id,
    group_no,
    coalesce(list(chunk_id) FILTER (chunk_id IS NOT NULL), CAST([] AS VARCHAR[])) AS alternatives,
    min(CASE WHEN evidence_known THEN 1 ELSE 0 END) = 1 AS evidence_known,
    CASE WHEN count(quote) = count(*) THEN list_distinct(list(quote)) END AS quotes,
    max(CASE WHEN split THEN 1 ELSE 0 END) = 1 AS split
FROM evidence
GROUP BY snapshot_id, case_id, group_no
