"""Reports of a gate: what they show, that nothing in them is read as markup, and that they stay below their limits."""

import json
import re
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from gating.sarif_shape import SHAPE
from gating.states import changes, comparison, gate, side, state
from otel_ragfault.jobs.comparing import BoundaryChange
from otel_ragfault.jobs.gating import RunCase, decide
from otel_ragfault.model import Config
from otel_ragfault.report.escape import code, fenced, inline, xml_text
from otel_ragfault.report.gate import (
    Extras,
    Place,
    ProbeRow,
    gate_json,
    gate_junit,
    gate_markdown,
    gate_sarif,
)
from otel_ragfault.report.gate.markdown import LIMIT, MARKER

GOOD = ["pass"] * 40
FALLEN = ["retrieval.below_k"] * 8 + ["retrieval.no_overlap"] * 2 + ["pass"] * 30
HOSTILE = "a | b\n<script>x</script> `c` @octocat #12 www.evil.example https://evil.example/ **d** \x00\x1b[31m\u202e"


def rendered(text):
    return MarkdownIt("commonmark", {"html": True}).enable("table").render(text)


def rows_of(markdown, heading):
    """The rows of the table below a heading, each as its cells."""
    part = markdown.split(f"### {heading}\n\n", 1)[1].split("\n\n", 1)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines()[2:]]


def hostile_gate():
    cases = [
        type(one)(HOSTILE + one.case_id, HOSTILE, one.before, one.after, one.change) for one in changes(GOOD, FALLEN)
    ]
    settings = {HOSTILE: ([HOSTILE], [HOSTILE, "x" * 5_000])}
    now = [RunCase(one.case_id, one.query, one.after) for one in cases]
    result = decide(Config(), side(40, HOSTILE), now, comparison(cases, settings, [HOSTILE]))
    extras = Extras(
        cards={one.case_id: f"```\n</details>\n{HOSTILE}" for one in cases},
        places={one.case_id: Place(f"gold {HOSTILE}.jsonl", 3) for one in cases},
        probes=[ProbeRow(HOSTILE, HOSTILE, HOSTILE)],
    )
    return result, extras


# --- Markdown


def test_the_verdict_and_the_boundary_come_first_and_advice_with_them():
    lines = gate_markdown(gate(GOOD, FALLEN)).splitlines()
    assert lines[:2] == [MARKER, "## ❌ RAG gate: failed, lost at retrieval"]
    assert any(
        line.startswith(
            "- **retrieval**: 10 cases (`retrieval.below_k` 8, `retrieval.no_overlap` 2). Try first: Reranking"
        )
        for line in lines
    )


@pytest.mark.parametrize(
    ("before", "after", "heading"),
    [
        pytest.param(GOOD, GOOD, "## ✅ RAG gate: passed", id="passed"),
        pytest.param(
            GOOD,
            ["unknown.answer"] * 12 + ["citation.wrong"] * 12 + ["pass"] * 16,
            "## ❌ RAG gate: failed, lost at citation, not known any more",
            id="a boundary, and telemetry",
        ),
        pytest.param(["pass"] * 8, ["pass"] * 8, "## ⚠️ RAG gate: passed, 9 rules not decidable", id="too few cases"),
        pytest.param(
            GOOD, ["error.generation"] * 12 + ["pass"] * 28, "## ❌ RAG gate: failed, ended in errors", id="errors"
        ),
    ],
)
def test_the_heading_is_the_verdict(before, after, heading):
    assert gate_markdown(gate(before, after)).splitlines()[1] == heading


def test_every_case_that_changed_is_a_row_with_both_labels_and_advice():
    rows = rows_of(gate_markdown(gate(GOOD, FALLEN)), "Cases that changed")
    assert len(rows) == 10
    assert rows[0][1:6] == [
        "<code>c1</code>",
        "question 1",
        "`pass` (correct)",
        "`retrieval.below_k` (wrong)",
        "retrieval",
    ]
    assert rows[0][6].startswith("Reranking")


def test_settings_rules_and_boundaries_are_tables():
    text = gate_markdown(
        gate(
            GOOD, FALLEN, changed_settings={"k": (["5"], ["2"])}, boundaries=[BoundaryChange("retrieval", 0, 30, 10, 0)]
        )
    )
    assert rows_of(text, "Settings that changed") == [["<code>k</code>", "<code>5</code>", "<code>2</code>"]]
    assert rows_of(text, "Boundaries") == [["**retrieval**", "0", "30", "10", "0"]]
    rules = rows_of(text, "Rules")
    assert [row[0] for row in rules] == ["❌"] * 2 + ["✅"] * 7
    assert rules[0][1:5] == ["<code>passed</code> no worse", "100%", "75%", "25 points"]


