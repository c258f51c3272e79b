"""The interventions, in the order in which they are run: one change each, so that what follows has one cause.

To add one, write a function from a :class:`Material` to variants and add a line to the registry. It has to be pure: the
same material gives the same variants, and everything that it changes is told in them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.probing import placing, planting
from otel_ragfault.jobs.probing.material import Material, Variant
from otel_ragfault.model.wording import did_you_mean, shown

Make = Callable[[Material], list[Variant]]


@dataclass(frozen=True, slots=True)
class Intervention:
    """A change.

    Attributes:
        name: its name.
        asks: what it finds out, in a line.
        make: makes what the generator is given; ``None`` where the generator is not asked, and what it said is judged
            again instead.
    """

    name: str
    asks: str
    make: Make | None


def _generating(make: Make) -> Intervention:
    return Intervention(make.__name__, (make.__doc__ or "").split("\n", 1)[0], make)


_ORDER: Final = (
    # The failure itself, before anything is changed.
    _generating(placing.original),
    # Less, then the same in another order: which of generator, order and competing text it is.
    _generating(placing.gold_only),
    _generating(placing.gold_first),
    _generating(placing.gold_last),
    _generating(placing.gold_middle),
    # Without evidence: does the answer rest on it?
    _generating(placing.drop_required),
    _generating(placing.no_support),
    _generating(placing.closed_book),
    # More of what does not help.
    _generating(placing.distractors),
    # Other evidence: does the answer follow it?
    _generating(planting.shift_number),
    _generating(planting.shift_date),
    _generating(planting.contradiction),
    # The same answer, judged again.
    Intervention(
        "hold_answer", "The recorded answer, its citations judged again: is it the mapping of citations?", None
    ),
    Intervention(
        "hold_claims", "The claims as they were cut, judged repeatedly: does the judge agree with itself?", None
    ),
)

INTERVENTIONS: Final[Mapping[str, Intervention]] = {intervention.name: intervention for intervention in _ORDER}
"""Every intervention by its name, in the order in which they are run."""


def chosen(names: Sequence[str] | None) -> list[Intervention]:
    """Return interventions by name, in the order of the registry; all of them for ``None``.

    Raises:
        InputError: there is none of a name.
    """
    if names is None:
        return list(INTERVENTIONS.values())
    for name in names:
        if name not in INTERVENTIONS:
            guess = did_you_mean(name, INTERVENTIONS)
            hint = f"did you mean {guess!r}?" if guess else f"known are {', '.join(INTERVENTIONS)}"
            raise InputError(f"--probes: found {shown(name)}, which is no probe; {hint}")
    return [intervention for name, intervention in INTERVENTIONS.items() if name in names]
