"""Interventions that plant a value: in the required passage itself, or in a passage that contradicts it."""

from collections.abc import Iterator
from typing import Final

from otel_ragfault.jobs.generators import Chunk
from otel_ragfault.jobs.probing.material import DoesNotApplyError, Material, Variant
from otel_ragfault.jobs.probing.shifting import Kind, Shifted, gold_texts, sentence_around, shift, spots

CONTRADICTION_ID: Final = "contradicting-passage"
"""The id of the chunk that a contradiction adds."""


def shift_number(material: Material) -> list[Variant]:
    """One number of the required passage changed, all else the same: does the answer follow the passage?"""
    return [_shifted(material, "number")]


def shift_date(material: Material) -> list[Variant]:
    """One date of the required passage changed, all else the same."""
    return [_shifted(material, "date")]


def contradiction(material: Material) -> list[Variant]:
    """A passage added behind the required one that gives another value: is the conflict told, or one side taken?"""
    kinds: tuple[Kind, ...] = ("number", "date")
    for kind in kinds:
        for passage, shifted in _found(material, kind):
            first, last = sentence_around(passage.text, shifted.spot)
            end = last + len(shifted.text) - len(passage.text)
            added = Chunk(CONTRADICTION_ID, f"Another version of this says: {shifted.text[first:end]}")
            at = next(place for place, chunk in enumerate(material.shown) if chunk.id == passage.id) + 1
            chunks = (*material.shown[:at], added, *material.shown[at:])
            changed = f"behind {passage.id} a passage was added that says {shifted.planted} for {shifted.replaced}"
            return [Variant(chunks, changed, planted=shifted.planted, replaced=shifted.replaced)]
    raise DoesNotApplyError(_why_not(material, "number or date"))


def _shifted(material: Material, kind: Kind) -> Variant:
    for passage, shifted in _found(material, kind):
        chunks = tuple(Chunk(one.id, shifted.text) if one.id == passage.id else one for one in material.shown)
        changed = f"in {passage.id}, {shifted.replaced} became {shifted.planted}"
        return Variant(chunks, changed, planted=shifted.planted, replaced=shifted.replaced)
    raise DoesNotApplyError(_why_not(material, kind))


def _found(material: Material, kind: Kind) -> Iterator[tuple[Chunk, Shifted]]:
    """Yield the required passages of the prompt in which a value can be changed, with the change."""
    wanted = gold_texts(material.check, material.expected)
    taken = [material.question, *(chunk.text for chunk in material.shown), *wanted]
    for passage in material.shown_passages:
        shifted = shift(passage.text, kind, wanted, taken, str(material.seed))
        if shifted is not None:
            yield passage, shifted


def _why_not(material: Material, kinds: str) -> str:
    wanted = gold_texts(material.check, material.expected)
    named = [one.text for kind in ("number", "date") if kind in kinds for text in wanted for one in spots(text, kind)]
    if named:
        return f"no required passage gives {named[0]}, which gold expects"
    return f"no {kinds} stands in the required passages"
