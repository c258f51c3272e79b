"""What a run says at its end: how many cases got which label, by boundary; and the baseline that it leaves behind."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import pytest

from otel_ragfault.counting import counted
from otel_ragfault.faults import is_pass
from otel_ragfault.pytest_plugin.hooks import UPDATE, baseline_file

if TYPE_CHECKING:
    from otel_ragfault.pytest_plugin.bench import Labelled
    from otel_ragfault.pytest_plugin.verdict import Judged

_PREFIX: Final = "ragfault_"
_FIELDS: Final = ("case", "label", "boundary", "outcome", "change")
_SHOWN: Final = 3
_CHOOSING: Final = (
    "keyword",
    "markexpr",
    "deselect",
    "ignore",
    "ignore_glob",
    "lf",
    "last_failed",
    "stepwise",
    "maxfail",
)


def remember(node: pytest.Item, found: "Labelled", verdict: "Judged") -> None:
    """Put what a test got onto its report, where JUnit files and the workers of a run carry it along."""
    boundary = found.boundary or ""
    values = (str(found.card["case_id"]), found.label, boundary, found.outcome, verdict.change.value)
    node.user_properties.extend((_PREFIX + name, value) for name, value in zip(_FIELDS, values, strict=True))


def put_label_first(report: pytest.TestReport) -> None:
    """Put the label of a test whose pipeline raised before its traceback, and into the line of the short summary."""
    told = _told(report)
    if "label" not in told:
        return
    label = told["label"] + (f" (boundary: {told['boundary']})" if told["boundary"] else "")
    shown = report.longrepr
    crash: Any = getattr(shown, "reprcrash", None)
    if crash is not None and isinstance(crash.message, str):
        crash.message = f"{label}: {crash.message}"
    for entry in getattr(getattr(shown, "reprtraceback", None), "reprentries", ())[:1]:
        entry.lines.insert(0, f"ragfault: {label}; the card is below the traceback")


def _told(report: pytest.TestReport) -> dict[str, str]:
    """Return what a test got, off its report."""
    return {
        name.removeprefix(_PREFIX): str(value) for name, value in report.user_properties if name.startswith(_PREFIX)
    }


class Summary:
    """Collects what the tests of a run got. Lives in the process that reports, not in its workers."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._found: dict[str, dict[str, str]] = {}
        self._seen: set[str] = set()
        self._said: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take what a test got off its report."""
        self._seen.add(report.nodeid)
        told = _told(report)
        if report.when == "call" and "label" in told:
            self._found[report.nodeid] = told

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the baseline, where that was asked for."""
        if not self._found or not self._config.getoption(UPDATE):
            return
        from otel_ragfault.errors import RagfaultError
        from otel_ragfault.pytest_plugin.baseline import Expected, update_baseline

        path = baseline_file(self._config)
        try:
            dropped = update_baseline(
                path,
                {test: Expected(told["label"], told["outcome"]) for test, told in self._found.items()},
                gone=self._is_gone if self._is_whole(session) else None,
            )
        except RagfaultError as error:
            self._said.append(f"no baseline was written: {error}")
            session.exitstatus = pytest.ExitCode.USAGE_ERROR
        else:
            left = f"; dropped {counted(dropped, 'test')} that are there no more" if dropped else ""
            self._said.append(f"baseline written: {path}{left}")

    def _is_whole(self, session: pytest.Session) -> bool:
        """Tell whether every test of the project was to be run, and the run came to its end."""
        config = self._config
        by_default = config.args_source is not pytest.Config.ArgsSource.ARGS
        ended = session.exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}
        chosen = any(config.getoption(name, None) for name in _CHOOSING) or session.shouldfail or session.shouldstop
        return by_default and ended and not chosen and config.invocation_params.dir == config.rootpath

    def _is_gone(self, test: str) -> bool:
        """Tell whether a test is there no more: its file was run without it, or is gone itself."""
        file = test.partition("::")[0]
        was_run = any(seen.partition("::")[0] == file for seen in self._seen)
        return test not in self._seen and (was_run or not (self._config.rootpath / file).exists())

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
