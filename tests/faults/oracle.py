"""The fault tree again, in plain Python over plain objects, written from the design and not from the SQL.

``True``/``False``/``None`` are the three truth values; a rule that cannot be decided raises :class:`Unknown`.
"""

from dataclasses import dataclass, field


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
    corpus: dict | None = None  # chunk id -> text or None; None: no snapshot loaded
    query: str = "alpha beta"
    refused: bool | None = None
    clarified: bool | None = None
    correct: bool | None = None
    floor: float | None = None
    extra: dict = field(default_factory=dict, compare=False)


BLAME = [
    f"unknown.{field}"
    for field in ("dropped_attributes", "ranking", "corpus", "scores", "k", "prompt_ids", "answer", "verdict")
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
    return walk_answer(world)


def walk_answer(world):
    if world.refused is None:
        return (90, 1, unjudged(world))
    if world.refused:
        return (90, 0, "decision.refused_answerable")
    if world.correct is None:
        return (91, 1, unjudged(world))
    return (92, 0, "pass") if world.correct else (91, 0, "generation.wrong_answer")


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
    if world.corpus is not None:
        return not any(member in world.corpus for member in group)
    if not ranking_is_whole(world, group):
        no_ranking(world)
    raise Unknown("corpus")


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
    ("retrieval.no_overlap", no_overlap),
    ("retrieval.below_floor", below_floor),
    ("retrieval.not_ranked", not_ranked),
    ("rerank.demoted", demoted),
    ("retrieval.below_k", below_k),
    ("assembly.cut", cut),
]
