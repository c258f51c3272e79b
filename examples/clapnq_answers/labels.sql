-- The labels of each system's answers.
-- Grain: one row a label, a column a system.
PIVOT (
    SELECT current_label.label, request.run_id AS system
    FROM current_label
    JOIN request USING (request_id)
)
ON system IN ('gpt', 'llama', 'mistral', 'target')
USING count(*)
ORDER BY label
