"""A pipeline's spans through file.yaml into files, and from there into the database."""

import json

import pyarrow as pa
import pytest

from collector.receiving import spans_of
from collector.sending import ANSWER, QUESTION, RANKING, TEXT, application, ask, ids_of, post, span
from otel_ragfault import semconv
from otel_ragfault.landing import SpoolSink, import_files

pytestmark = pytest.mark.otelcol

DOCUMENTS = semconv.GEN_AI_RETRIEVAL_DOCUMENTS


@pytest.fixture
def land(tmp_path):
    """Import what a Collector wrote; return the spans in the database."""

    def run(collector):
        db = tmp_path / "rag.duckdb"
        files = sorted((collector.folder / "ragfault-traces").iterdir())
        report = import_files(files, SpoolSink(db))
        assert report.complete
        assert report.duplicates == 0
        return spans_of(db)

    return run


@pytest.mark.parametrize("file_format", ["json", "proto"])
def test_spans_arrive_once_and_as_they_were_recorded(start, land, file_format):
    collector = start("file.yaml", RAGFAULT_FILE_FORMAT=file_format)
    with application(collector) as sent:
        for number in range(20):
            ask(QUESTION, case_id=f"case-{number}")
    arrived = land(collector)
    assert sorted(one[:2] for one in arrived) == sorted(sent)
    assert len(sent) == 80
    (first, *_) = _with(arrived, DOCUMENTS)
    assert json.loads(first) == [{"id": c, "score": s, "content": f"{TEXT} {c}"} for c, s in RANKING]


def test_content_goes_when_that_is_asked_for_and_rankings_stay(start, land):
    collector = start("file.yaml", RAGFAULT_REDACT="true")
    with application(collector):
        ask(QUESTION, case_id="case-1")
    arrived = land(collector)
    (documents,) = _with(arrived, DOCUMENTS)
    assert json.loads(documents) == [{"id": chunk, "score": score} for chunk, score in RANKING]
    (chunks,) = _with(arrived, semconv.RAGFAULT_ASSEMBLY_CHUNK_IDS)
    assert json.loads(chunks) == [chunk for chunk, _ in RANKING[:5]]
    assert _with(arrived, semconv.RAGFAULT_CITATIONS) == ['["c00"]'] * 2  # of the generation and of the request
    everything = json.dumps([one.attributes for one in arrived])
    assert not [text for text in (QUESTION, ANSWER, "flights") if text in everything]


def test_compressed_files_are_ordinary_ones_with_the_gate_of_the_readme(start, tmp_path):
    flags = ["--feature-gates=exporter.file.nativeCompression"]
    name = str(tmp_path / "traces.jsonl.zst")
    collector = start("file.yaml", flags=flags, RAGFAULT_FILE=name, RAGFAULT_FILE_COMPRESSION="zstd")
    spans = [span(number, {}) for number in range(3)]
    assert [post(collector, one) for one in spans] == [200] * 3
    collector.stop()
    with pa.CompressedInputStream(name, "zstd") as file:
        lines = file.read().decode().splitlines()
    found = [json.loads(line)["resourceSpans"][0]["scopeSpans"][0]["spans"][0] for line in lines]
    assert ids_of(found) == ids_of(spans)


def test_a_full_file_is_put_aside_and_nothing_is_lost(start, land):
    collector = start("file.yaml", RAGFAULT_FILE_MEGABYTES="1")
    spans = [span(number, {"text": "x" * 300_000}) for number in range(9)]
    assert [post(collector, one) for one in spans] == [200] * 9
    assert len(list((collector.folder / "ragfault-traces").iterdir())) >= 3
    assert sorted(one[:2] for one in land(collector)) == sorted(ids_of(spans))


def test_a_restart_adds_to_the_file(start, land):
    collector = start("file.yaml")
    spans = [span(number, {}) for number in range(2)]
    assert post(collector, spans[0]) == 200
    collector.kill()
    collector.start()
    assert post(collector, spans[1]) == 200
    assert sorted(one[:2] for one in land(collector)) == sorted(ids_of(spans))


def _with(arrived, name):
    return [one.attributes[name] for one in arrived if name in one.attributes]
