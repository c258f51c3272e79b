-- Whom to believe.
-- Grain: one row of judging_policy, or none.
SELECT * FROM judging_policy
