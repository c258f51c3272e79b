"""The fault tree again, in plain Python over plain objects, written from the design and not from the SQL.

``True``/``False``/``None`` are the three truth values; a rule that cannot be decided raises :class:`Unknown`.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class World:
    """One request with its gold, corpus and verdicts."""

    expect: str = "answer"
    groups: tuple[tuple[str, ...], ...] = (("g",),)
    ranked: tuple | None = ()
    scores: tuple | None = ()
    complete: bool | None = None
    kind: str | None = None
    rerank: bool = False
    candidates: tuple | None = None
    candidate_scores: tuple | None = None
    k: int | None = 2
    prompt: tuple | None = ()
    answer: str | None = "an answer"
    answered: bool = True
    error_stage: str | None = None
    dropped_attributes: bool = False
    foreign: bool = False  # ids of the rankings are none of the snapshot, so that any hit may be the evidence
    corpus: dict | None = None  # chunk id -> text or None; None: no snapshot loaded
    query: str = "alpha beta"
    refused: bool | None = None
    clarified: bool | None = None
    correct: bool | None = None
    floor: float | None = None
    permitted: dict = field(default_factory=dict)  # chunk id -> groups; absent: everybody
    user_groups: tuple | None = None
    windows: dict = field(default_factory=dict)  # chunk id -> (from, to), each may be None
    documents: dict = field(default_factory=dict)  # chunk id -> its document
    started_at: datetime | None = None
    as_of: datetime | None = None
    prompt_text: str | None = None
    shares: tuple | None = None  # parallel to prompt
    quotes: dict = field(default_factory=dict)  # group -> the quote that it was found by
    extra: dict = field(default_factory=dict, compare=False)


BLAME = [
    f"unknown.{field}"
    for field in (
        "dropped_attributes",
        "ids",
        "ranking",
        "corpus",
        "permissions",
        "scores",
        "k",
        "prompt_ids",
        "answer",
        "verdict",
    )
]


class Unknown(Exception):  # noqa: N818 - a result, not a fault
    def __init__(self, missing):
        self.missing = missing


def label(world):
    """Return the label of the world."""
    if world.error_stage and not world.answered:
        return f"error.{world.error_stage}"
    if world.expect == "refuse":
        return {
            True: "pass.correct_refusal",
            False: "decision.answered_unanswerable",
            None: unjudged(world),
        }[world.refused]
    if world.expect == "clarify":
        return {
            True: "pass.correct_clarification",
            False: "decision.not_clarified",
            None: unjudged(world),
        }[world.clarified]
    ends = [walk_group(world, group) for group in world.groups] or [walk_answer(world)]
    # the earliest rule wins; at the same rule a decided group wins over an undecided one, then the graver gap
    return min(ends, key=lambda end: (end[0], end[1], BLAME.index(end[2]) if end[1] else 0))[2]


def unjudged(world):
    return "unknown.answer" if world.answer is None else "unknown.verdict"


def walk_group(world, group):
    if world.prompt is None or not set(group) & set(world.prompt):
        for step, (name, rule) in enumerate(EVIDENCE_RULES):
            try:
                holds = rule(world, group)
            except Unknown as unknown:
                return (step, 1, f"unknown.{unknown.missing}")
            if holds:
                return (step, 0, name)
    if truncated(world, group):
        return (89, 0, "assembly.truncated")
    return walk_answer(world)


def walk_answer(world):
    if world.refused is None:
        return (90, 1, unjudged(world))
    if world.refused:
        return (90, 0, "decision.refused_answerable")
    if world.correct is None:
        return (91, 1, unjudged(world))
    if world.correct:
        return (93, 0, "pass")
    return (91, 0, "source.stale") if repeats_superseded(world) else (92, 0, "generation.wrong_answer")


def first_stage(world):
    return (world.candidates, world.candidate_scores) if world.rerank else (world.ranked, world.scores)


def best(group, ids):
    """Return the 1-based rank of the best-placed member, or None."""
    places = [ids.index(member) + 1 for member in group if member in ids]
    return min(places, default=None)


def no_ranking(world):
    raise Unknown("dropped_attributes" if world.dropped_attributes else "ranking")


def seen_anywhere(world, group):
    return any(best(group, ids) for ids in (world.ranked, world.candidates) if ids is not None)


def ranking_is_whole(world, group):
    """Whether an absence from the recorded rankings proves anything."""
    lists = [world.ranked] + ([world.candidates] if world.rerank else [])
    return all(ids is not None and (None not in ids or best(group, ids)) for ids in lists)


def not_indexed(world, group):
    if seen_anywhere(world, group):
        return False
    if world.foreign and (world.ranked or world.candidates):
        raise Unknown("dropped_attributes" if world.dropped_attributes else "ids")
    if world.corpus is not None:
        return not any(member in world.corpus for member in group)
    if not ranking_is_whole(world, group):
        no_ranking(world)
    raise Unknown("corpus")


def held(world, group):
    return [member for member in group if member in (world.corpus or {})]


def not_permitted(world, group):
    sets = [world.permitted.get(member) for member in held(world, group)]
    if not sets or None in sets:
        return False  # nothing is said, or one alternative is for everybody
    if not any(sets):
        return True  # nobody may see them, whoever asks
    if world.user_groups is None:
        raise Unknown("permissions")
    return not any(set(allowed) & set(world.user_groups) for allowed in sets)


def is_valid(world, chunk):
    begins, ends = world.windows.get(chunk, (None, None))
    asked_at = world.as_of or world.started_at
    return (begins is None or begins <= asked_at) and (ends is None or asked_at < ends)


def has_window(world, chunk):
    return world.windows.get(chunk, (None, None)) != (None, None)


def stale(world, group):
    members = held(world, group)
    if not members or not all(has_window(world, member) for member in members):
        return False
    if (world.as_of or world.started_at) is None:
        return False  # every record has a start
    return not any(is_valid(world, member) for member in members)


def words(text):
    """Return the words; what JSON writes for line feeds and the like is undone."""
    return re.findall("[a-z0-9]+", re.sub(r'\\[nrt"]', " ", text).lower())


def stands_in(part, whole):
    """Whether a list of words is a run in another."""
    return any(whole[start : start + len(part)] == part for start in range(len(whole) - len(part) + 1))


def truncated(world, group):  # noqa: PLR0911 - what may be known of a passage, told step by step
    if world.prompt is None or (world.prompt_text is None and world.shares is None):
        return False
    shown = [member for member in group if member in world.prompt]
    if not shown:
        return False
    share = None
    if world.shares is not None:
        known = [world.shares[world.prompt.index(member)] for member in shown]
        share = max((one for one in known if one is not None), default=None)
    if share is not None and share >= 1:
        return False
    prompt = world.prompt_text
    texts = [text for member in shown if (text := (world.corpus or {}).get(member)) is not None]
    quote = None if world.corpus is None else world.quotes.get(group)
    if prompt is not None:
        said = words(prompt)
        if any(text in prompt for text in texts) or (quote is not None and quote in prompt):
            return False
        if quote is not None:
            wholes = [words(text) for text in texts]
            return not stands_in(words(quote), said) and not any(stands_in(whole, said) for whole in wholes)
    if share is not None:
        return share < 0.85
    return prompt is not None and len(texts) == len(shown) and all(is_cut(words(text), said) for text in texts)


def is_cut(chunk, said):
    """Whether only the beginning of a chunk that is long enough is said."""
    if len(chunk) < 15:
        return False
    late = -(-len(chunk) * 85 // 100)
    return (
        stands_in(chunk[:5], said) and not stands_in(chunk[late - 5 : late], said) and not stands_in(chunk[-5:], said)
    )


def repeats_superseded(world):
    if world.corpus is None or world.prompt is None or world.answer is None:
        return False
    if (world.as_of or world.started_at) is None:
        return False

    def document(chunk):
        return world.documents.get(chunk, chunk)

    changing = {document(chunk) for chunk in world.corpus if has_window(world, chunk)}
    required = {document(member) for group in world.groups for member in held(world, group)} & changing
    sayers = [
        chunk
        for chunk in world.prompt
        if world.corpus.get(chunk) is not None
        and document(chunk) in required
        and says(world.corpus[chunk], world.answer)
    ]
    return bool(sayers) and not any(is_valid(world, chunk) for chunk in sayers)


def says(text, answer):
    claim, said = words(re.sub(r"\[[^\[\]]*\]", "", answer)), words(text)  # [1] is a mark of a citation
    numbers = [place for place, word in enumerate(claim) if word[0].isdigit()]
    whole = len(claim) >= 3 and stands_in(claim, said)
    return whole or (bool(numbers) and all(stands_for(claim, place, said) for place in numbers))


def stands_for(claim, place, said):
    """Whether a number of a claim is said: a single digit only beside a word that is beside it in the claim."""
    if len(claim) == 1 or len(claim[place]) > 1:
        return claim[place] in said
    pairs = (claim[place : place + 2], claim[max(0, place - 1) : place + 1])
    return any(len(pair) == 2 and stands_in(pair, said) for pair in pairs)


def first_score(world, group):
    """Return ("rank", score) / ("absent", None); raise Unknown when the first-stage ranking cannot tell."""
    ids, scores = first_stage(world)
    if ids is None:
        no_ranking(world)
    place = best(group, ids)
    if place is None:
        if None in ids:
            no_ranking(world)
        return "absent", None
    return "rank", scores[place - 1] if scores is not None and place <= len(scores) else None


def shares_term(world, group):
    """Whether query and evidence share a word, as far as texts are loaded; None: not known."""
    if world.corpus is None:
        return None
    indexed = [member for member in group if member in world.corpus]
    words = set(world.query.split())
    if any(words & set((world.corpus[member] or "").split()) for member in indexed):
        return True
    return None if not indexed or any(world.corpus[member] is None for member in indexed) else False


def no_overlap(world, group):  # noqa: C901 - the design's longest rule, told step by step
    ids, _ = first_stage(world)
    if world.kind not in {"bm25", None}:
        return False
    shared = shares_term(world, group)
    if shared:
        return False  # whatever the score: a term is shared
    if ids is None:
        no_ranking(world)
    where, score = first_score(world, group)
    if where == "absent":
        if not (world.complete and world.kind == "bm25"):
            return False
        score = 0
    if score is None:
        if ranking_is_whole(world, group):
            raise Unknown("scores")
        no_ranking(world)
    if score != 0:
        return False
    if world.kind is None or shared is None:
        if ranking_is_whole(world, group):
            raise Unknown("scores")
        no_ranking(world)
    return True


def below_floor(world, group):
    if world.floor is None or world.kind not in {"similarity", None}:
        return False
    where, score = first_score(world, group)
    if where == "absent":
        return False
    if score is None or (world.kind is None and score < world.floor):
        if ranking_is_whole(world, group):
            raise Unknown("scores")
        no_ranking(world)
    return score < world.floor


def not_ranked(world, group):
    if seen_anywhere(world, group):
        return False
    if not ranking_is_whole(world, group):
        no_ranking(world)
    return True


def demoted(world, group):
    if not world.rerank:
        return False
    if world.candidates is None:
        no_ranking(world)
    before = best(group, world.candidates)
    if before is None:
        if None in world.candidates:
            no_ranking(world)
        return False
    after = None if world.ranked is None else best(group, world.ranked)
    if world.k is None:
        if ranking_is_whole(world, group):
            raise Unknown("k")
        no_ranking(world)
    if before > world.k:
        return False
    if after is None and (world.ranked is None or None in world.ranked):
        no_ranking(world)
    return after is None or after > world.k


def below_k(world, group):
    place = None if world.ranked is None else best(group, world.ranked)
    if place is None:
        if world.ranked is None or None in world.ranked:
            no_ranking(world)
        place = best(group, world.candidates)
    if world.k is None:
        if ranking_is_whole(world, group):
            raise Unknown("k")
        no_ranking(world)
    return place > world.k


def cut(world, group):
    if world.prompt is None or None in world.prompt:
        raise Unknown("prompt_ids")
    return True


EVIDENCE_RULES = [
    ("source.not_indexed", not_indexed),
    ("source.not_permitted", not_permitted),
    ("source.stale", stale),
    ("retrieval.no_overlap", no_overlap),
    ("retrieval.below_floor", below_floor),
    ("retrieval.not_ranked", not_ranked),
    ("rerank.demoted", demoted),
    ("retrieval.below_k", below_k),
    ("assembly.cut", cut),
]