def test_probes_and_cards_are_shown_where_there_are_some():
    extras = Extras(
        cards={"c1": "the card"}, probes=[ProbeRow("c1", "gold_only 3/3, original 0/3", "order_sensitive: …")]
    )
    text = gate_markdown(gate(GOOD, FALLEN), extras)
    assert rows_of(text, "Probes") == [["<code>c1</code>", "gold_only 3/3, original 0/3", "order_sensitive: …"]]
    assert "```text\nthe card\n```" in text


def test_without_a_baseline_the_cases_that_do_not_pass_are_shown():
    text = gate_markdown(gate(None, FALLEN, {"require": [{"measure": "passed", "at_least": 0.9}]}))
    assert text.splitlines()[1] == "## ❌ RAG gate: failed"
    assert len(rows_of(text, "Cases that do not pass")) == 10


def test_texts_of_users_are_neither_markup_nor_mentions_nor_links():
    text = gate_markdown(*hostile_gate())
    html = rendered(text)
    outside = re.sub(r"<pre>.*?</pre>", "", html, flags=re.DOTALL)
    assert "<script" not in html
    assert "<strong>d" not in outside
    assert not re.search(r"@octocat|#12\b|www\.evil|https://evil", outside)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u202e]", text)
    assert outside.count("<details>") == outside.count("</details>") == 2


@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_a_text_is_shown_as_it_is_and_fills_one_cell(text):
    html = rendered(f"| a | b |\n|---|---|\n| {inline(text)} | {code(text)} |\n")
    cells = re.findall(r"<td>(.*?)</td>", html, re.DOTALL)
    assert len(cells) == 2
    assert not re.search(r"<(?!/?code>)", "".join(cells))


@settings(deadline=None)
@given(st.text(st.sampled_from("`\n a"), max_size=30))
def test_a_block_of_code_ends_where_it_should(text):
    html = rendered(f"{fenced(text)}\n\nbehind")
    assert html.endswith("<p>behind</p>\n")
    assert html.count("<pre>") == 1


@pytest.mark.parametrize("cases", [10, 400, 4_000])
def test_a_comment_stays_below_the_limit_and_says_what_it_left_out(cases):
    before, after = ["pass"] * cases, ["retrieval.below_k"] * (cases // 2) + ["pass"] * (cases // 2)
    extras = Extras(cards={f"c{number}": "é" * 900 for number in range(1, 51)})
    text = gate_markdown(gate(before, after, {"no_regression": [{"measure": "passed"}]}), extras)
    assert len(text.encode()) <= LIMIT < 65_536
    assert ("eft out" in text) == (cases > 10)
    html = rendered(text)
    assert html.count("<details>") == html.count("</details>")
    if cases == 4_000:
        shown = len(rows_of(text, "Cases that changed"))
        left_out = int(re.search(r"… (\d+) changed cases left out", text)[1])
        assert shown + left_out == 2_000


GATED = gate(GOOD, FALLEN)


@settings(deadline=None)
@given(st.integers(1_500, 30_000))
def test_any_limit_is_kept(limit):
    text = gate_markdown(GATED, Extras(cards={"c1": "x" * 500}), limit=limit)
    assert len(text.encode()) <= limit
    assert text.startswith(MARKER)


# --- JUnit


def suites(text):
    root = ET.fromstring(text.encode())  # noqa: S314 - our own
    return root, {suite.get("name"): suite for suite in root}


def test_junit_has_a_suite_for_the_rules_and_one_for_each_boundary():
    extras = Extras(cards={"c1": "the card"}, places={"c1": Place("gold.jsonl", 7)})
    root, found = suites(gate_junit(gate(GOOD, FALLEN), extras))
    assert list(found) == ["rules", "retrieval", "passed"]
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("49", "12", "0")
    first = found["retrieval"][0]
    assert (first.get("name"), first.get("file"), first.get("line")) == ("c1", "gold.jsonl", "7")
    assert (first[0].tag, first[0].get("type"), first[0].text) == ("failure", "retrieval.below_k", "the card")
    assert len(found["passed"]) == 30


def test_junit_fails_where_the_gate_fails_and_nowhere_else():
    worse_inside_the_noise = ["retrieval.below_k"] * 2 + ["pass"] * 38
    root, found = suites(gate_junit(gate(GOOD, worse_inside_the_noise)))
    assert root.get("failures") == "0"
    assert [test[0].get("message") for test in found["retrieval"]] == [
        "retrieval.below_k: worse, and inside the noise"
    ] * 2


def test_junit_knows_what_failed_before():
    root, found = suites(gate_junit(gate(FALLEN, FALLEN)))
    assert (root.get("failures"), root.get("skipped")) == ("0", "10")
    assert {test[0].tag for test in found["retrieval"]} == {"skipped"}


def test_counts_of_junit_are_those_of_its_test_cases():
    for suite in suites(gate_junit(gate(GOOD, FALLEN)))[0]:
        assert int(suite.get("tests")) == len(suite.findall("testcase"))
        assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))
        assert int(suite.get("skipped")) == len(suite.findall("testcase/skipped"))


def test_junit_takes_whatever_is_in_a_case():
    root, _ = suites(gate_junit(*hostile_gate()))
    assert root.get("failures") == "12"


