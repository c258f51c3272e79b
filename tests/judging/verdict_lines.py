"""Four requests of two cases, and files of verdicts on them."""

import json
import uuid

from queries.world import put_request

HEX = {number: uuid.UUID(int=number).hex for number in range(10)}


def four_requests(con):
    for number, (case, run, trace) in enumerate([("a", "r1", 1), ("a", "r2", 2), ("b", "r1", 3), ("b", None, 3)], 1):
        put_request(con, number, case_id=case, run_id=run, trace_id=uuid.UUID(int=trace))
    return con


def lines(path, *rows, name="v.jsonl"):
    file = path / name
    if name.endswith(".jsonl"):
        file.write_text("".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows))
    else:
        file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return file
