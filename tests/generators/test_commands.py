"""A command gets the call on its standard input and answers on its standard output."""

import json
import sys
import time

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import format_trace_id

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.generators import open_generator


@pytest.fixture
def ask_script(tmp_path, ask):
    """A function that asks a Python script, given its text."""

    def asking(text, **others):
        script = tmp_path / "answer.py"
        script.write_text(text)
        return ask(f"command:{sys.executable} {script}", **others)

    return asking


def test_it_reads_the_call_as_json(ask_script):
    made = ask_script(
        "import json, sys; print(json.dumps({'answer': json.dumps(json.load(sys.stdin)), 'citations': ['c1']}))"
    )
    assert json.loads(made.answer) == {
        "question": "why?",
        "chunks": [{"id": "c1", "text": "one"}, {"id": "c2", "text": "two"}],
    }
    assert made.citations == ("c1",)


@pytest.mark.parametrize(
    ("printed", "answer"),
    [
        ("eight hours\n", "eight hours"),
        ('"eight hours"', "eight hours"),
        ('{"answer": "eight hours"}', "eight hours"),
        ("8", "8"),
        ("{eight", "{eight"),
        ("[1] eight hours", "[1] eight hours"),
    ],
)
def test_its_output_is_json_or_the_text_itself(ask_script, printed, answer):
    assert ask_script(f"print({printed!r}, end='')").answer == answer


def test_a_program_need_not_read_its_input(ask, tmp_path):
    big = "x" * 5_000_000
    assert ask("command:echo yes", question=big).answer == "yes"


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        ("raise ValueError('no index')", "died", "exit code 1): ValueError: no index"),
        ("import sys; sys.exit(3)", "died", "exit code 3"),
        ("import os; os.kill(os.getpid(), 9)", "died", "SIGKILL"),
        ("pass", "nothing", "printed nothing"),
        ("print('{\"text_of_answer\": 1}')", "wrong_type", "without the key 'answer' (found 'text_of_answer')"),
        ("import sys; sys.stdout.buffer.write(bytes([255, 254]))", "wrong_type", "cannot be decoded (utf-8, byte 1)"),
        ("print('{\"answer\": 8}')", "wrong_type", "8 (a number)"),
        ("print('x' * 3_000_000)", "too_large", "3.0 MB"),
        ("while True: print('x' * 100_000)", "too_large", "at most 1 MB"),
    ],
    ids=["raises", "exits", "is killed", "prints nothing", "other object", "no text", "number", "megabytes", "endless"],
)
def test_what_goes_wrong_is_in_the_result(ask_script, text, kind, says):
    made = ask_script(text)
    assert made.answer is None
    assert made.failure.kind == kind
    assert says in made.failure.message


@pytest.mark.parametrize(
    "text",
    [
        "import time; time.sleep(60)",
        "import os, time; os.close(1); time.sleep(60)",
        "import time\nwhile True: print('x', flush=True); time.sleep(0.01)",
        "import subprocess; subprocess.run(['sleep', '60'])",
    ],
    ids=["sleeps", "closes its output and sleeps", "drips", "waits for another"],
)
def test_one_that_hangs_is_stopped(ask_script, text):
    started = time.monotonic()
    assert ask_script(text, timeout=1.0).failure.kind == "timeout"
    assert time.monotonic() - started < 15


def test_the_context_of_the_trace_is_in_its_environment(ask_script):
    with TracerProvider().get_tracer("t").start_as_current_span("call") as span:
        made = ask_script("import os; print(os.environ['TRACEPARENT'])")
    assert made.answer.split("-")[1] == format_trace_id(span.get_span_context().trace_id)


def test_a_shell_only_where_it_is_asked_for(ask):
    assert ask("shell:echo a | tr a b").answer == "b"
    assert ask("command:echo a | tr a b").answer == "a | tr a b"


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("command:no-such-program-here", "a program that can be run"),
        ("command:", "found nothing"),
        ("command:echo 'a", "No closing quotation"),
        ("python gen.py", "module:function, file.py:function"),
        ("", "an empty text"),
    ],
)
def test_what_cannot_be_run_is_told_at_once(spec, says):
    with pytest.raises(InputError, match="wanted") as told:
        open_generator(spec)
    assert says in str(told.value)


def test_a_changed_script_is_another_generator(tmp_path):
    script = tmp_path / "answer.py"
    identities = []
    for text in ("print(1)", "print(1)", "print(2)"):
        script.write_text(text)
        identities.append(open_generator(f"command:python3 {script}").identity)
    assert identities[0] == identities[1] != identities[2]
