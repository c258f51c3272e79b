"""Databases for tests of the model judge, and short ways to run it and to see what came of it."""

import uuid

from judging.stub import Says, good
from otel_ragfault.jobs.judge import judge_answers
from otel_ragfault.jobs.judge_plan import JudgeSettings
from otel_ragfault.judging.model import Asker, Budget, Endpoint
from otel_ragfault.model import Config
from otel_ragfault.store import connect
from queries.world import put_case, put_request

FAST = 0.01


def database(path, requests=3, **fields):
    """A database with some requests, each with a prompt text and a gold check, and no verdict."""
    with connect(path, create=True) as con:
        for number in range(1, requests + 1):
            put_case(con, f"case-{number}")
            con.execute(
                "UPDATE gold_case SET answer_check = '{\"must_contain\": [\"answer ' || ? || '\"]}' WHERE case_id = ?",
                [number, f"case-{number}"],
            )
            row = {"case_id": f"case-{number}", "prompt_text": f"It is known: answer {number}."} | fields
            put_request(con, number, **row)
    return path


def settings(stub, **more):
    return JudgeSettings(**({"model": "m", "base_url": stub.url, "subjects": ("answer",)} | more))


def judge(path, stub, *, budget=None, tokens=None, concurrency=1, timeout=5.0, attempts=5, config=None, **more):
    """Run the judge against the server."""
    chosen = settings(stub, **more)
    endpoint = Endpoint(stub.url, chosen.model, api_key=None, timeout=timeout)
    try:
        asker = Asker(endpoint, Budget(budget, tokens), concurrency=concurrency, attempts=attempts, pause=FAST)
        return judge_answers(path, lambda: connect(path), config or Config(), chosen, asker)
    finally:
        endpoint.close()


def verdicts(path, columns="request_id, value, failure", where="TRUE"):
    """The verdicts of models, by request."""
    with connect(path, read_only=True) as con:
        found = con.execute(
            f"SELECT {columns} FROM verdict WHERE source = 'model' AND {where} ORDER BY request_id, repeat_no, judged_at"
        ).fetchall()
    return [tuple(value.int if isinstance(value, uuid.UUID) else value for value in row) for row in found]


def scripted(*replies):
    """Behave as the list says, then well."""

    def behave(number, request):
        reply = replies[number] if number < len(replies) else None
        return reply(request) if callable(reply) else reply or Says(good(request))

    return behave
