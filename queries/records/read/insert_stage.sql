-- Put what the conventions read beside what stage.sql made of the same spans, which goes afterwards.
-- Grain: one row of stage a row of the view read_stage.
INSERT INTO stage BY NAME
SELECT
    stage.trace_id,
    stage.span_id,
    stage.parent_span_id,
    stage.start_time,
    stage.end_time,
    stage.service,
    FALSE AS own,
    stage.failed,
    stage.status_message,
    stage.dropped_attributes,
    stage.user_groups,
    read_stage.* EXCLUDE (row)
FROM read_stage
JOIN stage ON stage.row = read_stage.row
