"""A quote is found where it is, in all chunks over which it lies, and nowhere else."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from otel_ragfault.gold.finding import find_quote
from otel_ragfault.gold.library import Chunk, Library

CABIN = (
    Chunk("c1", "d", "The cabin crew rests for 8 hours before a long-haul flight. Then"),
    Chunk("c2", "d", "they fly to perma-\nfrost regions of the north, which are cold."),
    Chunk("c3", "d", "regions of the north, which are cold. The cabin is warm 80 deg"),
    Chunk("c4", "d", "rees and nobody complained about it."),
    Chunk("e1", "e", "The cabin is warm today."),
)


def find(quote, doc_id=None, chunks=CABIN, threshold=0.9):
    return find_quote(Library(chunks), quote, doc_id, threshold)


def ways(*sets):
    return {frozenset(one) for one in sets}


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        pytest.param("8 hours before a long haul flight", [{"c1"}], id="in one chunk"),
        pytest.param("Then they fly to permafrost regions", [{"c1", "c2"}], id="over two chunks"),
        pytest.param("regions of the north", [{"c2"}, {"c3"}], id="whole in the overlap of two"),
        pytest.param("warm 80 degrees and nobody", [{"c3", "c4"}], id="cut inside a word"),
        pytest.param("permafrost regions of the north, which are cold. The cabin", [{"c2", "c3"}], id="over an overlap"),
        pytest.param("flight. Then they fly to permafrost regions of the north, which are cold. The cabin is warm 80 degrees and",
                     [{"c1", "c2", "c3", "c4"}], id="over all"),
    ],
)  # fmt: skip
def test_a_quote_is_found_letter_by_letter(quote, expected):
    found = find(quote, "d")
    assert (found.state, found.score, set(found.ways)) == ("exact", 1.0, ways(*expected))
    assert found.split is (len(expected[0]) > 1)


@pytest.mark.parametrize(
    "quote",
    [
        pytest.param("8 hours before a long flight", id="a word less"),
        pytest.param("8 hours before a very long-haul flight", id="a word more"),
        pytest.param("9 hours before a long-haul flight", id="another number"),
        pytest.param("The cabin crew never rests for 8 hours", id="a negation"),
        pytest.param("The cabin crew rests … before a long-haul flight", id="an ellipsis in the middle"),
        pytest.param("The cabin crew rests for 8 hours...", id="an ellipsis at the end"),
        pytest.param("The cabin crew rests [...] flight", id="an ellipsis in brackets"),
        pytest.param("The cabin crew rests for 8 hours after a long-haul flight", id="another word"),
        pytest.param("The cabin crew rests for 8.", id="a word less before the end of the sentence"),
        pytest.param("Then fly to permafrost", id="a word less where the chunks meet"),
        pytest.param("he cabin crew rests", id="a part of a word"),
    ],
)
def test_what_is_not_said_is_not_found(quote):
    assert find(quote, "d").state == "unresolved"


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        pytest.param("The cabim crew rests for 8 hours", {"c1"}, id="a misread letter"),
        pytest.param("The cabin **crew** rests for 8 hours", {"c1"}, id="markup"),
        pytest.param("they fly to permafrust regions of the north", {"c2"}, id="a wrong letter"),
        pytest.param("Then they fly to permafrust regions of the north", {"c1", "c2"}, id="over two chunks"),
        pytest.param("The cabim is warm 80 degrees and nobody", {"c3", "c4"}, id="over a cut through a word"),
        pytest.param("The cabin crew rests for 8 hours, before a long-haul flight", {"c1"}, id="a comma more"),
    ],
)
def test_slips_inside_words_are_forgiven_and_reported(quote, expected):
    found = find(quote, "d")
    assert (found.state, found.ways) == ("fuzzy", (frozenset(expected),))
    assert 0.9 <= found.score <= 1


def test_the_threshold_decides_how_many_slips_are_forgiven():
    quote = "they fly to permafrust regions of the norht"
    assert find(quote, "d", threshold=0.9).state == "fuzzy"
    assert find(quote, "d", threshold=0.99).state == "unresolved"


def test_a_quote_in_two_documents_is_ambiguous_until_one_is_named():
    found = find("The cabin is warm")
    assert (found.state, found.chunks, found.ways) == ("ambiguous", ("c3", "e1"), ())
    assert find("The cabin is warm", "e").ways == (frozenset({"e1"}),)


def test_copies_within_one_document_are_alternatives():
    chunks = [Chunk(f"c{i}", "d", text) for i, text in enumerate(("a red fox", "in between", "a red fox"))]
    assert set(find("red fox", chunks=chunks).ways) == ways({"c0"}, {"c2"})


def test_copies_of_a_split_quote_are_alternatives_too():
    chunks = [Chunk(f"c{i}", "d", text) for i, text in enumerate(("a red", "fox ran", "then a red", "fox ran"))]
    assert set(find("red fox", chunks=chunks).ways) == ways({"c0", "c1"}, {"c2", "c3"}, {"c0", "c3"})


def test_without_documents_only_chunks_that_overlap_are_taken_for_neighbours():
    overlapping = [Chunk("c0", None, "one two three four"), Chunk("c1", None, "three four five six")]
    assert set(find("three four", chunks=overlapping).ways) == ways({"c0"}, {"c1"})
    apart = [Chunk("c0", None, "one two three four"), Chunk("c1", None, "so three four five six")]
    assert find("three four", chunks=apart).state == "ambiguous"


def test_a_quote_over_chunks_whose_order_is_lost_is_found_by_its_long_pieces():
    texts = (
        "the sun is a star and",
        "unrelated one",
        "unrelated two",
        "unrelated three",
        "unrelated four",
        "one of very many in the galaxy",
    )
    chunks = [Chunk(f"c{i}", "d", text) for i, text in enumerate(texts)]
    assert find("the sun is a star and one of very many", "d", chunks).ways == (frozenset({"c0", "c5"}),)


def test_the_order_of_words_is_not_read_over_an_overlap():
    chunks = [
        Chunk("c0", "d", "in here the whole long cabin is warm"),
        Chunk("c1", "d", "the whole long cabin is warm today"),
    ]
    assert find("the whole long cabin is warm today", "d", chunks).ways == (frozenset({"c1"}),)
    assert find("here the whole long cabin is warm today", "d", chunks).ways == (frozenset({"c0", "c1"}),)
    assert find("cabin is warm the whole long", "d", chunks).state == "unresolved"
    assert find("cabin is warm the whole loong cabin is", "d", chunks).state == "unresolved"


def test_missing_texts_make_an_absence_unknown():
    chunks = [Chunk("c0", "d", "here"), Chunk("c1", "d", None), Chunk("e0", "e", "there")]
    assert find("nowhere", "d", chunks).state == "no_text"
    assert find("nowhere", "e", chunks).state == "unresolved"
    assert find("here", "d", chunks).state == "exact"


def test_a_document_that_is_not_indexed_holds_nothing():
    assert find("The cabin is warm", "other").state == "unresolved"


def test_an_empty_snapshot_holds_nothing():
    assert find("anything", chunks=()).state == "unresolved"


def test_a_script_without_blanks_is_found_inside_a_sentence():
    chunks = [Chunk("c0", "d", "広東省の深圳は大きな都市で"), Chunk("c1", "d", "ある。人口は1700万人。")]
    assert find("深圳は大きな都市", "d", chunks).ways == (frozenset({"c0"}),)
    assert find("大きな都市である", "d", chunks).ways == (frozenset({"c0", "c1"}),)
    assert find("人口は1800万人", "d", chunks).state == "unresolved"


def test_quotes_are_found_in_a_large_corpus_without_naming_a_document():
    chunks = [
        Chunk(f"c{i}", f"d{i // 4}", f"text number {i} tells of item {i * 7} and of nothing else") for i in range(400)
    ]
    assert find("tells of item 700 and of nothing", chunks=chunks).ways == (frozenset({"c100"}),)
    assert find("item 700 and of nothing else text number 101 tells", chunks=chunks).ways == (
        frozenset({"c100", "c101"}),
    )


WORD = st.one_of(
    st.text("abcdefghijk", min_size=2, max_size=7),
    st.text("abcdefghijk", min_size=2, max_size=7),
    st.sampled_from(["the", "cabin", "is", "not", "warm", "of", "icecold"]),
    st.integers(10, 99).map(str),
)
WORDS = st.lists(WORD, min_size=6, max_size=60)


@st.composite
def documents(draw):
    """A document, its chunks in words (size and overlap), and a passage of it."""
    text = draw(WORDS)
    size = draw(st.integers(2, 14))
    overlap = draw(st.integers(6, size - 1)) if size > 7 and draw(st.booleans()) else 0  # words, of two letters or more
    step = size - overlap
    starts = [at for at in range(0, len(text), step) if at == 0 or at + size - step < len(text)]
    chunks = [Chunk(f"c{at}", "d", " ".join(text[at : at + size])) for at in starts]
    start = draw(st.integers(0, len(text) - 2))
    end = draw(st.integers(start + 2, min(len(text), start + 10)))
    return text, chunks, start, end


def occurs(words, text):
    """Whether the words stand somewhere in the text, however it is hyphenated or spaced."""
    return re.search(rf"(?<!\S){re.escape(' '.join(words))}(?!\S)", " ".join(text)) is not None


def fit_in_one_way(chunks, text):
    """Whether nothing but the real overlap of two chunks could be taken for it."""
    letters = [
        (len("".join(text[: int(chunk.chunk_id[1:])])), chunk.text.replace(" ", "").replace("-", ""))
        for chunk in chunks
    ]
    return all(
        not one.endswith(other[:size]) or at + len(one) - size == after
        for place, (at, one) in enumerate(letters)
        for after, other in letters[place + 1 :]
        for size in range(1, min(len(one), len(other)) + 1)
    )


@given(documents())
def test_every_passage_of_a_document_is_found_in_chunks_that_hold_it(drawn):
    text, chunks, start, end = drawn
    found = find(" ".join(text[start:end]), "d", chunks)
    assert found.state == "exact"
    held = {chunk.chunk_id: chunk.text.split() for chunk in chunks}
    passage = text[start:end]
    for way in found.ways:
        if len(way) == 1:
            assert occurs(passage, held[next(iter(way))]) or "-" in " ".join(passage)
        else:
            assert set(passage) <= {word for chunk in way for word in held[chunk]} or "-" in " ".join(passage)
    if any(occurs(passage, words) for words in held.values()):
        assert not found.split


@given(documents(), st.data())
def test_without_one_of_its_words_a_quote_is_not_found_unless_it_is_said_so_elsewhere(drawn, data):
    text, chunks, start, end = drawn
    assume(fit_in_one_way(chunks, text))
    passage = text[start:end]
    dropped = data.draw(st.integers(0, len(passage) - 1))
    rest = passage[:dropped] + passage[dropped + 1 :]
    joined = "".join(rest).replace("-", "")
    assume(joined not in "".join(text).replace("-", ""))
    assert find(" ".join(rest), "d", chunks).state == "unresolved"


@given(documents(), st.data())
def test_with_another_digit_a_quote_is_not_found(drawn, data):
    text, chunks, start, end = drawn
    quote = " ".join(text[start:end])
    digits = [place for place, character in enumerate(quote) if character.isdigit()]
    assume(digits)
    place = data.draw(st.sampled_from(digits))
    other = data.draw(st.sampled_from([digit for digit in "0123456789" if digit != quote[place]]))
    changed = quote[:place] + other + quote[place + 1 :]
    assume(fit_in_one_way(chunks, text) and not occurs(changed.split(), text))
    assert find(changed, "d", chunks).state == "unresolved"


@given(documents(), st.sampled_from(["\n", "\t", "\u00a0", "  "]))
def test_another_white_space_finds_the_same(drawn, space):
    text, chunks, start, end = drawn
    quote = " ".join(text[start:end])
    spaced = [Chunk(chunk.chunk_id, "d", chunk.text.replace(" ", space)) for chunk in chunks]
    assert find(quote.replace(" ", space), "d", chunks) == find(quote, "d", chunks) == find(quote, "d", spaced)
