"""What a replay found in all: a line a setting."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from otel_ragfault.jobs.replaying.result import Replayed
from otel_ragfault.jobs.replaying.settings import Setting
from otel_ragfault.statistics import Mean, Resampling, means


@dataclass(frozen=True, slots=True)
class SettingSummary:
    """One setting over all replayed requests.

    Attributes:
        setting: what was tried.
        requests: how many were replayed, of ``cases`` gold cases.
        cases: the cases.
        complete: the mean over cases that require evidence of whether all of it is in the prompt, with its interval;
            several requests of a case are evened out first.
        complete_unknown: requests that require evidence and whose prompt is not known.
        needs_generator: requests of which only a run of the generator can tell what becomes of them.
        labels: how often each label was found.
    """

    setting: Setting
    requests: int
    cases: int
    complete: Mean
    complete_unknown: int
    needs_generator: int
    labels: dict[str, int]

    @property
    def needs_generator_share(self) -> float:
        """The share of requests that need a generator."""
        return self.needs_generator / self.requests


def summarise(rows: Iterable[Replayed], how: Resampling | None = None) -> list[SettingSummary]:
    """Return a summary of each setting, in the order of the rows; those of a setting stand together."""
    found = [(setting, list(of_setting)) for setting, of_setting in groupby(rows, lambda row: row.setting)]
    intervals = _completeness([rows for _, rows in found], how or Resampling())
    return [
        SettingSummary(
            setting=setting,
            requests=len(of_setting),
            cases=len({row.case_id for row in of_setting}),
            complete=mean,
            complete_unknown=sum(row.expect == "answer" and row.complete is None for row in of_setting),
            needs_generator=sum(row.needs_generator for row in of_setting),
            labels=dict(Counter(row.label for row in of_setting).most_common()),
        )
        for (setting, of_setting), mean in zip(found, intervals, strict=True)
    ]


def _completeness(found: Sequence[Sequence[Replayed]], how: Resampling) -> list[Mean]:
    """Return the mean of each setting over the cases of all, resampled alike."""
    case_ids = sorted({row.case_id for rows in found for row in rows})
    places = {case_id: place for place, case_id in enumerate(case_ids)}
    complete, known = (np.zeros((len(case_ids), len(found))) for _ in range(2))
    for column, rows in enumerate(found):
        for row in rows:
            if row.complete is not None:
                complete[places[row.case_id], column] += row.complete
                known[places[row.case_id], column] += 1
    values = np.divide(complete, known, out=np.full_like(complete, np.nan), where=known > 0)
    return means(case_ids, values, how)
