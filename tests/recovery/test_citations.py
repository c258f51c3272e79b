import pytest
from hypothesis import given
from hypothesis import strategies as st

from otel_ragfault.recovery import Citations, leads_astray, map_citations

ORDER = ["kiln-001#1", "studio.md", "9f8e", None, "kiln-001#3"]
FIRST, SECOND, THIRD, FIFTH = ORDER[0], ORDER[1], ORDER[2], ORDER[4]


@pytest.mark.parametrize(
    ("answer", "ids", "unmapped"),
    [
        ("Nothing is cited.", [], []),
        ("It opens at nine [1].", [FIRST], []),
        ("It opens at nine.[1]", [FIRST], []),
        ("It opens at nine[1]. Then it closes[2].", [FIRST, SECOND], []),
        ("Nine [2][1], then [2].", [SECOND, FIRST], []),
        ("Nine [1, 3] or [2; 5] or [1 and 2]", [FIRST, THIRD, SECOND, FIFTH], []),
        ("Nine [1-3]", [FIRST, SECOND, THIRD], []),
        ("Nine [1\u20133], ten [#2]", [FIRST, SECOND, THIRD], []),
        ("Nine [3-1]", [THIRD, FIRST], []),
        ("Nine \u30101\u3011 and \u30102\u2020source\u3011 and \u30103\u2020L1-L5\u3011", [FIRST, SECOND, THIRD], []),
        ("Nine \u30104:0\u2020file.pdf\u3011", [], ["\u30104:0\u2020file.pdf\u3011"]),
        ("Nine (source: kiln-001#1), ten (Sources: 2, 9f8e)", [FIRST, SECOND, THIRD], []),
        ("Nine (see: kiln-001#1) (nine)", [], []),
        ("Nine [kiln-001#1] and [KILN-001#3]", [FIRST, FIFTH], []),
        ("Nine [Source 1], ten [doc: 2], eleven [source: 9f8e]", [FIRST, SECOND, THIRD], []),
        ("Nine [^1].\n\n[^1]: The handbook", [FIRST], []),
        ("Nine [here](studio.md), [there](#kiln-001#3), [2](https://example.org/x)", [SECOND, FIFTH], []),
        ("See [the handbook](https://example.org/docs/studio.md)", [SECOND], []),
        ("See [the site](https://example.org) and ![1](picture.png)", [], []),
        ("Nine [1](https://example.org/a)", [FIRST], []),
        # what leads nowhere is kept as written
        ("Nine [7] and [1, 8]", [FIRST], ["[7]", "[1, 8]"]),
        ("Nine [4]", [], ["[4]"]),  # a chunk that is not known
        ("Nine [4-6]", [FIFTH], ["[4-6]"]),
        (
            "Nine (source: other-9) [kiln-001#9] [^note] [Source 12]",
            [],
            ["(source: other-9)", "[kiln-001#9]", "[^note]", "[Source 12]"],
        ),
        ("Nine [link 9](x) [9](x)", [], ["[9](x)"]),
        # what is no citation
        ("In [2021] and [1999-2004] it was [sic] so [x] [ ] [...]", [], []),
        ("a[0] + b1[2] - max_len[1] + firstItem[3], rows[1].id, cells[2] = 3, f[0][1]", [], []),
        ("`nine [1]` and ```\nnine [2]\n``` but [3]", [THIRD], []),
        ("Since 1990[1] error E4 [2]", [FIRST, SECOND], []),
        # counting from 0
        ("Nine [0], ten [2]", [FIRST, THIRD], []),
        ("Nine [0-1]", [FIRST, SECOND], []),
        ("a[0] is code, [1] is not", [FIRST], []),
        ("Nine [0], ten [5]", [FIFTH], ["[0]"]),
    ],
)
def test_citations_are_mapped_through_the_order_of_the_prompt(answer, ids, unmapped):
    assert map_citations(answer, ORDER) == Citations(tuple(ids), tuple(unmapped))


FIVE = ["c01", "c02", "c03", "c04", "c05"]


