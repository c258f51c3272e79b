"""What the documentation says is true, and nothing that is committed speaks of one machine."""

import re
import shlex

import click
import pytest

from otel_ragfault.cli.program import program
from paths import REPOSITORY

TEXTS = {".md", ".py", ".sql", ".toml", ".txt", ".yaml", ".yml"}
UNNAMED = {"Makefile", "run"}  # texts whose names have no ending
FOLDERS = ("otel_ragfault", "queries", "examples", "tests", "benchmarks", "collector", ".ci")


def own_files():
    found = [path for path in REPOSITORY.iterdir() if path.is_file()]
    for folder in FOLDERS:
        found += [path for path in (REPOSITORY / folder).rglob("*") if path.is_file()]
    return sorted(path.relative_to(REPOSITORY) for path in found if path.suffix in TEXTS or path.name in UNNAMED)


FILES = own_files()
PAGES = [path for path in FILES if path.suffix == ".md"]


def shell_lines(text):
    """The lines of code blocks marked as shell, continued lines joined, prompts taken off."""
    for block in re.findall(r"^```(?:sh|bash|console|shell)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        for line in block.replace("\\\n", " ").splitlines():
            yield line.strip().removeprefix("$ ")


def commands_of(text):
    """The calls of ragfault in shell blocks, each as its words; pipes, redirections and comments end a call."""
    for line in shell_lines(text):
        words = shlex.split(line, comments=True)
        if words[:1] == ["ragfault"]:
            end = next((at for at, word in enumerate(words) if word in {"|", "&&", ";", ">", ">>"}), len(words))
            yield words[1:end]


def check(words, command=program):
    """Fail unless the words name a command and give it options that it has."""
    context = click.Context(command, help_option_names=["-h", "--help"])  # click keeps the option that it makes
    default = getattr(command, "default_command", None)
    if default is not None and (not words or command.get_command(context, words[0]) is None):
        return check(words, command.get_command(context, default))
    if isinstance(command, click.Group) and words and not words[0].startswith("-"):
        below = command.get_command(context, words[0])
        assert below is not None, f"no such command: {words[0]}"
        return check(words[1:], below)
    known = {name for option in command.get_params(context) for name in (*option.opts, *option.secondary_opts)}
    used = {word.split("=", 1)[0] for word in words if re.match(r"--?[a-z]", word)}
    assert used <= known, f"no such option: {sorted(used - known)}"
    return command


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_commands_in_documents_are_real_and_so_are_their_options(page):
    for words in commands_of((REPOSITORY / page).read_text(encoding="utf-8")):
        check(words)


def test_the_check_of_commands_sees_what_is_wrong():
    right = "```sh\n$ ragfault gold load --db a.duckdb \\\n    gold.jsonl | head  # comes out\n```\n"
    assert list(commands_of(right)) == [["gold", "load", "--db", "a.duckdb", "gold.jsonl"]]
    check(["gold", "load", "--db", "a.duckdb", "gold.jsonl"])
    for wrong in (["gild"], ["gold", "lode"], ["gold", "load", "--no-such-option"]):
        with pytest.raises(AssertionError):
            check(wrong)


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_relative_links_lead_somewhere(page):
    text = re.sub(r"^```.*?^```", "", (REPOSITORY / page).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    relative = [target.split("#", 1)[0] for target in targets if not re.match(r"[a-z]+:|#", target)]
    assert [target for target in relative if not (REPOSITORY / page.parent / target).exists()] == []


# Put together here, so that this file does not hold what it looks for.
UNWANTED = tuple("".join(parts) for parts in (
    ("/", "work/"), ("/", "root/"), ("/", "home/"), ("../", "shared"), ("index", "-url"), ("pypi", ".org/simple"), ("proxy.", "golang"),
))  # fmt: skip


def test_no_file_names_a_place_on_one_machine_or_a_registry():
    texts = {str(path): (REPOSITORY / path).read_text(encoding="utf-8") for path in FILES}
    assert len(texts) > 100
    assert [(path, unwanted) for path, text in texts.items() for unwanted in UNWANTED if unwanted in text] == []


def test_every_target_of_make_is_documented():
    text = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", text, re.MULTILINE))
    documented = set(re.findall(r"^([a-z]+):.*## \S", text, re.MULTILINE))
    assert targets == documented >= {"demo", "test", "lint", "bench", "oracle", "wheel", "clean", "help"}


def test_pinned_versions_cover_what_the_project_requires():
    pins = (REPOSITORY / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {line.split("==")[0].lower().replace("_", "-") for line in pins if "==" in line}
    assert all(re.fullmatch(r"#.*|[\w.-]+==[\w.]+", line) for line in pins)
    project = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    required = {name.lower() for name in re.findall(r'"([A-Za-z][\w-]*)>=', project)}
    assert required <= pinned
