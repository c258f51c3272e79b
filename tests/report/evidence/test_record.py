"""An evidence record stands alone: its label follows from the file, and nothing in it can be changed unnoticed."""

import copy
import json
import shutil
import uuid
from contextlib import closing

import jsonschema
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from prov.model import ProvDocument

from faults.test_tree import worlds
from faults.worlds import NOTHING, clear, put
from otel_ragfault.cli.record import record as record_command
from otel_ragfault.demo import run_demo
from otel_ragfault.errors import InputError
from otel_ragfault.jobs.label import judge_joined
from otel_ragfault.model import Config
from otel_ragfault.report.evidence import (
    EvidenceRecord,
    evidence_json_schema,
    gather_evidence,
    provenance,
    verify_evidence,
)
from otel_ragfault.report.evidence.minimum import boundaries
from otel_ragfault.report.evidence.restored import restored
from otel_ragfault.report.evidence.verify import relabel
from otel_ragfault.sql import labelling_statement
from otel_ragfault.store import connect

CASE = "taxi-receipt"


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    return run_demo(tmp_path_factory.mktemp("evidence"))


@pytest.fixture(scope="module")
def written(demo):
    with closing(connect(demo.db, read_only=True)) as con:
        cases = [case for (case,) in con.execute("SELECT case_id FROM gold_case ORDER BY 1").fetchall()]
        return {case: gather_evidence(con, case) for case in cases}


@pytest.fixture
def run(demo, tmp_path):
    db = tmp_path / "copy.duckdb"
    shutil.copy(demo.db, db)

    def invoke(*arguments):
        return CliRunner().invoke(record_command, [str(db) if one == "DB" else one for one in arguments])

    return invoke


def as_file(record):
    """The record after a journey through JSON text."""
    return json.loads(json.dumps(record.model_dump(mode="json")))


def test_every_label_of_the_demonstration_follows_from_its_record(demo, written):
    found = {case: verify_evidence(EvidenceRecord.model_validate(as_file(one))) for case, one in written.items()}
    assert {case: one.recomputed for case, one in found.items()} == demo.figures["labels"]
    assert all(one.holds and not one.other_rules for one in found.values()), found


def test_a_record_fits_its_json_schema(written):
    schema = evidence_json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    for one in written.values():
        jsonschema.validate(as_file(one), schema)


def test_what_is_not_known_is_there_with_its_reason_and_remedy(written):
    record = as_file(written[CASE])
    names = {name: {one["name"] for one in part["unknown"]} for name, part in record["boundaries"].items()}
    assert list(names) == ["question", "source set", "retrieval", "assembly", "generation", "citation", "decision"]
    assert "validity" in names["source set"]
    assert "ranked_ids" not in names["retrieval"]
    assert record["boundaries"]["retrieval"]["known"]["ranked_ids"]
    assert all(one["reason"] and one["remedy"] for part in record["boundaries"].values() for one in part["unknown"])


def change(record, *path, to):
    """Change a value and make the digest right again, as somebody would who wants to deceive."""
    changed = copy.deepcopy(record)
    *parents, last = path
    place = changed
    for step in parents:
        place = place[step]
    place[last] = to
    model = EvidenceRecord.model_validate(changed)
    return model.model_copy(update={"digest": model.digested()})


@pytest.mark.parametrize(
    ("path", "to", "problem"),
    [
        pytest.param(("rows", "request", 0, "answer"), "Another answer.", "text answer", id="the answer"),
        pytest.param(("rows", "request", 0, "prompt_ids"), [], "boundary assembly", id="the prompt"),
        pytest.param(("rows", "request", 0, "k"), 0, "boundary retrieval", id="k"),
        pytest.param(("rows", "label", 0, "label"), "pass", "'pass' is recorded", id="the label of the row"),
        pytest.param(("label",), "pass", "'pass' is shown", id="the label that is shown"),
        pytest.param(("case_id",), "another", "'another' is shown", id="the case that is shown"),
        pytest.param(("rows", "gold_evidence", 0, "chunk_id"), "c99", "boundary question", id="the evidence"),
        pytest.param(("boundaries", "retrieval", "known", "k"), 9, "boundary retrieval", id="what people are shown"),
        pytest.param(("rows", "request"), [], "one row of request was wanted", id="no request"),
        pytest.param(("rows", "gold_case", 0, "tags"), 7, "cannot be recomputed", id="a value of another type"),
        pytest.param(("rows", "request", 0, "query"), 7, "in this form", id="a number for a text"),
        pytest.param(("rows", "request", 0, "started_at"), "yesterday", "in this form", id="a time that is none"),
        pytest.param(("rows", "request", 0, "missing"), None, "cannot be recomputed", id="a list that is none"),
        pytest.param(("rows", "request", 0, "surprise"), 1, "in this form", id="a column of no table"),
        pytest.param(("rows", "corpus_chunk", 0, "snapshot_id"), "x", "in this form", id="a chunk of another snapshot"),
        pytest.param(("rows", "corpus_chunk", 0, "text_hash"), "0" * 64, "hash of the row", id="the hash of a chunk"),
        pytest.param(("rows", "label_run", 0, "config"), [], "cannot be recomputed", id="a configuration that is none"),
        pytest.param(("rows", "label_run", 0, "run_id"), "x", "another run", id="another labelling"),
        pytest.param(("rows", "label", 0, "gold_version"), "x", "gold_version", id="another version of gold"),
        pytest.param(("rows", "verdict", 0, "request_id"), str(uuid.UUID(int=1)), "another request", id="a verdict"),
        pytest.param(("rows", "verdict", 0), {}, "cannot be recomputed", id="a row of nothing"),
        pytest.param(("rows", "surprise"), [], "other rows", id="rows of no table"),
        pytest.param(("rows",), {}, "other rows", id="no rows"),
        pytest.param(("trace_id",), "f" * 32, "trace_id", id="the trace that is shown"),
    ],
)
def test_whatever_is_changed_is_found(written, path, to, problem):
    found = verify_evidence(change(as_file(written[CASE]), *path, to=to))
    assert not found.holds
    assert problem in "\n".join(found.problems)


