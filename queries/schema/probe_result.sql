-- What probes of a request came to, over repeats.
-- Grain: one row a request, generator and change (request_id, generator_id, intervention, step).
-- `passes` counts the runs that did as gold expects: a right answer, a refusal, or a question back. `unjudged` are
-- answers of which that is not known; `grounded` and `ungrounded` answers of which it is known whether the chunks say them. `majority` is NULL where passes and fails are equal, or nothing could be judged;
-- `agreement` is the share of judged runs that are with the majority: 1 where all agree.
CREATE OR REPLACE VIEW probe_result AS
WITH newest AS (
    SELECT *
    FROM probe
    QUALIFY row_number() OVER (PARTITION BY probe_id ORDER BY started_at DESC, trace_id) = 1
),
told AS (
    SELECT
        newest.*,
        CASE
            WHEN newest.failure IS NOT NULL THEN NULL
            WHEN gold_case.expect = 'refuse' THEN newest.refused
            WHEN gold_case.expect = 'clarify' THEN newest.correct
            WHEN newest.refused THEN FALSE
            ELSE newest.correct
        END AS passed
    FROM newest
    LEFT JOIN gold_case ON gold_case.case_id = newest.case_id
),
counted AS (
    SELECT
        request_id,
        generator_id,
        intervention,
        step,
        any_value(case_id) AS case_id,
        any_value(generator) AS generator,
        any_value(changed) AS changed,
        any_value(planted) AS planted,
        any_value(replaced) AS replaced,
        any_value(list_transform(chunks, lambda chunk: chunk.id)) AS chunk_ids,
        count(*) AS runs,
        count(*) FILTER (passed) AS passes,
        count(*) FILTER (NOT passed) AS fails,
        count(*) FILTER (passed IS NULL AND failure IS NULL) AS unjudged,
        count(*) FILTER (failure IS NOT NULL) AS failures,
        count(*) FILTER (refused AND failure IS NULL) AS refusals,
        count(*) FILTER (NOT refused AND failure IS NULL) AS answers,
        count(*) FILTER (grounded) AS grounded,
        count(*) FILTER (NOT grounded) AS ungrounded,
        count(*) FILTER (carries_planted) AS with_planted,
        count(*) FILTER (carries_replaced) AS with_replaced,
        count(*) FILTER (carries_planted AND carries_replaced) AS with_both,
        count(DISTINCT answer) AS different_answers,
        arg_min(answer, repeat_no) AS answer,
        arg_min(error, repeat_no) FILTER (failure IS NOT NULL) AS error,
        max(started_at) AS started_at
    FROM told
    GROUP BY request_id, generator_id, intervention, step
)
SELECT
    *,
    CASE WHEN passes <> fails THEN passes > fails END AS majority,
    CASE WHEN passes + fails > 0 THEN greatest(passes, fails) / (passes + fails) END AS agreement
FROM counted;
