"""Compare two runs on identical cases."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.comparing.boundaries import boundary_changes
from otel_ragfault.jobs.comparing.cautions import cautions
from otel_ragfault.jobs.comparing.differences import difference, pass_test, slice_differences
from otel_ragfault.jobs.comparing.figures import measure_figure, shown_measures
from otel_ragfault.jobs.comparing.hypotheses import answered, expectation
from otel_ragfault.jobs.comparing.reading import Case, Read, read_side
from otel_ragfault.jobs.comparing.result import CaseChange, Comparison, LabelChange, Source
from otel_ragfault.jobs.comparing.settings import changed_settings
from otel_ragfault.jobs.comparing.slices import sliced
from otel_ragfault.jobs.comparing.states import change_of
from otel_ragfault.statistics import Resampling

if TYPE_CHECKING:
    from otel_ragfault.model import Config

_ALLOWED: Final = "--allow-different-cases, in Python allow_different_cases=True"

ALLOWED: Final = "--allow-different-cases, in Python allow_different_cases=True"

_NAMED: Final = 5  # cases that an error names


def compare_runs(
    before: Source,
    after: Source,
    config: "Config",
    *,
    allow_different_cases: bool = False,
    expectations: Sequence[str] = (),
    by: Sequence[str] = (),
) -> Comparison:
    """Compare two runs, case by case.

    Args:
        before: a database, or its file, and the name of a run in it: of the pipeline or of a labelling.
        after: the same of the other side.
        config: cutoffs and choices of the measures, how intervals are made, when a hypothesis is decided.
        allow_different_cases: compare the cases that both sides have, and report the others, instead of refusing.
        expectations: hypotheses, as :mod:`otel_ragfault.jobs.comparing.hypotheses` reads them.
        by: what to slice by: ``tag``, ``expect`` or ``service``.

    Raises:
        DatabaseError: a file cannot be opened.
        InputError: there is no such run, the cases differ, or a hypothesis cannot be read.
        NothingJoinedError: a run has no labels.
    """
    first, second = read_side(Source(*before), config), read_side(Source(*after), config)
    return compare_read(
        first, second, config, allow_different_cases=allow_different_cases, expectations=expectations, by=by
    )


def compare_read(
    first: Read,
    second: Read,
    config: "Config",
    *,
    allow_different_cases: bool = False,
    expectations: Sequence[str] = (),
    by: Sequence[str] = (),
) -> Comparison:
    """Compare two sides that were read: of a database, or of a baseline that was kept as a file.

    Raises:
        InputError: the cases differ, or a hypothesis cannot be read.
    """
    declared = [expectation(text, config.measure_cutoffs) for text in expectations]
    only_before, only_after = _apart(first, second, allow_different_cases=allow_different_cases)
    pairs = [(first.cases[name], second.cases[name]) for name in sorted(first.cases.keys() & second.cases.keys())]
    cases = [_change(*pair) for pair in pairs]
    changed = changed_settings(first.side.settings, second.side.settings)
    how = resampling(config)
    return Comparison(
        before=first.side,
        after=second.side,
        changed_settings=changed,
        warnings=cautions(first, second, pairs, changed),
        cases=cases,
        only_before=only_before,
        only_after=only_after,
        labels=_transitions([(case.before.label, case.after.label) for case in cases]),
        outcomes=_transitions([(case.before.outcome, case.after.outcome) for case in cases]),
        boundaries=boundary_changes(cases),
        differences=[difference(cases, measure_figure(name), how) for name in shown_measures(config.measure_cutoffs)],
        pass_test=pass_test(cases),
        slices=slice_differences(sliced(pairs, cases, by), how, config.comparing),
        hypotheses=[answered(one, cases, how, config.comparing) for one in declared],
        seed=how.seed,
        replicates=how.replicates,
        confidence=how.confidence,
        interval=how.method,
    )


def resampling(config: "Config") -> Resampling:
    """Return how the configuration wants intervals of changes to be made."""
    return Resampling(
        config.bootstrap_seed, config.bootstrap_replicates, config.bootstrap_confidence, config.comparing.interval
    )


def _apart(before: Read, after: Read, *, allow_different_cases: bool) -> tuple[list[str], list[str]]:
    """Return the cases that only one side has.

    Raises:
        InputError: there are some and that is not allowed, or no case is on both sides.
    """
    only_before, only_after = (sorted(one.cases.keys() - other.cases.keys()) for one, other in _both(before, after))
    shared = len(before.cases.keys() & after.cases.keys())
    if not shared or ((only_before or only_after) and not allow_different_cases):
        advice = (
            f"run both on the same cases, or compare the {shared} that both have: {_ALLOWED}"
            if shared
            else "name two runs of the same cases"
        )
        raise InputError(
            f"the runs are not of the same cases: {_few(only_before)} only in {_name(before)}, {_few(only_after)} only "
            f"in {_name(after)}; identical case ids were wanted; {advice}"
        )
    return only_before, only_after


def _both(before: Read, after: Read) -> tuple[tuple[Read, Read], tuple[Read, Read]]:
    return (before, after), (after, before)


def _few(cases: list[str]) -> str:
    if not cases:
        return "none"
    more = ", …" if len(cases) > _NAMED else ""
    return f"{len(cases)} ({', '.join(cases[:_NAMED])}{more})"


def _name(read: Read) -> str:
    return repr(read.side.run) if read.side.run is not None else str(read.side.database or "the database")


def _change(before: Case, after: Case) -> CaseChange:
    change = change_of(before.state, after.state)
    return CaseChange(
        after.case_id, after.query, before.state, after.state, change, sorted({*before.tags, *after.tags})
    )


def _transitions(pairs: list[tuple[str, str]]) -> list[LabelChange]:
    """Return how often each pair stands, those that changed first, then the most frequent."""
    counted = [LabelChange(before, after, cases) for (before, after), cases in Counter(pairs).items()]
    return sorted(counted, key=lambda one: (one.before == one.after, -one.cases, one.before, one.after))
