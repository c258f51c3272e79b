"""``ragfault import --follow`` on files that another process writes, renames, empties, and with kill -9."""

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time

import pyarrow as pa
import pytest

from cli.files import otlp
from otel_ragfault.store import connect

WRITER = """
import os, sys, time
path, first, last, rotate_at, how = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
line = sys.stdin.read()
file = open(path, "ab", buffering=0)
for number in range(first, last + 1):
    text = line.replace("@" * 8, f"{number:08x}").encode() + b"\\n"
    file.write(text[:100])
    time.sleep(0.002)
    file.write(text[100:])
    if number % rotate_at == 0:
        if how == "rename":
            file.close()
            root, end = os.path.splitext(path)
            os.rename(path, f"{root}-2026-11-30T05-00-{number:04}{end}")
            file = open(path, "ab", buffering=0)
        elif how == "truncate":
            time.sleep(1.0)
            os.truncate(path, 0)
"""


def text_of(number):
    return json.dumps(otlp(number, case="a", query="q", ranked=["g"], prompt=["g"], answer="x"))


def template():
    """A request with the placeholder of its number in the ids of the trace and of the spans."""
    request = otlp(1, case="a", query="q", ranked=["g"], prompt=["g"], answer="x")
    for span in request["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        span["traceId"] = "0" * 23 + "1" + "@" * 8
        span["spanId"] = span["spanId"][-8:] + "@" * 8
        if span["parentSpanId"]:
            span["parentSpanId"] = span["parentSpanId"][-8:] + "@" * 8
    return json.dumps(request)


@pytest.fixture
def db(tmp_path):
    return tmp_path / "follow.duckdb"


class Following:
    """A running ``ragfault import --follow``."""

    def __init__(self, db, *files, options=(), crash=""):
        command = [sys.executable, "-m", "otel_ragfault", "import", "--db", db, "--follow", "--poll", "0.1"]
        self.process = subprocess.Popen(
            [*command, *options, *files],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "RAGFAULT_CRASH_AT": crash},
        )

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err

    def kill(self):
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def follow(db):
    running = []

    def start(*files, **how):
        running.append(Following(db, *files, **how))
        return running[-1]

    yield start
    for one in running:
        if one.process.poll() is None:
            one.kill()


def start_writer(path, first, last, *, rotate_at=10**9, how="never"):
    command = [sys.executable, "-c", WRITER, path, first, last, rotate_at, how]
    writer = subprocess.Popen([str(part) for part in command], stdin=subprocess.PIPE, text=True)
    writer.stdin.write(template())
    writer.stdin.close()
    return writer


def ask(db, sql):
    con = connect(db, read_only=True, wait=30)
    try:
        return con.execute(sql).fetchall()
    finally:
        con.close()


def until(db, wanted, sql="SELECT count(DISTINCT (trace_id, span_id)) FROM span", seconds=90):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if db.exists() and ask(db, sql) == [(wanted,)]:
            return
        time.sleep(0.2)
    pytest.fail(f"{ask(db, sql) if db.exists() else 'no database'}, wanted {wanted}")


def check_all(db, requests):
    assert ask(db, "SELECT count(*), count(DISTINCT (trace_id, span_id)) FROM span") == [(requests * 4,) * 2]
    assert ask(db, "SELECT count(*) FROM request") == [(requests,)]


def test_a_growing_file_is_loaded_and_built_while_it_grows(follow, db, tmp_path):
    path = tmp_path / "traces.jsonl"
    following = follow(path)
    writer = start_writer(path, 1, 200)
    assert writer.wait(60) == 0
    until(db, 200, "SELECT count(*) FROM request")
    code, out, err = following.end()
    assert code == 0, err
    assert out.splitlines() == [
        "800 spans stored from 1 file, 0 more were there already",
        "200 requests built from 200 traces",
    ]
    check_all(db, 200)


def test_a_partial_last_line_waits_and_a_restart_goes_on(follow, db, tmp_path):
    path = tmp_path / "traces.jsonl"
    path.write_text(text_of(1) + "\n" + text_of(2)[:-50])
    first = follow(path)
    until(db, 4)
    code, out, err = first.end(signal.SIGINT)
    assert (code, err) == (0, "")
    assert out.startswith("4 spans stored")
    with path.open("a") as file:
        file.write(text_of(2)[-50:] + "\n")
    second = follow(path)
    until(db, 8)
    code, out, _ = second.end()
    assert (code, out.splitlines()[0]) == (0, "4 spans stored from 1 file, 0 more were there already")


@pytest.mark.parametrize("how", ["rename", "truncate"])
def test_rotation_loses_nothing(follow, db, tmp_path, how):
    path = tmp_path / "traces.jsonl"
    following = follow(path)
    until_started(following, tmp_path)
    writer = start_writer(path, 1, 120, rotate_at=40, how=how)
    assert writer.wait(60) == 0
    until(db, 480)
    code, _, err = following.end()
    assert code == 0, err
    check_all(db, 120)


def until_started(following, tmp_path):
    """Wait for the note that there is no file yet: from then on it is followed."""
    assert "no such file yet" in following.process.stderr.readline()


