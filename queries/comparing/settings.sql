-- With which settings the labelled requests of one side of a comparison were made, as far as their traces tell.
-- Grain: one row a value of a setting (setting, value); `value` is NULL for requests that do not tell it.
-- Parameters:
--   $pipeline, $labelling: which requests, as in side.
--   $asked: the beginning of the attributes that hold parameters of a call, such as the temperature.
--   $model: the attribute of the model.
--   $source: the attribute of the data source that is searched.
--   $version: the attribute of the version of the service, on its resource.
-- Parameters of calls are settings under their own attribute; those of embedding calls come under `embeddings`.
WITH chosen AS (
    SELECT request.*
    FROM request
    WHERE CASE
        WHEN CAST($labelling AS VARCHAR) IS NOT NULL
        THEN request.request_id IN (SELECT request_id FROM label WHERE run_id = CAST($labelling AS VARCHAR))
        ELSE request.request_id IN (SELECT request_id FROM label)
            AND (CAST($pipeline AS VARCHAR) IS NULL OR request.run_id = CAST($pipeline AS VARCHAR))
    END
),
traced AS (
    SELECT request_id, unnest(coalesce(trace_ids, [trace_id])) AS trace_id, started_at, ended_at
    FROM chosen
),
spanned AS (
    SELECT DISTINCT traced.request_id, span.operation, span.attributes, span.resource
    FROM span
    JOIN traced
        ON traced.trace_id = span.trace_id
        AND CAST(span.start_time AS TIMESTAMP) BETWEEN traced.started_at AND traced.ended_at
    WHERE contains(CAST(span.attributes AS VARCHAR), CAST($asked AS VARCHAR))
        OR contains(CAST(span.attributes AS VARCHAR), CAST($source AS VARCHAR))
        OR contains(CAST(span.resource AS VARCHAR), CAST($version AS VARCHAR))
),
told AS (
    SELECT DISTINCT
        spanned.request_id,
        CASE
            WHEN entry.key = CAST($source AS VARCHAR) THEN 'data_source'
            WHEN spanned.operation = 'embeddings' THEN 'embeddings.' || substr(entry.key, len(CAST($asked AS VARCHAR)) + 1)
            ELSE substr(entry.key, len(CAST($asked AS VARCHAR)) + 1)
        END AS setting,
        entry.value ->> '$' AS value
    FROM spanned, json_each(spanned.attributes) AS entry
    WHERE entry.key = CAST($source AS VARCHAR)
        OR (
            starts_with(entry.key, CAST($asked AS VARCHAR))
            AND (entry.key <> CAST($model AS VARCHAR) OR spanned.operation = 'embeddings')
        )
    UNION
    SELECT spanned.request_id, 'service_version', entry.value ->> '$'
    FROM spanned, json_each(spanned.resource, '$.attributes') AS entry
    WHERE entry.key = CAST($version AS VARCHAR)
),
joined AS ( -- several values in one request, as with two calls of a model, are one value
    SELECT request_id, setting, string_agg(value, ' + ' ORDER BY value) AS value
    FROM told
    GROUP BY request_id, setting
),
complete AS ( -- a request that does not tell what others tell
    SELECT chosen.request_id, named.setting, joined.value
    FROM chosen
    CROSS JOIN (SELECT DISTINCT setting FROM joined) AS named
    LEFT JOIN joined ON joined.request_id = chosen.request_id AND joined.setting = named.setting
),
listed AS (
    SELECT
        CAST(k AS VARCHAR) AS k,
        concat_ws(' ', CAST(budget AS VARCHAR), budget_unit) AS budget,
        CAST(has_rerank AS VARCHAR) AS rerank,
        score_kind,
        request_model,
        response_model,
        prompt_name,
        prompt_version,
        snapshot_id AS snapshot,
        convention,
        service
    FROM chosen
),
recorded AS (
    SELECT setting, nullif(value, '') AS value
    FROM listed
    UNPIVOT INCLUDE NULLS (
        value FOR setting IN (
            k,
            budget,
            rerank,
            score_kind,
            request_model,
            response_model,
            prompt_name,
            prompt_version,
            snapshot,
            convention,
            service
        )
    )
)
SELECT DISTINCT setting, value FROM recorded
UNION
SELECT DISTINCT setting, value FROM complete
ORDER BY setting, value NULLS LAST;
