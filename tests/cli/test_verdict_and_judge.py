"""``ragfault verdict`` and ``ragfault judge``, from a sheet to a flagged judge on the card."""

import json

import pytest

from cli.files import write_lines
from judging.stub import Says, good, serving


@pytest.fixture
def labelled(run, db):
    assert run("label", "--db", db).code == 0
    return db


def asked(stub, db, *more):
    return ("judge", "run", "--db", db, "--model", "m", "--base-url", stub.url, *more)


def test_a_sheet_is_written_filled_in_and_loaded(run, labelled, tmp_path):
    sheet = tmp_path / "sheet.csv"
    ran = run("verdict", "template", "--db", labelled, "--out", sheet)
    assert (ran.code, ran.out, ran.err) == (0, "", f"note: 2 lines to be judged in {sheet}\n")
    assert run("verdict", "template", "--db", labelled).out == sheet.read_text(encoding="utf-8")
    filled = sheet.read_text(encoding="utf-8").replace(",,,\n", ",no,,ann\n").replace(",,,\r\n", ",no,,ann\r\n")
    sheet.write_text(filled, encoding="utf-8", newline="")
    loaded = run("verdict", "load", "--db", labelled, "--json", sheet)
    assert loaded.json == {"added": 2, "known": 0, "requests": 2}
    again = run("verdict", "load", "--db", labelled, sheet)
    assert again.out == "0 verdicts on 2 requests loaded; 2 were there already\n"


def test_a_verdict_of_a_person_changes_the_next_label_and_shows_as_a_disagreement(run, labelled, tmp_path):
    told = {"case_id": "right", "subject": "answer", "value": False, "judge": "ann", "reason": "not in full"}
    run("verdict", "load", "--db", labelled, write_lines(tmp_path / "v.jsonl", told))
    assert run("label", "--db", labelled, "--json").json["labels"] == {
        "generation.wrong_answer": 1,
        "retrieval.below_k": 1,
    }
    (found,) = run("verdict", "disagreements", "--db", labelled, "--json").json
    assert (found["case_id"], found["human"], found["rule"], found["judges"]) == (
        "right",
        False,
        True,
        ["ann: no", "rule: yes"],
    )
    assert "ann: no; rule: yes" in run("verdict", "disagreements", "--db", labelled).out
    assert run("verdict", "disagreements", "--db", labelled, "--subject", "refusal", "--json").json == []
    card = run("show", "--db", labelled, "right")
    assert "answer no (human: ann; disputed)" in " ".join(card.out.split())


def test_the_configuration_says_whom_to_believe(run, labelled, tmp_path):
    told = {"case_id": "right", "subject": "answer", "value": False, "judge": "ann"}
    run("verdict", "load", "--db", labelled, write_lines(tmp_path / "v.jsonl", told))
    (tmp_path / "ragfault.toml").write_text('[judging]\nprecedence = ["rule", "human"]\n')
    assert run("label", "--db", labelled, "--json").json["labels"] == {"pass": 1, "retrieval.below_k": 1}


def test_a_verdict_for_an_unknown_request_is_one_line(run, labelled, tmp_path):
    told = {"case_id": "nobody", "subject": "answer", "value": True, "judge": "ann"}
    file = write_lines(tmp_path / "v.jsonl", told)
    ran = run("verdict", "load", "--db", labelled, file)
    assert ran.code == 2
    first, last = ran.err.splitlines()
    assert first.startswith(f"{file}:1: case_id: no request has case_id 'nobody'")
    assert last.startswith("ragfault: 1 problem, nothing was loaded; first: ")


def test_a_dry_run_says_what_it_would_cost_and_asks_nothing(run, labelled, tmp_path):
    (tmp_path / "ragfault.toml").write_text("[judging]\nprice_input = 1000000\nprice_output = 0\n")
    with serving() as stub:
        plan = run(*asked(stub, labelled, "--subjects", "answer,refusal", "--dry-run", "--json")).json
        text = run(*asked(stub, labelled, "--subjects", "answer,refusal", "--dry-run")).out
    assert stub.requests == []
    assert (plan["verdicts"], plan["questions"], plan["done_before"]) == (4, 4, 0)
    assert plan["cost"] == plan["input_tokens"]
    assert text.startswith("4 questions to be asked for 4 verdicts")


