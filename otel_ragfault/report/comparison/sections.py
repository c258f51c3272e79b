"""The sections of a comparison: settings first, then raw counts, then means, then the cases one by one."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from otel_ragfault.counting import counted
from otel_ragfault.jobs.comparing import CaseChange, Comparison, Difference
from otel_ragfault.report.comparison import cells

_CHANGES: Final = ("improved", "regressed", "moved", "unchanged")


@dataclass(frozen=True, slots=True)
class Section:
    """A title, a table with its headings, the numbers of its numeric columns, and lines below it."""

    title: str
    headings: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    numeric: tuple[int, ...] = ()
    lines: tuple[str, ...] = ()


def sections(comparison: Comparison) -> list[Section]:
    """Return the sections of a comparison, in the order in which they are read; those without content are left out."""
    found = [
        _settings(comparison),
        _hypotheses(comparison),
        _cases(comparison),
        _labels(comparison),
        _boundaries(comparison),
        _measures(comparison),
        _slices(comparison),
        _changed(comparison),
        _apart(comparison),
    ]
    return [section for section in found if section is not None]


def _settings(comparison: Comparison) -> Section:
    rows = tuple(
        (name, ", ".join(before), ", ".join(after)) for name, (before, after) in comparison.changed_settings.items()
    )
    if not rows:
        return Section("Settings", lines=("no recorded setting differs",))
    return Section("Settings that differ", ("setting", "before", "after"), rows)


def _hypotheses(comparison: Comparison) -> Section | None:
    rows = tuple(
        (
            one.text,
            one.answer,
            cells.share(one.before),
            cells.share(one.after),
            cells.p_value(one.p_value),
            str(one.cases),
            "" if one.cases_needed is None else f"about {one.cases_needed}",
            one.reason,
        )
        for one in comparison.hypotheses
    )
    headings = ("hypothesis", "answer", "before", "after", "p", "cases", "it would take", "because")
    return Section("Hypotheses", headings, rows, (2, 3, 4, 5, 6)) if rows else None


def _cases(comparison: Comparison) -> Section:
    counts = Counter(case.change for case in comparison.cases)
    test = comparison.pass_test
    total = len(comparison.cases)
    rows = [(name, str(counts[name]), cells.percent(counts[name], total)) for name in _CHANGES]
    tested = (
        f"pass on both sides {test.both_pass}, on neither {test.both_fail}, before only {test.only_before}, "
        f"after only {test.only_after}: exact McNemar p = {cells.p_value(test.p_value)}"
    )
    lines = [tested]
    if test.left_out:
        lines.append(f"{counted(test.left_out, 'case')} with an outcome that is not known on both sides left out")
    several = sum(max(case.before.requests, case.after.requests) > 1 for case in comparison.cases)
    if several:
        lines.append(
            f"{counted(several, 'case was', 'cases were')} asked more than once: the majority gives the label, and "
            "means are over all requests"
        )
    return Section("Cases", ("case", "count", "share"), tuple(rows), (1, 2), tuple(lines))


def _labels(comparison: Comparison) -> Section | None:
    total = len(comparison.cases)
    changed = [one for one in comparison.labels if one.before != one.after]
    kept = total - sum(one.cases for one in changed)
    line = f"{counted(kept, 'case')} ({cells.percent(kept, total)}) kept the label"
    rows = tuple((one.before, one.after, str(one.cases), cells.percent(one.cases, total)) for one in changed)
    if not rows:
        return Section("Labels", lines=(line,))
    return Section("Labels", ("label before", "label after", "cases", "share"), rows, (2, 3), (line,))


def _boundaries(comparison: Comparison) -> Section:
    rows = tuple(
        (one.boundary, *map(str, (one.improved, one.unchanged, one.regressed, one.not_reached)))
        for one in comparison.boundaries
    )
    headings = ("boundary", "improved", "unchanged", "regressed", "not reached")
    return Section("Boundaries", headings, rows, (1, 2, 3, 4))


def _measures(comparison: Comparison) -> Section:
    known = [one for one in comparison.differences if one.cases]
    rows = tuple((one.name, *_figures(one), cells.p_value(one.p_value), str(one.left_out)) for one in known)
    unknown = [one.name for one in comparison.differences if not one.cases]
    lines = (f"not known on both sides of any case: {', '.join(unknown)}",) if unknown else ()
    headings = ("measure", *_figure_headings(comparison), "p", "left out")
    return Section("Mean paired changes", headings, rows, tuple(range(1, len(headings))), lines)


def _slices(comparison: Comparison) -> Section | None:
    rows = tuple(
        (one.slice or "", one.name, *_figures(one), cells.p_value(one.p_value), cells.p_value(one.adjusted_p))
        for one in comparison.slices
    )
    headings = ("slice", "measure", *_figure_headings(comparison), "p", "corrected p")
    return Section("Slices", headings, rows, tuple(range(2, len(headings)))) if rows else None


def _figure_headings(comparison: Comparison) -> tuple[str, ...]:
    return ("cases", "before", "after", "change", f"{cells.confidence(comparison)} interval")


def _figures(one: Difference) -> tuple[str, ...]:
    return (
        str(one.cases),
        cells.share(one.before),
        cells.share(one.after),
        cells.change(one.change),
        cells.interval(one.low, one.high),
    )


def _changed(comparison: Comparison) -> Section | None:
    changed = [case for name in _CHANGES[:-1] for case in comparison.cases if case.change == name]
    rows = tuple(
        (case.case_id, case.change, _label(case, "before"), _label(case, "after"), case.query) for case in changed
    )
    headings = ("case", "change", "before", "after", "query")
    return Section("Changed cases", headings, rows) if rows else None


def _label(case: CaseChange, name: str) -> str:
    """Return the label of a side, with its outcome, and how many of several requests have it."""
    state = case.before if name == "before" else case.after
    often = f" {state.labels.get(state.label, 0)}/{state.requests}" if state.requests > 1 else ""
    return f"{state.label}{often} ({state.outcome})"


def _apart(comparison: Comparison) -> Section | None:
    named = (("before", comparison.only_before), ("after", comparison.only_after))
    rows = tuple((case_id, side) for side, cases in named for case_id in cases)
    return Section("Cases on one side only", ("case", "side"), rows) if rows else None
