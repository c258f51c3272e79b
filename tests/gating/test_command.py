"""``ragfault gate`` as CI runs it: rules from the configuration and from flags, baselines, exit codes, files."""

import json
import shutil
from xml.etree import ElementTree as ET

import pytest

from gating.conftest import EXAMPLE, ragfault
from otel_ragfault.store import connect


def line(ran):
    """The only line on stderr, of a command that refused."""
    assert ran.exit_code == 2, ran.output
    assert ran.stderr.count("\n") == 1, ran.stderr
    return ran.stderr.strip()


def failed(ran):
    return [rule["figure"] for rule in json.loads(ran.stdout)["rules"] if rule["answer"] == "failed"]


def test_a_baseline_file_gives_the_verdict_that_its_run_gives(gate, tmp_path):
    file = tmp_path / "baseline.json"
    assert gate("--run", "baseline", "--write-baseline", file).exit_code == 0
    for run in ("again", "lower k", "drop citations"):
        by_run, by_file = (gate("--baseline", one, "--run", run, "--json") for one in ("baseline", file))
        assert by_run.exit_code == by_file.exit_code
        one, two = (json.loads(ran.stdout) for ran in (by_run, by_file))
        assert (one["rules"], one["blames"], one["changed_settings"]) == (
            two["rules"],
            two["blames"],
            two["changed_settings"],
        )


def test_a_baseline_file_is_one_line_a_case_and_stays_the_same(gate, tmp_path):
    for name in ("one.json", "two.json"):
        gate("--run", "baseline", "--write-baseline", tmp_path / name)
    first = (tmp_path / "one.json").read_text(encoding="utf-8")
    assert first == (tmp_path / "two.json").read_text(encoding="utf-8")
    lines = [line for line in first.splitlines() if line.startswith(' "')]
    assert len(lines) == 48
    assert [line.split('"')[1] for line in lines] == sorted(line.split('"')[1] for line in lines)
    assert max(map(len, lines)) < 700


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param(lambda text: text[:-20], "is not JSON", id="torn"),
        pytest.param(lambda text: "[]", "has no key ragfault_baseline", id="something else"),
        pytest.param(
            lambda text: text.replace('"ragfault_baseline": 1', '"ragfault_baseline": 9'),
            "is a baseline of version 9, this release reads up to 1",
            id="of a later release",
        ),
        pytest.param(
            lambda text: text.replace('"label":"pass"', '"lable":"pass"', 1),
            "did you mean 'label'?",
            id="a misspelt key",
        ),
        pytest.param(
            lambda text: text.replace('"requests": 48', '"requests": "many"'),
            "wanted a whole number",
            id="a wrong value",
        ),
    ],
)
def test_a_baseline_file_that_cannot_be_read_is_one_line(gate, tmp_path, change, message):
    file = tmp_path / "baseline.json"
    gate("--run", "baseline", "--write-baseline", file)
    file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")
    assert message in line(gate("--run", "again", "--baseline", file))


def test_the_baseline_may_be_in_another_database(gate, museum, tmp_path):
    other = shutil.copy(museum, tmp_path / "main.duckdb")
    ran = gate("--baseline-db", other, "--baseline", "baseline", "--run", "lower k", "--json")
    assert (ran.exit_code, failed(ran)) == (1, ["passed", "boundary:retrieval"])


def test_two_labellings_of_the_same_requests_can_be_gated(gate, museum, tmp_path):
    with connect(museum) as con:
        con.execute("DELETE FROM request WHERE run_id <> 'drop citations'")
    lenient = tmp_path / "lenient.toml"
    lenient.write_text("", encoding="utf-8")
    first, second = (
        json.loads(ragfault("label", "--db", museum, "--json", "--config", config, cwd=tmp_path).stdout)["run_id"]
        for config in (lenient, tmp_path / "ragfault.toml")
    )
    ran = gate("--baseline", f"labelling:{first}", "--run", f"labelling:{second}", "--json")
    assert (ran.exit_code, failed(ran)) == (1, ["boundary:citation"])
    assert "labelling.judging" in json.loads(ran.stdout)["changed_settings"]


