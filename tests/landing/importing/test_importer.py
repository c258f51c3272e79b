import os
import tracemalloc

import orjson
import pytest

from otel_ragfault.errors import DatabaseError, InputError
from otel_ragfault.landing import Landed, SpoolSink, import_files
from otel_ragfault.landing.importing import files, importer


@pytest.fixture
def sink(db):
    return SpoolSink(db)


@pytest.fixture
def write(tmp_path):
    def run(content, name="f.jsonl"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else orjson.dumps(content))
        return path

    return run


@pytest.fixture
def line(request_of, span_of):
    return lambda number: orjson.dumps(request_of(span_of(number)))


@pytest.fixture
def body(recordings):
    return (recordings / "otel-openai-v2.0.pb").read_bytes()


class Memory:
    """A sink that remembers the size of its batches."""

    def __init__(self):
        self.batches = []

    def write(self, batch, *, source, wait=None):
        self.batches.append((batch.num_rows, source))
        return Landed(batch.num_rows)


def framed(*bodies):
    return b"".join(len(body).to_bytes(4) + body for body in bodies)


def test_recordings_land_and_a_second_time_add_nothing(recordings, sink, query):
    paths = sorted(recordings.glob("*.jsonl"))
    first = import_files(paths, sink)
    assert (first.files, first.spans, first.duplicates, dict(first.skipped)) == (4, 14, 0, {})
    assert first.complete
    again = import_files(paths, sink)
    assert (again.spans, again.duplicates) == (0, 14)
    assert (again.logs, again.log_duplicates) == (0, first.logs)
    assert query("SELECT count(*), (SELECT count(*) FROM log_record) FROM span") == [(14, first.logs)]
    assert ("import:otel-openai-v2.jsonl",) in query("SELECT source FROM segment")


def test_protobuf_and_json_of_one_request_are_the_same_spans(recordings, sink):
    import_files([recordings / "otel-semconv-spec-shape.jsonl"], sink)
    report = import_files(sorted(recordings.glob("otel-semconv-spec-shape.*.pb")), sink)
    assert (report.spans, report.duplicates) == (0, 6)


def test_length_prefixed_protobuf(recordings, sink, write):
    bodies = [path.read_bytes() for path in sorted(recordings.glob("*.pb"))]
    report = import_files([write(framed(*bodies), "spans.bin")], sink)
    assert (report.spans, report.problem_count) == (14, 0)


def spread(line):
    return orjson.dumps(orjson.loads(line), option=orjson.OPT_INDENT_2)


FORMS = [
    pytest.param(lambda line: line(1) + b"\n" + line(2), 2, id="no newline at the end"),
    pytest.param(lambda line: line(1) + b"\r\n" + line(2) + b"\r\n", 2, id="CRLF"),
    pytest.param(lambda line: b"\n\n" + line(1) + b"\n  \n\n" + line(2) + b"\n\n", 2, id="blank lines"),
    pytest.param(lambda line: b"\xef\xbb\xbf" + line(1) + b"\n" + line(2), 2, id="byte order mark"),
    pytest.param(lambda line: spread(line(1)), 1, id="pretty-printed document"),
    pytest.param(lambda line: b"\xef\xbb\xbf\r\n" + spread(line(1)).replace(b"\n", b"\r\n"), 1, id="the same, marked"),
    pytest.param(lambda line: line(1), 1, id="one document on a line"),
    pytest.param(lambda line: b"[" + line(1) + b",\n" + line(2) + b"]", 2, id="array of requests"),
    pytest.param(lambda line: b"[" + line(1) + b"," + line(2) + b"]\n", 2, id="array on one line"),
    pytest.param(lambda line: b"[\n" + line(1) + b"\n]", 1, id="array, a request a line"),
    pytest.param(lambda line: b"{}\n" + line(1), 1, id="empty request"),
    pytest.param(lambda line: b'{"resourceMetrics":[]}\n{"resource_logs":[]}\n' + line(1), 1, id="other signals"),
    pytest.param(lambda line: b" " * 5000 + b"\n" * 5000 + line(1), 1, id="much white space"),
]


