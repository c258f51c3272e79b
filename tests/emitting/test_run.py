"""What is sent, once: labels and verdicts as events, remembered a destination, taken up again after a failure."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from emitting.receivers import answered, attributes, grpc_receiver, http_receiver
from otel_ragfault.errors import InputError
from otel_ragfault.jobs.emitting import Scope, destination, emit, waiting_events
from otel_ragfault.jobs.emitting.sending import Sender
from otel_ragfault.store import connect

EVENTS = 51  # of the demonstration: 8 labels, 40 verdicts by rule, 3 of others


def run(db, url, scope=Scope(), name=None):  # noqa: B008 - it is frozen
    where = destination(url, None, name, {})
    sender = Sender(where)
    try:
        return emit(lambda: connect(db, read_only=True), lambda: connect(db), where, sender, scope)
    finally:
        sender.close()


def waiting(db, scope=Scope(), name="x"):  # noqa: B008
    where = destination("http://127.0.0.1:1", None, name, {})
    return list(waiting_events(lambda: connect(db, read_only=True), where, scope))


def told(kept):
    return [attributes(record) for record in kept.records]


def by(kept, name, case):
    """The attributes of the events with a name about a case."""
    return [one for one in told(kept) if (one["gen_ai.evaluation.name"], one["ragfault.case_id"]) == (name, case)]


@pytest.fixture
def sent(db):
    with http_receiver() as (url, kept):
        run(db, url)
    return kept


def test_a_label_is_an_event_with_the_rule_as_its_label(sent):
    (label,) = by(sent, "ragfault.label", "long-haul-cabin")
    assert label.pop("ragfault.labelling.id").startswith("20")
    assert len(label.pop("ragfault.evaluation.id")) == 32
    assert label == {
        "gen_ai.evaluation.name": "ragfault.label",
        "gen_ai.evaluation.score.label": "retrieval.below_k",
        "gen_ai.evaluation.score.value": 0.0,
        "gen_ai.evaluation.explanation": "The required chunk was found, and ranked beyond k. Group 1: ranked 3, "
        "score 4.217. Try first: Reranking, or a larger k together with a larger context budget.",
        "ragfault.case_id": "long-haul-cabin",
        "ragfault.evaluation.subject": "label",
        "ragfault.evaluation.source": "rule",
        "ragfault.label.boundary": "retrieval",
        "ragfault.label.outcome": "wrong",
        "ragfault.label.latent": False,
    }


def test_a_pass_scores_one_and_has_no_boundary(sent):
    (label,) = by(sent, "ragfault.label", "meal-allowance")
    assert (label["gen_ai.evaluation.score.label"], label["gen_ai.evaluation.score.value"]) == ("pass", 1.0)
    assert "ragfault.label.boundary" not in label
    assert "Try first" not in label["gen_ai.evaluation.explanation"]


def test_what_people_models_and_rules_say_of_an_answer_are_events_of_their_own(sent):
    said = {
        one["ragfault.evaluation.source"]: (
            one["gen_ai.evaluation.score.label"],
            one["gen_ai.evaluation.score.value"],
            one.get("ragfault.evaluation.judge"),
        )
        for one in by(sent, "correctness", "business-10h")
    }
    assert said == {"rule": ("incorrect", 0.0, None), "human": ("correct", 1.0, "ann")}
    models = [one for one in by(sent, "groundedness", "zurich-hotel") if one["ragfault.evaluation.source"] == "model"]
    assert [(one["gen_ai.evaluation.score.label"], one["gen_ai.evaluation.score.value"]) for one in models] == [
        ("not_grounded", 0.2)
    ]


def test_each_event_is_in_the_context_of_the_span_that_was_judged(sent, db):
    with connect(db, read_only=True) as con:
        rows = con.execute("SELECT trace_id, span_id, stage FROM span").fetchall()
    stages = {(trace.bytes, span.to_bytes(8)): stage for trace, span, stage in rows}
    found = {
        (one["ragfault.evaluation.subject"] == "label", stages[record.trace_id, record.span_id])
        for record, one in zip(sent.records, told(sent), strict=True)
    }
    assert found == {(True, "request"), (False, "generation")}


def test_a_second_run_sends_nothing(db):
    with http_receiver() as (url, kept):
        first, second = run(db, url), run(db, url)
    assert (sum(first.sent.values()), first.before, first.stopped_by) == (EVENTS, 0, None)
    assert (second.sent, second.before) == ({}, EVENTS)
    assert len(kept.records) == len(set(kept.ids)) == EVENTS


def test_another_destination_gets_everything_with_the_same_ids(db):
    with http_receiver() as (url, kept), http_receiver() as (other, theirs):
        run(db, url)
        run(db, other)
        assert run(db, url, name="tenant-7").before == 0
    assert sorted(theirs.ids) == sorted(set(kept.ids))
    assert len(kept.records) == 2 * EVENTS


def test_labelling_again_is_no_news_unless_a_label_changes(db, relabel):
    with http_receiver() as (url, kept):
        run(db, url)
        relabel(db)
        assert run(db, url).sent == {}
        with connect(db) as con:
            con.execute("UPDATE gold_case SET answer_check = NULL WHERE case_id = 'meal-allowance'")
            con.execute("DELETE FROM verdict WHERE subject = 'answer'")
        changed = relabel(db)
        kept.records.clear()
        run(db, url, Scope(only="labels"))
        relabel(db)
        assert run(db, url, Scope(only="labels")).sent == {}
    (label,) = by(kept, "ragfault.label", "meal-allowance")
    assert (label["gen_ai.evaluation.score.label"], label["ragfault.labelling.id"]) == ("unknown.verdict", changed)
    assert "gen_ai.evaluation.score.value" not in label


def test_a_label_that_comes_back_is_sent_again(db, relabel):
    def labels():
        return {event.attributes["ragfault.case_id"]: event for event in waiting(db, Scope(only="labels"))}

    once = labels()["long-haul-cabin"]
    with connect(db) as con:
        con.execute("UPDATE request SET k = 3 WHERE case_id = 'long-haul-cabin'")
    relabel(db)
    changed = labels()["long-haul-cabin"]
    with connect(db) as con:
        con.execute("UPDATE request SET k = 2 WHERE case_id = 'long-haul-cabin'")
    relabel(db)
    again = labels()["long-haul-cabin"]
    assert [one.attributes["gen_ai.evaluation.score.label"] for one in (once, changed, again)] == [
        "retrieval.below_k",
        "assembly.cut",
        "retrieval.below_k",
    ]
    assert len({once.event_id, changed.event_id, again.event_id}) == 3


def test_an_older_labelling_can_be_sent(db, relabel):
    with connect(db) as con:
        ((first,),) = con.execute("SELECT max(run_id) FROM label_run").fetchall()
        con.execute("UPDATE request SET k = 3 WHERE case_id = 'long-haul-cabin'")
    relabel(db)
    found = {
        event.attributes["ragfault.case_id"]: event.attributes["gen_ai.evaluation.score.label"]
        for event in waiting(db, Scope(labelling=first, only="labels"))
    }
    assert found["long-haul-cabin"] == "retrieval.below_k"
    with pytest.raises(InputError, match=f"found labelling 'none'.*such as .*{first}"):
        waiting(db, Scope(labelling="none"))


def test_what_a_judge_takes_back_is_sent_and_what_it_never_could_tell_is_not(db):
    def of_ann():
        return [
            event.attributes["gen_ai.evaluation.score.label"]
            for event in waiting(db, Scope(only="verdicts"))
            if event.attributes.get("ragfault.evaluation.judge") == "ann"
            and event.attributes["ragfault.case_id"] == "business-10h"
        ]

    insert = (
        "INSERT INTO verdict BY NAME SELECT * REPLACE (NULL::BOOLEAN AS value, now()::TIMESTAMP AS judged_at, "
        "$subject AS subject) FROM verdict WHERE judge = 'ann' AND subject = 'answer' AND value LIMIT 1"
    )
    assert of_ann() == ["correct"]
    with connect(db) as con:
        con.execute(insert, {"subject": "grounded"})
        assert con.execute("SELECT count(*) FROM verdict WHERE judge = 'ann' AND value IS NULL").fetchone() == (1,)
    assert of_ann() == ["correct"]
    with connect(db) as con:
        con.execute(insert, {"subject": "answer"})
    assert of_ann() == ["unknown"]


def test_a_judge_that_failed_is_an_event_with_an_error_and_no_score(db):
    with connect(db) as con:
        con.execute("UPDATE verdict SET value = NULL, score = NULL, failure = 'timeout' WHERE judge = 'm-1'")
    (event,) = [one for one in waiting(db) if one.attributes.get("ragfault.evaluation.judge") == "m-1"]
    assert event.attributes["error.type"] == "timeout"
    assert not {"gen_ai.evaluation.score.label", "gen_ai.evaluation.score.value"} & set(event.attributes)


def test_content_can_be_left_out(db):
    loud, quiet = waiting(db), waiting(db, Scope(content=False))
    texts = {"gen_ai.evaluation.explanation", "ragfault.evaluation.claim"}
    assert texts <= {name for event in loud for name in event.attributes}
    assert not texts & {name for event in quiet for name in event.attributes}
    assert [event.event_id for event in loud] == [event.event_id for event in quiet]


def test_only_what_started_since(db):
    with connect(db, read_only=True) as con:
        ((last,),) = con.execute("SELECT max(started_at) FROM request").fetchall()
    from datetime import UTC, timedelta

    assert {event.attributes["ragfault.case_id"] for event in waiting(db, Scope(since=last.replace(tzinfo=UTC)))} == {
        "meal-allowance"
    }
    assert waiting(db, Scope(since=last.replace(tzinfo=UTC) + timedelta(seconds=1))) == []


def test_a_receiver_that_goes_away_leaves_nothing_marked_that_it_did_not_take(db, monkeypatch):
    monkeypatch.setattr("otel_ragfault.jobs.emitting.run._EVENTS", 10)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    open_for = [10, 10]

    def answer(records):
        return (200, answered()) if open_for and open_for.pop() else (503, b"")

    with http_receiver(answer) as (url, kept):
        done = run(db, url)
        assert (sum(done.sent.values()), done.stopped_by) == (20, "HTTP 503 Service Unavailable")
        accepted = kept.ids[:20]
        open_for.extend([1] * 9)
        kept.records.clear()
        rest = run(db, url)
    assert (rest.before, sum(rest.sent.values()), rest.stopped_by) == (20, EVENTS - 20, None)
    assert not set(accepted) & set(kept.ids)


def test_of_a_batch_that_was_refused_in_part_each_event_is_told_apart(db):
    def answer(records):
        bad = [one for one in records if attributes(one)["gen_ai.evaluation.name"] == "refusal"]
        return 200, answered(len(bad), "no refusals here" if bad else "")

    with http_receiver(answer) as (url, kept):
        done = run(db, url)
        assert (done.rejected, sum(done.sent.values()), done.reasons) == (9, EVENTS - 9, ["no refusals here"])
        kept.records.clear()
        again = run(db, url)
    assert (again.rejected, again.sent) == (9, {})
    assert {one["gen_ai.evaluation.name"] for one in told(kept)} == {"refusal"}
    assert len(kept.records) == 9, "a batch that was refused as a whole is not taken apart"


def test_grpc_marks_as_well(db):
    with grpc_receiver() as (url, kept):
        where = destination(url, "grpc", None, {})
        sender = Sender(where)
        done = emit(lambda: connect(db, read_only=True), lambda: connect(db), where, sender, Scope())
        sender.close()
    assert sum(done.sent.values()) == len(kept.records) == EVENTS


def test_a_run_that_is_killed_between_acceptance_and_mark_sends_the_same_ids_again(db):
    """The receiver kills the sender when the first batch is with it: nothing can be marked."""
    started = []

    def answer(_):
        if len(started) == 1:
            started[0].send_signal(signal.SIGKILL)
            time.sleep(0.2)
        return 200, answered()

    with http_receiver(answer) as (url, kept):
        command = [sys.executable, "-m", "otel_ragfault", "emit", "--db", str(db), "--endpoint", url, "--json"]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ))
        started[0].communicate()
        assert started[0].returncode == -signal.SIGKILL
        first = list(kept.ids)
        started.append(None)
        found = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert json.loads(found.stdout)["sent"] == EVENTS
    assert sorted(first) == sorted(kept.ids[len(first) :])
