import os
import signal
import subprocess
import sys
import time

import click
import pytest

import otel_ragfault
from otel_ragfault.cli.commands import commands
from otel_ragfault.cli.failures import exit_code
from otel_ragfault.cli.groups import Group

PYTHON = [sys.executable, "-m", "otel_ragfault"]


def leaves():
    for name, entry in commands().items():
        command = entry.load()
        yield pytest.param([name], command, id=name)
        for inner, child in getattr(command, "commands", {}).items():
            yield pytest.param([name, inner], child, id=f"{name} {inner}")


@pytest.mark.parametrize(("words", "command"), list(leaves()))
def test_help_says_what_a_command_does_with_an_example_of_itself(run, words, command):
    ran = run(*words, "--help")
    assert ran.code == 0
    assert command.help
    assert "Example:" in ran.out
    assert f"ragfault {' '.join(words)}" in ran.out.split("Example:")[1]
    assert run(*words, "-h").out == ran.out


def test_help_lists_every_command_and_imports_none_of_them():
    code = (
        "import sys\nfrom otel_ragfault.cli.program import program\n"
        "try: program.main(['--help'])\nexcept SystemExit: pass\n"
        "print(sorted({'duckdb', 'pyarrow', 'pydantic', 'rich'} & sys.modules.keys()))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.rstrip().endswith("[]")
    assert all(f"  {name} " in out for name in commands())


def test_version(run):
    assert run("--version").out == f"ragfault, version {otel_ragfault.__version__}\n"


def test_no_command_prints_help_and_counts_as_wrong_usage(run):
    ran = run()
    assert "Commands:" in ran.out
    assert ran.line == "ragfault: No command was given. Try: ragfault --help"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        pytest.param(["qurey"], ["No such command 'qurey'", "did you mean 'query'?"], id="command"),
        pytest.param(["gold", "lod"], ["did you mean 'load'?", "ragfault gold --help"], id="inner command"),
        pytest.param(["gold"], ["Missing command", "ragfault gold --help"], id="no inner command"),
        pytest.param(["xyz"], ["No such command 'xyz'", "one of demo, import,"], id="nothing near"),
        pytest.param(["label", "--db", "x", "--flor", "1"], ["--flor", "--floor"], id="option"),
        pytest.param(["label"], ["Missing option '--db'", "RAGFAULT_DB", "ragfault label --help"], id="no database"),
        pytest.param(["label", "--db", "x", "--k", "0"], ["--k", "0"], id="k of 0"),
        pytest.param(["label", "--db", "x", "--k", "two"], ["--k", "two"], id="k of text"),
        pytest.param(["label", "--db", "x", "--floor", "nan"], ["'nan'", "finite"], id="floor of NaN"),
        pytest.param(["label", "--db", "x", "--since", "yesterday"], ["yesterday", "ISO 8601"], id="no time"),
        pytest.param(["import", "--db", "x"], ["Missing argument 'FILE...'"], id="no file"),
        pytest.param(["query", "--db", "x", "a", "b"], ["unexpected extra argument"], id="too much"),
        pytest.param(["--bogus"], ["--bogus"], id="option of the program"),
    ],
)
def test_wrong_usage_is_one_line_that_says_what_to_do(run, args, words):
    line = run(*args).line
    assert all(word in line for word in words), line


def test_the_database_can_be_named_by_the_environment(run, db):
    assert run("query", "--json", "--sql", "SELECT 1 AS x", env={"RAGFAULT_DB": str(db)}).json == [{"x": 1}]


def chained(error, cause):
    error.__context__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "code"),
    [
        pytest.param(KeyboardInterrupt(), 130, id="interrupt"),
        pytest.param(click.Abort(), 130, id="abort"),
        pytest.param(RuntimeError("Query interrupted"), 130, id="interrupt in a query"),
        pytest.param(chained(ImportError("oops"), KeyboardInterrupt()), 130, id="interrupt in an import"),
    ],
)
def test_an_interrupt_is_quiet(capsys, error, code):
    def fail():
        raise error

    assert exit_code(fail) == code
    assert capsys.readouterr() == ("", "")


def test_a_fault_of_our_own_prints_a_traceback_and_asks_for_a_report(capsys):
    def fail():
        raise ZeroDivisionError("oops")

    assert exit_code(fail) == 70
    err = capsys.readouterr().err
    assert "Traceback" in err
    assert err.endswith("please report it with the lines above\n")


def test_a_disk_that_is_full_is_one_line(capsys):
    def fail():
        raise OSError(28, "No space left on device", "out.csv")

    assert exit_code(fail) == 2
    assert capsys.readouterr().err == (
        "ragfault: out.csv: No space left on device; check the path, the permissions and the free space\n"
    )


def test_a_group_gives_the_code_that_its_command_returns():
    group = Group("g", commands=[click.Command("one", callback=lambda: 2)])
    assert exit_code(lambda: group.main(["one"], standalone_mode=False)) == 2


def test_the_module_and_the_script_are_the_same_program():
    script = os.path.join(os.path.dirname(sys.executable), "ragfault")  # noqa: PTH118, PTH120
    for command in ([script], PYTHON):
        ran = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stdout) == (0, f"ragfault, version {otel_ragfault.__version__}\n")


def test_a_reader_that_goes_away_is_no_error(db):
    command = [*PYTHON, "query", "--db", db, "--json", "--sql", "SELECT repeat('x', 1000) AS x FROM range(100000)"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 141


def test_ctrl_c_in_a_query_is_quiet(db):
    sql = "SELECT count(*) FROM range(100000000) a, range(1000000) b WHERE a.range * b.range % 7 = 3"
    command = [*PYTHON, "query", "--db", db, "--sql", sql]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (130, b"", b"")


def test_a_terminal_without_unicode_gets_escapes_and_json_stays_utf8(db):
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    command = [*PYTHON, "query", "--db", db, "--sql", "SELECT 'é☕' AS x"]
    table = subprocess.run(command, capture_output=True, env=env, check=True).stdout
    assert b"\\xe9\\u2615" in table
    assert "é☕".encode() in subprocess.run([*command, "--json"], capture_output=True, env=env, check=True).stdout