@settings(deadline=None)
@given(st.text(max_size=40))
def test_any_text_becomes_xml_that_parses(text):
    element = ET.Element("a", b=xml_text(text))
    element.text = xml_text(text)
    parsed = ET.fromstring(ET.tostring(element, encoding="unicode").encode())  # noqa: S314 - our own
    assert parsed.tag == "a"


# --- SARIF and JSON


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(lambda: (gate(GOOD, FALLEN), Extras(places={"c1": Place("gold/cases.jsonl", 7)})), id="failed"),
        pytest.param(lambda: (gate(GOOD, GOOD), Extras()), id="passed"),
        pytest.param(
            lambda: (gate(None, FALLEN, {"require": [{"measure": "passed", "at_least": 0.9}]}), Extras()),
            id="no baseline",
        ),
        pytest.param(hostile_gate, id="hostile texts"),
    ],
)
def test_sarif_has_the_shape_that_the_standard_wants(made):
    log = json.loads(json.dumps(gate_sarif(*made())))
    jsonschema.validate(log, SHAPE)
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules))
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])


def test_sarif_points_at_the_line_of_the_gold_file():
    places = {"c1": Place("gold/my cases.jsonl", 7), "c2": Place("/data/gold.jsonl", 9)}
    results = gate_sarif(gate(GOOD, FALLEN), Extras(places=places))["runs"][0]["results"]
    found = [result["locations"][0].get("physicalLocation") for result in results[:3]]
    assert [one and (one["artifactLocation"]["uri"], one["region"]["startLine"]) for one in found] == [
        ("gold/my%20cases.jsonl", 7),
        ("file:///data/gold.jsonl", 9),
        None,
    ]


def test_sarif_tells_new_faults_from_known_ones():
    result = gate(["generation.wrong_answer", *GOOD], ["generation.wrong_answer", *FALLEN])
    levels = [(one["level"], one["baselineState"]) for one in gate_sarif(result)["runs"][0]["results"]]
    assert levels == [("note", "unchanged"), *[("error", "new")] * 10]


def test_sarif_ends_as_the_gate_does():
    for after, code_ in ((FALLEN, 1), (GOOD, 0)):
        (invocation,) = gate_sarif(gate(GOOD, after))["runs"][0]["invocations"]
        assert (invocation["exitCode"], invocation["executionSuccessful"]) == (code_, True)


def test_json_holds_rules_and_every_case_before_and_now():
    plain = json.loads(json.dumps(gate_json(gate(GOOD, FALLEN, changed_settings={"k": (["5"], ["2"])}))))
    assert plain["passed"] is False
    assert plain["changed_settings"] == {"k": {"before": ["5"], "now": ["2"]}}
    assert [blame["boundary"] for blame in plain["blames"]] == ["retrieval"]
    assert (len(plain["cases"]), sum(case["worse"] for case in plain["cases"])) == (40, 10)
    first = plain["cases"][0]
    assert (first["before"]["label"], first["now"]["label"], first["change"]) == (
        "pass",
        "retrieval.below_k",
        "regressed",
    )


def test_a_label_of_another_release_has_no_advice_and_breaks_nothing():
    result = gate(GOOD, [state("retrieval.of_tomorrow")] * 10 + GOOD[10:], {"no_regression": [{"measure": "passed"}]})
    assert "`retrieval.of_tomorrow`" in gate_markdown(result)
    gate_junit(result)
    assert {"id": "retrieval.of_tomorrow"} in gate_sarif(result)["runs"][0]["tool"]["driver"]["rules"]


def test_texts_of_sarif_hold_neither_links_nor_placeholders_nor_line_breaks():
    now = [RunCase("c[1]", "see [x](javascript:alert(1))\n{0} \\ a\u202eb", state("retrieval.below_k"))]
    rules = Config.model_validate({"gate": {"require": [{"measure": "passed", "at_least": 0.1}]}})
    (found,) = gate_sarif(decide(rules, side(1), now))["runs"][0]["results"]
    assert found["message"]["text"].startswith(r"Case c\[1\] is retrieval.below_k")
    assert found["message"]["text"].endswith(r"Question: see \[x\](javascript:alert(1)) {{0}} \\ a\\u202eb")


def test_where_nothing_is_decidable_the_comment_says_so():
    few = gate(["pass"] * 3, ["pass"] * 3)
    assert "Nothing could be decided with these cases (9 rules)" in gate_markdown(few)
    assert "`no_new_failures` needs no statistics" in gate_markdown(few)
    told = gate(["pass"] * 3, ["pass"] * 3, {"no_new_failures": True})
    assert "9 rules could not be decided" in gate_markdown(told)
    assert "needs no statistics" not in gate_markdown(told)


def test_the_comment_names_the_interval_that_was_used():
    assert "the wider of Student's t and the studentized bootstrap" in gate_markdown(gate(GOOD, FALLEN))
