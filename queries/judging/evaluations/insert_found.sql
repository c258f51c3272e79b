-- Store evaluation results that are not stored yet.
-- Grain: one row of evaluation a result of the relation found_evaluation that is new (evaluation_id).
INSERT INTO evaluation BY NAME
SELECT found.*
FROM found_evaluation AS found
ANTI JOIN evaluation ON evaluation.evaluation_id = found.evaluation_id
QUALIFY row_number() OVER (PARTITION BY found.evaluation_id ORDER BY found.segment_id) = 1;