@pytest.mark.parametrize(("content", "spans"), FORMS)
def test_forms_of_text(sink, write, line, content, spans):
    report = import_files([write(content(line))], sink)
    assert (report.spans, report.problems) == (spans, [])


PROBLEMS = [
    pytest.param(lambda line: line(1) + b"\nnot json\n" + line(2), 2, 2, "not JSON", id="a line that is not JSON"),
    pytest.param(lambda line: line(1) + b"\n" + line(2)[:-9], 1, 2, "not JSON", id="cut at the end"),
    pytest.param(lambda line: line(1)[9:] + b"\n" + line(2) + b"\n" + line(3), 2, 1, "not JSON", id="cut at the start"),
    pytest.param(lambda line: line(1)[:-9] + b"\n" + line(2) + b"\n" + line(3), 2, 1, "not JSON", id="first line cut"),
    pytest.param(
        lambda line: line(1) + b'\n{"data":[]}\n',
        1,
        2,
        "without resourceSpans or resourceLogs (it has data)",
        id="no OTLP",
    ),
    pytest.param(lambda line: line(1) + b"\n[1]\n" + line(2), 2, 2, "a JSON list", id="an array among lines"),
    pytest.param(lambda line: b'"x"\n' + line(1), 1, 1, "a JSON str", id="a string"),
    pytest.param(lambda line: b'{"resourceSpans":5}\n' + line(1), 1, 1, "resourceSpans is not a list", id="number"),
    pytest.param(lambda line: b"[" * 100_000 + b"\n" + line(1), 1, 1, "not JSON", id="deep nesting"),
    pytest.param(lambda line: b"", 0, None, "an empty file", id="empty file"),
    pytest.param(lambda line: b"\xef\xbb\xbf \r\n\t\n", 0, None, "an empty file", id="blank file"),
    pytest.param(lambda line: line(1).decode().encode("utf-16"), 0, 1, "neither JSON nor OTLP protobuf", id="UTF-16"),
    pytest.param(lambda line: b"id,name\n1,x\n", 0, 1, "not JSON", id="CSV"),
    pytest.param(
        lambda line: b"PAR1\x15\x04\x15" * 50,
        0,
        None,
        "a Parquet file that is cut off or damaged",
        id="not quite Parquet",
    ),
]


@pytest.mark.parametrize(("content", "spans", "number", "reason"), PROBLEMS)
def test_what_is_not_otlp_is_named_and_the_rest_goes_in(sink, write, line, *, content, spans, number, reason):
    path = write(content(line))
    report = import_files([path], sink)
    assert report.spans == spans
    problem = report.problems[0]
    assert (problem.file, problem.line) == (path, number)
    assert reason in problem.reason
    assert not report.complete
    assert any(str(problem) == text for text in report.lines())


def test_completed_file_finishes_an_import_that_was_cut(sink, write, line):
    whole = line(1) + b"\n" + line(2) + b"\n"
    assert import_files([write(whole[:-20])], sink).spans == 1
    report = import_files([write(whole)], sink)
    assert (report.spans, report.duplicates, report.complete) == (1, 1, True)


PROTOBUF_PROBLEMS = [
    pytest.param(lambda body: framed(body) + framed(body)[:-5], 2, "cut off", id="cut in a message"),
    pytest.param(lambda body: framed(body) + b"\0\0", 2, "cut off", id="cut in a length"),
    pytest.param(lambda body: framed(body, b"\x0a\x05junk\xff\xff"), 2, "not an OTLP request", id="bad message"),
    pytest.param(lambda body: framed(body) + b"\xff" * 40, 2, "neither JSON nor OTLP", id="absurd length"),
    pytest.param(lambda body: body[:-3], None, "not an OTLP request", id="bare and cut"),
]


@pytest.mark.parametrize(("content", "number", "reason"), PROTOBUF_PROBLEMS)
def test_broken_protobuf_is_named(sink, write, body, *, content, number, reason):
    report = import_files([write(content(body), "f.pb")], sink)
    [problem] = report.problems
    assert problem.line == number
    assert reason in problem.reason
    assert report.spans == (0 if number is None else 2)


