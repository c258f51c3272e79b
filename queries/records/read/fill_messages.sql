-- Fill what a span does not say of its model call from the messages that its log records hold.
-- Grain: changes one row of stage a row of the view read_message.
-- What the span says itself stays. Content that came by log was not switched off. A call of a reranker or a judge is no
-- stage.
UPDATE stage
SET
    kind = CASE WHEN read_message.internal THEN NULL ELSE stage.kind END,
    input_text = coalesce(stage.input_text, read_message.input_text),
    output_text = coalesce(stage.output_text, read_message.output_text),
    finish_reasons = coalesce(stage.finish_reasons, read_message.finish_reasons),
    problems = CASE
        WHEN read_message.input_text IS NULL AND read_message.output_text IS NULL THEN stage.problems
        ELSE list_filter(stage.problems, lambda problem: problem <> 'content_off')
    END
FROM read_message
WHERE stage.trace_id = read_message.trace_id AND stage.span_id = read_message.span_id
