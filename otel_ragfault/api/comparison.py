"""A comparison of two runs: what became of each case, by how much the measures changed, and how sure that is."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from otel_ragfault.api.markup import Html, badge, box, facts, join, label_badge, note, table
from otel_ragfault.api.table import Table
from otel_ragfault.counting import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from otel_ragfault.jobs.comparing import CaseChange, Difference, Side
    from otel_ragfault.jobs.comparing import Comparison as Result

_SHOWN: Final = 20
_CASES: Final = (
    *("case_id", "query", "change", "label_before", "label_after", "boundary_before", "boundary_after"),
    *("outcome_before", "outcome_after", "passed_before", "passed_after", "request_before", "request_after"),
)
_DIFFERENCES: Final = (
    *("name", "slice", "cases", "before", "after", "change", "low", "high", "p_value", "adjusted_p", "left_out"),
)
_HYPOTHESES: Final = ("text", "answer", "before", "after", "cases", "p_value", "cases_needed", "reason")
_TONES: Final = {"improved": "good", "regressed": "bad", "moved": "open", "unchanged": "plain"}
_ANSWERS: Final = {"yes": "good", "no": "bad"}


class Comparison:
    """Two runs on the same cases. ``result`` holds all of it as it was found.

    >>> comparison = Run.open(path, run="k=2 budget=50").compare(Run.open(path, run="k=3 budget=80"))
    >>> comparison.cases["label_before"], comparison.cases["label_after"]
    (['retrieval.below_k'], ['generation.wrong_answer'])
    >>> comparison.changed_settings["k"]
    (['2'], ['3'])
    """

    def __init__(self, result: "Result") -> None:
        self.result = result

    @property
    def changed_settings(self) -> dict[str, tuple[list[str], list[str]]]:
        """The settings that differ, with the values of both sides."""
        return self.result.changed_settings

    @property
    def warnings(self) -> list[str]:
        """What speaks against reading too much into it."""
        return self.result.warnings

    @property
    def improved(self) -> list[str]:
        """The cases that are right now and were not."""
        return self._changed("improved")

    @property
    def regressed(self) -> list[str]:
        """The cases that were right and are not any more."""
        return self._changed("regressed")

    @property
    def cases(self) -> Table:
        """What became of each case."""
        return Table.of([_case_row(case) for case in self.result.cases], _CASES, "cases")

    @property
    def labels(self) -> Table:
        """How many cases went from one label to another, or kept it."""
        rows = [one._asdict() for one in self.result.labels]
        return Table.of(rows, ("before", "after", "cases"), "labels")

    @property
    def boundaries(self) -> Table:
        """What became of cases at each boundary."""
        rows = [one._asdict() for one in self.result.boundaries]
        return Table.of(rows, ("boundary", "improved", "unchanged", "regressed", "not_reached"), "boundaries")

    @property
    def differences(self) -> Table:
        """The mean paired change of each measure, with its interval."""
        return _differences(self.result.differences, "differences")

    @property
    def slices(self) -> Table:
        """The same for parts of the cases, corrected for their number."""
        return _differences(self.result.slices, "slices")

    @property
    def hypotheses(self) -> Table:
        """What was expected, and the answer."""
        return Table.of([asdict(one) for one in self.result.hypotheses], _HYPOTHESES, "hypotheses")

    def _changed(self, change: str) -> list[str]:
        return [case.case_id for case in self.result.cases if case.change == change]

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(self._changed(change))} {change}" for change in _TONES)
        return f"<Comparison of {counted(len(self.result.cases), 'case')}: {counts}>"

    def _repr_html_(self) -> str:
        result = self.result
        title = f"{_named(result.before)} → {_named(result.after)}"
        counts = join([badge(f"{len(self._changed(change))} {change}", tone) for change, tone in _TONES.items()])
        test = result.pass_test
        mcnemar = note(
            f"right before only: {test.only_before}, right after only: {test.only_after}; exact McNemar p = "
            f"{test.p_value:.3g}"
        )
        return box(
            title,
            join([counts, mcnemar]),
            _settings_html(result),
            *[join([badge("warning", "open"), one]) for one in result.warnings],
            _hypotheses_html(result),
            self._cases_html(),
            _differences_html(result),
        )

    def _cases_html(self) -> Html:
        changed = [case for case in self.result.cases if case.change != "unchanged"]
        order = list(_TONES)
        changed.sort(key=lambda case: order.index(case.change) if case.change != "regressed" else -1)
        if not changed:
            return note("no case changed")
        rows = [
            (
                case.case_id,
                badge(case.change, _TONES[case.change]),
                join([label_badge(case.before.label), "→", label_badge(case.after.label)]),
                f"{case.before.outcome} → {case.after.outcome}",
            )
            for case in changed[:_SHOWN]
        ]
        left = len(changed) - len(rows)
        return join([table(("case", "change", "label", "outcome"), rows), f"… {left} more in .cases" if left else ""])


def _named(side: "Side") -> str:
    return side.run or (side.database.name if side.database is not None else "all requests")


def _settings_html(result: "Result") -> Html:
    if not result.changed_settings:
        return note("no recorded setting differs")
    rows = [(name, join([", ".join(old), "→", ", ".join(new)])) for name, (old, new) in result.changed_settings.items()]
    return facts(rows)


def _hypotheses_html(result: "Result") -> Html:
    rows = [(one.text, badge(one.answer, _ANSWERS.get(one.answer, "open")), one.reason) for one in result.hypotheses]
    return table(("expected", "answer", ""), rows) if rows else Html("")


def _differences_html(result: "Result") -> Html:
    rows = [
        (one.name, one.before, one.after, one.change, _interval(one), one.cases)
        for one in result.differences
        if one.change is not None
    ]
    level = f"{result.confidence:.0%} interval"
    return table(("measure", "before", "after", "change", level, "cases"), rows) if rows else Html("")


def _interval(one: "Difference") -> str:
    return "" if one.low is None or one.high is None else f"{one.low:+.3f} to {one.high:+.3f}"


def _differences(found: "Sequence[Difference]", title: str) -> Table:
    return Table.of([asdict(one) for one in found], _DIFFERENCES, title)


def _case_row(case: "CaseChange") -> dict[str, Any]:
    sides = {"before": case.before, "after": case.after}
    told = {
        f"{name}_{side}": getattr(state, "request_id" if name == "request" else name)
        for side, state in sides.items()
        for name in ("label", "boundary", "outcome", "passed", "request")
    }
    return {"case_id": case.case_id, "query": case.query, "change": case.change, **told}
