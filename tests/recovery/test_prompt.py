import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otel_ragfault.recovery import PromptMatch, match_prompt
from otel_ragfault.recovery.flat import flat, lined

BISQUE = "The Marlow kiln heats clay to 1,040 degrees Celsius for a bisque firing. Hold the peak for twelve minutes."
GLAZE = "A glaze firing in the Marlow kiln peaks at 1,220 degrees Celsius. Do not open the lid above 90 degrees."
ERROR = "If error E4 appears on the Marlow controller, the door switch is open. Close the door and press reset."
VISITORS = "Visitors pay six pounds per session. Members pay nothing for open sessions."
LIST = "Bring:\n- an apron,\n- a towel,\n- a sponge.\n\nTools are lent at the desk."
CHUNKS = [("bisque", BISQUE), ("glaze", GLAZE), ("error", ERROR), ("visitors", VISITORS), ("list", LIST)]
QUESTION = "What temperature does a glaze firing in the Marlow kiln reach?"


def found(chunks, prompt, **rest):
    return [(match.id, match.how) for match in match_prompt(chunks, prompt, **rest)]


def prompt_of(*texts, separator="\n\n", question=QUESTION):
    return f"Answer from the sources.\n\nSources:\n{separator.join(texts)}\n\nQuestion: {question}\nAnswer:"


def exact(*names):
    return [(name, "exact") for name in names]


def test_whole_chunks_are_found_in_the_order_of_the_prompt():
    assert found(CHUNKS, prompt_of(ERROR, BISQUE, VISITORS)) == exact("error", "bisque", "visitors")


def test_a_match_says_where_it_stands_and_that_all_is_there():
    prompt = f"Sources:  {GLAZE}"
    assert match_prompt(CHUNKS, prompt) == [PromptMatch("glaze", len("Sources: "), 1.0, "exact")]


@pytest.mark.parametrize(
    "written",
    [
        lambda text: f"[1] {text}",
        lambda text: f"1. {text}",
        lambda text: f"<doc id='x'>{text}</doc>",
        lambda text: f'{{"text":"{text}"}}'.replace("\n", "\\n"),
        lambda text: f"**Source**: {text}".replace("\n", "\n      "),
        lambda text: text.replace(" ", "\n"),
        lambda text: text.replace(" ", "  "),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\u201c" + text.replace(" ", "\u00a0") + "\u201d",
        lambda text: text.replace("fi", "\ufb01"),
        lambda text: text.replace("a", "a\u200b"),
        lambda text: "> " + text,
    ],
)
@pytest.mark.parametrize("name", ["error", "list"])
def test_numbered_quoted_and_indented_chunks_are_whole(name, written):
    text = dict(CHUNKS)[name]
    assert found(CHUNKS, prompt_of(VISITORS, written(text))) == exact("visitors", name)


def test_escapes_of_json_and_html_are_undone():
    text = 'Press "reset" & wait\nuntil the lamp in the caf\u00e9 \U0001f525 is off, then open the door again.'
    escaped = (
        text.replace('"', '\\"')
        .replace("\n", "\\n")
        .replace("\u00e9", "\\u00e9")
        .replace("\U0001f525", "\\ud83d\\udd25")
    )
    markup = text.replace("&", "&amp;").replace('"', "&quot;").replace("\u00e9", "&eacute;")
    assert found([("a", text)], f'[{{"text": "{escaped}"}}]') == exact("a")
    assert found([("a", text)], f"<p>{markup}</p>") == exact("a")


# --- places belong to one chunk --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("times", "names"), [(0, []), (1, ["a"]), (2, ["a", "b"]), (3, ["a", "b", "c"]), (4, ["a", "b", "c"])]
)
def test_of_identical_chunks_the_better_ranked_come_first(times, names):
    chunks = [("a", ERROR), ("other", GLAZE), ("b", ERROR.replace(" ", "  ")), ("c", ERROR)]
    assert found(chunks, prompt_of(*[ERROR] * times)) == exact(*names)


def test_a_chunk_inside_another_is_not_claimed_twice():
    part = "Close the door and press reset."
    chunks = [("part", part), ("whole", ERROR)]
    assert found(chunks, prompt_of(ERROR)) == exact("whole")
    assert found(chunks, prompt_of(part, ERROR)) == exact("part", "whole")
    assert found(chunks, prompt_of(part)) == exact("part")


def test_chunks_that_were_cut_with_an_overlap_are_all_found():
    words = " ".join(f"word{number}" for number in range(60)).split()
    chunks = [(str(start), " ".join(words[start : start + 30])) for start in (0, 20, 40)]
    assert found(chunks, prompt_of(*(text for _, text in chunks))) == exact("0", "20", "40")
    assert found(chunks, prompt_of(chunks[1][1])) == exact("20")
    assert found(chunks, prompt_of(" ".join(words))) == exact("0", "20", "40")  # merged: all the words are there


def test_of_near_duplicates_the_one_that_stands_there_is_found():
    chunks = [("v1", GLAZE.replace("1,220", "1,200")), ("v2", GLAZE), ("v3", GLAZE.replace("90", "95"))]
    assert found(chunks, prompt_of(GLAZE)) == exact("v2")
    assert found(chunks, prompt_of(chunks[2][1], GLAZE)) == exact("v3", "v2")