def test_message_after_a_bad_one_goes_in(sink, write, body):
    report = import_files([write(framed(b"\x0a\x05junk\xff\xff", body), "f.pb")], sink)
    assert (report.spans, report.problem_count) == (2, 1)


def test_unusable_spans_are_counted_by_reason(sink, write, request_of, span_of):
    request = request_of(span_of(1), span_of(2, spanId="0" * 16), span_of(3, spanId="0" * 16))
    report = import_files([write(request)], sink)
    assert (report.spans, dict(report.unusable)) == (1, {"span id of zeros": 2})
    assert "2 set aside: span id of zeros" in report.lines()


def empty(folder):
    (folder / "empty").mkdir()
    return folder / "empty"


BAD_PATHS = [
    pytest.param(lambda folder: folder / "absent.jsonl", "no such file", id="missing"),
    pytest.param(empty, "a directory without files", id="empty directory"),
    pytest.param(lambda folder: folder / "a\0b", "wanted", id="NUL in the path"),
    pytest.param(lambda folder: folder / ("x" * 300), "wanted", id="name too long"),
    pytest.param(lambda folder: "/dev/null", "not a file", id="device"),
]


@pytest.mark.parametrize(("path", "found"), BAD_PATHS)
def test_bad_path_is_refused_before_anything_is_imported(tmp_path, write, line, path, found):
    memory = Memory()
    with pytest.raises(InputError, match=found):
        import_files([write(line(1)), path(tmp_path)], memory)
    assert memory.batches == []


def test_batches_are_bounded_by_spans_and_bytes(monkeypatch, write, line):
    monkeypatch.setattr(importer, "_BATCH_ROWS", 4)
    memory = Memory()
    import_files([write(b"\n".join(map(line, range(1, 11))))], memory)
    assert [rows for rows, _ in memory.batches] == [4, 4, 2]
    monkeypatch.setattr(importer, "_BATCH_BYTES", len(line(1)) + 2)
    memory = Memory()
    import_files([write(b"\n".join(map(line, range(1, 6))))], memory)
    assert [rows for rows, _ in memory.batches] == [2, 2, 1]


def test_endless_line_is_skipped_with_flat_memory(monkeypatch, sink, write, line):
    monkeypatch.setattr(files, "MAX_RECORD", 100_000)
    path = write(line(1) + b"\n" + b"x" * 5_000_000 + b"\n" + line(2))
    tracemalloc.start()
    report = import_files([path], sink)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (report.spans, report.problems[0].line) == (2, 2)
    assert peak < 4_000_000


def test_progress_goes_from_nothing_to_all(sink, write, line, body):
    paths = [write(line(1) + b"\n" + line(2)), write(b"", "empty"), write(framed(body), "f.pb")]
    calls = []
    import_files(paths, sink, on_progress=lambda done, total: calls.append((done, total)))
    total = sum(path.stat().st_size for path in paths)
    assert calls[-1] == (total, total)
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)


def test_many_problems_are_counted_but_not_all_kept(sink, write):
    report = import_files([write(b"x\n" * 3000)], sink)
    assert (report.problem_count, len(report.problems)) == (3000, 1000)
    assert report.lines()[-1] == "and 2000 more problems"


def test_locked_database_stops_the_import_loudly(db, write, line, held):
    with held(db), pytest.raises(DatabaseError, match="another process"):
        import_files([write(line(1))], SpoolSink(db, wait=0.05))


def test_import_waits_for_a_database_in_use(db, write, line, held):
    import threading
    import time

    reports = []
    with held(db):
        path = write(line(1))
        thread = threading.Thread(target=lambda: reports.append(import_files([path], SpoolSink(db, wait=20))))
        thread.start()
        time.sleep(0.3)
        assert reports == []
    thread.join()
    assert reports[0].spans == 1


def test_a_pipe_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="not a file"):
        import_files([tmp_path / "pipe"], Memory())
