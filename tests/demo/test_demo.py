"""The eight cases: every figure of the lab, computed from the traces."""

import json
import shutil

import pytest
from click.testing import CliRunner

from otel_ragfault.cli.demo import demo as demo_command
from otel_ragfault.cli.show import show
from otel_ragfault.cli.whatif import whatif
from otel_ragfault.demo import run_demo
from otel_ragfault.errors import DatabaseError
from otel_ragfault.jobs.replaying import Grid, replay
from otel_ragfault.model import Config
from otel_ragfault.store import connect


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    return run_demo(tmp_path_factory.mktemp("demo"))


@pytest.fixture
def run(demo, tmp_path):
    """Run a command on a copy of the demonstration's database."""
    db = tmp_path / "copy.duckdb"
    shutil.copy(demo.db, db)

    def invoke(command, *arguments):
        result = CliRunner(env={"COLUMNS": "100"}).invoke(
            command, ["--db", str(db), *arguments], catch_exceptions=False
        )
        assert result.exit_code == 0, result.output
        return result.stdout

    return invoke


def test_each_case_gets_the_label_of_the_stage_that_lost_its_answer(demo):
    assert demo.figures["labels"] == {
        "long-haul-cabin": "retrieval.below_k",
        "business-10h": "generation.wrong_answer",
        "mileage-rate": "source.not_indexed",
        "lie-flat-seat": "retrieval.no_overlap",
        "taxi-receipt": "assembly.cut",
        "zurich-hotel": "decision.answered_unanswerable",
        "gym-fee": "pass.correct_refusal",
        "meal-allowance": "pass",
    }


def test_the_aggregates_of_the_same_run_hide_all_of_this(demo):
    recall = {cutoff: round(value, 2) for cutoff, value in demo.figures["recall"].items()}
    assert recall == {"1": 0.25, "2": 0.5, "3": 0.67, "5": 0.67}
    counts = ("cases", "with_gold", "correct", "answered", "faithful", "answered_correct")
    assert [demo.figures[name] for name in counts] == [8, 6, 2, 6, 6, 1]


def test_each_change_of_setting_repairs_one_stage_and_shows_the_next(demo):
    rest = ["c03", "c04", "c05", "c06", "c07", "c09", "c10", "c11", "c12", "c13", "c14"]
    assert demo.figures["whatif"] == [
        {"k": 2, "budget": 50, "prompt": ["c01", "c02"], "label": "retrieval.below_k"},
        {"k": 3, "budget": 50, "prompt": ["c01", "c02"], "label": "assembly.cut"},
        {"k": 3, "budget": 80, "prompt": ["c01", "c02", "c08"], "label": "generation.wrong_answer"},
        {"k": 14, "budget": 400, "prompt": ["c01", "c02", "c08", *rest], "label": "generation.wrong_answer"},
    ]


def test_the_probes_clear_the_evidence_and_point_at_the_order(demo):
    assert demo.figures["probes"] == {"business-10h": {"original": False, "gold_only": True, "gold_first": True}}


@pytest.mark.parametrize(
    ("case_id", "start"),
    [("long-haul-cabin", ["c01", "c02", "c08"]), ("business-10h", ["c01", "c08"])],
)
def test_the_rankings_start_as_in_the_lab(demo, case_id, start):
    with connect(demo.db, read_only=True) as con:
        ((ids, scores),) = con.execute(
            "SELECT ranked_ids, ranked_scores FROM request WHERE case_id = ?", [case_id]
        ).fetchall()
    assert ids[: len(start)] == start
    assert len(ids) == 14
    assert scores == sorted(scores, reverse=True)
    if case_id == "long-haul-cabin":
        assert all(score > 0 for score in scores[:3])
        assert set(scores[3:]) == {0.0}


