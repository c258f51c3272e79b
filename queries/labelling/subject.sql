-- The requests to be labelled: the recorded ones since the time in subject_scope.
-- Grain: one row a request, in the shape of the table request.
CREATE OR REPLACE TEMP VIEW subject AS
SELECT request.*
FROM request
CROSS JOIN subject_scope
WHERE subject_scope.since IS NULL OR request.started_at >= subject_scope.since
