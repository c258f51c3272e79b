-- Store incoming cases. The join key is made here, by the macro that requests are joined with.
-- Grain: one row of gold_case for each row of the relation incoming_case.
-- Parameters: $loaded_at, the time of loading, UTC.
INSERT INTO gold_case BY NAME
SELECT
    case_id,
    query,
    normalise_text(query) AS query_key,
    expect,
    CAST(answer_check AS JSON) AS answer_check,
    CAST(claims AS JSON) AS claims,
    CAST(relevance AS JSON) AS relevance,
    as_of,
    tags,
    acceptable_sources,
    labelled_by,
    labelled_at,
    source,
    file,
    line,
    gold_version,
    CAST($loaded_at AS TIMESTAMP) AS loaded_at
FROM incoming_case;
