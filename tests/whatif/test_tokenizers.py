"""Budgets in tokens are counted by whoever the user names; no library is needed for the rest."""

import subprocess
import sys
from pathlib import Path

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.replaying import load_tokenizer
from otel_ragfault.model import Config

HERE = Path(__file__).parent
TEXTS = {"x": "one two", "a": "three four"}  # 7 and 10 letters


@pytest.fixture(autouse=True)
def in_the_folder_of_the_users(monkeypatch):
    monkeypatch.chdir(HERE)
    monkeypatch.syspath_prepend(str(HERE))  # tiktoken finds plugins in a namespace package


@pytest.fixture
def tokenizer_file(tmp_path):
    made = Tokenizer(WordLevel({"one": 0, "two": 1, "?": 2}, unk_token="?"))  # noqa: S106 - a token of another kind
    made.pre_tokenizer = Whitespace()
    made.save(str(tmp_path / "tokenizer.json"))
    return tmp_path / "tokenizer.json"


@pytest.mark.parametrize(
    ("place", "count"),
    [("users:letters", 7), ("users:pieces", 2), ("builtins:len", 7), ("tiktoken:every_byte", 7)],
)
def test_a_function_and_tiktoken_count(place, count):
    assert load_tokenizer(place)("one two") == count


def test_special_tokens_in_a_text_are_text():
    assert load_tokenizer("tiktoken:every_byte")("<|end|>") == 7


def test_a_tokenizer_of_hugging_face_counts_from_its_file(tokenizer_file):
    assert load_tokenizer(f"hf:{tokenizer_file}")("one two three") == 3


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("users", "module:function was wanted"),
        (":letters", "module:function was wanted"),
        ("no_such_module:count", "No module named 'no_such_module'"),
        ("users:no_such_function", "no_such_function"),
        ("users:ASKED", "is no function"),
        ("tiktoken:no_such_encoding", "the name of an encoding or a model"),
    ],
)
def test_what_counts_nothing_is_refused_in_one_line(place, why):
    with pytest.raises(InputError, match=why) as refused:
        load_tokenizer(place)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("place", "why"),
    [("users:broken", "users:broken: failed on 'one'"), ("users:nonsense", "users:nonsense: returned 'many'")],
)
def test_a_tokenizer_that_tells_no_number_is_named(place, why):
    count = load_tokenizer(place)
    with pytest.raises(InputError, match=why):
        count("one")


@pytest.mark.parametrize("library", ["tiktoken", "tokenizers"])
def test_a_library_that_is_not_installed_is_named_with_the_command(library):
    place = {"tiktoken": "tiktoken:cl100k_base", "tokenizers": "hf:gpt2"}[library]
    code = (
        f"import sys; sys.modules[{library!r}] = None\n"
        "from otel_ragfault.jobs.replaying import load_tokenizer\n"
        f"try: load_tokenizer({place!r})\nexcept Exception as error: print(error)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert f"the package {library} is not installed" in told
    assert f"pip install {library}" in told


def test_budgets_count_what_the_tokenizer_says(recorded, replayed):
    recorded(("x", "a"), ("x", "a"), k=2, complete=True, texts=TEXTS)
    assert replayed(budget=17, unit="tokens", tokenizer="users:letters").prompt == ["x", "a"]
    assert replayed(budget=16, unit="tokens", tokenizer="users:letters").prompt == ["x"]


def test_a_recorded_budget_in_tokens_is_replayed_with_the_configured_tokenizer(recorded, replayed):
    recorded(("x", "a"), ("x",), k=2, complete=True, texts=TEXTS, budget=10, unit="tokens")
    row = replayed(budget=20)
    assert row.prompt is None
    assert "name the tokenizer" in row.not_known
    config = Config.model_validate({"replaying": {"tokenizer": "users:letters"}})
    assert replayed(budget=20, config=config).prompt == ["x", "a"]


def test_tokens_without_a_tokenizer_are_refused(recorded, replayed):
    recorded(("x", "a"), ("x",), k=1, complete=True, texts=TEXTS)
    with pytest.raises(InputError, match="a tokenizer was wanted"):
        replayed(budget=20, unit="tokens")
