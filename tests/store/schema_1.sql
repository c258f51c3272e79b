-- The tables of schema version 1, as the releases that wrote it created them.

CREATE TABLE ragfault_meta (
    key VARCHAR NOT NULL,
    value VARCHAR NOT NULL
);

CREATE TABLE span (
    trace_id UUID NOT NULL,
    span_id UBIGINT NOT NULL,
    parent_span_id UBIGINT,
    name VARCHAR NOT NULL,
    kind UTINYINT NOT NULL,
    start_time TIMESTAMP_NS,
    end_time TIMESTAMP_NS,
    status_code UTINYINT NOT NULL,
    status_message VARCHAR,
    service VARCHAR,
    scope_name VARCHAR,
    scope_version VARCHAR,
    operation VARCHAR,
    stage VARCHAR,
    attributes JSON NOT NULL,
    events JSON,
    links JSON,
    resource JSON,
    scope JSON,
    trace_state VARCHAR,
    flags UINTEGER,
    dropped_attributes_count UINTEGER NOT NULL,
    dropped_events_count UINTEGER NOT NULL,
    dropped_links_count UINTEGER NOT NULL,
    repairs JSON,
    segment_id UUID NOT NULL
);

CREATE TABLE log_record (
    time TIMESTAMP_NS,
    observed_time TIMESTAMP_NS,
    trace_id UUID,
    span_id UBIGINT,
    severity_number UTINYINT,
    severity_text VARCHAR,
    event_name VARCHAR,
    service VARCHAR,
    scope_name VARCHAR,
    scope_version VARCHAR,
    body JSON,
    attributes JSON NOT NULL,
    resource JSON,
    scope JSON,
    flags UINTEGER,
    dropped_attributes_count UINTEGER NOT NULL,
    repairs JSON,
    segment_id UUID NOT NULL
);

CREATE TABLE segment (
    segment_id UUID NOT NULL,
    source VARCHAR NOT NULL,
    spans UBIGINT NOT NULL,
    duplicates UBIGINT NOT NULL,
    logs UBIGINT NOT NULL,
    rejected UBIGINT NOT NULL,
    landed_at TIMESTAMP NOT NULL,
    built BOOLEAN NOT NULL
);

CREATE TABLE rejected_span (
    segment_id UUID NOT NULL,
    reason VARCHAR NOT NULL,
    spans UBIGINT NOT NULL,
    bytes UBIGINT,
    kept_in VARCHAR,
    landed_at TIMESTAMP NOT NULL
);

CREATE TABLE request (
    request_id UUID NOT NULL,
    trace_id UUID NOT NULL,
    anchor_span_id UBIGINT,
    case_id VARCHAR,
    run_id VARCHAR,
    service VARCHAR,
    started_at TIMESTAMP,
    ended_at TIMESTAMP,
    query VARCHAR,
    retrieval_query VARCHAR,
    ranked_ids VARCHAR[],
    ranked_scores DOUBLE[],
    ranking_complete BOOLEAN,
    score_kind VARCHAR,
    candidate_ids VARCHAR[],
    candidate_scores DOUBLE[],
    candidate_score_kind VARCHAR,
    has_rerank BOOLEAN NOT NULL,
    k BIGINT,
    prompt_ids VARCHAR[],
    prompt_shares DOUBLE[],
    assembly_source VARCHAR NOT NULL,
    dropped STRUCT(id VARCHAR, reason VARCHAR)[],
    budget BIGINT,
    budget_unit VARCHAR,
    prompt_text VARCHAR,
    answer VARCHAR,
    answered BOOLEAN,
    cited_ids VARCHAR[],
    unmapped_citations VARCHAR[],
    decision VARCHAR,
    finish_reasons VARCHAR[],
    request_model VARCHAR,
    response_model VARCHAR,
    response_id VARCHAR,
    prompt_name VARCHAR,
    prompt_version VARCHAR,
    input_tokens BIGINT,
    output_tokens BIGINT,
    snapshot_id VARCHAR,
    convention VARCHAR NOT NULL,
    error_stage VARCHAR,
    error_message VARCHAR,
    missing VARCHAR[] NOT NULL,
    spans UINTEGER NOT NULL,
    built_at TIMESTAMP NOT NULL
);

CREATE TABLE gold_case (
    case_id VARCHAR NOT NULL,
    query VARCHAR NOT NULL,
    query_key VARCHAR NOT NULL,
    expect VARCHAR NOT NULL,
    answer_check JSON,
    claims JSON,
    relevance JSON,
    as_of TIMESTAMP,
    tags VARCHAR[] NOT NULL,
    labelled_by VARCHAR,
    labelled_at TIMESTAMP,
    gold_version VARCHAR NOT NULL,
    loaded_at TIMESTAMP NOT NULL
);

CREATE TABLE gold_evidence (
    case_id VARCHAR NOT NULL,
    group_no UINTEGER NOT NULL,
    member_no UINTEGER NOT NULL,
    chunk_id VARCHAR NOT NULL
);

CREATE TABLE corpus_snapshot (
    snapshot_id VARCHAR NOT NULL,
    chunks UBIGINT NOT NULL,
    source VARCHAR NOT NULL,
    loaded_at TIMESTAMP NOT NULL
);

CREATE TABLE corpus_chunk (
    snapshot_id VARCHAR NOT NULL,
    chunk_id VARCHAR NOT NULL,
    doc_id VARCHAR,
    text VARCHAR,
    version VARCHAR,
    valid_from TIMESTAMP,
    valid_to TIMESTAMP,
    observed_at TIMESTAMP,
    permitted VARCHAR[]
);

CREATE TABLE verdict (
    request_id UUID NOT NULL,
    subject VARCHAR NOT NULL,
    value BOOLEAN,
    reason VARCHAR,
    source VARCHAR NOT NULL,
    config VARCHAR NOT NULL,
    judged_at TIMESTAMP NOT NULL
);

CREATE TABLE label_run (
    run_id VARCHAR NOT NULL,
    started_at TIMESTAMP NOT NULL,
    config JSON NOT NULL,
    requests UBIGINT NOT NULL,
    joined UBIGINT NOT NULL,
    version VARCHAR NOT NULL
);

CREATE TABLE label (
    run_id VARCHAR NOT NULL,
    request_id UUID NOT NULL,
    case_id VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    boundary VARCHAR,
    outcome VARCHAR NOT NULL,
    latent BOOLEAN NOT NULL,
    retrieved BOOLEAN,
    grounded BOOLEAN,
    correct BOOLEAN,
    cited BOOLEAN,
    k BIGINT,
    gold_version VARCHAR NOT NULL,
    detail JSON NOT NULL
);

CREATE TABLE rule (
    position UINTEGER NOT NULL,
    label VARCHAR NOT NULL,
    boundary VARCHAR,
    meaning VARCHAR NOT NULL,
    signature VARCHAR NOT NULL,
    check_with VARCHAR NOT NULL,
    try_first VARCHAR NOT NULL,
    wasted VARCHAR NOT NULL,
    failure_point VARCHAR
);
