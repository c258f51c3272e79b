"""Probes from the database to the readings: real generators in processes of their own, spans, rows, verdicts."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.doctor import examine
from otel_ragfault.jobs.label import label_requests
from otel_ragfault.model import Config
from otel_ragfault.report import card_text, find_cards

from .conftest import TEXTS, named, opened


def ended(report, case_id="flight"):
    (result,) = [one for one in report.results if one.case_id == case_id]
    return {one.name: one.ended for one in result.probed.tallies}


def readings(report, case_id="flight"):
    (result,) = [one for one in report.results if one.case_id == case_id]
    return {one.reading.key for one in result.readings}


@pytest.mark.parametrize(
    ("generator", "refined", "beside"),
    [
        ("first_chunk", "order_sensitive", {"unjustified_answer"}),
        ("confused", "distractor_sensitive", {"unjustified_answer"}),
        ("never", "model_or_prompt", {"unjustified_answer"}),
        ("knows", "not_reproduced", {"parametric", "unjustified_answer", "old_value_kept", "conflict_passed_over"}),
        ("everything", "not_reproduced", {"unjustified_answer", "planted_repeated", "conflict_told"}),
        ("crowded", "not_reproduced", {"unjustified_answer", "planted_repeated", "conflict_told", "distractor_limit"}),
        ("declines", "model_or_prompt", {"declines_without_support"}),
    ],
)
def test_a_habit_of_a_generator_is_read_from_its_probes(probe, generator, refined, beside):
    report = probe(generator)
    assert readings(report) == {refined} | beside | {"citations_fail", "citations_hold"} & readings(report)
    assert report.results[0].refined == refined
    assert report.failures == 0


def test_the_exact_chunks_and_what_was_changed_are_stored(probe, ask_db):
    probe("first_chunk", probes=["gold_first", "shift_number", "closed_book"])
    rows = ask_db(
        "SELECT intervention, chunks, changed, planted, replaced, answer, cited_ids, correct, refused, grounded, "
        "carries_planted, carries_replaced, question, case_id, repeat_no, failure, seed FROM probe ORDER BY intervention"
    )
    book, first, shifted = rows
    assert book[1:10] == (
        [],
        "every chunk was left out",
        None,
        None,
        "The documents do not say.",
        None,
        False,
        True,
        None,
    )
    assert first[1] == [{"id": "c2", "text": TEXTS["c2"]}, {"id": "c1", "text": TEXTS["c1"]}]
    assert first[2:10] == ("c2 moved first", None, None, TEXTS["c2"], ["c2"], True, False, True)
    planted = shifted[3]
    assert shifted[1][1]["text"] == TEXTS["c2"].replace("8 hours", f"{planted} hours")
    assert shifted[4] == "8"
    assert shifted[10:] == (False, False, "When is business class open?", "flight", 1, None, 1)


def test_a_value_that_stands_elsewhere_as_well_is_no_sign_of_what_the_answer_follows(probe, db, ask_db, tmp_path):
    from otel_ragfault.corpus import load_corpus

    from .conftest import write_lines

    texts = TEXTS | {"c1": "Staff fly economy class on flights below 8 hours."}
    with opened(db) as con:
        corpus = [{"chunk_id": name, "text": text} for name, text in texts.items()]
        load_corpus(con, write_lines(tmp_path / "other.jsonl", corpus), snapshot_id="other")
    report = probe("first_chunk", probes=["shift_number"])
    assert ask_db("SELECT carries_planted, carries_replaced FROM probe") == [(False, None)]
    assert "old_value_kept" not in readings(report)


def test_every_run_has_the_spans_of_a_pipeline_linked_to_the_original(probe, ask_db):
    probe("first_chunk", probes=["drop_required"], repeats=2, seed=7)
    ((traces,),) = ask_db("SELECT count(DISTINCT trace_id) FROM span WHERE service = 'ragfault-probe'")
    assert traces == 2
    rows = ask_db(
        "SELECT stage, attributes, links, trace_hex(trace_id) FROM span WHERE trace_id = "
        "(SELECT trace_id FROM probe WHERE repeat_no = 2) ORDER BY stage"
    )
    stages = {stage: (json.loads(attributes), links, trace) for stage, attributes, links, trace in rows}
    assert set(stages) == {"request", "assembly", "generation"}
    said, links, _ = stages["request"]
    assert {name: value for name, value in said.items() if name.startswith("ragfault.probe.")} == {
        "ragfault.probe.id": said["ragfault.probe.id"],
        "ragfault.probe.run_id": said["ragfault.run_id"],
        "ragfault.probe.request_id": f"{1:032x}",
        "ragfault.probe.intervention": "drop_required",
        "ragfault.probe.step": "c2",
        "ragfault.probe.repeat": 2,
        "ragfault.probe.seed": 7,
        "ragfault.probe.generator": named("first_chunk"),
        "ragfault.probe.generator_id": said["ragfault.probe.generator_id"],
        "ragfault.probe.chunks": json.dumps([{"id": "c1", "text": TEXTS["c1"]}], separators=(",", ":")),
        "ragfault.probe.changed": "c2 was left out",
    }
    assert {one[0]["ragfault.probe.id"] for one in stages.values()} == {said["ragfault.probe.id"]}
    assert json.loads(stages["assembly"][0]["ragfault.assembly.chunk_ids"]) == ["c1"]
    ((link,),) = [json.loads(links)]
    assert (link["trace_id"], link["span_id"]) == (f"{1:032x}", f"{1:016x}")


def test_probes_are_no_requests_of_the_pipeline(probe, db, ask_db):
    before = ask_db("SELECT * FROM request ORDER BY ALL")
    with opened(db) as con:
        doctor_before = examine(con, Config())
    probe("first_chunk")
    assert ask_db("SELECT * FROM request ORDER BY ALL") == before
    with opened(db) as con:
        assert examine(con, Config()) == doctor_before
        assert label_requests(con, Config()).requests == 4
        assert con.execute("SELECT sum(requests) FROM failure_bucket").fetchone() == (4,)


def test_a_build_of_everything_keeps_probes_apart_and_their_verdicts(probe, db, ask_db):
    from otel_ragfault.jobs.build import build_requests

    probe("first_chunk")
    before = ask_db("SELECT * FROM probe ORDER BY ALL")
    with opened(db) as con:
        build_requests(con, anew=True)
        con.execute("DELETE FROM probe")
        build_requests(con, anew=True)
    assert ask_db("SELECT count(*) FROM request") == [(4,)]
    after = ask_db("SELECT * FROM probe ORDER BY ALL")
    assert len(after) == len(before), "rows come back from the spans"
    probe("first_chunk")
    assert ask_db("SELECT * FROM probe ORDER BY ALL") == before, "and are judged again, not run again"


def test_spans_of_the_users_service_inside_a_probe_are_no_request_either(probe, db, ask_db):
    from jobs.spans import pipeline, store

    probe("first_chunk", probes=["original"])
    ((trace,),) = ask_db("SELECT trace_id FROM probe")
    with opened(db) as con:
        store(con, *pipeline(first=900, trace=trace.int, parent=17))
        label_requests(con, Config())
    assert ask_db("SELECT count(*) FROM request") == [(4,)]


def test_a_generator_that_records_itself_into_the_database_adds_no_request(probe, db, ask_db, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(
        "import otel_ragfault as rag\n"
        f"rag.configure(db={str(db)!r}, content=True, batch=False)\n"
        "@rag.request\n@rag.generation(model='m')\n"
        "def answer(question, chunks): return '8 hours'\n"
    )
    probe(f"{mine}:answer", probes=["original", "gold_only"])
    assert ask_db(
        "SELECT count(*) FROM span WHERE service IS DISTINCT FROM 'ragfault-probe' AND service <> 'shop'"
    ) == [(4,)]
    with opened(db) as con:
        label_requests(con, Config())
    assert ask_db("SELECT count(*) FROM request") == [(4,)]


def test_a_second_call_runs_nothing_and_says_the_same(probe, ask_db):
    first = probe("first_chunk", repeats=2)
    second = probe("first_chunk", repeats=2)
    assert (first.known, second.to_run) == (0, 0)
    assert second.known == first.to_run
    assert second.results[0].as_json() == first.results[0].as_json()
    assert ask_db("SELECT count(*), count(DISTINCT probe_id) FROM probe") == [(first.to_run, first.to_run)]


def test_more_repeats_run_only_the_further_ones(probe):
    first = probe("first_chunk", probes=["original", "gold_only"])
    more = probe("first_chunk", probes=["original", "gold_only"], repeats=3)
    assert (first.to_run, more.known, more.to_run) == (2, 2, 4)


def test_again_runs_everything_and_the_newest_counts(probe, ask_db):
    probe("first_chunk", probes=["original"])
    report = probe("first_chunk", probes=["original"], again=True)
    assert (report.to_run, ended(report)) == (1, {"original": "fails"})
    assert ask_db("SELECT count(*), count(DISTINCT probe_id) FROM probe") == [(2, 1)]


def test_other_gold_is_judged_anew_without_another_run(probe, db, ask_db, tmp_path):
    from otel_ragfault.gold import load_gold

    from .conftest import CASES, write_lines

    probe("first_chunk", probes=["original", "gold_only"])
    changed = CASES[0] | {"answer": {"must_contain": ["economy"]}}
    with opened(db) as con:
        load_gold(con, write_lines(tmp_path / "changed.jsonl", [changed, *CASES[1:]]))
    report = probe("first_chunk", probes=["original", "gold_only"])
    assert report.to_run == 0
    assert ended(report) == {"original": "passes", "gold_only": "fails"}


def test_a_labelling_reads_probes_anew(probe, db, ask_db, tmp_path):
    from otel_ragfault.gold import load_gold

    from .conftest import CASES, write_lines

    probe("first_chunk", probes=["original", "gold_only"])
    assert ask_db("SELECT reading, refines FROM probe_reading") == [("order_or_distractors", "generation.wrong_answer")]
    changed = CASES[0] | {"answer": {"must_contain": ["economy"]}}
    with opened(db) as con:
        load_gold(con, write_lines(tmp_path / "changed.jsonl", [changed, *CASES[1:]]))
        label_requests(con, Config())
    assert ask_db("SELECT reading FROM probe_reading") == []


def test_repeats_of_a_generator_that_varies(probe, tmp_path, monkeypatch):
    monkeypatch.setenv("PROBE_TEST_FOLDER", str(tmp_path))
    report = probe("alternates", probes=["original", "gold_only"], repeats=3)
    assert ended(report) == {"original": "passes (2 of 3 pass)", "gold_only": "passes (2 of 3 pass)"}
    assert readings(report) == {"unstable"}
    assert report.results[0].probed.tallies[0].agreement == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("generator", "kind"),
    [
        ("raises", "raised"),
        ("hangs", "timeout"),
        ("nothing", "nothing"),
        ("megabytes", "too_large"),
        ("wrong_type", "wrong_type"),
        ("exits", "exited"),
        ("dies", "died"),
    ],
)
def test_one_bad_run_ends_nothing_else(probe, ask_db, generator, kind):
    report = probe(generator, probes=["original", "gold_only", "gold_first"], timeout=2.0, concurrency=2)
    assert report.failures == 1
    assert ended(report) == {"original": "passes", "gold_only": "no answer", "gold_first": "passes"}
    assert "no_answer" in readings(report)
    ((failure, error, answer),) = ask_db("SELECT failure, error, answer FROM probe WHERE failure IS NOT NULL")
    assert (failure, answer) == (kind, None)
    assert error
    assert "otel_ragfault" not in error
    assert "NoAnswerError" not in error
    again = probe(generator, probes=["original", "gold_only", "gold_first"], timeout=2.0)
    assert (again.known, again.to_run) == (2, 1), "only what gave no answer is run again"


def test_a_command_that_dies_ends_nothing_else(probe, tmp_path):
    script = tmp_path / "answer.py"
    script.write_text(
        "import json, os, sys\nasked = json.load(sys.stdin)\n"
        "if len(asked['chunks']) == 1: os.kill(os.getpid(), 9)\nprint(json.dumps({'answer': '8 hours'}))\n"
    )
    report = probe(f"command:{sys.executable} {script}", probes=["original", "gold_only", "gold_first"])
    assert ended(report) == {"original": "passes", "gold_only": "no answer", "gold_first": "passes"}


def test_an_endpoint_is_probed_with_the_trace_of_each_run(probe, ask_db):
    from generators.test_http import sends, serving

    with serving(sends({"answer": "8 hours", "citations": ["c2"]})) as server:
        report = probe(server.url, probes=["original", "gold_only"], concurrency=2)
    assert ended(report) == {"original": "passes", "gold_only": "passes"}
    told = {headers["Traceparent"].split("-")[1] for _, headers in server.seen}
    assert told == {trace for (trace,) in ask_db("SELECT trace_hex(trace_id) FROM probe")}


def test_a_page_of_a_server_in_trouble_is_no_answer_and_is_asked_again_once_it_is_repaired(probe, ask_db):
    from generators.test_http import sends, serving

    with serving(sends(b"<html>Sign in</html>", content_type="text/html")) as server:
        assert probe(server.url, probes=["original", "gold_only"]).failures == 2
        assert ask_db("SELECT DISTINCT failure, answer FROM probe") == [("wrong_type", None)]
        server.behave = sends({"answer": "8 hours"})
        report = probe(server.url, probes=["original", "gold_only"])
    assert (report.known, report.to_run, report.failures) == (0, 2, 0)
    assert ended(report) == {"original": "passes", "gold_only": "passes"}


def test_a_run_that_was_killed_goes_on_where_it_was(db, probe, tmp_path, ask_db, monkeypatch):
    monkeypatch.setenv("PROBE_TEST_FOLDER", str(tmp_path))
    calls = tmp_path / "calls"
    command = [
        sys.executable, "-m", "otel_ragfault", "probe", "--db", str(db), "--generator", named("counted"), "--case", "flight",
        "--repeats", "4", "--concurrency", "2", "--timeout", "20",
    ]  # fmt: skip
    killed = subprocess.Popen(command, env=os.environ | {"PROBE_TEST_PAUSE": "0.1"}, start_new_session=True)
    deadline = time.monotonic() + 60
    while (calls.stat().st_size if calls.exists() else 0) < 10 and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    asked = calls.stat().st_size
    report = probe("counted", repeats=4)
    assert report.known >= asked - 2 * 2, "at most the runs that were under way are lost"
    assert report.known > 0
    assert report.to_run > 0
    total = report.known + report.to_run
    assert ask_db("SELECT count(*), count(DISTINCT probe_id), count(correct) FROM probe") == [(total, total, total)]
    assert ask_db("SELECT count(*) FROM request") == [(4,)]


def test_a_case_that_expects_a_refusal_is_probed_without_support(probe):
    report = probe("first_chunk", cases=("gym",))
    assert ended(report, "gym")["original"] == "fails"
    assert ended(report, "gym")["closed_book"] == "passes"
    assert "unjustified_answer" in readings(report, "gym")
    assert {one.reason for one in report.skipped if one.intervention == "gold_only"} == {"gold requires no evidence"}


def test_how_often_nothing_supports_an_answer_has_an_interval(probe):
    rate = probe(
        "first_chunk", cases=("flight", "both", "gym", "unchecked"), probes=["original", "no_support"]
    ).unjustified
    assert (rate.cases, rate.of, rate.share) == (4, 4, 1.0)
    assert (round(rate.low, 3), rate.high) == (0.398, 1.0)
    rate = probe(
        "declines", cases=("flight", "both", "gym", "unchecked"), probes=["original", "no_support"]
    ).unjustified
    assert (rate.cases, rate.of, rate.share, rate.low, round(rate.high, 3)) == (0, 4, 0.0, 0.0, 0.602)


def test_a_case_without_a_check_says_that_it_cannot_be_judged(probe):
    report = probe("first_chunk", cases=("unchecked",), probes=["original"])
    assert ended(report, "unchecked") == {"original": "not judged"}
    assert readings(report, "unchecked") == {"not_judged"}


def test_without_cases_those_are_probed_whose_evidence_was_there(probe, ask_db):
    labels = dict(ask_db("SELECT case_id, label FROM current_label"))
    report = probe("first_chunk", cases=None, probes=["original"])
    assert {one.case_id for one in report.results} == {
        case
        for case, label in labels.items()
        if label.split(".")[0] in {"generation", "decision", "grounding", "citation"}
    }


def test_a_case_that_expects_a_question_back_passes_with_one(probe, db, tmp_path):
    from otel_ragfault.gold import load_gold

    from .conftest import CASES, write_lines

    with opened(db) as con:
        load_gold(
            con, write_lines(tmp_path / "changed.jsonl", [*CASES[:2], CASES[2] | {"expect": "clarify"}, CASES[3]])
        )
        label_requests(con, Config())
    assert ended(probe("asks_back", cases=("gym",), probes=["original"]), "gym") == {"original": "passes"}
    assert ended(probe("never", cases=("gym",), probes=["original"]), "gym") == {"original": "fails"}


def test_a_dry_run_runs_nothing(probe, ask_db):
    report = probe("first_chunk", dry_run=True, repeats=3)
    assert report.to_run == len(report.planned) > 0
    assert report.results == ()
    assert ask_db("SELECT count(*) FROM probe") == [(0,)]


def test_the_card_tells_what_probes_of_its_case_mean(probe, db):
    probe("first_chunk", probes=["original", "gold_only", "gold_first", "hold_answer"])
    with opened(db) as con:
        (card,) = find_cards(con, "flight")
    assert [one.reading for one in card.probes] == ["order_sensitive", "citations_hold"]
    assert "order_sensitive: The generator can use the evidence" in " ".join(card_text(card).split())
    assert card.as_json()["probes"][0]["refines"] == "generation.wrong_answer"


def test_the_card_tells_the_generator_that_was_probed_last(probe, db):
    probe("first_chunk", probes=["original", "gold_only", "gold_first"])
    probe("never", probes=["original", "gold_only", "gold_first"])
    with opened(db) as con:
        (card,) = find_cards(con, "flight")
    assert [one.reading for one in card.probes] == ["model_or_prompt"]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"generator": None}, "no generator is named"),
        ({"generator": "no_such_function"}, "AttributeError"),
        ({"generator": "never", "probes": ["gold_fist"]}, "did you mean 'gold_first'"),
        ({"generator": "never", "cases": ("nowhere",)}, "no labelled request of this case"),
    ],
    ids=["no generator", "no function", "no probe", "no case"],
)
def test_what_is_wrong_is_told_before_anything_runs(probe, given, says):
    with pytest.raises(InputError) as told:
        probe(given.pop("generator"), **given)
    assert says in str(told.value)
