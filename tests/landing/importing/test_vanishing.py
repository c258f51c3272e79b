"""Files that change their nature while an import reads others: each costs only itself, and nothing is waited for."""

import errno
import os
import threading

import orjson
import pytest

from otel_ragfault.landing import SpoolSink, import_files
from otel_ragfault.landing.importing import importer, tail
from otel_ragfault.landing.importing.follow import Follower, Hooks


def become_a_pipe(path):
    path.unlink()
    os.mkfifo(path)


def become_a_directory(path):
    path.unlink()
    path.mkdir()


def become_a_link_to_itself(path):
    path.unlink()
    path.symlink_to(path)


CHANGES = [
    pytest.param(lambda path: path.unlink(), "No such file", id="gone"),
    pytest.param(become_a_pipe, "something that is not a file", id="a pipe"),
    pytest.param(become_a_directory, "directory", id="a directory"),
    pytest.param(become_a_link_to_itself, "symbolic links", id="a link to itself"),
]


@pytest.fixture
def files(tmp_path, request_of, span_of):
    paths = [tmp_path / f"{number}.jsonl" for number in (1, 2, 3)]
    for number, path in enumerate(paths, 1):
        path.write_bytes(orjson.dumps(request_of(span_of(number))))
    return paths


@pytest.mark.timeout(60)
@pytest.mark.parametrize(("change", "reason"), CHANGES)
def test_a_file_that_changes_before_its_turn_is_named_and_the_rest_goes_in(
    db, files, monkeypatch, query, *, change, reason
):
    read = importer.read_records

    def read_and_change(path):
        yield from read(path)
        if path == files[0]:
            change(files[1])

    monkeypatch.setattr(importer, "read_records", read_and_change)
    report = import_files(files, SpoolSink(db))
    assert (report.spans, report.files, report.problem_count) == (2, 3, 1)
    [problem] = report.problems
    assert problem.file == files[1]
    assert reason in problem.reason
    assert query("SELECT count(*) FROM span") == [(2,)]


def test_a_file_that_becomes_empty_while_it_is_read_ends_there(db, tmp_path, request_of, span_of):
    path = tmp_path / "f.jsonl"
    line = orjson.dumps(request_of(span_of(1)))
    path.write_bytes(b"\n".join([line] + [orjson.dumps(request_of(span_of(n))) for n in range(2, 2000)]))
    calls = []

    def cut(_done, _total):
        if not calls:
            os.truncate(path, 0)
        calls.append(1)

    report = import_files([path], SpoolSink(db), on_progress=cut)
    assert 0 < report.spans < 1999
    assert report.problem_count <= 1


@pytest.mark.timeout(60)
def test_a_followed_file_without_permission_costs_only_itself(db, tmp_path, request_of, span_of, monkeypatch, query):
    folder = tmp_path / "followed"
    folder.mkdir()
    for number, name in enumerate(("locked.jsonl", "open.jsonl"), 1):
        (folder / name).write_bytes(orjson.dumps(request_of(span_of(number))) + b"\n")
    open_file = tail.files.open_file

    def refuse(path):  # permissions do not bind everybody who runs tests
        if path.name == "locked.jsonl":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return open_file(path)

    monkeypatch.setattr(tail.files, "open_file", refuse)
    notes, stop = [], threading.Event()
    follower = Follower([folder], db, Hooks(stop.set, notes.append), poll=0.05)
    assert follower.run(stop).spans == 1
    assert notes == [f"{folder}/locked.jsonl: cannot be read (Permission denied); it is read when it can be"]
    assert query("SELECT span_id FROM span") == [(2,)]
