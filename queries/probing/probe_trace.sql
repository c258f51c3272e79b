-- The traces among those that are being built that are runs of probes, and so no requests of the pipeline.
-- Grain: one row a trace (trace_id), temporary. The relation dirty_trace names the traces to build.
-- The name of a span is looked at first: it is short, and attributes are long.
CREATE OR REPLACE TEMP TABLE probe_trace AS
SELECT DISTINCT span.trace_id
FROM span
SEMI JOIN dirty_trace ON dirty_trace.trace_id = span.trace_id
WHERE
    contains(span.name, 'ragfault.probe')
    AND json_extract_string(span.attributes, '$."ragfault.probe.id"') IS NOT NULL