def test_thresholds_need_no_baseline(gate):
    ran = gate("--run", "lower k", "--require", "passed>=0.9", "--require", "count unknown<=0", "--json")
    assert (ran.exit_code, failed(ran)) == (1, ["passed"])
    assert gate("--run", "lower k", "--require", "passed>=0.7").exit_code == 0


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        pytest.param("recall_groups@1>=0.9", 1, id="a measure at a cutoff"),
        pytest.param("recall_groups@7>=0.9", 0, id="a cutoff that is measured for the rule only"),
        pytest.param("passed [two sections] >= 0.5", 1, id="a slice"),
        pytest.param("passed [one section] >= 1", 0, id="another slice"),
        pytest.param("label:retrieval.below_k<=0.1", 1, id="a label"),
        pytest.param("boundary:source set<=0", 0, id="a boundary"),
        pytest.param("count retrieval <= 11", 1, id="a count"),
        pytest.param("grounded >= .5", 0, id="a proposition"),
    ],
)
def test_thresholds_as_they_are_typed(gate, rule, code):
    ran = gate("--run", "lower k", "--require", rule)
    assert ran.exit_code == code, ran.output


@pytest.mark.parametrize(
    ("args", "code", "figures"),
    [
        pytest.param(["--no-regression", "boundary:citation"], 0, [], id="another boundary"),
        pytest.param(["--no-regression", "retrieval"], 1, ["boundary:retrieval"], id="a bare name"),
        pytest.param(["--no-regression", "passed:0.3"], 0, [], id="tolerated"),
        pytest.param(["--no-regression", "passed:0.02"], 1, ["passed"], id="not tolerated"),
        pytest.param(["--no-regression", "recall_groups@1"], 0, [], id="a measure that does not depend on k"),
    ],
)
def test_figures_that_must_not_become_worse_as_they_are_typed(gate, args, code, figures):
    ran = gate("--baseline", "baseline", "--run", "lower k", "--json", *args)
    assert (ran.exit_code, failed(ran)) == (code, figures)


def test_rules_of_the_configuration_and_typed_ones_come_together(gate, tmp_path):
    config = tmp_path / "own.toml"
    config.write_text(
        '[[gate.require]]\nlabel = "unknown"\nat_most = 0\nof = "count"\n[[gate.no_regression]]\nmeasure = "passed"\n',
        encoding="utf-8",
    )
    ran = gate("--baseline", "baseline", "--run", "lower k", "--config", config, "--require", "passed>=0.9", "--json")
    figures = [rule["figure"] for rule in json.loads(ran.stdout)["rules"]]
    assert figures == ["label:unknown", "passed", "passed"]


def test_a_few_cases_are_not_decidable_and_the_flag_says_what_follows(gate, museum):
    with connect(museum) as con:
        con.execute("DELETE FROM label WHERE case_id NOT LIKE '%-ada' AND case_id NOT LIKE '%-boole'")
    args = ["--baseline", "baseline", "--run", "again", "--no-regression", "passed"]
    warned = gate(*args)
    assert (warned.exit_code, warned.stdout.splitlines()[-1]) == (0, "gate: passed, 1 rule not decidable")
    assert gate(*args, "--when-undecidable", "fail").exit_code == 1
    assert gate(*args, "--when-undecidable", "pass").exit_code == 0
    strict = gate(
        "--baseline", "baseline", "--run", "lower k", "--no-regression", "passed", "--no-new-failures", "--json"
    )
    assert (strict.exit_code, failed(strict)) == (1, ["passed"])
    assert json.loads(strict.stdout)["rules"][-1]["case_ids"] == ["visit-ada", "visit-boole"]


def test_reports_hold_the_cards_and_point_at_the_gold_file(gate, tmp_path):
    gate("--baseline", "baseline", "--run", "lower k", "--markdown", "g.md", "--junit", "g.xml", "--sarif", "g.sarif")
    markdown = (tmp_path / "g.md").read_text(encoding="utf-8")
    assert "visit-ada  run lower k" in markdown
    assert "| k=1 |" in markdown.split("<details>", 1)[1]
    case = ET.parse(tmp_path / "g.xml").find("testsuite[@name='retrieval']/testcase[@name='visit-ada']")  # noqa: S314
    assert case.find("failure").text.startswith("visit-ada  run lower k")
    assert case.get("file").endswith("cases.jsonl")
    result = json.loads((tmp_path / "g.sarif").read_bytes())["runs"][0]["results"][0]
    place = result["locations"][0]["physicalLocation"]
    gold = place["artifactLocation"]["uri"].removeprefix("file://")
    with open(gold, encoding="utf-8") as file:  # noqa: PTH123 - a URI
        written = json.loads(file.readlines()[place["region"]["startLine"] - 1])
    assert written["case_id"] == result["locations"][0]["logicalLocations"][0]["name"]


