"""Patterns of gold: they mean what Python's ``re`` says, and no search goes on for ever."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otel_ragfault.judging.answer import check_answer
from otel_ragfault.judging.patterns import matches
from otel_ragfault.model import AnswerCheck

_PATTERNS = (
    r"\bchild\b", r"\Bx\B", r"\w+", r"^\w+$", r"[\w-]+!", r"[^\w]", r"[^\W_]", r"\s", r"a{2}", r"a{,2}b", r"a{,}b", r"{}", r"a{e<=1}",
    r"(?:foo){i}", r"[[:alpha:]]", r"[[]", r"[]a]", r"[^]a]", r"[a\]{2}]", r"[#{]", r"(?#[)a", "(?x) a b # [ {\n", r"(?a)\w+", r"(?s)a.b", r"(?P<x>a)(?P=x)",
    r"(?i:A)", r"(?a:\w)é", r"\N{DIGIT ONE}", r"\{a\}", r"(?<=a)b", r"a++b", r"(\w+\s?)+!$",
)  # fmt: skip
_TEXTS = ("child", "grand\u200dchild", "aab", "aa b", "a{e<=1}", "foo{i}", "fo{i}", "[:alpha:]", "a]", "l:]", "x[", "{}", "#", "é1", "कि", "²_", "\x1c", "a\u0301", "a\nb", "", "hi there!")  # fmt: skip


@pytest.mark.parametrize("pattern", _PATTERNS)
def test_a_pattern_means_what_re_says(pattern):
    for text in _TEXTS:
        assert matches(pattern, text) == bool(re.search(pattern, text, re.IGNORECASE)), text


@given(
    pattern=st.sampled_from(_PATTERNS[:-1]), text=st.text(alphabet="ab xé_-[]{}#!1²\u0301कि\u203f\x1c\n", max_size=12)
)
def test_a_pattern_means_what_re_says_in_any_text(pattern, text):
    if not (pattern == r"\Bx\B" and not text):
        assert matches(pattern, text) == bool(re.search(pattern, text, re.IGNORECASE))


def test_a_pattern_that_takes_for_ever_gives_a_verdict_without_a_value():
    began = time.monotonic()
    verdict = check_answer("a" * 60 + "b", AnswerCheck(matches="(a|aa)+$"))
    assert verdict.value is None
    assert "'(a|aa)+$' was not done within 1 s" in verdict.reason
    assert time.monotonic() - began < 10


def test_another_condition_that_fails_is_a_verdict_whatever_the_pattern_takes():
    assert check_answer("a" * 60 + "b", AnswerCheck(matches="(a|aa)+$", equals="c")).value is False


def test_repeats_in_repeats_over_words_end():
    assert check_answer("many words " * 50, AnswerCheck(matches=r"(\w+\s?)+!$")).value in {False, None}
