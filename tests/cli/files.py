"""Files that commands read: OTLP lines and gold."""

import json

from otel_ragfault import semconv as s

GOLD = (
    {"case_id": "right", "query": "how?", "evidence": [["g"]], "answer": {"must_contain": ["8 hours"]}, "tags": ["t"]},
    {"case_id": "below", "query": "why?", "evidence": [["g"]], "answer": {"must_contain": ["red"]}},
)


def write_lines(path, *lines):
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def _value(value):
    if isinstance(value, bool):
        return {"boolValue": value}
    return {"intValue": value} if isinstance(value, int) else {"stringValue": value}


def _messages(role, text):
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


def otlp(trace, *, case, query, ranked, prompt, answer, k=2):
    """An OTLP/JSON request with the four spans of one pipeline request."""
    stages = {
        s.STAGE_REQUEST: {s.RAGFAULT_CASE_ID: case, s.GEN_AI_INPUT_MESSAGES: _messages("user", query)},
        s.STAGE_RETRIEVAL: {
            s.GEN_AI_RETRIEVAL_DOCUMENTS: json.dumps([{"id": i, "score": 1 / (n + 1)} for n, i in enumerate(ranked)]),
            s.GEN_AI_RETRIEVAL_TOP_K: k,
            s.RAGFAULT_SCORE_KIND: s.SCORE_SIMILARITY,
            s.RAGFAULT_RETRIEVAL_COMPLETE: True,
        },
        s.STAGE_ASSEMBLY: {s.RAGFAULT_ASSEMBLY_CHUNK_IDS: json.dumps(prompt)},
        s.STAGE_GENERATION: {s.GEN_AI_OUTPUT_MESSAGES: _messages("assistant", answer)},
    }
    spans = [
        {
            "traceId": f"{trace:032x}",
            "spanId": f"{trace * 10 + number:016x}",
            "parentSpanId": "" if number == 0 else f"{trace * 10:016x}",
            "name": stage,
            "kind": 1,
            "startTimeUnixNano": str(1_790_000_000_000_000_000 + trace * 1000 + number),
            "endTimeUnixNano": str(1_790_000_001_000_000_000 + trace * 1000 + number),
            "attributes": [{"key": k, "value": _value(v)} for k, v in {s.RAGFAULT_STAGE: stage, **attributes}.items()],
        }
        for number, (stage, attributes) in enumerate(stages.items())
    ]
    resource = {"attributes": [{"key": s.SERVICE_NAME, "value": {"stringValue": "shop"}}]}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": spans}]}]}


TRACES = (  # gold in the prompt; gold at rank 3 where k is 2
    otlp(1, case="right", query="how?", ranked=["g", "x"], prompt=["g"], answer="It is 8 hours."),
    otlp(2, case="below", query="why?", ranked=["x", "y", "g"], prompt=["x", "y"], answer="It is blue."),
)
