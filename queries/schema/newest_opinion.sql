-- What each judge says last, of each repeat.
-- Grain: one row a judged thing, judge and repeat (request_id, subject, target, claim_id, source, judge, repeat_no).
CREATE OR REPLACE VIEW newest_opinion AS
SELECT *
FROM verdict
QUALIFY row_number() OVER (
    PARTITION BY request_id, subject, target, claim_id, source, judge, repeat_no
    ORDER BY judged_at DESC, rowid DESC
) = 1;
