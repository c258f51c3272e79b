-- What a load sets aside that is not counted yet: a part of a file that is read again is known by its digest.
-- Grain: one row of the view arriving_rejected (the columns of rejected_span, and position), by its position.
SELECT position
FROM arriving_rejected
ANTI JOIN rejected_span USING (content_id, reason)
QUALIFY content_id IS NULL OR row_number() OVER (PARTITION BY content_id, reason ORDER BY position) = 1
ORDER BY position;
