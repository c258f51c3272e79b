-- Take away what stage.sql made of the spans that a convention has read.
-- Grain: removes a row of stage a row of the view read_stage.
DELETE FROM stage
USING read_stage
WHERE stage.trace_id = read_stage.trace_id AND stage.span_id = read_stage.span_id
