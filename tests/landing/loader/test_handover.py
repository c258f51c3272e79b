"""Tables come out of another process as they went in, and nothing stays behind."""

import os
import threading
from multiprocessing import Pipe
from pathlib import Path

import pyarrow as pa
import pytest

from otel_ragfault.landing.decoding.row import SPAN_SCHEMA
from otel_ragfault.landing.loader import handover


def handed_over(answer):
    ours, theirs = Pipe()
    with ours, theirs:
        giver = threading.Thread(target=handover.give, args=(theirs, answer))
        giver.start()
        taken = handover.take(ours)
        giver.join()
    return taken


def open_files():
    return {path.name for path in Path("/dev/fd").iterdir()}


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param([], id="nothing"),
        pytest.param([SPAN_SCHEMA.empty_table()], id="a table without rows"),
        pytest.param([pa.table({"text": ["caf\u00e9", None, ""], "number": [1, None, 3]})], id="odd lengths and nulls"),
        pytest.param([pa.concat_tables([pa.table({"a": [i] * i}) for i in range(1, 5)])], id="pieces"),
        pytest.param([pa.table({"text": ["x" * 1_000_000] * 30})], id="more than a pipe holds"),
        pytest.param([pa.table({"a": range(100)}).slice(10, 20)], id="part of a table"),
    ],
)
def test_tables_arrive_as_they_were_sent(answer):
    assert handed_over(answer) == answer


@pytest.mark.parametrize("has_memory_files", [True, False], ids=["memory file", "temporary file"])
def test_no_file_stays_open_or_on_disk(tmp_path, monkeypatch, has_memory_files):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    if not has_memory_files:
        monkeypatch.delattr(os, "memfd_create", raising=False)
    before = open_files()
    assert handed_over([pa.table({"a": range(10)})]) == [pa.table({"a": range(10)})]
    assert open_files() == before
    assert list(tmp_path.iterdir()) == []


def test_a_giver_that_is_gone_is_an_error():
    ours, theirs = Pipe()
    theirs.close()
    with ours, pytest.raises((EOFError, OSError)):
        handover.take(ours)
