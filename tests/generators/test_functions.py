"""A function is called in a process of its own, and whatever it does, there is a result."""

import os
import pickle
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import format_trace_id

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.generators import Call, Chunk, Limits, generate_all, open_generator

FILE = Path(__file__).parent / "bad_generators.py"


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("joined", "why? one two"),
        ("ids", "yes"),
        ("as_answer", "yes"),
        ("as_pair", "yes"),
        ("as_stream", "yes"),
        ("as_coroutine", "yes"),
        ("as_async_stream", "yes"),
        ("Namespace.inner", "yes"),
        ("prints", "yes"),
        ("refuses", None),
        ("surrogate", "half \\ud83d"),
        ("takes_anything", "yes"),
        ("wrapped", "why?"),
    ],
)
def test_every_form_of_an_answer_is_read(ask_function, name, answer):
    made = ask_function(name)
    assert (made.answer, made.failure) == (answer, None)


def test_citations_are_ids_or_chunks(ask_function):
    assert ask_function("ids").citations == ("c1", "c2")
    assert ask_function("as_answer").citations == ("c1", "c2")
    assert ask_function("joined").citations is None
    assert ask_function("ids").decision == "answer"


@pytest.mark.parametrize(
    ("name", "kind", "says"),
    [
        ("raises", "raised", "ValueError: no index at all (bad_generators.py, line"),
        ("raises_oddly", "raised", "Odd (bad_generators.py, line"),
        ("raises_base", "raised", "KeyboardInterrupt"),
        ("raises_later", "raised", "LookupError: later"),
        ("stream_raises", "raised", "OSError: torn"),
        ("nothing", "nothing", "returned nothing (None)"),
        ("megabytes", "too_large", "3.0 MB; at most 1 MB"),
        ("endless_stream", "too_large", "at most 1 MB"),
        ("a_number", "wrong_type", "8 (a number)"),
        ("a_list", "wrong_type", "the list ['yes']"),
        ("other_mapping", "wrong_type", "a mapping without the key 'answer' (found 'text_of_answer')"),
        ("empty_mapping", "wrong_type", "without the key 'answer' (it is empty)"),
        ("no_text_in_mapping", "nothing", "'answer' is empty"),
        ("number_in_mapping", "wrong_type", "8 (a number)"),
        ("an_object", "wrong_type", "a object"),
        ("bad_citations", "wrong_type", "citations: found 'c1'"),
        ("bad_decision", "wrong_type", "decision: found 'perhaps'"),
        ("exits", "exited", "sys.exit(3)"),
        ("exits_async", "exited", "sys.exit('done')"),
        ("exits_hard", "died", "exit code 3): out of luck"),
        ("crashes", "died", "SIGSEGV"),
    ],
)
def test_what_goes_wrong_is_in_the_result(ask_function, name, kind, says):
    made = ask_function(name)
    assert made.answer is None
    assert made.failure.kind == kind
    assert says in made.failure.message
    assert "\n" not in made.failure.message


@pytest.mark.parametrize("name", ["hangs", "hangs_async", "hangs_with_the_lock"])
def test_a_function_that_hangs_is_stopped(ask_function, name):
    started = time.monotonic()
    made = ask_function(name, timeout=0.5)
    assert made.failure.kind == "timeout"
    assert time.monotonic() - started < 15


def test_what_a_hanging_function_has_started_ends_with_it(ask_function, tmp_path):
    file = tmp_path / "pid"
    assert ask_function("starts_and_hangs", question=str(file), timeout=1.0).failure.kind == "timeout"
    pid = int(file.read_text())
    for _ in range(100):
        with suppress(ProcessLookupError):
            if Path(f"/proc/{pid}/stat").exists() and " Z " not in Path(f"/proc/{pid}/stat").read_text():
                time.sleep(0.05)
                continue
        break
    else:
        pytest.fail("it still runs")


def test_one_that_hangs_costs_no_other_its_answer():
    limits = Limits(timeout=1.5, concurrency=2)
    calls = [Call(number, "hang" if number == 1 else "why?", []) for number in range(6)]
    with closing(open_generator(f"{FILE}:hangs_sometimes", limits)) as generator:
        made = {call.key: result for call, result in generate_all(generator, calls, limits)}
    assert {key: result.answer for key, result in made.items()} == {
        0: "yes",
        1: None,
        2: "yes",
        3: "yes",
        4: "yes",
        5: "yes",
    }
    assert made[1].failure.kind == "timeout"


