"""The model judge against a server of its own: what it makes of every kind of reply, and that nothing is paid twice."""

import json
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from judging.judged import database, judge, scripted, settings, verdicts
from judging.stub import Says, good, keys_of, serving, words
from otel_ragfault.errors import DatabaseBusyError, InputError
from otel_ragfault.jobs.judge import plan_judging
from otel_ragfault.judging.model import Endpoint, Journal
from otel_ragfault.model import Config
from otel_ragfault.store import connect
from queries.world import put_request

NOT_A_CHOICE = '{"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": []}'


@pytest.fixture
def one(tmp_path):
    return database(tmp_path / "one.duckdb", 1)


@pytest.fixture
def three(tmp_path):
    return database(tmp_path / "three.duckdb", 3)


@pytest.mark.parametrize(
    ("replies", "value", "failure", "requests"),
    [
        pytest.param([], True, None, 1, id="every question as wanted"),
        pytest.param([lambda r: Says(words(r, "no"))], False, None, 1, id="one the other way"),
        pytest.param([lambda r: Says(words(r, "unclear"))], None, None, 1, id="cannot tell"),
        pytest.param([lambda r: Says(f"```json\n{good(r)}\n```")], True, None, 1, id="in a fence of its own"),
        pytest.param([lambda r: Says(good(r), usage=False)], True, None, 1, id="no count of tokens"),
        pytest.param([Says("sure!")], True, None, 2, id="no JSON, then well"),
        pytest.param([Says("sure!"), Says("[]")], None, "malformed", 2, id="no JSON twice"),
        pytest.param([Says('{"reason": "x"}')] * 2, None, "malformed", 2, id="a key is missing"),
        pytest.param([lambda r: Says(words(r, "maybe"))] * 2, None, "malformed", 2, id="another word"),
        pytest.param([Says('{"reas', finish="length")], None, "cut", 1, id="cut off"),
        pytest.param([Says(refusal="I cannot help")], None, "declined", 1, id="the model declines"),
        pytest.param([Says(None, finish="content_filter")], None, "declined", 1, id="a content filter"),
        pytest.param([Says(None)] * 2, None, "malformed", 2, id="no content"),
        pytest.param([Says(raw="<html>")], None, "not_openai", 1, id="another kind of server"),
        pytest.param([Says(raw=NOT_A_CHOICE)], None, "not_openai", 1, id="no choice"),
        pytest.param([Says(status=500), Says(status=503)], True, None, 3, id="errors of the server, then well"),
        pytest.param([Says(status=500)] * 5, None, "server_error", 5, id="errors of the server only"),
        pytest.param([Says(status=429)] * 5, None, "rate_limit", 5, id="rate limit for ever"),
        pytest.param([Says(status=401)], None, "not_allowed", 1, id="a wrong key"),
        pytest.param([Says(status=404)], None, "not_found", 1, id="no such model"),
        pytest.param([Says(status=418)], None, "bad_request", 1, id="an error of ours"),
        pytest.param([Says("sure!"), *[Says(status=500)] * 4], None, "malformed", 2, id="paid and useless"),
    ],
)
def test_every_reply_becomes_one_row(one, replies, value, failure, requests):
    with serving(scripted(*replies)) as stub:
        run = judge(one, stub)
    if failure == "malformed" and len(replies) > 2:
        requests = len(stub.requests)  # the second try may fail in its own ways
    assert verdicts(one) == [(1, value, failure)]
    assert (len(stub.requests), run.verdicts) == (requests, 1)
    assert run.failures == ({failure: 1} if failure else {})
    ((reason,),) = verdicts(one, "reason")
    assert reason
    assert failure is None or reason.startswith(f"{failure}: ")


def test_a_reply_is_kept_with_its_reason_score_and_origin_of_judgement(one):
    with serving(scripted(lambda r: Says(words(r, "no", to_the_question="yes")))) as stub:
        judge(one, stub)
    ((reason, score, judged, prompt, subject),) = verdicts(one, "reason, score, judge, prompt_version, subject")
    assert (reason, judged, prompt, subject) == ("so it is [states_required]", "m", "checklist-1", "answer")
    assert score == pytest.approx(2 / 3)


