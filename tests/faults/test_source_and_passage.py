"""Rules 4, 5 and 12 and the superseded version: where each begins to hold, and where it does not."""

from datetime import datetime

import pytest

from faults import oracle
from faults.oracle import World
from faults.worlds import clear, labels, put

DAYS = [datetime(2026, 1, day) for day in (1, 2, 3)]  # noqa: DTZ001 - as the database keeps them
LONG = " ".join(f"word{number}" for number in range(20))
HR = {"permitted": {"g": ("hr",)}}
OLD = {"windows": {"g": (None, DAYS[1])}}
AWAY = {"ranked": ("x",), "scores": (1.0,), "kind": "distance", "corpus": {"g": None}, "prompt": ()}
SHOWN = {"ranked": ("g",), "scores": (1.0,), "kind": "distance", "prompt": ("g",), "refused": False, "correct": True}
EITHER = {"groups": (("g", "h"),), "corpus": {"g": None, "h": None}}
SAID = "The limit is 14 days."
WRONG = SHOWN | {"correct": False, "answer": SAID, "corpus": {"g": SAID}, "started_at": DAYS[2]} | OLD
TWO = {"prompt": ("g", "h"), "documents": {"g": "d", "h": "d"}}


def case(name, expected, *parts):
    fields = {}
    for part in parts:
        fields |= part
    return pytest.param(expected, World(**fields), id=name)


EDGES = [
    case("not one of the groups", "source.not_permitted", AWAY, HR, {"user_groups": ("it",)}),
    case("a user without groups", "source.not_permitted", AWAY, HR, {"user_groups": ()}),
    case("one of the groups", "retrieval.not_ranked", AWAY, HR, {"user_groups": ("it", "hr")}),
    case("groups are not recorded", "unknown.permissions", AWAY, HR),
    case("nobody may see it, whoever asks", "source.not_permitted", AWAY, {"permitted": {"g": ()}}),
    case("no permissions in the corpus", "retrieval.not_ranked", AWAY),
    case("an alternative for everybody", "retrieval.not_ranked", AWAY, EITHER, HR),
    case("an alternative for others", "source.not_permitted", AWAY, EITHER, {"permitted": {"g": ("hr",), "h": ("law",)}, "user_groups": ("it",)}),
    case("an alternative that is not indexed", "source.not_permitted", AWAY, HR, {"groups": (("g", "h"),), "user_groups": ()}),
    case("shown all the same", "pass", SHOWN, HR, {"corpus": {"g": None}, "user_groups": ()}),
    case("no snapshot", "unknown.corpus", AWAY, HR, {"corpus": None}),
    case("asked when it ended", "source.stale", AWAY, OLD, {"started_at": DAYS[1]}),
    case("asked before it ended", "retrieval.not_ranked", AWAY, OLD, {"started_at": DAYS[0]}),
    case("asked before it began", "source.stale", AWAY, {"windows": {"g": (DAYS[1], None)}, "started_at": DAYS[0]}),
    case("asked when it began", "retrieval.not_ranked", AWAY, {"windows": {"g": (DAYS[1], None)}, "started_at": DAYS[1]}),
    case("asked for an earlier time", "retrieval.not_ranked", AWAY, OLD, {"started_at": DAYS[2], "as_of": DAYS[0]}),
    case("asked for a later time", "source.stale", AWAY, OLD, {"started_at": DAYS[0], "as_of": DAYS[2]}),
    case("a valid version", "retrieval.not_ranked", AWAY, EITHER, {"windows": {"g": (None, DAYS[0]), "h": (DAYS[0], None)}, "started_at": DAYS[1]}),
    case("a version without a window", "retrieval.not_ranked", AWAY, EITHER, OLD, {"started_at": DAYS[2]}),
    case("no time at all", "retrieval.not_ranked", AWAY, OLD),
    case("ranked and too old", "source.stale", AWAY, OLD, {"ranked": ("x", "y", "g"), "scores": (3.0, 2.0, 1.0), "started_at": DAYS[2]}),
    case("most is there", "pass", SHOWN, {"shares": (0.85,)}),
    case("too little is there", "assembly.truncated", SHOWN, {"shares": (0.84,)}),
    case("enough of another alternative", "pass", SHOWN, EITHER, {"prompt": ("g", "h"), "shares": (0.3, 0.9)}),
    case("the quote is lost", "assembly.truncated", SHOWN, {"corpus": {"g": LONG}, "quotes": {("g",): "word18"}, "prompt_text": LONG[:100], "shares": (0.9,)}),
    case("the quote is there", "pass", SHOWN, {"corpus": {"g": LONG}, "quotes": {("g",): "word2 word3"}, "prompt_text": LONG[:40], "shares": (0.3,)}),
    case("the quote is set in another way", "pass", SHOWN, {"corpus": {"g": LONG}, "quotes": {("g",): "Word2, word3"}, "prompt_text": r"word2\nWORD3"}),
    case("only the beginning", "assembly.truncated", SHOWN, {"corpus": {"g": LONG}, "prompt_text": LONG[:60]}),
    case("all of it, set in another way", "pass", SHOWN, {"corpus": {"g": LONG}, "prompt_text": LONG.replace(" ", "\n> ").title()}),
    case("beginning and end", "pass", SHOWN, {"corpus": {"g": LONG}, "prompt_text": LONG[:60] + LONG[-60:]}),
    case("nothing of it: another text than was sent", "pass", SHOWN, {"corpus": {"g": LONG}, "prompt_text": "Question: why?"}),
    case("its text is not loaded", "pass", SHOWN, {"corpus": {"g": None}, "prompt_text": LONG[:60]}),
    case("the prompt is not recorded", "pass", SHOWN, {"corpus": {"g": LONG}}),
    case("a superseded version repeated", "source.stale", WRONG),
    case("its number in other words", "source.stale", WRONG, {"answer": "You have 14."}),
    case("with a mark of a citation", "source.stale", WRONG, {"answer": "The limit is 14 days. [1]"}),
    case("a digit that stands for something else there", "generation.wrong_answer", WRONG, {"answer": "Take 2 of them.", "corpus": {"g": "See section 2: the limit is 14 days."}}),
    case("another number", "generation.wrong_answer", WRONG, {"answer": "You have 15."}),
    case("a right answer", "pass", WRONG, {"correct": True}),
    case("valid when asked", "generation.wrong_answer", WRONG, {"started_at": DAYS[0]}),
    case("no time, no blame", "generation.wrong_answer", WRONG, {"started_at": None}),
    case("a refusal", "decision.refused_answerable", WRONG, {"refused": True}),
    case("beside the valid version", "source.stale", WRONG, TWO, {"groups": (("h",),), "corpus": {"g": SAID, "h": "30 days"}}),
    case("the valid version says it too", "generation.wrong_answer", WRONG, TWO, {"groups": (("h",),), "corpus": {"g": SAID, "h": SAID}}),
    case("of another document", "generation.wrong_answer", WRONG, TWO, {"groups": (("h",),), "corpus": {"g": SAID, "h": "30 days"}, "documents": {"g": "d", "h": "e"}}),
    case("not in the prompt", "generation.wrong_answer", WRONG, TWO, {"prompt": ("h",), "groups": (("h",),), "corpus": {"g": SAID, "h": "30 days"}}),
]  # fmt: skip


@pytest.mark.parametrize(("expected", "world"), EDGES)
def test_each_rule_holds_exactly_as_far_as_it_should(memory, expected, world):
    clear(memory)
    request_id = put(memory, 0, world)
    assert labels(memory)[request_id]["label"] == expected == oracle.label(world)
