-- The tables of schema version 2, as the releases that wrote it created them.

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
    attributes JSON NOT NULL USING COMPRESSION zstd,
    events JSON USING COMPRESSION zstd,
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
    body JSON USING COMPRESSION zstd,
    attributes JSON NOT NULL USING COMPRESSION zstd,
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
    trace_ids UUID[],
    anchor_span_id UBIGINT,
    case_id VARCHAR,
    run_id VARCHAR,
    session_id VARCHAR,
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
    built_at TIMESTAMP NOT NULL,
    user_groups VARCHAR[],
    id_source VARCHAR,
    id_snapshot VARCHAR,
    hit_texts BOOLEAN
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
    acceptable_sources VARCHAR[],
    labelled_by VARCHAR,
    labelled_at TIMESTAMP,
    source VARCHAR,
    file VARCHAR,
    line UBIGINT,
    gold_version VARCHAR NOT NULL,
    loaded_at TIMESTAMP NOT NULL
);

CREATE TABLE gold_evidence (
    case_id VARCHAR NOT NULL,
    group_no UINTEGER NOT NULL,
    member_no UINTEGER NOT NULL,
    chunk_id VARCHAR,
    doc_id VARCHAR,
    quote VARCHAR
);

CREATE TABLE gold_version (
    case_id VARCHAR NOT NULL,
    gold_version VARCHAR NOT NULL,
    content JSON NOT NULL,
    file VARCHAR NOT NULL,
    line UBIGINT NOT NULL,
    loaded_at TIMESTAMP NOT NULL
);

CREATE TABLE resolved_quote (
    snapshot_id VARCHAR NOT NULL,
    case_id VARCHAR NOT NULL,
    claim_id VARCHAR,
    group_no UINTEGER NOT NULL,
    member_no UINTEGER NOT NULL,
    state VARCHAR NOT NULL,
    score DOUBLE,
    split BOOLEAN NOT NULL,
    chunk_ids VARCHAR[] NOT NULL,
    threshold DOUBLE NOT NULL,
    gold_version VARCHAR NOT NULL,
    resolved_at TIMESTAMP NOT NULL
);

CREATE TABLE resolved_evidence (
    snapshot_id VARCHAR NOT NULL,
    case_id VARCHAR NOT NULL,
    group_no UINTEGER NOT NULL,
    member_no UINTEGER NOT NULL,
    chunk_id VARCHAR,
    quote VARCHAR,
    gold_group_no UINTEGER NOT NULL,
    split BOOLEAN NOT NULL,
    evidence_known BOOLEAN NOT NULL
);

CREATE TABLE corpus_snapshot (
    snapshot_id VARCHAR NOT NULL,
    chunks UBIGINT NOT NULL,
    source VARCHAR NOT NULL,
    loaded_at TIMESTAMP NOT NULL,
    series UINTEGER NOT NULL,
    place UINTEGER NOT NULL,
    observed_at TIMESTAMP
);

CREATE TABLE corpus_stored_chunk (
    series UINTEGER NOT NULL,
    first_place UINTEGER NOT NULL,
    last_place UINTEGER,
    chunk_id VARCHAR NOT NULL,
    doc_id VARCHAR,
    position UINTEGER,
    text VARCHAR,
    text_hash VARCHAR,
    version VARCHAR,
    valid_from TIMESTAMP,
    valid_to TIMESTAMP,
    observed_at TIMESTAMP,
    permitted VARCHAR[]
);

CREATE TABLE verdict (
    request_id UUID NOT NULL,
    subject VARCHAR NOT NULL,
    target VARCHAR,
    claim_id VARCHAR,
    claim VARCHAR,
    value BOOLEAN,
    score DOUBLE,
    reason VARCHAR,
    failure VARCHAR,
    source VARCHAR NOT NULL,
    judge VARCHAR,
    config VARCHAR NOT NULL,
    prompt_version VARCHAR,
    extractor_version VARCHAR,
    repeat_no UINTEGER NOT NULL DEFAULT 1,
    judged_at TIMESTAMP NOT NULL,
    origin VARCHAR
);

CREATE TABLE answer_claim (
    request_id UUID NOT NULL,
    claim_id VARCHAR NOT NULL,
    claim_no UINTEGER NOT NULL,
    text VARCHAR NOT NULL,
    first UINTEGER NOT NULL,
    last UINTEGER NOT NULL,
    cited_ids VARCHAR[] NOT NULL,
    needs_support BOOLEAN NOT NULL,
    extractor_version VARCHAR NOT NULL,
    answer_digest VARCHAR NOT NULL,
    extracted_at TIMESTAMP NOT NULL
);

CREATE TABLE claim_check (
    request_id UUID NOT NULL,
    config VARCHAR NOT NULL,
    checked_at TIMESTAMP NOT NULL
);

CREATE TABLE evaluation (
    evaluation_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    score DOUBLE,
    label VARCHAR,
    explanation VARCHAR,
    error_type VARCHAR,
    annotator_kind VARCHAR,
    judge VARCHAR,
    scope VARCHAR NOT NULL,
    trace_id UUID,
    span_id UBIGINT,
    response_id VARCHAR,
    evaluated_at TIMESTAMP NOT NULL,
    origin VARCHAR NOT NULL,
    segment_id UUID NOT NULL
);

CREATE TABLE judging_policy (
    human_trust UTINYINT NOT NULL,
    rule_trust UTINYINT NOT NULL,
    code_trust UTINYINT NOT NULL,
    model_trust UTINYINT NOT NULL,
    agreement_floor DOUBLE NOT NULL,
    kappa_floor DOUBLE,
    citations_required BOOLEAN
);

CREATE TABLE judge_reply (
    question_key VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    reply VARCHAR,
    failure VARCHAR,
    input_tokens BIGINT,
    output_tokens BIGINT,
    attempts UINTEGER NOT NULL,
    replied_at TIMESTAMP NOT NULL
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