def test_kill_and_restart_lose_and_double_nothing(follow, db, tmp_path):
    path = tmp_path / "traces.jsonl"
    following = follow(path)
    until_started(following, tmp_path)
    time.sleep(0.5)
    writer = start_writer(path, 1, 300, rotate_at=70, how="rename")
    while writer.poll() is None:
        time.sleep(0.7)
        following.kill()
        following = follow(path)
    assert len(list(tmp_path.glob("traces-*.jsonl"))) == 4
    until(db, 1200)
    code, _, err = following.end()
    assert code == 0, err
    check_all(db, 300)


POINTS = ["spool.before_fsync", "spool.after_fsync", "spool.sealed", "loader.before_commit", "loader.before_unlink"]


@pytest.mark.parametrize("point", POINTS)
def test_killed_at_any_point_it_goes_on_afterwards(follow, db, tmp_path, point):
    path = tmp_path / "traces.jsonl"
    path.write_text("".join(f"{text_of(number)}\n" for number in range(1, 6)))
    following = follow(path, crash=point)
    following.process.communicate(timeout=60)
    assert following.process.returncode == -signal.SIGKILL
    path.rename(tmp_path / "traces-2026-11-30.jsonl")  # while nobody looks
    path.write_text(text_of(6) + "\n")
    last = follow(path, tmp_path / "traces-2026-11-30.jsonl")
    until(db, 24)
    assert last.end()[0] == 0
    check_all(db, 6)


def test_a_file_rotated_while_nobody_looked_is_finished(follow, db, tmp_path):
    path = tmp_path / "traces.jsonl"
    path.write_text(text_of(1) + "\n")
    first = follow(path)
    until(db, 4)
    first.kill()
    with path.open("a") as file:
        file.write(text_of(2) + "\n")
    path.rename(tmp_path / "traces-2026-11-30.jsonl")
    (tmp_path / "traces-2026-12-01.jsonl").write_text(text_of(3) + "\n")  # came and went meanwhile
    (tmp_path / "traces-admin.jsonl").write_text(text_of(9) + "\n")  # another source
    path.write_text(text_of(4) + "\n")
    last = follow(path)
    until(db, 16)
    assert last.end()[0] == 0
    check_all(db, 4)


def test_another_file_in_its_place_is_read_from_its_beginning(follow, db, tmp_path):
    path = tmp_path / "traces.jsonl"
    path.write_text(text_of(1) + "\n")
    first = follow(path)
    until(db, 4)
    assert first.end()[0] == 0
    path.write_text("".join(f"{text_of(number)}\n" for number in (2, 3)))  # the same inode, and longer
    last = follow(path)
    until(db, 12)
    assert last.end()[0] == 0


def test_a_line_cut_by_rotation_is_named_once(follow, db, tmp_path):
    path = tmp_path / "traces.jsonl"
    path.write_text(text_of(1) + "\n" + text_of(2)[:-50])
    following = follow(path)
    until(db, 4)
    path.rename(tmp_path / "traces-2026.jsonl")
    path.write_text(text_of(3) + "\n")
    until(db, 8)
    time.sleep(1)
    code, out, err = following.end()
    assert code == 2
    assert re.findall(r"traces(?:-2026)?\.jsonl:(\d+): not JSON", err) == ["2"]
    assert "8 spans stored" in out


def test_messages_with_lengths_and_compressed_ones(follow, db, tmp_path):
    path = tmp_path / "traces.bin"
    first, second = (pa.compress(text_of(number).encode(), codec="zstd", asbytes=True) for number in (1, 2))
    path.write_bytes(len(first).to_bytes(4) + first + len(second).to_bytes(4) + second[:9])
    following = follow(path)
    until(db, 4)
    with path.open("ab") as file:
        file.write(second[9:])
    until(db, 8)
    assert following.end()[0] == 0


def test_files_of_a_folder_compressed_ones_too(follow, db, tmp_path):
    folder = tmp_path / "traces"
    folder.mkdir()
    (folder / "a.jsonl.gz").write_bytes(gzip.compress(text_of(1).encode() + b"\n"))
    following = follow(folder)
    until(db, 4)
    (folder / "b.jsonl").write_text(text_of(2) + "\n")
    until(db, 8)
    assert following.end()[0] == 0


def test_a_database_in_use_is_waited_for(follow, db, tmp_path):
    path = tmp_path / "traces.jsonl"
    path.write_text(text_of(1) + "\n")
    first = follow(path)
    until(db, 4)
    con = connect(db, wait=30)
    with path.open("a") as file:
        file.write(text_of(2) + "\n")
    time.sleep(6)
    assert first.process.poll() is None
    con.close()
    until(db, 8)
    code, _, err = first.end()
    assert code == 0
    assert "spans wait in the spool" in err


def test_json_at_the_end(follow, db, tmp_path):
    path = tmp_path / "traces.jsonl"
    path.write_text(text_of(1) + "\nnot json\n")
    following = follow(path, options=["--json"])
    until(db, 4)
    code, out, err = following.end()
    assert code == 2
    assert (json.loads(out)["spans"], json.loads(out)["problem_count"]) == (4, 1)
    assert err.count(f"{path}:2: not JSON") == 1


def test_a_pipe_is_refused(run, db, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "not a file" in run("import", "--db", db, "--follow", tmp_path / "pipe").line
