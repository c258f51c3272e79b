"""Which requests the gateway keeps; always all spans of one, or none."""

from collections import Counter

import pytest

from collector.receiving import all_arrive
from collector.sending import QUESTION, application, ask, ids_of, post, span
from collector.waiting import eventually

pytestmark = pytest.mark.otelcol

KEPT = {
    "error": {"broken": True},
    "refusal": {"said": {"decision": "refuse"}},
    "content filter": {"said": {"finish_reason": "content_filter"}},
    "test traffic": {"case_id": "case-1"},
}
SPANS_OF_A_REQUEST = 4


@pytest.fixture
def gateway(start, http_sink):
    http_sink.start()

    def run(**variables):
        return start(
            "gateway.yaml", RAGFAULT_NEXT_ENDPOINT=http_sink.endpoint, RAGFAULT_DECISION_WAIT="1s", **variables
        )

    return run


def _ask(collector, **how):
    """Ask once; return the ids of the spans."""
    with application(collector) as ids:
        try:
            ask(QUESTION, **how)
        except RuntimeError:
            assert how.get("broken")
    assert len(ids) == SPANS_OF_A_REQUEST
    return ids


def test_at_zero_percent_errors_refusals_and_test_traffic_are_kept_whole(gateway, http_sink):
    collector = gateway(RAGFAULT_SAMPLE_PERCENT="0")
    dropped = [one for said in ("answer", "clarify") for one in _ask(collector, said={"decision": said})]
    kept = {name: _ask(collector, **how) for name, how in KEPT.items()}
    arrived = all_arrive(http_sink, [one for ids in kept.values() for one in ids])
    assert not {one[:2] for one in arrived} & set(dropped)
    assert set(Counter(one.trace_id for one in arrived).values()) == {SPANS_OF_A_REQUEST}


def test_a_late_span_follows_the_decision_on_its_request(gateway, http_sink):
    collector = gateway(RAGFAULT_SAMPLE_PERCENT="0")
    with application(collector) as first:
        ask(QUESTION, case_id="case-1")
    all_arrive(http_sink, first)
    (trace, _) = first[0]
    late = span(99, {}, traceId=trace)
    assert post(collector, late) == 200
    all_arrive(http_sink, [(trace, late["spanId"])])


def test_more_requests_than_fit_into_memory_wait_and_none_is_forgotten(gateway, http_sink):
    collector = gateway(RAGFAULT_TRACES_IN_MEMORY="4")
    spans = [span(number, {}) for number in range(12)]
    assert post(collector, *spans) == 200
    arrived = all_arrive(http_sink, ids_of(spans))
    assert sorted(one[:2] for one in arrived) == sorted(ids_of(spans))


def test_by_default_every_request_is_kept(gateway, http_sink):
    assert len(all_arrive(http_sink, _ask(gateway()))) == SPANS_OF_A_REQUEST


def test_a_gateway_that_is_asked_to_end_decides_first(start, http_sink):
    collector = start("gateway.yaml", RAGFAULT_NEXT_ENDPOINT=http_sink.endpoint, RAGFAULT_DECISION_WAIT="1h")
    ids = _ask(collector)
    collector.stop()
    http_sink.start()
    collector.start()
    assert len(all_arrive(http_sink, ids)) == SPANS_OF_A_REQUEST


def test_what_is_kept_goes_to_another_backend_without_content(start, http_sink, another_sink):
    http_sink.start()
    another_sink.start()
    endpoints = {"RAGFAULT_NEXT_ENDPOINT": http_sink.endpoint, "RAGFAULT_BACKEND_ENDPOINT": another_sink.endpoint}
    headers = "{authorization: Bearer abc}"
    collector = start(
        "gateway.yaml",
        "options/backend.yaml",
        RAGFAULT_DECISION_WAIT="1s",
        RAGFAULT_BACKEND_HEADERS=headers,
        **endpoints,
    )
    ids = _ask(collector)
    ours, theirs = all_arrive(http_sink, ids), all_arrive(another_sink, ids)
    assert QUESTION in str(ours)
    assert QUESTION not in str(theirs)
    assert sorted(one[:2] for one in ours) == sorted(one[:2] for one in theirs)
    eventually(lambda: another_sink.authorizations)
    assert set(another_sink.authorizations) == {"Bearer abc"}