@pytest.mark.parametrize(
    ("written", "astray"),
    [
        pytest.param("[9]", True, id="beyond the last"),
        pytest.param("[#9]", True, id="with a mark"),
        pytest.param("[Source 9]", True, id="with a word"),
        pytest.param("\u30109\u2020source\u3011", True, id="in lenses"),
        pytest.param("[7-9]", True, id="a range beyond the last"),
        pytest.param("[1, 8]", True, id="one of two is there"),
        pytest.param("[10, 20]", False, id="an interval"),
        pytest.param("[404]", False, id="a code"),
        pytest.param("[c99]", True, id="made as the ids are"),
        pytest.param("[C77]", True, id="made as the ids are, in capitals"),
        pytest.param("[iso-9001]", False, id="another name"),
        pytest.param("(source: the handbook)", False, id="perhaps a title"),
        pytest.param("[^note]", False, id="a note"),
        pytest.param("[9](https://example.org)", True, id="a link by number"),
    ],
)
def test_whether_a_citation_that_leads_nowhere_was_certainly_one(written, astray):
    assert written in map_citations(f"Nine {written}.", FIVE).unmapped or not astray
    assert leads_astray(written, FIVE) is astray


def test_a_part_of_an_answer_counts_as_the_whole_does():
    whole = "Nine [0]. Ten [4]."
    assert map_citations("Ten [4].", FIVE, counted_in=whole).ids == ("c05",)
    assert map_citations("Ten [4].", FIVE).ids == ("c04",)


def test_numbers_mean_places_before_they_mean_ids():
    assert map_citations("[1] [12] [2021]", ["2", "12", "2021"]).ids == ("2", "12", "2021")
    assert map_citations("[2]", ["2", "x"]).ids == ("x",)


def test_titles_are_other_names():
    titles = {"Studio  Handbook": "c1", "https://example.org/kiln": "c2"}
    answer = "[Studio handbook], (source: studio handbook), [it](https://example.org/kiln), [Other book]"
    assert map_citations(answer, ["c1", "c2"], titles=titles) == Citations(("c1", "c2"), ())


def test_without_chunks_every_citation_leads_nowhere():
    assert map_citations("Nine [1], \u30102\u3011", []) == Citations((), ("[1]", "\u30102\u3011"))


def test_a_range_is_never_endless():
    assert map_citations("[1-999999]", ["a"]) == Citations(("a",), ("[1-999999]",))


@given(
    st.text(alphabet="ab 01[]()\u3010\u3011^-,`!:#.\n\u2020=", max_size=80),
    st.lists(st.none() | st.sampled_from(["a", "b1", "0"]), max_size=4),
)
def test_any_answer_gives_ids_of_the_prompt_only(answer, order):
    found = map_citations(answer, order)
    assert set(found.ids) <= set(order) - {None}
    assert len(set(found.ids)) == len(found.ids)
    assert all(mark in answer for mark in found.unmapped)


@given(st.permutations(list(range(1, 9))).map(lambda numbers: numbers[:5]))
def test_numbers_give_the_chunks_in_the_order_of_the_answer(numbers):
    order = [f"c{number}" for number in range(1, 9)]
    answer = " ".join(f"Something [{number}]." for number in numbers)
    assert map_citations(answer, order) == Citations(tuple(f"c{number}" for number in numbers), ())


TOKENS = ["[1]", " [2]", "nine [3].", "[4] [1]", "[12]", "[0]", "[2021]", "a[1]", "[1, 2]", "(source: b1)", "`[1]`"]


@given(
    st.lists(
        st.sampled_from([*TOKENS, " ", "nine ", ".", "\u00e9", "\0", "[", "]", "1", "~~~", "\u30101\u3011"]), max_size=6
    ),
    st.lists(st.none() | st.sampled_from(["a", "b1", "0", "2"]), min_size=1, max_size=4),
)
def test_what_sql_reads_of_an_answer_is_what_is_read_here(memory, tokens, order):
    answer = "".join(tokens)
    (found,) = memory.execute(
        "SELECT chunks_at(plain_marks($answer), $order::VARCHAR[])", {"answer": answer, "order": order}
    ).fetchone()
    if found is not None:
        assert map_citations(answer, order) == Citations(tuple(found), ())


@pytest.mark.parametrize("answer", ["Nine [1].", "[2][1]", "Nine [1], ten [1] and [2]"])
def test_sql_reads_plain_marks_itself(memory, answer):
    (found,) = memory.execute("SELECT chunks_at(plain_marks($1), ['a', 'b'])", [answer]).fetchone()
    assert tuple(found) == map_citations(answer, ["a", "b"]).ids != ()
