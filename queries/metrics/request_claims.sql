-- Claims of each labelled request: what was counted and judged, and the measures made of it.
-- Grain: one row a labelled request, by case.
-- Parameters:
--   $request_run_id: only this run of the pipeline; default: every run.
-- Columns: those of the view claim_measures, which defines them. A measure is NULL without a denominator, and where a part
-- of the denominator was not judged.
SELECT
    case_id,
    claims,
    supported,
    unsupported,
    correct,
    incorrect,
    supported_correct,
    expected,
    found,
    not_found,
    adequately_cited,
    inadequately_cited,
    citations,
    held,
    wrong,
    claim_precision,
    claim_recall,
    faithfulness,
    correctness,
    citation_completeness,
    citation_correctness,
    request_run_id,
    request_id
FROM claim_measures
WHERE CAST($request_run_id AS VARCHAR) IS NULL OR request_run_id = CAST($request_run_id AS VARCHAR)
ORDER BY case_id, request_id;
