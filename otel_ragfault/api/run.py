"""A run: the labelled requests of a database, of a run of the pipeline, or of one labelling."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from otel_ragfault.api.case import Case
from otel_ragfault.api.comparison import Comparison
from otel_ragfault.api.markup import Html, bar, box, join, label_badge, note, table
from otel_ragfault.api.opening import bring_up_to_date, reading
from otel_ragfault.api.table import Table
from otel_ragfault.counting import counted
from otel_ragfault.errors import InputError
from otel_ragfault.jobs.comparing import Source, compare_runs
from otel_ragfault.jobs.comparing.sources import find_run, known_runs
from otel_ragfault.jobs.measures import Measured, measure
from otel_ragfault.model import load_config
from otel_ragfault.model.wording import did_you_mean, shown
from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.model import Config

_FOLDER: Final = "api"
_BUCKETS: Final = 12
_NAMED: Final = 5  # cases that an error names


class Run:
    """Labelled requests: all of a database, those of a run of the pipeline, or those of one labelling.

    What was read is kept; open it again to see what was labelled since.

    >>> run = Run.open(path)
    >>> len(run.cases)
    8
    >>> run["taxi-receipt"].label
    'assembly.cut'
    >>> run.buckets["label"][-1]
    'source.not_indexed'
    """

    def __init__(
        self,
        database: "DuckDBPyConnection | Path",
        name: str | None,
        parameters: dict[str, str | None],
        config: "Config",
    ) -> None:
        self._database = database
        self._name = name
        self._parameters = parameters
        self._config = config

    @classmethod
    def open(
        cls,
        database: "str | Path | DuckDBPyConnection",
        run: str | None = None,
        *,
        config: str | Path | None = None,
    ) -> Self:
        """Open a run.

        Args:
            database: the file, which is open only while something is read; or a connection, which stays the caller's.
            run: a run of the pipeline, or a labelling (``pipeline:NAME`` and ``labelling:ID`` where a name is both); by
                default every request with its newest label.
            config: the configuration file, instead of the nearest one.

        Raises:
            DatabaseError: the file cannot be opened.
            InputError: there is no such run.
            NothingJoinedError: none of its requests has a label.
        """
        chosen = load_config(None if config is None else Path(config)).config
        place = Path(database) if isinstance(database, str | Path) else database
        if isinstance(place, Path):
            bring_up_to_date(place, chosen)
        with reading(place) as con:
            found = find_run(con, run)
        return cls(place, run, found.parameters, chosen)

    @staticmethod
    def known(database: "str | Path | DuckDBPyConnection") -> Table:
        """Return the runs of a database: kind, name, and how many requests each has and how many are labelled.

        >>> Run.known(path)["kind"]
        ['pipeline', 'labelling']
        """
        place = Path(database) if isinstance(database, str | Path) else database
        with reading(place) as con:
            runs = known_runs(con)
        rows = [{"kind": run.kind, "run": run.name, "requests": run.requests, "labelled": run.labelled} for run in runs]
        return Table.of(rows, ("kind", "run", "requests", "labelled"), "runs")

    @property
    def name(self) -> str | None:
        """The name that it was opened by; ``None`` for every request."""
        return self._name

    @cached_property
    def labels(self) -> Table:
        """The label of each request, with outcome and propositions."""
        return self._table("labels", "labels", unseen=("request_id", "labelling", "detail"))

    @cached_property
    def buckets(self) -> Table:
        """How often each label occurs, and what to do about it."""
        return self._table("buckets", "failure buckets")

    @cached_property
    def cases(self) -> Sequence[Case]:
        """Each request as a case, in the order in which they were asked."""
        return tuple(Case(self._database, row) for row in self.labels.rows())

    def __iter__(self) -> Iterator[Case]:
        """Yield the cases, in the order in which they were asked."""
        return iter(self.cases)

    def __contains__(self, key: object) -> bool:
        """Tell whether the run has a case, or a request, of this id; or whether a case is one of its own."""
        return any(key is case or key in (case.case_id, case.request_id) for case in self.cases)

    def __getitem__(self, case_id: str) -> Case:
        """Return the newest request of a case, or the request of an id.

        Raises:
            KeyError: there is none; the message says what was probably meant.
        """
        for case in reversed(self.cases):
            if case_id in (case.case_id, case.request_id):
                return case
        known = dict.fromkeys(case.case_id for case in self.cases)
        guess = did_you_mean(case_id, known) if isinstance(case_id, str) else None
        hint = f"did you mean {guess!r}?" if guess else f"known are {', '.join(list(known)[:_NAMED])} …"
        place = "" if isinstance(case_id, str) else "; cases by their place are in .cases"
        raise KeyError(f"found case {shown(case_id)}, which the run does not have; {hint}{place}")

    def measures(self, by: str = "run", *, k: Sequence[int] | int | None = None) -> Table:
        """Return retrieval measures in the mean over judged cases, with bootstrap intervals.

        Args:
            by: what makes a group: all, run, tag, prompt_version, retriever, service, snapshot or day.
            k: ranks down to which to look; by default those of the configuration.

        Raises:
            InputError: that is no dimension.
            NothingJoinedError: no labelled request belongs to a case with judgments.

        >>> [round(row["mean"], 2) for row in run.measures(k=2) if (row["measure"], row["k"]) == ("recall_groups", 2)]
        [0.5]
        """
        from otel_ragfault.jobs.measure_names import DIMENSIONS

        if by not in DIMENSIONS:
            guess = did_you_mean(by, DIMENSIONS)
            hint = f"did you mean {guess!r}?" if guess else f"wanted one of {', '.join(DIMENSIONS)}"
            raise InputError(f"by: found {shown(by)}; {hint}")
        cutoffs = self._config.measure_cutoffs if k is None else (k,) if isinstance(k, int) else tuple(k)
        config = self._config.model_copy(update={"measure_cutoffs": cutoffs})
        with reading(self._database) as con:
            found = measure(con, config, by=by, within=self._parameters)
        return Table.of([asdict(one) for one in found], [field.name for field in fields(Measured)], f"measures by {by}")

    def compare(
        self,
        other: "Run | str",
        *,
        expect: Sequence[str] | str = (),
        by: Sequence[str] | str = (),
        allow_different_cases: bool = False,
    ) -> Comparison:
        """Compare this run, as it was before, with another one on the same cases.

        Args:
            other: the run after a change, or the name of one in the same database.
            expect: hypotheses that were declared beforehand, such as ``"retrieval.below_k decreases"``.
            by: what to slice by: tag, expect or service.
            allow_different_cases: compare the cases that both have.

        Raises:
            InputError: there is no such run, the cases differ, or a hypothesis cannot be read.
            NothingJoinedError: none of the requests of the other run has a label.
        """
        result = compare_runs(
            self.source,
            self._other(other),
            self._config,
            allow_different_cases=allow_different_cases,
            expectations=(expect,) if isinstance(expect, str) else tuple(expect),
            by=(by,) if isinstance(by, str) else tuple(by),
        )
        return Comparison(result)

    def _other(self, other: "Run | str") -> Source:
        if isinstance(other, Run):
            return other.source
        if isinstance(other, str):
            return Source(self._database, other)
        raise InputError(f"other: found {shown(other)}; a Run, or the name of a run of the same database, was wanted")

    @property
    def source(self) -> Source:
        """The run as comparisons name it."""
        return Source(self._database, self._name)

    def _table(self, name: str, title: str, *, unseen: Sequence[str] = ()) -> Table:
        with reading(self._database) as con:
            data = con.sql(read_query(_FOLDER, name).body, params=self._parameters).to_arrow_table()
        return Table(data, title, unseen=unseen)

    def _title(self) -> str:
        place = self._database.name if isinstance(self._database, Path) else "a database that is open"
        return place if self._name is None else f"{place}, run {self._name}"

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        return f"<Run {self._title()}: {counted(len(self), 'labelled request')}>"

    def _repr_html_(self) -> str:
        rows = self.buckets.rows()
        shown_rows: list[tuple[Any, ...]] = [
            (
                label_badge(row["label"]),
                row["boundary"] or "",
                row["requests"],
                bar(row["share"]),
                row["try_first"] or "",
            )
            for row in rows[:_BUCKETS]
        ]
        left = len(rows) - len(shown_rows)
        outcomes = Counter(self.labels["outcome"])
        told = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())
        return box(
            self._title(),
            note(f"{counted(len(self), 'labelled request')}: {told}"),
            table(("label", "boundary", "requests", "share", "try first"), shown_rows),
            join([f"… {left} more in .buckets"]) if left else Html(""),
        )