def test_a_run_its_agreement_and_the_flag_on_every_report(run, labelled, tmp_path):
    told = [{"case_id": case, "subject": "answer", "value": False, "judge": "ann"} for case in ("right", "below")]
    run("verdict", "load", "--db", labelled, write_lines(tmp_path / "v.jsonl", *told))
    with serving() as stub:
        ran = run(*asked(stub, labelled, "--subjects", "answer", "--repeats", "2", "--json")).json
    assert (ran["verdicts"], ran["values"], ran["requests"], ran["stopped_by"]) == (4, {"yes": 4}, 4, None)
    assert (ran["input_tokens"], ran["output_tokens"]) == (400, 80)
    found = {(one["judge"], one["subject"]): one for one in run("judge", "agreement", "--db", labelled, "--json").json}
    assert found["m", "answer"] == {
        "source": "model",
        "judge": "m",
        "prompt_version": "checklist-1",
        "subject": "answer",
        "judged": 2,
        "compared": 2,
        "agreement": 0.0,
        "kappa": 0.0,
        "true_true": 0,
        "true_false": 0,
        "false_true": 2,
        "false_false": 0,
        "repeat_agreement": 1.0,
        "below_floor": True,
    }
    assert found[None, "answer"]["agreement"] == 0.5
    row = next(line for line in run("judge", "agreement", "--db", labelled).out.splitlines() if line.startswith("m "))
    assert row.endswith("below the floor")
    label = run("label", "--db", labelled, "--json")
    assert [judge["judge"] for judge in label.json["judges"]] == ["m"]
    assert "judge 'm' on answer: agrees with people on 0% of 2, kappa 0.00" in label.json["warnings"][0]
    assert "warning: judge 'm' on answer" in label.err
    (tmp_path / "ragfault.toml").write_text('[judging]\nprecedence = ["model"]\n')
    run("label", "--db", labelled)
    shown = " ".join(run("show", "--db", labelled, "right").out.split())
    assert "answer yes (model: m; disputed; m below the floor of agreement)" in shown
    (card,) = run("show", "--db", labelled, "right", "--json").json
    (verdict,) = [one for one in card["verdicts"] if one["subject"] == "answer"]
    assert verdict["below_floor"] == ["m"]
    (flagged,) = run(
        "query", "--db", labelled, "--json", "--sql", "FROM judge_agreement WHERE below_floor AND source = 'model'"
    ).json
    assert flagged["judge"] == "m"
    assert "note: judge 'm' on answer: agrees" in run("query", "--db", labelled, "--json", "failure_buckets").err