def test_nobody_listens(one):
    with serving() as stub:
        pass
    run = judge(one, stub)
    assert verdicts(one) == [(1, None, "unreachable")]
    assert run.requests == 1
    assert run.stopped_by.startswith("the endpoint fails: no connection to 127.0.0.1:")


REFUSALS = {
    "a wrong key": Says(status=401),
    "a key without rights": Says(status=403),
    "no such model": Says(status=404),
    "a page": Says(raw="<html>hello</html>", headers={"Content-Type": "text/html"}),
    "errors of the server": Says(status=500),
    "nobody listens": None,
}


@pytest.mark.parametrize("budget", [None, 2], ids=["no budget", "a budget"])
@pytest.mark.parametrize("says", REFUSALS.values(), ids=REFUSALS)
def test_an_endpoint_that_never_replies_is_what_ends_a_run_and_not_its_budget(tmp_path, says, budget):
    path = database(tmp_path / "many.duckdb", 12)
    with serving(lambda number, request: says) as stub:
        if says is not None:
            run = judge(path, stub, budget=budget, concurrency=4, attempts=1)
    if says is None:
        run = judge(path, stub, budget=budget, concurrency=4)
    assert run.endpoint_fails
    assert run.stopped_by.startswith("the endpoint fails: ")
    assert run.requests <= (2 if budget else 13 if says is REFUSALS["errors of the server"] else 4)


def test_a_slow_reply_is_a_timeout(one):
    never = threading.Event()
    with serving(lambda number, request: Says(good(request), wait=never)) as stub:
        judge(one, stub, timeout=0.2, attempts=2)
        never.set()
    assert verdicts(one) == [(1, None, "timeout")]


@pytest.mark.parametrize(
    "told",
    [
        pytest.param(lambda: "0.4", id="seconds"),
        pytest.param(lambda: format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True), id="a date"),
    ],
)
def test_nobody_is_asked_before_retry_after_has_passed(three, told):
    asked = []

    def behave(number, request):
        asked.append(time.monotonic())
        return Says(status=429, headers={"Retry-After": told()}) if number == 0 else Says(good(request))

    with serving(behave) as stub:
        judge(three, stub)
    assert asked[1] - asked[0] >= 0.38
    assert len(verdicts(three)) == 3


def test_a_rate_limit_holds_back_every_thread(tmp_path):
    path = database(tmp_path / "many.duckdb", 12)
    asked, together = [], threading.Barrier(3)

    def behave(number, request):
        asked.append(time.monotonic())
        if number >= 3:
            return Says(good(request))
        together.wait(20)
        return Says(status=429, headers={"Retry-After": "0.5"})

    with serving(behave) as stub:
        judge(path, stub, concurrency=3)
    assert len(verdicts(path, where="value")) == 12
    assert min(asked[3:]) - max(asked[:3]) >= 0.4


def test_what_a_server_does_not_know_is_left_out_from_then_on(three):
    def behave(number, request):
        if "max_completion_tokens" not in request:
            return Says(status=400, error="use max_completion_tokens instead")
        if "temperature" in request:
            return Says(status=400, error="temperature is not supported")
        if request.get("response_format", {}).get("type") == "json_schema":
            return Says(status=400, error="response_format: unknown type")
        if "response_format" in request:
            return Says(status=422, error="extra field")
        return Says(good(request))

    with serving(behave) as stub:
        judge(three, stub)
    assert verdicts(three) == [(1, True, None), (2, True, None), (3, True, None)]
    assert len(stub.requests) == 3 + 4
    assert set(stub.requests[-1]) == {"model", "messages", "max_completion_tokens"}