def test_a_process_is_used_again_with_its_event_loop():
    limits = Limits(concurrency=1)
    for name in ("process", "one_loop"):
        with closing(open_generator(f"{FILE}:{name}", limits)) as generator:
            made = {result.answer for _, result in generate_all(generator, [Call(n, "", []) for n in range(3)], limits)}
        assert len(made) == 1
        assert str(os.getpid()) not in made


@pytest.mark.parametrize("name", ["trace", "trace_async"])
def test_spans_of_the_function_belong_to_the_trace_of_the_call(name):
    tracer = TracerProvider().get_tracer("t")
    with closing(open_generator(f"{FILE}:{name}")) as generator:
        for _ in range(2):
            with tracer.start_as_current_span("call") as span:
                made = generator.generate("", [], Limits())
            assert made.answer == format_trace_id(span.get_span_context().trace_id)


def test_no_process_is_left_after_closing():
    limits = Limits(concurrency=2)
    generator = open_generator(f"{FILE}:process", limits)
    made = {int(result.answer) for _, result in generate_all(generator, [Call(n, "", []) for n in range(4)], limits)}
    generator.close()
    generator.close()
    assert not [pid for pid in made if Path(f"/proc/{pid}").exists()]


@pytest.mark.parametrize(
    ("place", "says"),
    [
        (f"{FILE}:missing", "AttributeError"),
        (f"{FILE}:not_callable", "int, which cannot be called"),
        (
            f"{FILE}:wrong_parameters",
            "wrong_parameters(question) cannot be called as wrong_parameters(question, chunks)",
        ),
        (f"{FILE}:too_many_parameters", "missing a required argument: 'model'"),
        ("no_such_module_here:f", "No module named 'no_such_module_here'"),
        ("/no/such/file.py:f", "No such file"),
    ],
    ids=["no function", "not callable", "one parameter", "three parameters", "no module", "no file"],
)
def test_a_function_that_cannot_be_loaded_is_told_at_once(place, says):
    with pytest.raises(InputError, match="module:function") as told:
        open_generator(place)
    assert says in str(told.value)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("raise RuntimeError('no key')", "RuntimeError: no key (mine.py, line 1)"),
        ("import sys; sys.exit(4)", "SystemExit: 4"),
        ("import os; os._exit(4)", "exit code 4"),
        ("def broken(:", "SyntaxError"),
    ],
    ids=["raises", "exits", "dies", "does not parse"],
)
def test_a_module_that_fails_to_import_is_told_in_a_line(tmp_path, body, says):
    file = tmp_path / "mine.py"
    file.write_text(body)
    with pytest.raises(InputError) as told:
        open_generator(f"{file}:answer")
    assert says in str(told.value)


def test_an_import_that_hangs_is_stopped(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("import time; time.sleep(60)")
    with pytest.raises(InputError, match="importing it took longer than 1 s"):
        open_generator(f"{file}:answer", Limits(start_timeout=1.0))


def test_changed_code_is_another_generator(tmp_path):
    file = tmp_path / "mine.py"
    identities = []
    for answer in ("'a'", "'a'", "'b'"):
        file.write_text(f"def answer(question, chunks): return {answer}")
        with closing(open_generator(f"{file}:answer")) as generator:
            identities.append(generator.identity)
    assert identities[0] == identities[1] != identities[2]


def test_a_module_of_the_current_folder_is_found(tmp_path, monkeypatch, ask):
    (tmp_path / "my_rag.py").write_text("def answer(question, chunks): return 'yes'")
    monkeypatch.chdir(tmp_path)
    assert ask("my_rag:answer").answer == "yes"


def test_a_chunk_is_its_text_and_has_an_id():
    chunk = Chunk("c1", "eight hours")
    assert (chunk.id, chunk.text, chunk, str(chunk), f"{chunk}") == ("c1", "eight hours", *["eight hours"] * 3)
    assert type(chunk.text) is str
    assert " ".join([chunk] * 2) == "eight hours eight hours"
    again = pickle.loads(pickle.dumps(chunk))  # noqa: S301 - our own
    assert (again.id, again.text) == ("c1", "eight hours")
    assert repr(chunk) == "Chunk(id='c1', text='eight hours')"
