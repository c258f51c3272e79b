import gzip
import tracemalloc

import orjson
import pyarrow as pa
import pytest

from otel_ragfault.landing import SpoolSink, import_files
from otel_ragfault.landing.importing import files


@pytest.fixture
def sink(db):
    return SpoolSink(db)


@pytest.fixture
def write(tmp_path):
    def run(content, name="f.jsonl"):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return run


@pytest.fixture
def line(request_of, span_of):
    return lambda number: orjson.dumps(request_of(span_of(number))) + b"\n"


@pytest.fixture
def body(recordings):
    return (recordings / "otel-openai-v2.0.pb").read_bytes()


def zstd(content):
    return pa.compress(content, codec="zstd", asbytes=True)


def framed(*bodies):
    return b"".join(len(body).to_bytes(4) + body for body in bodies)


COMPRESS = [pytest.param(gzip.compress, id="gzip"), pytest.param(zstd, id="zstd")]


@pytest.mark.parametrize("compress", COMPRESS)
@pytest.mark.parametrize("name", ["f.gz", "f.zst", "f.jsonl"])
def test_a_compressed_file_is_known_by_its_content(sink, write, line, compress, name):
    report = import_files([write(compress(line(1) + line(2)), name)], sink)
    assert (report.spans, report.complete) == (2, True)


@pytest.mark.parametrize("compress", COMPRESS)
def test_members_follow_each_other(sink, write, line, compress):
    report = import_files([write(compress(line(1)) + compress(line(2) + line(3)))], sink)
    assert (report.spans, report.complete) == (3, True)


@pytest.mark.parametrize("compress", COMPRESS)
@pytest.mark.parametrize(
    ("content", "spans"),
    [
        pytest.param(lambda line, body: framed(body, body), 2, id="with lengths"),
        pytest.param(lambda line, body: body, 2, id="one message"),
        pytest.param(
            lambda line, body: orjson.dumps(orjson.loads(line(1)), option=orjson.OPT_INDENT_2), 1, id="document"
        ),
    ],
)
def test_every_form_may_be_compressed(sink, write, line, body, *, compress, content, spans):
    report = import_files([write(compress(content(line, body)))], sink)
    assert (report.spans, report.problems) == (spans, [])


@pytest.mark.parametrize("compress", COMPRESS)
def test_what_comes_before_a_cut_goes_in_and_the_cut_is_named(sink, write, line, compress):
    whole = compress(b"".join(map(line, range(1, 200)))) + compress(line(500))
    path = write(whole[:-12])
    report = import_files([path], sink)
    assert report.spans == 199
    assert report.problems[-1].file == path
    assert "cut off or damaged" in report.problems[-1].reason
    again = import_files([write(whole)], sink)
    assert (again.spans, again.duplicates, again.complete) == (1, 199, True)


@pytest.mark.parametrize("compress", COMPRESS)
def test_garbage_after_a_member_is_named(sink, write, line, compress):
    report = import_files([write(compress(line(1)) + b"garbage" * 9)], sink)
    assert (report.spans, report.problem_count) == (1, 1)


@pytest.mark.parametrize("compress", COMPRESS)
def test_a_compressed_file_of_nothing(sink, write, compress):
    assert "an empty file" in import_files([write(compress(b""))], sink).problems[0].reason


def test_records_that_are_compressed_one_by_one(sink, write, line, body):
    report = import_files([write(framed(zstd(body), zstd(line(1)), zstd(line(2)), body))], sink)
    assert (report.spans, report.duplicates, report.complete) == (4, 2, True)


def test_a_damaged_record_is_named_and_the_others_go_in(sink, write, line):
    broken = zstd(line(2))[:-3]
    report = import_files([write(framed(zstd(line(1)), broken, zstd(line(3))))], sink)
    assert (report.spans, [problem.line for problem in report.problems]) == (2, [2])
    assert "zstd that cannot be decompressed" in report.problems[0].reason


def test_a_record_that_becomes_too_large_is_named_with_flat_memory(monkeypatch, sink, write, line):
    monkeypatch.setattr(files, "MAX_RECORD", 100_000)
    path = write(framed(zstd(line(1)), zstd(bytes(200_000_000)), zstd(line(3))))
    tracemalloc.start()
    report = import_files([path], sink)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (report.spans, report.problems[0].line) == (2, 2)
    assert "more than 100000 bytes" in report.problems[0].reason
    assert peak < 4_000_000


@pytest.mark.parametrize("compress", COMPRESS)
def test_a_stream_that_becomes_too_large_has_flat_memory(monkeypatch, sink, write, line, compress):
    monkeypatch.setattr(files, "MAX_RECORD", 100_000)
    path = write(compress(line(1) + b"x" * 50_000_000 + b"\n" + line(2)))
    tracemalloc.start()
    report = import_files([path], sink)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (report.spans, report.problems[0].line) == (2, 2)
    assert peak < 4_000_000


def test_progress_of_a_compressed_file_counts_its_own_bytes(sink, write, line):
    path = write(gzip.compress(b"".join(map(line, range(1, 50)))))
    calls = []
    import_files([path], sink, on_progress=lambda done, total: calls.append((done, total)))
    assert {total for _, total in calls} == {path.stat().st_size}
    assert calls[-1] == (path.stat().st_size,) * 2


def test_rotated_files_of_a_folder_in_any_order(sink, tmp_path, line):
    folder = tmp_path / "traces"
    folder.mkdir()
    (folder / "traces.jsonl").write_bytes(line(3) + line(4)[:-30])
    (folder / "traces-2026-11-30T05-00-00.000.jsonl").write_bytes(line(1))
    (folder / "traces.jsonl.1.gz").write_bytes(gzip.compress(line(2)))
    (folder / ".hidden").write_bytes(b"no")
    report = import_files([folder], sink)
    assert (report.files, report.spans) == (3, 3)
    assert [(problem.file.name, problem.line) for problem in report.problems] == [("traces.jsonl", 2)]
    (folder / "traces.jsonl").write_bytes(line(3) + line(4))
    again = import_files(sorted(folder.glob("t*"), reverse=True), sink)
    assert (again.spans, again.duplicates, again.complete) == (1, 3, True)