def test_a_server_that_knows_it_is_given_the_schema_of_the_reply(one):
    with serving() as stub:
        judge(one, stub)
    (request,) = stub.requests
    schema = request["response_format"]["json_schema"]["schema"]
    assert schema["required"] == ["reason", *keys_of(request)]
    assert schema["additionalProperties"] is False


def test_an_endpoint_that_fails_ten_times_in_a_row_is_given_up(tmp_path):
    path = database(tmp_path / "many.duckdb", 30)
    with serving(lambda number, request: Says(status=500)) as stub:
        run = judge(path, stub, attempts=1)
        assert run.stopped_by.startswith("the endpoint fails: HTTP 500")
        assert (len(stub.requests), run.remaining) == (10, 20)
    assert len(verdicts(path)) == 10


def test_a_wrong_key_is_found_out_with_the_first_question(three):
    with serving(lambda number, request: Says(status=401)) as stub:
        run = judge(three, stub)
    assert (len(stub.requests), run.remaining) == (1, 2)
    assert run.stopped_by.startswith("the endpoint fails: HTTP 401")


def test_a_budget_of_requests_ends_a_run_and_the_next_goes_on(three):
    with serving() as stub:
        first = judge(three, stub, budget=2)
        second = judge(three, stub, budget=2)
    assert (first.verdicts, first.remaining, first.stopped_by) == (2, 1, "the budget is spent")
    assert (second.done_before, second.verdicts, second.remaining, second.stopped_by) == (2, 1, 0, None)
    assert len(stub.requests) == len(set(stub.questions)) == 3
    assert len(verdicts(three)) == 3


def test_a_budget_of_tokens_is_not_overspent_by_threads_together(tmp_path):
    path = database(tmp_path / "many.duckdb", 20)
    with serving() as stub:
        run = judge(path, stub, tokens=2000, concurrency=8)
    assert run.input_tokens + run.output_tokens <= 2000
    assert 0 < run.requests < 20
    assert run.remaining == 20 - run.requests


def test_the_same_question_of_two_requests_is_asked_once(tmp_path):
    path = database(tmp_path / "same.duckdb", 1)
    with connect(path) as con:
        put_request(con, 2, case_id="case-1", query="question 1", answer="answer 1")
    with serving() as stub:
        run = judge(path, stub)
    assert len(stub.requests) == 1
    assert verdicts(path) == [(1, True, None), (2, True, None)]
    assert run.verdicts == 2


def test_a_reply_that_was_paid_is_used_for_a_request_that_comes_later(one):
    with serving() as stub:
        judge(one, stub)
        with connect(one) as con:
            put_request(con, 2, case_id="case-1", query="question 1", answer="answer 1")
        run = judge(one, stub)
    assert len(stub.requests) == 1
    assert (run.from_cache, run.done_before) == (1, 1)
    assert len(verdicts(one)) == 2


@pytest.mark.parametrize(
    ("change", "asked"),
    [
        pytest.param("UPDATE request SET answer = 'another'", 2, id="another answer"),
        pytest.param('UPDATE gold_case SET answer_check = \'{"equals": "x"}\'', 2, id="other gold"),
        pytest.param("UPDATE request SET k = 7", 1, id="something that is not shown"),
    ],
)
def test_what_changes_is_asked_again_and_what_changes_back_is_known(one, change, asked):
    with serving() as stub:
        judge(one, stub)
        with connect(one) as con:
            (before,) = con.execute("SELECT answer FROM request").fetchall()
            (check,) = con.execute("SELECT answer_check FROM gold_case").fetchall()
            con.execute(change)
        judge(one, stub)
        assert len(stub.requests) == asked
        with connect(one) as con:
            con.execute("UPDATE request SET answer = ?", before)
            con.execute("UPDATE gold_case SET answer_check = ?", check)
        judge(one, stub)
        judge(one, stub)
    assert len(stub.requests) == asked
    assert len(verdicts(one)) == (3 if asked == 2 else 1)


