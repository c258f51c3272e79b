-- In which units budgets count where no other is asked for.
-- Grain: one row a unit (unit).
SELECT DISTINCT unit
FROM recorded
ORDER BY unit