def test_replayed_without_a_generator_the_settings_tell_as_much_as_can_be_told(demo, tmp_path):
    db = tmp_path / "copy.duckdb"
    shutil.copy(demo.db, db)
    found = {}
    with connect(db) as con:
        for row in replay(con, Config(), Grid(ks=(2, 3, 14), budgets=(50, 80, 400)), case_id="long-haul-cabin"):
            found[row.k, row.budget] = (row.prompt, row.label, row.needs_generator)
    run_again = {(row["k"], row["budget"]): (row["prompt"], row["label"]) for row in demo.figures["whatif"]}
    for setting, (prompt, label) in run_again.items():
        replayed_prompt, replayed_label, needs_generator = found[setting]
        assert replayed_prompt == prompt
        assert (replayed_label, needs_generator) in {(label, False), ("unknown.answer", True)}
        assert needs_generator == (label == "generation.wrong_answer")


def test_whatif_says_plainly_where_a_generator_is_needed(run):
    lines = run(whatif, "--case", "long-haul-cabin", "--k", "2,3", "--budget", "50,80").splitlines()
    assert [[cell.strip() for cell in line.split("  ") if cell] for line in lines[2:]] == [
        ["2", "50 words", "c01 c02", "retrieval.below_k"],
        ["2", "80 words", "c01 c02", "retrieval.below_k"],
        ["3", "50 words", "c01 c02", "assembly.cut"],
        [
            "3",
            "80 words",
            "c01 c02 c08",
            "evidence would have reached the prompt; what becomes of it needs a generator",
        ],
    ]


def test_whatif_under_the_recorded_settings_gives_the_recorded_labels(run, demo):
    rows = json.loads(run(whatif, "--json"))["rows"]
    assert {row["case_id"]: row["label"] for row in rows} == demo.figures["labels"]
    assert not any(row["needs_generator"] for row in rows)


def test_skipping_what_does_not_fit_packs_more_than_stopping_at_it(run):
    narrow = ["--case", "taxi-receipt", "--k", "14", "--budget", "45", "--json"]
    stop, skip = json.loads(run(whatif, *narrow, "--packing", "stop,skip"))["rows"]
    assert stop["prompt"] == ["c06"]
    assert skip["prompt"][0] == "c06"
    assert len(skip["prompt"]) > 1


def test_the_card_reads_like_a_trace(run):
    card = run(show, "long-haul-cabin")
    _title, *lines = card.splitlines()
    assert "\n".join(lines) == CARD


CARD = """\
  query    : Which class do staff fly, how far ahead is a flight reserved, and does a long one
             change that?
  ranked   : c01(8.095) c02(5.528) | k=2 | c08*(4.217) c03(0) c04(0) c05(0) … 8 more
  gold     : c08@3
  in prompt: c01 c02;  budget 50 words
  answer   : Staff fly economy class on every flight; business class and first class are not
             refunded.  cites c01
  label    : retrieval.below_k  (boundary: retrieval)
  outcome  : wrong;  retrieved no, grounded yes, correct no, cited no
  why      : The required chunk was found, and ranked beyond k. c08: at rank 3 of 14, score 4.217, k
             is 2.
  check    : Recall at the next k.
  try first: Reranking, or a larger k together with a larger context budget.
  wasted   : Editing the prompt.
  next experiment: Put the required evidence in the place of what was retrieved; if that helps,
                   change corpus, query or ranking.
  see also : FP2 missed the top ranked documents (Barnett et al., arXiv 2401.05856)"""


def test_a_card_is_found_by_case_by_trace_and_by_request(run):
    (card,) = json.loads(run(show, "--json", "taxi-receipt"))
    assert [evidence["rank"] for evidence in card["evidence"]] == [2, 1]
    for needle in (card["trace_id"], card["request_id"], card["trace_id"].upper()):
        assert json.loads(run(show, "--json", needle)) == [card]


def test_the_command_prints_cards_labels_and_what_to_do_next(tmp_path):
    result = CliRunner().invoke(demo_command, ["--dir", str(tmp_path / "out")], catch_exceptions=False)
    assert result.exit_code == 0
    for line in ("recall@2: 0.50", "end-to-end correct: 2 of 8", "gold_first  pass", " show --db "):
        assert line in result.output
    again = CliRunner().invoke(demo_command, ["--dir", str(tmp_path / "out"), "--json"], catch_exceptions=False)
    assert len(json.loads(again.output)["labels"]) == 8


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DatabaseError, match=r"file.*another --dir"):
        run_demo(tmp_path / "file" / "below")