def test_what_probes_say_of_a_case_stands_in_the_comment(gate, museum, tmp_path):
    generator = f"{EXAMPLE / 'pipeline.py'}:answer_from"
    which = ["--run", "reverse the prompt order", "--case", "open-ada", "--probes", "original,gold_only,gold_first"]
    assert ragfault("probe", "--db", museum, "--generator", generator, *which, cwd=tmp_path).exit_code == 0
    gate("--baseline", "baseline", "--run", "reverse the prompt order", "--markdown", "g.md")
    text = (tmp_path / "g.md").read_text(encoding="utf-8")
    row = "| <code>open-ada</code> | original 0/1, gold_only 1/1, gold_first 1/1 | order_sensitive: "
    assert row in text.split("### Probes", 1)[1]


def test_more_than_one_changed_variable_is_a_warning(gate):
    ran = gate("--baseline", "lower k", "--run", "shrink the budget")
    assert "2 variables changed between the runs (budget, k)" in ran.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        pytest.param([], "the database holds 9 runs", id="several runs and none named"),
        pytest.param(["--run", "again"], "there is nothing to check", id="no rule and no baseline"),
        pytest.param(["--run", "agian", "--baseline", "baseline"], "did you mean 'again'?", id="a misspelt run"),
        pytest.param(["--run", "again", "--baseline", "no such.json"], "no such.json: No such file", id="no such file"),
        pytest.param(["--run", "again", "--no-new-failures"], "there is no baseline", id="a rule without its baseline"),
        pytest.param(
            ["--run", "again", "--require", "passed"], "--require: found 'passed', wanted a figure", id="no threshold"
        ),
        pytest.param(["--run", "again", "--require", "pased>=1"], "did you mean 'passed'?", id="a misspelt measure"),
        pytest.param(["--run", "again", "--require", "passed>=3"], "wanted a share from 0 to 1", id="a share above 1"),
        pytest.param(
            ["--run", "again", "--baseline", "baseline", "--no-regression", ">"],
            "--no-regression: found '>'",
            id="no figure",
        ),
        pytest.param(
            ["--run", "again", "--baseline", "baseline", "--false-alarm-rate", "0"],
            "0.0 is not in the range",
            id="no false alarm at all",
        ),
        pytest.param(
            ["--run", "again", "--baseline", "x", "--write-baseline", "y"],
            "--write-baseline only writes",
            id="two things at once",
        ),
    ],
)
def test_what_cannot_be_checked_never_passes(gate, args, message):
    assert message in line(gate(*args))


def test_a_run_without_labels_never_passes(gate, museum):
    with connect(museum) as con:
        con.execute("DELETE FROM label WHERE request_id IN (SELECT request_id FROM request WHERE run_id = 'again')")
    assert "ragfault label" in line(gate("--baseline", "baseline", "--run", "again"))


def test_runs_without_a_case_in_common_never_pass(gate, museum):
    with connect(museum) as con:
        con.execute(
            "DELETE FROM label WHERE request_id IN (SELECT request_id FROM request WHERE run_id = 'again' AND case_id NOT LIKE '%-ada' "
            "OR run_id = 'baseline' AND case_id LIKE '%-ada')"
        )
    assert "not of the same cases" in line(gate("--baseline", "baseline", "--run", "again"))
    assert "not of the same cases" in line(gate("--baseline", "baseline", "--run", "again", "--allow-different-cases"))


def test_cases_of_one_side_are_told_where_that_is_allowed(gate, museum, tmp_path):
    with connect(museum) as con:
        con.execute(
            "DELETE FROM label WHERE case_id = 'open-ada' AND request_id IN (SELECT request_id FROM request WHERE run_id = 'again')"
        )
    assert "--allow-different-cases" in line(gate("--baseline", "baseline", "--run", "again"))
    ran = gate("--baseline", "baseline", "--run", "again", "--allow-different-cases", "--markdown", "g.md")
    assert ran.exit_code == 0
    assert "1 case is in the baseline only (<code>open-ada</code>)" in (tmp_path / "g.md").read_text(encoding="utf-8")


def test_without_names_of_runs_the_whole_database_is_looked_at(gate, museum, tmp_path):
    file = tmp_path / "baseline.json"
    with connect(museum) as con:
        con.execute("DELETE FROM request WHERE run_id <> 'baseline'")
        con.execute("UPDATE request SET run_id = NULL")
    assert gate("--write-baseline", file).exit_code == 0
    assert gate("--baseline", file).exit_code == 0


def test_help_speaks_of_the_exit_codes(tmp_path):
    assert "Exit code 1 where a rule fails" in " ".join(ragfault("gate", "--help", cwd=tmp_path).stdout.split())


