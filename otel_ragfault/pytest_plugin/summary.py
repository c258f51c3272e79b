"""What a run says at its end: how many cases got which label, by boundary; and the baseline that it leaves behind."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import pytest

from otel_ragfault.counting import counted
from otel_ragfault.faults import is_pass
from otel_ragfault.pytest_plugin.hooks import UPDATE

if TYPE_CHECKING:
    from otel_ragfault.pytest_plugin.bench import Labelled
    from otel_ragfault.pytest_plugin.verdict import Judged

_PREFIX: Final = "ragfault_"
_FIELDS: Final = ("case", "label", "boundary", "outcome", "change")
_SHOWN: Final = 3


def remember(node: pytest.Item, found: "Labelled", verdict: "Judged") -> None:
    """Put what a test got onto its report, where JUnit files and the workers of a run carry it along."""
    boundary = found.boundary or ""
    values = (str(found.card["case_id"]), found.label, boundary, found.outcome, verdict.change.value)
    node.user_properties.extend((_PREFIX + name, value) for name, value in zip(_FIELDS, values, strict=True))


class Summary:
    """Collects what the tests of a run got. Lives in the process that reports, not in its workers."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._found: dict[str, dict[str, str]] = {}
        self._said: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take what a test got off its report."""
        told = {
            name.removeprefix(_PREFIX): str(value) for name, value in report.user_properties if name.startswith(_PREFIX)
        }
        if report.when == "call" and "label" in told:
            self._found[report.nodeid] = told

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the baseline, where that was asked for."""
        if not self._found or not self._config.getoption(UPDATE):
            return
        from otel_ragfault.errors import RagfaultError
        from otel_ragfault.pytest_plugin.baseline import Expected, update_baseline
        from otel_ragfault.pytest_plugin.settings import baseline_file

        path = baseline_file(self._config)
        try:
            update_baseline(
                path, {test: Expected(told["label"], told["outcome"]) for test, told in self._found.items()}
            )
        except RagfaultError as error:
            self._said.append(f"no baseline was written: {error}")
            session.exitstatus = pytest.ExitCode.USAGE_ERROR
        else:
            self._said.append(f"baseline written: {path}")

    def pytest_terminal_summary(self, terminalreporter: "pytest.TerminalReporter") -> None:
        """Print the labels of the run."""
        if not self._found:
            return
        rows = self._rows()
        width = max(len(label) for _, label, _ in rows)
        passed = sum(is_pass(told["label"]) for told in self._found.values())
        terminalreporter.section(f"ragfault: {passed} of {counted(len(self._found), 'case passes', 'cases pass')}")
        for boundary, label, cases in rows:
            shown = ", ".join(cases[:_SHOWN]) + (" …" if len(cases) > _SHOWN else "")
            terminalreporter.write_line(f"{boundary:<11}  {label:<{width}}  {len(cases):>4}  {shown}")
        for line in (*self._changes(), *self._said):
            terminalreporter.write_line(line)

    def _rows(self) -> list[tuple[str, str, list[str]]]:
        """Return boundary, label and cases, in the order of the walk."""
        from otel_ragfault.faults import RULES

        places = {rule.key: place for place, rule in enumerate(RULES)}
        groups: dict[tuple[str, str], list[str]] = {}
        for told in self._found.values():
            groups.setdefault((told["boundary"], told["label"]), []).append(told["case"])
        ordered = sorted(groups, key=lambda group: (places.get(group[1], len(places)), group[1]))
        return [(boundary or "-", label, sorted(groups[boundary, label])) for boundary, label in ordered]

    def _changes(self) -> Sequence[str]:
        changes = [told["change"] for told in self._found.values()]
        if set(changes) <= {"new"}:
            return ()
        counts = ", ".join(
            f"{changes.count(change)} {words}"
            for change, words in (
                ("same", "as before"),
                ("better", "better"),
                ("later", "at a later fault"),
                ("worse", "worse"),
                ("new", "not in it"),
            )
            if change in changes
        )
        news = set(changes) & {"better", "later", "new"} and not self._config.getoption(UPDATE)
        return (f"against the baseline: {counts}{f'; record it with {UPDATE}' if news else ''}",)
