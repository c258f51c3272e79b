"""What speaks against reading a comparison as the effect of one change."""

from collections.abc import Sequence
from typing import Final

from otel_ragfault.counting import counted
from otel_ragfault.jobs.comparing.reading import Case, Read
from otel_ragfault.jobs.comparing.settings import LABELLING, Changed, variables

_NAMED: Final = 5
_Pair = tuple[Case, Case]


def cautions(before: Read, after: Read, pairs: Sequence[_Pair], changed: Changed) -> list[str]:
    """Return the warnings of a comparison, each in one line."""
    labellings = before.side.kind == after.side.kind == "labelling"
    found = [
        _with_itself(before, after, pairs),
        _several_variables(variables(changed, of_labelling=labellings)),
        None if labellings else _labelled_differently(changed),
        _gold_differs(pairs),
        *(_unlabelled(read) for read in (before, after)),
        _different_cases(before, after, len(pairs)),
    ]
    return list(dict.fromkeys(line for line in found if line is not None))


def _with_itself(before: Read, after: Read, pairs: Sequence[_Pair]) -> str | None:
    """Both sides are the same requests with the labels of the same labelling, whatever the sides are called."""
    same = all(one.state.request_id and one.state.request_id == other.state.request_id for one, other in pairs)
    if not (pairs and same and before.side.labellings == after.side.labellings):
        return None
    return (
        f"{'the database' if after.side.run is None else f'run {after.side.run!r}'} is compared with itself: both "
        "sides are the same requests with the same labels, so that nothing can differ; name two runs"
    )


def _several_variables(changed: list[str]) -> str | None:
    if len(changed) < 2:  # noqa: PLR2004 - one change at a time
        return None
    return (
        f"{len(changed)} variables changed between the runs ({', '.join(changed)}), so that no difference can be put "
        "down to one of them; change one at a time"
    )


def _labelled_differently(changed: Changed) -> str | None:
    named = [name.removeprefix(LABELLING) for name in changed if name.startswith(LABELLING)]
    if not named:
        return None
    return (
        f"the labels of the two runs were made in different ways ({', '.join(named)}), so that they do not mean the "
        "same; label both again: ragfault label --db DB"
    )


def _gold_differs(pairs: Sequence[_Pair]) -> str | None:
    named = [after.case_id for before, after in pairs if before.gold_versions != after.gold_versions]
    if not named:
        return None
    more = ", …" if len(named) > _NAMED else ""
    return (
        f"{counted(len(named), 'case was', 'cases were')} held against different gold "
        f"({', '.join(named[:_NAMED])}{more}), so that what changed may be the gold; label both runs again"
    )


def _unlabelled(read: Read) -> str | None:
    if read.unlabelled <= 0:
        return None
    name = "the database" if read.side.run is None else f"run {read.side.run!r}"
    left_out = counted(
        read.unlabelled,
        f"request of {name} has no label and is left out",
        f"requests of {name} have no label and are left out",
    )
    return f"{left_out}: without gold, or newer than the newest labelling (ragfault label --db DB)"


def _different_cases(before: Read, after: Read, shared: int) -> str | None:
    apart = len(before.cases) + len(after.cases) - 2 * shared
    if not apart:
        return None
    return (
        f"{counted(apart, 'case is', 'cases are')} on one side only, and left out of every figure; what both "
        f"have ({counted(shared, 'case')}) may not be like them"
    )
