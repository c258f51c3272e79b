"""The settings that are tried: every combination of what was asked for."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final, Literal, get_args

from otel_ragfault.errors import InputError
from otel_ragfault.model import Ordering, Packing

Unit = Literal["words", "characters", "tokens"]

PACKINGS: Final[tuple[Packing, ...]] = get_args(Packing)
ORDERINGS: Final[tuple[Ordering, ...]] = get_args(Ordering)
UNITS: Final[tuple[Unit, ...]] = get_args(Unit)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. ``None`` is what was recorded; for ``floor`` it is none.

    Attributes:
        k: how many of the ranking are passed on to assembly.
        budget: the context budget.
        packing: which chunks assembly takes when they do not all fit.
        ordering: where it places them.
        floor: the first-stage score below which a chunk is dropped before k.
        rerank: ``False`` puts the ranking before reranking in the place of the final one.
    """

    k: int | None = None
    budget: int | None = None
    packing: Packing | None = None
    ordering: Ordering | None = None
    floor: float | None = None
    rerank: bool | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """What is tried of each part of a setting, and the unit in which budgets count (``None``: the recorded one).

    Raises:
        InputError: a number is none that can be tried, or nothing is to be tried of some part.
    """

    ks: tuple[int | None, ...] = (None,)
    budgets: tuple[int | None, ...] = (None,)
    packings: tuple[Packing | None, ...] = (None,)
    orderings: tuple[Ordering | None, ...] = (None,)
    floors: tuple[float | None, ...] = (None,)
    reranks: tuple[bool | None, ...] = (None,)
    unit: Unit | None = None

    def __post_init__(self) -> None:
        negative = [number for number in (*self.ks, *self.budgets) if number is not None and number < 0]
        if negative:
            raise InputError(f"found {negative[0]} for k or budget; 0 or more was wanted; correct ks and budgets")
        odd = [floor for floor in self.floors if floor is not None and not math.isfinite(floor)]
        if odd:
            raise InputError(f"found {odd[0]} as floor; a finite score was wanted; correct the floors")

    def settings(self) -> Iterator[Setting]:
        """Yield every combination, each once; k and budget change fastest."""
        parts = (self.reranks, self.floors, self.packings, self.orderings, self.ks, self.budgets)
        for rerank, floor, packing, ordering, k, budget in dict.fromkeys(product(*parts)):
            yield Setting(k, budget, packing, ordering, floor, rerank)