@pytest.mark.parametrize(
    ("variable", "sent"),
    [
        pytest.param({"OPENAI_API_KEY": "secret-one"}, "Bearer secret-one", id="the usual variable"),
        pytest.param(
            {"OPENAI_API_KEY": "secret-one", "RAGFAULT_JUDGE_API_KEY": "secret-two"},
            "Bearer secret-two",
            id="one of its own",
        ),
    ],
)
def test_the_key_comes_from_the_environment_and_is_never_shown(run, labelled, monkeypatch, variable, sent):
    for name in ("OPENAI_API_KEY", "RAGFAULT_JUDGE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variable.items():
        monkeypatch.setenv(name, value)
    with serving() as stub:
        ran = run(*asked(stub, labelled, "--json"))
    headers = {name.lower(): value for name, value in stub.headers[0].items()}
    assert headers["authorization"] == sent
    assert sent.split()[1] not in ran.out + ran.err


def test_an_endpoint_that_refuses_is_one_line_and_exit_code_2(run, labelled):
    with serving(lambda number, request: Says(status=401, error="bad key")) as stub:
        ran = run(*asked(stub, labelled, "--subjects", "answer", "--concurrency", "1"))
    assert ran.code == 2
    assert ran.line.startswith("ragfault: the endpoint fails: HTTP 401")
    assert "check --base-url, --model and the key; 1 question was not asked" in ran.line
    assert "1 without a judgement: not_allowed" in ran.out


def test_nobody_listens_is_exit_code_2_with_a_budget_too(run, labelled):
    with serving() as stub:
        pass
    ran = run(*asked(stub, labelled, "--subjects", "answer", "--budget", "2"))
    assert ran.line.startswith("ragfault: the endpoint fails: no connection to 127.0.0.1:")


@pytest.mark.parametrize("more", [(), ("--dry-run",)], ids=["asking", "a dry run"])
@pytest.mark.parametrize("url", ["notaurl", "127.0.0.1:8000/v1", "ftp://h/v1", "http:///v1", "http://h:99999/v1"])
def test_an_address_that_is_none_is_refused_before_anything_is_asked(run, labelled, url, more):
    ran = run("judge", "run", "--db", labelled, "--model", "m", "--base-url", url, *more)
    assert ran.line.startswith(f"ragfault: --base-url: found '{url}'; an address such as http")
    assert ran.out == ""


def test_a_budget_that_is_spent_is_a_note(run, labelled):
    with serving(lambda number, request: Says(good(request))) as stub:
        ran = run(*asked(stub, labelled, "--subjects", "answer", "--budget", "1"))
    assert ran.code == 0
    assert ran.err == "note: the budget is spent; 1 question remains; run this again to go on\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        pytest.param(("--subjects", "anser"), "--subjects: found 'anser'; did you mean 'answer'?", id="misspelt"),
        pytest.param(("--subjects", ","), "--subjects: nothing was given", id="none"),
        pytest.param(("--repeats", "0"), "--repeats", id="no repeat"),
    ],
)
def test_wrong_usage(run, labelled, arguments, line):
    with serving() as stub:
        assert line in run(*asked(stub, labelled, *arguments)).line


def test_before_any_verdict(run, db):
    assert run("judge", "agreement", "--db", db).out.startswith("no verdicts yet")
    assert json.loads(run("judge", "agreement", "--db", db, "--json").out) == []
    assert run("verdict", "disagreements", "--db", db).out == "0 disagreements\n"


@pytest.mark.parametrize(
    ("place", "told"),
    [
        pytest.param("no_such_module:refuses", "which cannot be imported (ModuleNotFoundError", id="no module"),
        pytest.param("json:refuses", "which cannot be imported (AttributeError", id="no function"),
        pytest.param("json:__name__", "which is no function", id="something else"),
    ],
)
def test_the_configuration_in_force_names_a_detector_that_is_not_there(run, tmp_path, place, told):
    (tmp_path / "ragfault.toml").write_text(f'refusal_detector = "{place}"\n')
    assert f"refusal_detector: found {place}, {told}" in run("config").line
    (tmp_path / "ragfault.toml").write_text('refusal_detector = "json:loads"\n')
    assert run("config", "--json").json["values"]["refusal_detector"]["value"] == "json:loads"


def test_a_target_that_the_answer_does_not_have_is_named_with_those_that_it_has(run, labelled, tmp_path):
    told = [
        {"case_id": "right", "subject": "claim_support", "target": "s2", "value": True, "judge": "ann"},
        {"case_id": "right", "subject": "citation", "target": "g", "value": True, "judge": "ann"},
    ]
    file = write_lines(tmp_path / "v.jsonl", *told)
    ran = run("verdict", "load", "--db", labelled, file)
    assert ran.code == 2
    assert ran.err.splitlines()[:2] == [
        f"{file}:1: target: found 's2', which is no claim of this answer; wanted one of s1",
        f"{file}:2: target: found 'g', which is no chunk that this answer cites; there is none at all, so remove the line",
    ]
