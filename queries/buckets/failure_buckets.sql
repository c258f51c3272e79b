-- How often each label occurs among the newest labels, and what to do about it.
-- Grain: one row a label, most frequent first. Passes are rows too, so that the shares add up to 1.
SELECT label, boundary, requests, share, try_first, wasted
FROM failure_bucket
ORDER BY requests DESC, label;