def forged(record, subject, **changes):
    """Change the newest verdict by rule on a subject, and the label with it, as far as it follows."""
    changed = copy.deepcopy(record)
    verdicts = changed["rows"]["verdict"]
    (row,) = [one for one in verdicts if one["subject"] == subject]
    if changes:
        row.update(changes)
    else:
        verdicts.remove(row)
    label = changed["rows"]["label"][0]
    with restored(changed["rows"]) as con:
        follows = relabel(con, changed["rows"])
    for name in ("retrieved", "grounded", "correct", "cited"):
        label.pop(name, None)
    label.update(follows)
    if label.get("outcome") != record["outcome"]:
        changed["outcome"] = label["outcome"]
    changed["label"] = label["label"]
    told = boundaries(changed["rows"])
    changed["boundaries"] = {name: part.model_dump(mode="json") for name, part in told.items()}
    model = EvidenceRecord.model_validate(changed)
    return model.model_copy(update={"digest": model.digested()})


@pytest.mark.parametrize(
    ("subject", "changes", "said"),
    [
        pytest.param("answer", {"value": True}, "true by rule is recorded, false follows from the texts", id="turned"),
        pytest.param("answer", {}, "nothing by rule is recorded, false follows from the texts", id="taken out"),
        pytest.param(
            "refusal", {"value": True}, "true by rule is recorded, false follows", id="a refusal that is none"
        ),
    ],
)
def test_a_forged_verdict_by_rule_is_found(written, subject, changes, said):
    found = verify_evidence(forged(as_file(written[CASE]), subject, **changes))
    assert [problem for problem in found.problems if said in problem] == list(found.problems)
    assert not found.holds


def test_a_verdict_of_a_person_is_taken_on_trust_and_named(written):
    forgery = forged(as_file(written[CASE]), "answer", value=True, source="human", judge="ann")
    found = verify_evidence(forgery)
    assert "answer by ann (human)" in found.on_trust
    assert found.problems == ("verdict answer: nothing by rule is recorded, false follows from the texts",)


def test_rules_of_a_user_are_not_run(written):
    record = as_file(written[CASE])
    record["rows"]["label_run"][0]["config"]["refusal_detector"] = "os:abort"
    found = verify_evidence(change(record, "rows", "label_run", 0, "version", to="9"))
    assert found.problems == ()
    assert found.on_trust == ()
    record["rows"]["verdict"] = [
        one | {"value": True} if one["subject"] == "refusal" else one for one in record["rows"]["verdict"]
    ]
    found = verify_evidence(change(record, "rows", "label_run", 0, "version", to="9"))
    assert "refusal by rule" in found.on_trust


def test_what_was_judged_anew_is_named(run, written, tmp_path):
    out = tmp_path / "case.json"
    assert run("--db", "DB", CASE, "--out", str(out)).exit_code == 0
    assert "judged anew from the texts: answer, " in run("verify", str(out)).stdout
    assert "answer" in json.loads(run("verify", "--json", str(out)).stdout)[0]["rejudged"]


