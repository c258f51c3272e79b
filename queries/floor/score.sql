-- The scores that a floor has to tell apart.
-- Grain: one row a case and kind, its scores as a list: of each required group the best-ranked alternative (`evidence`),
-- every ranked chunk that nobody calls relevant (`other`), and of an unanswerable question the best (`unanswerable`).
-- Parameters: $depth, how far down a ranking other chunks are looked at; NULL: all of it. $group_value, of the requests.
-- A required group that was not ranked has no score, and is counted as `unscored`. A chunk that is ranked twice counts once.
WITH usable AS (
    SELECT *
    FROM observed
    WHERE unusable IS NULL AND group_value IS NOT DISTINCT FROM CAST($group_value AS VARCHAR)
),
required AS (
    SELECT snapshot_id, case_id, group_no, list(chunk_id) FILTER (chunk_id IS NOT NULL) AS alternatives
    FROM required_evidence
    GROUP BY snapshot_id, case_id, group_no
),
evidence AS (
    SELECT
        usable.request_id,
        usable.case_id,
        usable.scores[list_min(list_transform(
            required.alternatives, lambda id: nullif(array_position(usable.ids, id), 0)
        ))] AS score
    FROM usable
    JOIN required ON required.snapshot_id = usable.snapshot_id AND required.case_id = usable.case_id
    WHERE usable.expect = 'answer'
),
relevant AS (
    SELECT snapshot_id, case_id, list(chunk_id) AS ids
    FROM (
        SELECT snapshot_id, case_id, chunk_id FROM required_evidence WHERE chunk_id IS NOT NULL
        UNION
        SELECT snapshot_id, case_id, chunk_id FROM judgment WHERE chunk_id IS NOT NULL AND grade > 0
    ) AS named
    GROUP BY snapshot_id, case_id
),
placed AS (
    SELECT usable.*, unnest(generate_series(1, least(len(usable.ids), coalesce(CAST($depth AS BIGINT), len(usable.ids))))) AS rank
    FROM usable
    WHERE usable.expect = 'answer'
),
other AS (
    SELECT placed.request_id, placed.case_id, placed.scores[placed.rank] AS score
    FROM placed
    JOIN relevant ON relevant.snapshot_id = placed.snapshot_id AND relevant.case_id = placed.case_id
    WHERE placed.ids[placed.rank] IS NOT NULL
        AND placed.scores[placed.rank] IS NOT NULL
        AND list_position(placed.ids, placed.ids[placed.rank]) = placed.rank
        AND NOT list_contains(relevant.ids, placed.ids[placed.rank])
)
SELECT
    case_id,
    kind,
    coalesce(list(score ORDER BY score) FILTER (score IS NOT NULL), CAST([] AS DOUBLE[])) AS scores,
    count(*) FILTER (score IS NULL) AS unscored
FROM (
    SELECT case_id, 'evidence' AS kind, score FROM evidence
    UNION ALL
    SELECT case_id, 'other' AS kind, score FROM other
    UNION ALL
    SELECT case_id, 'unanswerable' AS kind, list_max(scores) AS score FROM usable WHERE expect = 'refuse'
) AS found
GROUP BY case_id, kind
ORDER BY case_id, kind
