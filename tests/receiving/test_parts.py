"""Parts that need no server: addresses, tokens, bodies, budgets, the log, notes."""

import json
import logging
import threading
import time

import pytest

from otel_ragfault.errors import ConfigError
from otel_ragfault.landing.spool import spool_folder
from otel_ragfault.receiving import journal, notes
from otel_ragfault.receiving.address import Address, bind, bound, parse_address
from otel_ragfault.receiving.bodies import Form, compression_of_message, encoding_of, form_of
from otel_ragfault.receiving.budget import Budget
from otel_ragfault.receiving.metrics import Metrics
from otel_ragfault.receiving.refusal import Reason, RefusedError
from otel_ragfault.receiving.status import landing_status
from otel_ragfault.receiving.tokens import Tokens


@pytest.mark.parametrize(
    ("text", "address", "again"),
    [
        ("127.0.0.1:4318", Address("127.0.0.1", 4318), "127.0.0.1:4318"),
        ("localhost:0", Address("localhost", 0), "localhost:0"),
        ("[::1]:4318", Address("::1", 4318), "[::1]:4318"),
        (" 0.0.0.0:1 ", Address("0.0.0.0", 1), "0.0.0.0:1"),  # noqa: S104 - an address to parse
    ],
)
def test_addresses(text, address, again):
    assert parse_address(text) == address
    assert str(address) == again


@pytest.mark.parametrize("text", ["", ":", ":4318", "4318", "localhost", "::1:4318", "a:b", "a:-1", "a:65536", "a:١"])
def test_what_is_no_address(text):
    with pytest.raises(ValueError, match="wanted"):
        parse_address(text)


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("127.8.8.8", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("::", False)],  # noqa: S104 - addresses to judge
)
def test_loopback(host, loopback):
    assert Address(host, 0).is_loopback is loopback


def test_a_bound_address_is_not_shared():
    with bind(Address("127.0.0.1", 0)) as listener, pytest.raises(ConfigError, match="stop who uses it"):
        bind(bound(listener))