def test_repeats_and_models_are_questions_of_their_own(one):
    with serving() as stub:
        judge(one, stub, repeats=3)
        judge(one, stub, repeats=3, model="other")
        judge(one, stub, repeats=4)
    assert len(stub.requests) == 7
    assert verdicts(one, "judge, repeat_no") == [(m, n) for n in (1, 2, 3) for m in ("m", "other")] + [("m", 4)]


def test_a_failure_without_a_reply_is_asked_again_and_a_useless_reply_only_on_demand(three):
    with serving(scripted(Says(status=500), Says("?"), Says("?"))) as stub:
        judge(three, stub, attempts=2)  # the first fails, its retry is useless, so is the second's first
        seen = len(stub.requests)
        failures = {failure for *_, failure in verdicts(three)}
        judge(three, stub)
        assert len(stub.requests) == seen
        assert failures == {None, "malformed"}
        judge(three, stub, retry_failed=True)
    newest = {request: value for request, value, _ in verdicts(three)}
    assert newest == {1: True, 2: True, 3: True}


def test_the_same_failure_again_is_no_second_row(one):
    with serving(lambda number, request: Says(status=500)) as stub:
        for _ in range(2):
            judge(one, stub, attempts=1)
        assert len(stub.requests) == 2
    assert verdicts(one) == [(1, None, "server_error")]


def test_only_one_run_at_a_time(one):
    with Journal(one, "m"), serving() as stub, pytest.raises(DatabaseBusyError, match="another run"):
        judge(one, stub)
    assert stub.requests == []


def test_a_reply_in_the_journal_is_taken_up_and_a_torn_line_is_not(one, tmp_path):
    with serving() as stub:
        judge(one, stub)
        with connect(one) as con:
            ((key, reply),) = con.execute("SELECT question_key, reply FROM judge_reply").fetchall()
            con.execute("DELETE FROM judge_reply")
            con.execute("DELETE FROM verdict")
        journal = one.with_name(one.name + ".judge.jsonl")
        assert not journal.exists()
        line = (
            f'{{"question_key":"{key}","model":"m","reply":{json.dumps(reply)},"failure":null,'
            '"input_tokens":1,"output_tokens":1,"attempts":1,"replied_at":"2026-01-01T00:00:00"}\n'
        )
        journal.write_text(line * 2 + line[:40])
        run = judge(one, stub)
        again = judge(one, stub)
    assert len(stub.requests) == 1
    assert (run.from_cache, again.from_cache, again.done_before) == (1, 0, 1)
    assert verdicts(one) == [(1, True, None)]
    assert not journal.exists()


def test_a_damaged_journal_is_named_with_its_line(one):
    journal = one.with_name(one.name + ".judge.jsonl")
    journal.write_text("{}x\n")
    with serving() as stub, pytest.raises(InputError, match=r"judge\.jsonl:1: is no reply of a judge"):
        judge(one, stub)
    assert journal.read_text() == "{}x\n"


def test_a_dry_run_counts_and_asks_nothing(three):
    with serving() as stub:
        judge(three, stub, budget=1)
        with connect(three) as con:
            plan = plan_judging(con, Config(), settings(stub, subjects=("answer", "citation")))
    assert (len(plan.unpaid), plan.done) == (2, 1)
    assert plan.input_tokens > 2 * 200
    assert plan.skipped == {"citation: there is no claim to judge": 3}
    assert len(stub.requests) == 1


def test_only_what_nobody_could_tell(three):
    with connect(three) as con:
        con.execute(
            "INSERT INTO verdict BY NAME SELECT request_id, 'answer' AS subject, TRUE AS value, 'human' AS source, 'a' AS judge, "
            "'c' AS config, now() AS judged_at FROM request WHERE case_id <> 'case-2'"
        )
    with serving() as stub:
        judge(three, stub, undecided=True)
    assert verdicts(three) == [(2, True, None)]


def test_without_the_extra_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(InputError, match=r"pip install 'otel-ragfault\[judge\]'"):
        Endpoint("http://127.0.0.1:1/v1", "m", api_key=None)
