"""The command ``ragfault map``: what is read from each span of a file, without a database."""

import pytest

from cli.files import TRACES, write_lines
from conventions.recorded import FOLDER

TOOL = """
[[mapping]]
name = "studio"
[[mapping.spans]]
match = { scope = "pydantic-ai", attributes = { "gen_ai.tool.name" = "search_chunks" } }
stage = "retrieval"
query = "gen_ai.tool.call.arguments.query"
hits = "gen_ai.tool.call.result"
answer = "not.there"
"""
RECORDING = FOLDER / "pydantic-ai.jsonl"


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(TOOL, encoding="utf-8")
    return path


def test_a_mapping_reads_its_spans_and_the_conventions_the_others(run, config):
    ran = run("map", "--try", RECORDING, "--config", config, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.json["spans"] == 8
    assert ran.json["conventions"] == {"pydantic_ai": 6, "studio": 2}
    tool = next(span for span in ran.json["shown"] if span["convention"] == "studio")
    assert tool["kind"] == "retrieval"
    assert tool["claimed_by"][:2] == ["studio", "pydantic_ai"]
    assert [hit["id"] for hit in tool["fields"]["hits"]] == ["studio-002#2", "kiln-001#1", "kiln-001#2", "kiln-001#0"]
    assert tool["problems"] == ["content_off"]


def test_text_shows_a_span_its_fields_and_what_is_missing(run, config):
    lines = run("map", "--try", RECORDING, "--config", config).out.splitlines()
    at = next(number for number, line in enumerate(lines) if ": studio, retrieval" in line)
    assert lines[at].startswith("execute_tool search_chunks (pydantic-ai 2.68.0): studio, retrieval")
    assert lines[at + 1].split()[0] == "query"
    assert lines[at + 2].startswith("    hits            4: studio-002#2 (0.4811, 102 characters)")
    assert lines[at + 3] == "    ! content_off"
    assert lines[-2:] == ["       6  read by pydantic_ai", "       2  read by studio"]


def test_without_a_mapping_the_conventions_are_shown(run, tmp_path):
    found = run("map", "--try", write_lines(tmp_path / "t.jsonl", TRACES[0]), "--json").json
    assert found["conventions"] == {"ragfault": 4}
    assert [span["kind"] for span in found["shown"]] == ["request", "retrieval", "assembly", "generation"]
    assert found["shown"][2]["fields"]["prompt_ids"] == ["g"]


def test_a_limit_ends_the_list_and_says_so(run):
    ran = run("map", "--try", RECORDING, "--limit", 2)
    assert "8 spans, 6 of them not shown (--limit)" in ran.out
    assert len(run("map", "--try", RECORDING, "--limit", 2, "--json").json["shown"]) == 2


def test_a_span_that_nobody_knows_is_named(run, tmp_path):
    line = write_lines(tmp_path / "t.jsonl", TRACES[0]).read_text(encoding="utf-8")
    plain = line.replace('"ragfault.', '"other.').replace('"gen_ai.', '"other.')
    ran = run("map", "--try", write_lines(tmp_path / "t.jsonl", plain.strip()))
    assert "retrieval: no convention claims it" in ran.out.splitlines()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        pytest.param(('hits = "gen_ai.tool.call.result"', 'hits = "a["'), "mapping[0].spans[0].hits: 'a['", id="path"),
        pytest.param(("hits = ", "hitz = "), "mapping[0].spans[0].hitz: is not a known key", id="key"),
        pytest.param(('"retrieval"', '"reading"'), "mapping[0].spans[0].stage: found 'reading'", id="stage"),
    ],
)
def test_a_wrong_mapping_is_one_line_that_names_the_place(run, config, wrong, words):
    config.write_text(TOOL.replace(*wrong), encoding="utf-8")
    line = run("map", "--try", RECORDING, "--config", config).line
    assert line.startswith(f"ragfault: {config}: ")
    assert words in line


def test_a_file_that_is_no_otlp_is_refused(run, tmp_path):
    ran = run("map", "--try", write_lines(tmp_path / "t.txt", "hello"))
    assert ran.code == 2
    assert "could not be read as OTLP" in ran.err


def test_no_file_is_one_line(run, tmp_path):
    assert "no such file" in run("map", "--try", tmp_path / "none.jsonl").line
