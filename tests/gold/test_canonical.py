import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otel_ragfault.gold.canonical import Canonical
from otel_ragfault.gold.typos import same_word
from otel_ragfault.gold.words import read_words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("“8 hours” — ‘off’", "\"8 hours\" - 'off'", id="quotation marks and dashes"),
        pytest.param("the ﬁrst ﬂight", "the first flight", id="ligatures"),
        pytest.param("perma-\nfrost", "permafrost", id="hyphen at the end of a line"),
        pytest.param("long-haul", "long haul", id="hyphen between words"),
        pytest.param("perma\u00adfrost", "permafrost", id="soft hyphen"),
        pytest.param("caf\u00e9 CRÈME", "cafe\u0301 crème", id="composition and case"),
        pytest.param("do n't `` say ''", 'don\'t "say"', id="a treebank's spelling"),
        pytest.param("8\u00a0hours\u2003off\r\n", "8 hours off", id="white space of all kinds"),
        pytest.param("Straße", "STRASSE", id="sharp s"),
        pytest.param("fullwidth １２", "fullwidth 12", id="full width"),
    ],
)
def test_typography_does_not_count(one, other):
    assert Canonical(one).text == Canonical(other).text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("8 0 hours", "80 hours", id="two numbers and one"),
        pytest.param("10²", "102", id="a raised digit"),
        pytest.param("H₂0", "H20", id="a lowered digit"),
        pytest.param("5½", "51/2", id="a fraction"),
        pytest.param("at -5 degrees", "at 5 degrees", id="a sign"),
        pytest.param("3-5 hours", "35 hours", id="a range"),
        pytest.param("3.5", "35", id="a decimal point"),
        pytest.param("8 hours…", "8 hours", id="an ellipsis"),
        pytest.param("résumé", "resume", id="accents"),
        pytest.param("not now", "now", id="a negation"),
    ],
)
def test_what_is_said_does_count(one, other):
    assert Canonical(one).text != Canonical(other).text
    assert read_words(one).words != read_words(other).words


@given(
    parts=st.lists(st.text(st.characters(exclude_categories=["Cs", "Cn", "Co"]), min_size=1), min_size=1),
    space=st.sampled_from([" ", "\n", "\t", "\u00a0", "\u2003", " \r\n "]),
    form=st.sampled_from(["NFC", "NFD", "NFKC"]),
)
def test_kinds_of_white_space_and_forms_of_unicode_make_no_difference(parts, space, form):
    plain = " ".join(parts)
    spaced = space.join(parts)
    assert Canonical(spaced).text == Canonical(plain).text
    if form != "NFKC":
        assert Canonical(unicodedata.normalize(form, plain)).text == Canonical(plain).text


def test_an_ellipsis_is_a_word_and_markup_is_none():
    assert read_words("The <b>cabin</b> … is **8** [hours](http://x.y) &amp; off. . .").words == (
        "the", "cabin", "...", "is", "8", "hours", "off", "...",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("quoted", "found", "same"),
    [
        pytest.param("permafrost", "permafrust", True, id="one wrong letter"),
        pytest.param("recieve", "receive", True, id="exchanged neighbours"),
        pytest.param("modern", "modem", True, id="rn read as m"),
        pytest.param("permafrost", "permafr0st", True, id="o read as zero"),
        pytest.param("impossible", "possible", False, id="a negating prefix"),
        pytest.param("increase", "decrease", False, id="opposites"),
        pytest.param("hypertension", "hypotension", False, id="long opposites"),
        pytest.param("2019", "2018", False, id="a digit"),
        pytest.param("8hours", "9hours", False, id="a digit in a word"),
        pytest.param("cant", "can", False, id="a negation"),
        pytest.param("not", "now", False, id="a short word"),
        pytest.param("before", "after", False, id="another word"),
    ],
)
def test_a_slip_is_told_from_another_word(quoted, found, same):
    assert same_word(quoted, found, {}) is same
    assert same_word(found, quoted, {}) is same


def test_a_word_that_is_known_was_exchanged_and_not_mistyped():
    assert same_word("casual", "causal", {}) is True
    assert same_word("casual", "causal", {"casual": 1, "causal": 3}) is False
    assert same_word("forth", "north", {"forth": 1, "north": 1}) is False
