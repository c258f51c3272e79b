"""What a request hands down to its spans, in this process and to the next."""

import pytest
from opentelemetry import baggage, context, propagate
from opentelemetry.baggage.propagation import W3CBaggagePropagator

from otel_ragfault import semconv
from otel_ragfault.capture import capture_failures, current_request_attributes, generation, request, retrieval

GIVEN = {
    "case_id": semconv.RAGFAULT_CASE_ID,
    "run_id": semconv.RAGFAULT_RUN_ID,
    "snapshot_id": semconv.RAGFAULT_SNAPSHOT_ID,
    "prompt_name": semconv.GEN_AI_PROMPT_NAME,
    "prompt_version": semconv.GEN_AI_PROMPT_VERSION,
}


def handed(span):
    return {name: span.attributes[name] for name in semconv.PROPAGATED if name in span.attributes}


@pytest.fixture
def fresh_context():
    mark = context.attach(context.Context())
    yield
    context.detach(mark)


def test_every_span_of_a_request_carries_its_attributes(recorded, no_failures):
    expected = {attribute: f"the {name}" for name, attribute in GIVEN.items()}
    with request(**{name: f"the {name}" for name in GIVEN}):
        retrieval(lambda: ["a"])()
        with recorded.tracer.start_as_current_span("of another instrumentation"):
            assert current_request_attributes() == expected

    assert len(recorded.all) == 3
    assert all(handed(span) == expected for span in recorded.all)
    assert current_request_attributes() == {}


@pytest.mark.parametrize(
    ("given", "written"),
    [
        pytest.param(["staff", "hr"], '["staff","hr"]', id="list"),
        pytest.param({"staff", "hr"}, '["hr","staff"]', id="set"),
        pytest.param("hr", '["hr"]', id="one name"),
        pytest.param([], "[]", id="a user without groups"),
        pytest.param([7], '["7"]', id="a number as id"),
    ],
)
def test_the_groups_of_the_user_are_on_every_span(recorded, no_failures, given, written):
    with request(groups=given):
        retrieval(lambda: ["a"])()
    request(groups=lambda call: call["user"])(lambda question, user: "text")("q", given)

    assert [handed(span) for span in recorded.all] == [{semconv.RAGFAULT_USER_GROUPS: written}] * 3


@pytest.mark.parametrize(
    "given", [{"hr": True}, 7, ["hr", None], ["hr", object()]], ids=["mapping", "number", "a hole", "an object"]
)
def test_groups_that_are_no_names_are_left_out_whole_and_counted(recorded, given):
    with request(groups=given):
        pass

    assert handed(recorded.all[0]) == {}, "some of the groups would say that the user has no others"
    assert capture_failures()["groups"] == 1


def test_a_span_keeps_what_it_says_itself(recorded, no_failures):
    with request(prompt_version="1"):
        generation(prompt_version="2")(lambda: "text")()
        with recorded.tracer.start_as_current_span("x", attributes={semconv.GEN_AI_PROMPT_VERSION: "3"}):
            pass

    assert [handed(span)[semconv.GEN_AI_PROMPT_VERSION] for span in recorded.all] == ["2", "3", "1"]


def test_an_inner_request_inherits_and_overrides(recorded, no_failures):
    with request(case_id="outer", run_id="r"), request(case_id="inner"):
        retrieval(lambda: ["a"])()

    assert handed(recorded.all[0]) == {semconv.RAGFAULT_CASE_ID: "inner", semconv.RAGFAULT_RUN_ID: "r"}


def test_a_request_may_take_them_from_the_call(recorded, no_failures):
    ask = request(case_id=lambda call: call["case"])(lambda question, case=None: "text")
    ask("q", case="c-1")
    ask("q")

    assert [handed(span) for span in recorded.all] == [{semconv.RAGFAULT_CASE_ID: "c-1"}, {}]


@pytest.mark.parametrize("case", ["c-1", "fälle und mehr; a=b,c", "日本"], ids=["plain", "punctuation", "wide"])
def test_they_cross_processes_in_baggage_when_asked(recorded, no_failures, fresh_context, case):
    carrier = {}
    with request(case_id=case, propagate=True):
        W3CBaggagePropagator().inject(carrier)
    arrived = W3CBaggagePropagator().extract(carrier)
    mark = context.attach(arrived)
    retrieval(lambda: ["a"])()
    context.detach(mark)

    assert handed(recorded.named("retrieval <lambda>")) == {semconv.RAGFAULT_CASE_ID: case}


def test_they_stay_in_the_process_by_default(recorded, no_failures):
    carrier = {}
    with request(case_id="c"):
        propagate.inject(carrier)

    assert "baggage" not in carrier


def test_baggage_of_others_is_left_alone(recorded, no_failures, fresh_context):
    mark = context.attach(baggage.set_baggage("user", "u", baggage.set_baggage(semconv.RAGFAULT_RUN_ID, "r")))
    with request(case_id="c", propagate=True):
        assert baggage.get_baggage("user") == "u"
        retrieval(lambda: ["a"])()
    context.detach(mark)

    assert dict(recorded.all[0].attributes).get("user") is None
    assert handed(recorded.all[0]) == {semconv.RAGFAULT_CASE_ID: "c", semconv.RAGFAULT_RUN_ID: "r"}