@pytest.mark.parametrize(
    ("change", "says"),
    [
        pytest.param({"boundary": "assembly"}, "found boundary 'assembly' beside label 'pass'", id="boundary"),
        pytest.param({"passed": False}, "found passed false beside outcome 'correct'", id="passed"),
        pytest.param({"passed": False, "outcome": "wrong"}, "found passed false beside label 'pass'", id="label"),
        pytest.param({"label": "pas"}, "label 'pas' is not known; did you mean 'pass'?", id="unknown label"),
        pytest.param({"outcome": "fine"}, "found outcome 'fine', wanted one of correct", id="unknown outcome"),
        pytest.param({"latent": True}, "found latent true", id="latent"),
        pytest.param(
            {"label": "assembly.cut", "boundary": "assembly", "outcome": "wrong"}, "found passed true", id="cut"
        ),
        pytest.param(
            {"label": "assembly.cut", "boundary": "assembly"}, "found latent false", id="cut, and not called latent"
        ),
        pytest.param({"labels": {"pass": 2}}, "found labels of 2 requests", id="labels of more requests"),
    ],
)
def test_a_baseline_that_contradicts_itself_is_refused_at_its_line(baseline_lines, change, says):
    ran, number, case_id = baseline_lines(change)
    assert f"baseline.json:{number}: case '{case_id}': " in line(ran)
    assert says in ran.stderr


def test_a_latent_fault_in_a_baseline_is_no_contradiction(baseline_lines):
    ran, _, _ = baseline_lines({"label": "assembly.cut", "boundary": "assembly", "latent": True})
    assert ran.exit_code != 2, ran.stderr


@pytest.fixture
def baseline_lines(gate, tmp_path):
    """Change the first case of a baseline that passes, and run the gate with it."""

    def changed(change):
        file = tmp_path / "baseline.json"
        gate("--run", "baseline", "--write-baseline", file)
        lines = file.read_text(encoding="utf-8").splitlines()
        place = next(place for place, text in enumerate(lines) if '"label":"pass"' in text)
        ((case_id, case),) = json.loads("{" + lines[place].rstrip(",") + "}").items()
        lines[place] = f" {json.dumps(case_id)}: {json.dumps(case | change)}" + "," * lines[place].endswith(",")
        file.write_text("\n".join(lines), encoding="utf-8")
        return gate("--run", "again", "--baseline", file), place + 1, case_id

    return changed


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        pytest.param("passed>=90", "write 'passed>=90%' for a share, or 'count passed>=90'", id="above 1"),
        pytest.param("count passed>=90%", "wanted a number of cases; write 'passed>=90%'", id="a count in percent"),
        pytest.param("passed[x]>=0.1", "no case has the tag 'x'", id="unknown tag"),
        pytest.param("recal@5>=0.1", "did you mean", id="unknown measure"),
    ],
)
def test_a_typed_rule_that_is_none_is_answered_in_the_words_of_the_command_line(gate, rule, says):
    told = line(gate("--run", "again", "--require", rule, "--when-undecidable", "pass"))
    assert says in told
    assert "of =" not in told


def test_percent_and_short_names_of_measures_are_rules_too(gate):
    ran = gate("--run", "again", "--require", "passed>=50%", "--require", "recall@5>=1%", "--json")
    assert [rule["answer"] for rule in json.loads(ran.stdout)["rules"]] == ["passed", "passed"]


def test_what_could_not_be_decided_is_told_on_the_terminal(gate):
    ran = gate("--run", "again", "--baseline", "baseline", "--detect", "0.001")
    assert "Nothing could be decided with these cases (9 rules)" in ran.stdout
    assert "--no-new-failures needs no statistics" in ran.stdout
    strict = gate("--run", "again", "--baseline", "baseline", "--detect", "0.001", "--when-undecidable", "fail")
    assert strict.exit_code == 1
    assert "FAILED, not decidable" in strict.stdout
    assert strict.stdout.splitlines()[-1] == "gate: failed, 9 rules not decidable"


@pytest.mark.parametrize("option", ["--markdown", "--junit", "--sarif", "--write-baseline"])
def test_where_a_file_cannot_be_written_is_told_before_anything_is_done(gate, tmp_path, option):
    ran = gate("--run", "again", "--require", "passed>=0", option, tmp_path / "nowhere" / "x.md")
    assert "there is no folder" in line(ran)
    assert ".new-" not in ran.stderr
    assert ran.stdout == ""


def test_a_run_that_is_its_own_baseline_is_a_warning(gate):
    assert "run 'again' is compared with itself" in gate("--run", "again", "--baseline", "again").stderr