# --- parts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.35, 0.5, 0.8, 0.95])
@pytest.mark.parametrize("mark", ["", "...", "\u2026", " [...]", " (truncated)"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_chunk_cut_at_its_end_is_truncated(share, mark, place):
    cut = ERROR[: round(len(ERROR) * share)] + mark
    texts = [BISQUE, VISITORS]
    texts.insert(place, cut)
    names = ["bisque", "visitors"]
    names.insert(place, "error")
    matches = match_prompt(CHUNKS, prompt_of(*texts, separator="\n"))
    assert [match.id for match in matches] == names
    assert matches[place].how == "truncated"
    assert matches[place].share == pytest.approx(share, abs=0.03)


@pytest.mark.parametrize("mark", ["...", " [...] ", "\u2026", "\n[cut]\n"])
def test_a_chunk_cut_in_its_middle_is_truncated(mark):
    cut = ERROR[:40] + mark + ERROR[-35:]
    (match,) = match_prompt(CHUNKS, prompt_of(cut))
    assert (match.id, match.how) == ("error", "truncated")
    assert match.share == pytest.approx(75 / len(ERROR), abs=0.03)


def test_a_chunk_cut_at_its_beginning_is_truncated():
    (match,) = match_prompt(CHUNKS, prompt_of("..." + ERROR[-60:]))
    assert (match.id, match.how) == ("error", "truncated")
    assert match.share == pytest.approx(60 / len(ERROR), abs=0.03)


def test_a_prompt_cut_at_its_end_leaves_a_truncated_chunk():
    prompt = prompt_of(GLAZE, BISQUE)
    prompt = prompt[: prompt.index(BISQUE) + 70]
    matches = match_prompt(CHUNKS, prompt)
    assert [(match.id, match.how) for match in matches] == [("glaze", "exact"), ("bisque", "truncated")]
    assert matches[1].share == pytest.approx(70 / len(BISQUE), abs=0.02)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("twelve", "12"),
        lambda text: text.replace(",", "").replace(".", ""),
        lambda text: text.replace("The Marlow", "the Marlow").replace("Hold", "hold"),
        lambda text: re.sub(r"(\w+ \w+ \w+ \w+ \w+) ", r"\1\n> ", text),
        lambda text: text.replace("bisque", "**bisque**").replace("1,040 degrees", "_1,040_ degrees"),
    ],
)
def test_a_chunk_that_was_rewritten_a_little_is_fuzzy(change):
    matches = match_prompt(CHUNKS, prompt_of(VISITORS, change(BISQUE), ERROR))
    assert [(match.id, match.how) for match in matches] == [
        ("visitors", "exact"),
        ("bisque", "fuzzy"),
        ("error", "exact"),
    ]
    assert 0.85 <= matches[1].share < 1


def test_the_threshold_decides_what_is_alike():
    changed = BISQUE.replace("twelve minutes", "an hour").replace("Hold", "Keep")
    assert found(CHUNKS, prompt_of(changed), threshold=0.8) == [("bisque", "fuzzy")]
    assert ("bisque", "fuzzy") not in found(CHUNKS, prompt_of(changed), threshold=0.97)


def test_near_duplicates_that_were_cut_alike_take_their_places_by_rank():
    chunks = [(str(number), f"{BISQUE} {GLAZE} Then call member {number}.") for number in range(9)]
    cut = chunks[0][1][:200] + "..."
    matches = match_prompt(chunks, prompt_of(*[cut] * 4, separator="\n"))
    assert sorted(match.id for match in matches) == ["0", "1", "2", "3"]
    assert {match.how for match in matches} == {"truncated"}


# --- what is not there -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "   \n",
        QUESTION,
        prompt_of(),
        prompt_of("The kiln of the studio is heated by members: clay, degrees, firing, peak, door, switch and reset."),
        prompt_of("Members may book the kiln up to fourteen days ahead. A booking lapses after thirty minutes."),
        "Does a glaze firing in the Marlow kiln peak at 1,040 degrees for a bisque firing?",
        "Why is the door switch is open shown if error E4 appears on the Marlow controller?",
        " ".join(sorted(BISQUE.split())),
        " ".join(reversed(ERROR.split())),
        "\0" * 200,
    ],
)
def test_words_that_merely_overlap_are_no_chunk(prompt):
    assert found(CHUNKS, prompt) == []


def test_a_question_that_repeats_a_phrase_does_not_claim_its_chunk():
    assert found(
        CHUNKS, prompt_of(VISITORS, question="What does a glaze firing in the Marlow kiln peaks at mean?")
    ) == exact("visitors")


@pytest.mark.parametrize(
    ("prompt", "there"),
    [
        ("Sources:\nYes\nQuestion: is it?", True),
        ("Sources:\n[1] Yes\n[2] No", True),
        ('{"text": "Yes"}', True),
        ("Say Yes if it is.", False),
        ("Yesterday", False),
        ("Yes", True),
    ],
)
def test_a_tiny_chunk_has_to_stand_alone(prompt, there):
    assert found([("yes", "Yes")], prompt) == (exact("yes") if there else [])


