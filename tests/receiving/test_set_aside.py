"""What was sent and cannot be stored is counted in the database once, whoever found it out."""

import orjson

from otel_ragfault.store import connect
from paths import RECORDINGS
from receiving.served import JSON, request

GOOD = {"traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": "b7ad6b7169203331", "name": "good"}
UNPARSABLE = "not parsable as protobuf (text that is not UTF-8, or nested too deeply)"


def spans(*sent):
    return orjson.dumps({"resourceSpans": [{"scopeSpans": [{"spans": list(sent)}]}]})


def rejected(db):
    with connect(db, read_only=True) as con:
        reasons = dict(
            con.execute("SELECT reason, CAST(sum(spans) AS INT) FROM rejected_span GROUP BY reason").fetchall()
        )
        [(total,)] = con.execute("SELECT CAST(sum(rejected) AS INT) FROM segment").fetchall()
    assert total == sum(reasons.values())
    return reasons


SENT = [
    (request(2, bad=3), {}, {"trace id of 5 bytes, not 16": 3}),
    (request(0, bad=3), {}, {"trace id of 5 bytes, not 16": 3}),
    (request(3).replace(b"span 1", b"span \xff"), {}, {UNPARSABLE: 1}),
    (spans(GOOD, {**GOOD, "spanId": "0" * 16}), {"content_type": JSON}, {"span id of zeros": 1}),
    (
        spans({**GOOD, "spanId": "0" * 16}, 7),
        {"content_type": JSON},
        {"span id of zeros": 1, "spans holds something else than objects": 1},
    ),
    (
        orjson.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": [{}, 5]}]}]}),
        {"path": "/v1/logs", "content_type": JSON},
        {"logRecords holds something else than objects": 1},
    ),
]


def test_it_is_counted_once_by_its_reason(collect):
    command = collect()
    wanted = {}
    for body, how, reasons in SENT:
        assert command.post(body=body, **how).status == 200
        for reason, count in reasons.items():
            wanted[reason] = wanted.get(reason, 0) + count
    assert command.stop() == 0
    assert rejected(command.db) == wanted


def test_recordings_are_stored_whole(collect):
    command = collect()
    for path in sorted(RECORDINGS.glob("*.pb")):
        assert command.post(body=path.read_bytes()).status == 200
    assert command.stop() == 0
    with connect(command.db, read_only=True) as con:
        assert con.execute("SELECT count(*) FROM rejected_span").fetchone() == (0,)
