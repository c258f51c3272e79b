-- Count what a segment brought that cannot be stored.
-- Grain: one row of rejected_span.
-- Parameters: segment_id, reason, spans, bytes, kept_in, landed_at.
INSERT INTO rejected_span BY NAME
SELECT
    CAST($segment_id AS UUID) AS segment_id,
    $reason AS reason,
    $spans AS spans,
    $bytes AS bytes,
    $kept_in AS kept_in,
    $landed_at AS landed_at;