@pytest.mark.parametrize("chunks", [[], [("a", "")], [("a", "  \n")], [("a", "\0")]])
def test_no_text_is_nowhere(chunks):
    assert found(chunks, prompt_of(BISQUE)) == []


def test_texts_without_spaces():
    one = "\u7a91\u7089\u5728\u91c9\u70e7\u65f6\u8fbe\u5230\u4e00\u5343\u4e8c\u767e\u4e8c\u5341\u6444\u6c0f\u5ea6\u3002\u4e5d\u5341\u5ea6\u4ee5\u4e0a\u4e0d\u8981\u6253\u5f00\u7a91\u76d6\u3002"
    other = "\u4f1a\u5458\u53ef\u4ee5\u63d0\u524d\u5341\u56db\u5929\u9884\u7ea6\u7a91\u7089\u3002\u9884\u7ea6\u5728\u4e09\u5341\u5206\u949f\u540e\u5931\u6548\uff0c\u8bf7\u51c6\u65f6\u5230\u8fbe\u3002"
    assert found([("one", one), ("other", other)], f"\u8d44\u6599\uff1a\n{other}\n{one}\n") == exact("other", "one")
    (match,) = match_prompt([("one", one), ("other", other)], f"\u8d44\u6599\uff1a\n{one[:25]}...\n")
    assert (match.id, match.how) == ("one", "truncated")


# --- properties ------------------------------------------------------------------------------------------------------

SEPARATORS = st.sampled_from(["\n", "\n\n", "\n---\n", "\n* ", " | ", "\n\n[9] ", "</doc>\n<doc>", "\n\t"])
SYLLABLES = ["ka", "lo", "mi", "tu", "sen", "ra", "vo", "pel", "ni", "dor"]


@st.composite
def corpora(draw, least_words=6, most_words=60):
    """Chunks of words that occur once, so that none holds a part of another."""
    rng = draw(st.randoms(use_true_random=True))
    words = [f"{one}{two}{three}" for one in SYLLABLES for two in SYLLABLES for three in SYLLABLES]
    rng.shuffle(words)
    counts = draw(st.lists(st.integers(least_words, most_words), min_size=2, max_size=8))
    return [
        (f"c{number}", " ".join(words[sum(counts[:number]) :][:count]).capitalize() + ".")
        for number, count in enumerate(counts)
    ]


@settings(max_examples=150, deadline=None)
@given(corpora(), st.data())
def test_a_prompt_made_of_chunks_gives_them_back_in_its_order(chunks, data):
    chosen = data.draw(st.permutations(chunks))[: data.draw(st.integers(0, len(chunks)))]
    separator = data.draw(SEPARATORS)
    prompt = prompt_of(*(text for _, text in chosen), separator=separator)
    assert found(chunks, prompt) == exact(*(name for name, _ in chosen))


@settings(max_examples=150, deadline=None)
@given(corpora(least_words=20), st.data())
def test_one_cut_chunk_is_truncated_by_its_share_and_the_others_are_whole(chunks, data):
    chosen = data.draw(st.permutations(chunks))[: data.draw(st.integers(1, len(chunks)))]
    cut = data.draw(st.integers(0, len(chosen) - 1))
    share = data.draw(st.floats(0.4, 0.95))
    texts = [text for _, text in chosen]
    kept = round(len(texts[cut]) * share)
    texts[cut] = texts[cut][:kept].rstrip() + data.draw(st.sampled_from(["", "...", " [...]"]))
    matches = match_prompt(chunks, prompt_of(*texts))
    assert [match.id for match in matches] == [name for name, _ in chosen]
    assert [match.how for match in matches] == [
        "truncated" if place == cut else "exact" for place in range(len(chosen))
    ]
    assert matches[cut].share == pytest.approx(kept / len(chosen[cut][1]), abs=0.05)


@settings(max_examples=150, deadline=None)
@given(corpora(), st.data())
def test_an_absent_chunk_is_never_found(chunks, data):
    present = chunks[: len(chunks) // 2]
    loose = data.draw(st.lists(st.sampled_from(" ".join(text for _, text in chunks).split()), max_size=80, unique=True))
    prompt = prompt_of(*(text for _, text in present), " ".join(sorted(loose)))
    assert {match.id for match in match_prompt(chunks, prompt)} <= {name for name, _ in present}


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.text(max_size=3), st.text(max_size=60)), max_size=6), st.text(max_size=200))
def test_any_texts_are_matched_without_an_error(chunks, prompt):
    for pool in (chunks, [*chunks, ("all", prompt)]):
        matches = match_prompt(pool, prompt)
        assert all(0 < match.share <= 1 for match in matches)
        assert [match.position for match in matches] == sorted(match.position for match in matches)
        assert len(matches) <= len(pool)


@given(st.text())
def test_lines_are_the_flat_text_with_line_feeds(text):
    assert lined(text).replace("\n", " ") == flat(text)
