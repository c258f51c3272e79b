"""Sheets that people fill in: what they hold, and that they can be loaded."""

import csv
import io
import uuid

import pytest

from judging.verdict_lines import HEX, four_requests
from otel_ragfault.jobs.claims import extract_claims
from otel_ragfault.jobs.judge_plan import join_requests
from otel_ragfault.judging.verdicts import load_verdicts, write_sheet
from queries.world import put_case


@pytest.fixture
def con(memory_factory):
    return four_requests(memory_factory())


def sheet(con, *subjects, **options):
    join_requests(con)
    file = io.StringIO()
    count = write_sheet(con, file, subjects, **options)
    rows = list(csv.DictReader(io.StringIO(file.getvalue())))
    assert count == len(rows)
    return rows


def test_a_sheet_that_is_filled_in_can_be_loaded(con, tmp_path):
    put_case(con, "a", "c1")
    con.execute("UPDATE request SET answer = 'It is red [1]. It is big.', prompt_ids = ['c1']")
    con.execute("""UPDATE gold_case SET claims = '[{"id": "k1", "text": "red"}]'""")
    extract_claims(con)
    rows = sheet(con, "answer", "claim_support", "claim_found", "citation")
    of_first = sorted((r["subject"], r["target"], r["claim_id"], r["claim"]) for r in rows if r["request_id"] == HEX[1])
    assert of_first == [
        ("answer", "", "", ""),
        ("citation", "c1", "s1", "It is red [1]."),
        ("claim_found", "k1", "", "red"),
        ("claim_support", "s1", "", "It is red [1]."),
        ("claim_support", "s2", "", "It is big."),
    ]
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0])
    writer.writeheader()
    writer.writerows(one | {"value": "yes"} for one in rows)
    file = tmp_path / "sheet.csv"
    file.write_text(text.getvalue(), newline="")
    assert load_verdicts(con, file, judge="ann").added == len(rows)
    assert sheet(con, "answer", "citation") == []
    assert len(sheet(con, "answer", judged_too=True)) == 4


def test_a_sample_is_the_same_again_and_disputed_is_what_sources_dispute(con):
    first = {one["request_id"] for one in sheet(con, "answer", "refusal", limit=2)}
    assert first == {one["request_id"] for one in sheet(con, "answer", "refusal", limit=2)}
    assert len(first) == 2
    for source, value in [("rule", True), ("model", False)]:
        con.execute(
            "INSERT INTO verdict (request_id, subject, value, source, judge, config, judged_at) VALUES (?, 'answer', ?, ?, ?, 'c', now())",
            [uuid.UUID(int=3), value, source, None if source == "rule" else "m"],
        )
    assert [one["request_id"] for one in sheet(con, "answer", disputed=True)] == [HEX[3]]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1"])
def test_a_cell_that_a_spreadsheet_would_run_is_text(con, text):
    con.execute("UPDATE request SET answer = ?", [text])
    assert {one["answer"] for one in sheet(con, "answer")} == {f"'{text}"}