def test_a_change_without_a_new_digest_is_found(written):
    changed = written[CASE].model_copy(update={"written_at": "2020-01-01T00:00:00+00:00"})
    assert verify_evidence(changed).problems == (
        "the digest does not match: the file was changed after it was written",
    )


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(worlds())
def test_the_label_of_any_world_follows_from_its_record(tmp_path_factory, world):
    db = tmp_path_factory.mktemp("world") / "w.duckdb"
    with closing(connect(db, create=True)) as con:
        clear(con)
        request_id = put(con, 1, world)
        con.execute("UPDATE verdict SET source = 'human', judge = 'ann'")  # our rules say what the texts say
        con.execute(
            "INSERT INTO label_run (run_id, started_at, config, requests, joined, version) "
            "VALUES ('r', now()::TIMESTAMP + INTERVAL 1 DAY, '{}', 1, 1, '0')"
        )
        con.execute("CREATE TEMP VIEW subject AS FROM request")
        con.execute("CREATE TEMP VIEW judged AS FROM verdict")
        con.execute("CREATE TEMP TABLE joined AS SELECT request_id, case_id FROM request")
        judge_joined(con, Config(), None)
        con.execute(f"INSERT INTO label BY NAME SELECT 'r' AS run_id, * FROM ({labelling_statement()})", NOTHING)
        record = gather_evidence(con, request_id.hex)
    assert verify_evidence(EvidenceRecord.model_validate(as_file(record))).holds


def test_provenance_is_prov_json_in_which_the_label_leads_back_to_question_and_corpus(written):
    document = ProvDocument.deserialize(content=json.dumps(provenance(written[CASE])))
    text = document.get_provn()
    assert "wasGeneratedBy(rf:label, rf:labelling" in text
    assert "used(rf:labelling, rf:answer" in text
    assert "wasDerivedFrom(rf:prompt, rf:chunk" in text
    names = {str(record.identifier) for record in document.get_records() if record.identifier is not None}
    named = {str(end) for record in document.get_records() for _, end in record.formal_attributes if "rf:" in str(end)}
    assert named <= names


def test_the_commands_write_and_check(run, tmp_path):
    out, prov = tmp_path / "case.json", tmp_path / "case.prov.json"
    result = run("--db", "DB", CASE, "--out", str(out), "--prov", str(prov))
    assert result.exit_code == 0, result.output
    assert "assembly.cut" in result.stderr
    assert run("verify", str(out)).exit_code == 0
    assert json.loads(prov.read_text())["entity"]["rf:label"]["rf:label"] == "assembly.cut"
    out.write_text(out.read_text().replace('"outcome": "wrong"', '"outcome": "correct"', 1))
    result = run("verify", "--json", str(out))
    assert result.exit_code == 1
    assert json.loads(result.stdout)[0]["holds"] is False


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"{", "not JSON", id="cut"),
        pytest.param(b"[]", "not an evidence record", id="a list"),
        pytest.param(b'{"format": "other"}', "not an evidence record", id="another format"),
        pytest.param(
            b'{"format": "otel-ragfault evidence record", "format_version": 2}', "format_version", id="another version"
        ),
        pytest.param(b'{"format": "x", "format": "y"}', "'format' stands twice", id="a name that stands twice"),
        pytest.param(b'{"format": NaN}', "NaN is no JSON", id="a number that is none"),
    ],
)
def test_a_file_that_is_no_record_is_refused_in_one_line(run, tmp_path, content, said):
    path = tmp_path / "x.json"
    path.write_bytes(content)
    result = run("verify", str(path))
    assert isinstance(result.exception, InputError)
    assert said in str(result.exception)
    assert "\n" not in str(result.exception)


@pytest.mark.parametrize(
    "value",
    [pytest.param("\ud800", id="half a character"), pytest.param(json.loads("[" * 400 + "]" * 400), id="too deep")],
)
def test_a_value_that_no_record_can_have_is_refused_in_one_line(run, written, tmp_path, value):
    record = as_file(written[CASE])
    record["rows"]["request"][0]["answer"] = value
    path = tmp_path / "x.json"
    path.write_text(json.dumps(record), "utf-8")
    result = run("verify", str(path))
    assert isinstance(result.exception, InputError)
    assert "no record has such a value" in str(result.exception)


def test_a_label_that_no_longer_follows_is_not_written(demo, tmp_path):
    db = tmp_path / "copy.duckdb"
    shutil.copy(demo.db, db)
    with closing(connect(db)) as con:
        con.execute("UPDATE gold_evidence SET chunk_id = 'c13' WHERE case_id = ?", [CASE])
        with pytest.raises(InputError, match="label again"):
            gather_evidence(con, CASE)


@pytest.mark.parametrize(
    ("needle", "run_id", "said"),
    [
        pytest.param("nobody", None, "no request has this", id="unknown case"),
        pytest.param(CASE, "yesterday", "no labelling of this request", id="unknown run"),
    ],
)
def test_what_is_not_there_is_said(demo, needle, run_id, said):
    with closing(connect(demo.db, read_only=True)) as con, pytest.raises(InputError, match=said):
        gather_evidence(con, needle, run_id=run_id)