def test_tokens_of_a_file(tmp_path):
    file = tmp_path / "tokens"
    file.write_text("# of the agents\n first \n\nsecond\n")
    tokens = Tokens(file)
    assert tokens.required
    assert [tokens.allow(f"Bearer {given}".encode()) for given in ("first", "second", "# of the agents", "", "fir")] == [
        True, True, False, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize("content", [b"", b"\n# only a comment\n", b"two words", b"\xff\xfe", "ä".encode()])
def test_a_file_without_a_usable_token(tmp_path, content):
    (tmp_path / "tokens").write_bytes(content)
    with pytest.raises(ConfigError, match="wanted"):
        Tokens(tmp_path / "tokens")


def test_a_token_of_the_environment(monkeypatch):
    assert not Tokens(None).required
    assert Tokens(None).allow(b"")
    monkeypatch.setenv("RAGFAULT_COLLECT_TOKEN", "secret")
    assert [Tokens(None).allow(given) for given in (b"Bearer secret", b"Bearer \xff", b"")] == [True, False, False]


@pytest.mark.parametrize("text", ["application/x-protobuf", "Application/X-Protobuf; a=b", "application/protobuf"])
def test_protobuf_types(text):
    assert form_of(text) is Form.PROTOBUF


@pytest.mark.parametrize("text", ["application/json", 'application/json;charset="UTF-8"', "application/json ; q=1"])
def test_json_types(text):
    assert form_of(text) is Form.JSON


@pytest.mark.parametrize("text", ["", "json", "text/json", "application/json; charset=latin-1", "application/jsonl"])
def test_other_types(text):
    with pytest.raises(RefusedError) as caught:
        form_of(text)
    assert caught.value.reason is Reason.WRONG_TYPE


def test_encodings():
    assert [encoding_of(text) for text in ("", "identity", "gzip", "X-GZIP", " zstd ")] == [
        None,
        None,
        "gzip",
        "gzip",
        "zstd",
    ]


def test_no_request_begins_as_gzip_does():
    assert compression_of_message(b"\x1f\x8b\x08") == "gzip"
    assert compression_of_message(b"\x0a\x00") is None
    assert 0x1F & 7 == 7  # a wire type that protobuf does not have


def test_a_budget_is_given_back_and_never_exceeded():
    budget = Budget(100)
    with budget.open() as one, budget.open() as other:
        one.reserve(60)
        other.reserve(40)
        with pytest.raises(RefusedError):
            one.reserve(1)
        assert budget.held == 100
    assert budget.held == 0


def test_a_budget_counts_right_under_many_threads():
    budget = Budget(10**9)

    def use():
        for _ in range(2000):
            with budget.open() as share:
                share.reserve(3)

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert budget.held == 0


@pytest.mark.parametrize("form", ["json", "text"])
def test_the_log_is_a_line_an_event(capsys, form):
    logger = logging.getLogger("otel_ragfault.receiving")
    before = (logger.handlers, logger.propagate)
    journal.start_log(form)
    try:
        journal.log("started", port=1, text='two "words"\n', nothing=None)
    finally:
        logger.handlers, logger.propagate = before
    (line,) = capsys.readouterr().err.splitlines()
    if form == "json":
        event = json.loads(line)
        assert (event["event"], event["level"], event["port"], event["text"]) == ("started", "info", 1, 'two "words"\n')
    else:
        assert line.endswith(r' started port=1 text="two \"words\"\n" nothing=null')


def test_refusals_are_gathered(caplog):
    logging.getLogger("otel_ragfault.receiving").propagate = True
    refusals = journal.RefusalLog()
    with caplog.at_level(logging.INFO, "otel_ragfault.receiving"):
        for _ in range(1000):
            refusals.add("malformed", "not protobuf")
            refusals.flush()
    assert len(caplog.records) == 1
    refusals.flush(now=True)
    assert caplog.records[-1].fields["counts"] == {"malformed": 999}


def test_notes_say_who_runs(tmp_path):
    db = tmp_path / "a.duckdb"
    notes.write(db, {"running": True, "http": "x"})
    (note,) = notes.read(db)
    assert (note["running"], note["http"]) == (True, "x")
    path = next(spool_folder(db).glob("receiver-*.json"))
    path.write_text(json.dumps({**note, "written_at": time.time() - 100}))
    assert [note["running"] for note in notes.read(db)] == [False]
    path.write_text(json.dumps({**note, "running": False, "written_at": 0}))
    notes.remove_old(db)
    assert notes.read(db) == []
    path.write_text("no JSON")
    assert notes.read(db) == []


def test_notes_are_a_courtesy(tmp_path):
    (tmp_path / "a.duckdb.spool").write_text("a file")
    notes.write(tmp_path / "a.duckdb", {})
    assert notes.read(tmp_path / "a.duckdb") == []


def test_the_status_of_nothing(tmp_path):
    status = landing_status(tmp_path / "none.duckdb")
    assert (status.database.state, status.spool.files, status.receivers, status.lag) == ("absent", 0, [], None)
    assert list(tmp_path.iterdir()) == []


def test_the_status_of_a_file_that_is_no_database(tmp_path):
    (tmp_path / "a.duckdb").write_text("not a database, but long enough to be looked at")
    assert "DuckDB" in landing_status(tmp_path / "a.duckdb").database.state


def test_readings_are_counters_or_gauges_by_their_names():
    text = Metrics([lambda: {"spool_bytes": 5.0, "loader_spans_total": 7.0}]).text().decode()
    assert "# TYPE ragfault_spool_bytes gauge\nragfault_spool_bytes 5.0" in text
    assert "# TYPE ragfault_loader_spans_total counter\nragfault_loader_spans_total 7.0" in text
    assert "_created" not in text
