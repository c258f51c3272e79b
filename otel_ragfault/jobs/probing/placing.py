"""Interventions that choose and order chunks, and change no text."""

from otel_ragfault.counting import counted
from otel_ragfault.jobs.generators import Chunk
from otel_ragfault.jobs.probing.material import DoesNotApplyError, Material, Variant, ids_of


def original(material: Material) -> list[Variant]:
    """The recorded prompt as it was: does the failure come back?"""
    return [Variant(material.shown, "nothing")]


def gold_only(material: Material) -> list[Variant]:
    """The required passages alone: can the generator use the evidence at all?"""
    passages = material.passages
    order = {chunk.id: place for place, chunk in enumerate(material.prompt or ()) if chunk is not None}
    chunks = tuple(sorted(passages, key=lambda chunk: order.get(chunk.id, len(order))))
    if material.prompt is not None and ids_of(chunks) == tuple(chunk and chunk.id for chunk in material.prompt):
        raise DoesNotApplyError("the prompt holds nothing else already")
    return [Variant(chunks, "everything but the required passages was left out")]


def gold_first(material: Material) -> list[Variant]:
    """The same chunks, the required ones first: does the order decide?"""
    gold, others = _parted(material)
    return [_ordered(material, (*gold, *others), "first")]


def gold_last(material: Material) -> list[Variant]:
    """The same chunks, the required ones last."""
    gold, others = _parted(material)
    return [_ordered(material, (*others, *gold), "last")]


def gold_middle(material: Material) -> list[Variant]:
    """The same chunks, the required ones in the middle, where long prompts are read worst."""
    gold, others = _parted(material)
    if len(others) < 2:  # noqa: PLR2004 - one before and one behind
        raise DoesNotApplyError("the prompt has no two other chunks to stand around the required ones")
    half = len(others) // 2
    return [_ordered(material, (*others[:half], *gold, *others[half:]), "to the middle")]


def drop_required(material: Material) -> list[Variant]:
    """One required passage left out: does the answer rest on it? A run for each that was shown."""
    shown = material.shown
    in_prompt = {chunk.id for chunk in shown}
    if not material.named:
        raise DoesNotApplyError("gold requires no evidence")
    variants = []
    for ids in material.named:
        dropped = [one for one in ids if one in in_prompt]
        if dropped:
            rest = tuple(chunk for chunk in shown if chunk.id not in dropped)
            variants.append(Variant(rest, f"{' and '.join(dropped)} was left out", step=" ".join(dropped)))
    if not variants:
        raise DoesNotApplyError("no required passage was in the prompt")
    return variants


def distractors(material: Material) -> list[Variant]:
    """The recorded prompt with the next ranked chunks behind it, in steps: how much noise does the answer stand?"""
    shown, negatives = material.shown, material.negatives
    steps = [step for step in material.steps if step <= len(negatives)]
    if not steps:
        there = counted(len(negatives), "further ranked chunk is", "further ranked chunks are")
        raise DoesNotApplyError(f"{there} there, {min(material.steps)} were wanted")
    return [
        Variant((*shown, *negatives[:step]), f"{' '.join(ids_of(negatives[:step]))} added behind", step=f"+{step}")
        for step in steps
    ]


def no_support(material: Material) -> list[Variant]:
    """As many chunks as before, and nothing that gold requires: does the generator decline?"""
    shown, required = material.shown, material.required_ids
    kept = tuple(chunk for chunk in shown if chunk.id not in required)
    places = max(len(shown), 1) - len(kept)
    if not places:
        raise DoesNotApplyError("the prompt held nothing that gold requires: that is the original")
    try:
        further = material.negatives[:places]
    except DoesNotApplyError:
        if not kept:
            raise
        further = ()
    return [Variant((*kept, *further), "what gold requires was replaced by the next ranked chunks")]


def closed_book(material: Material) -> list[Variant]:
    """No chunks at all: what does the generator know by itself?"""
    if material.prompt == ():
        raise DoesNotApplyError("the prompt was empty: that is the original")
    return [Variant((), "every chunk was left out")]


def _parted(material: Material) -> tuple[tuple[Chunk, ...], tuple[Chunk, ...]]:
    """Part the prompt into the required passages and the rest, each in the order of the prompt."""
    shown, gold = material.shown, material.shown_passages
    ids = {chunk.id for chunk in gold}
    return gold, tuple(chunk for chunk in shown if chunk.id not in ids)


def _ordered(material: Material, chunks: tuple[Chunk, ...], where: str) -> Variant:
    if ids_of(chunks) == ids_of(material.shown):
        raise DoesNotApplyError(f"the required passages stand {where.replace('to the', 'in the')} already")
    return Variant(chunks, f"{' '.join(ids_of(material.shown_passages))} moved {where}")
