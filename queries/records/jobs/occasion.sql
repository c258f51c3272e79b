-- What there is among the spans that are being built, so that steps without an occasion are left out.
-- Grain: one row.
-- `twins`: spans that repeat another; `outer_retrievals`: retrievals that may hold another one, as ours do not; `several`: a
-- trace with more than one request span; `sessions`: a session is named.
SELECT
    coalesce(bool_or(twin), FALSE) AS twins,
    coalesce(bool_or(kind = 'retrieval' AND NOT own), FALSE) AS outer_retrievals,
    count(*) FILTER (kind = 'request') > count(DISTINCT trace_id) FILTER (kind = 'request') AS several,
    coalesce(bool_or(session_id IS NOT NULL), FALSE) AS sessions
FROM stage
