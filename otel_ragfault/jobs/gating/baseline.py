"""Baseline files: a run written down case by case, to be committed beside the code and compared with later."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import orjson
from pydantic import ValidationError

from otel_ragfault import __version__
from otel_ragfault.errors import InputError
from otel_ragfault.jobs.comparing import CaseState, Side
from otel_ragfault.jobs.comparing.figures import shown_measures
from otel_ragfault.jobs.comparing.reading import Case, Read
from otel_ragfault.jobs.gating.consistency import contradiction
from otel_ragfault.jobs.measure_names import measure_called
from otel_ragfault.model import Config
from otel_ragfault.model.baseline import BASELINE_VERSION, Baseline, BaselineCase, version_of
from otel_ragfault.model.problems import faults

_DIGITS: Final = 6
_SHARED: Final = (
    "label", "boundary", "outcome", "passed", "latent", "retrieved", "grounded", "correct", "cited", "k", "stopped_at",
    "requests",
)  # fmt: skip
_WRITE: Final = "write one with ragfault gate --write-baseline FILE"


def write_baseline(read: Read, path: Path, config: Config) -> None:
    """Write a run as a baseline: one case a line, in the order of their ids, so that a change of it can be read.

    Args:
        read: the run.
        path: the file; it is replaced.
        config: its cutoffs, and the measures that its gate speaks of, say which measures are written.

    Raises:
        OSError: the file cannot be written.
    """
    figures = [*config.gate.require, *config.gate.no_regression]
    kept = {
        *shown_measures(config.measure_cutoffs),
        *(measure_called(figure.measure) for figure in figures if figure.measure),
    }
    head = Baseline(
        ragfault_baseline=BASELINE_VERSION,
        written_by=f"otel-ragfault {__version__}",
        run=read.side.run,
        kind=read.side.kind,
        requests=read.side.requests,
        settings=read.side.settings,
        labellings=read.side.labellings,
        cases={case_id: _written(read.cases[case_id], kept) for case_id in sorted(read.cases)},
    )
    lines = [
        f" {_json(case_id)}: {_json(case.model_dump(mode='json', exclude_defaults=True))}"
        for case_id, case in head.cases.items()
    ]
    top = [f"{_json(name)}: {_json(value)}" for name, value in head.model_dump(mode="json", exclude={"cases"}).items()]
    text = "{" + ",\n".join([*top, '"cases": {\n' + ",\n".join(lines) + "\n}"]) + "}\n"
    path.write_text(text, encoding="utf-8")


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()


def _written(case: Case, kept: set[str]) -> BaselineCase:
    state = case.state
    return BaselineCase(
        **{name: getattr(state, name) for name in _SHARED},
        labels=state.labels if state.requests > 1 else {},
        gold=tuple(sorted(case.gold_versions)),
        values={name: round(value, _DIGITS) for name, value in sorted(state.values.items()) if name in kept},
    )


def read_baseline(path: Path) -> Read:
    """Read a baseline as the side of a comparison.

    Raises:
        InputError: the file cannot be read, is no baseline, or is one of a later release.
    """
    try:
        content = orjson.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; a baseline was wanted; {_WRITE}") from error
    except orjson.JSONDecodeError as error:
        raise InputError(f"{path}: is not JSON ({error}); a baseline was wanted; {_WRITE}") from None
    _check_version(path, version_of(content))
    try:
        baseline = Baseline.model_validate_json(orjson.dumps(content))
    except ValidationError as error:
        found = sorted(faults(error, Baseline), key=lambda fault: "known key" not in fault[1])  # it explains others
        field, reason = found[0]
        raise InputError(f"{path}: {field}: {reason}; {_WRITE}") from None
    _check_cases(path, baseline)
    return _as_read(path, baseline)


def _check_cases(path: Path, baseline: Baseline) -> None:
    """Refuse a file in which a case says what no run can say.

    Raises:
        InputError: it does; the message names the file, the line and the case.
    """
    for case_id, case in baseline.cases.items():
        found = contradiction(case)
        if found is not None:
            lines = path.read_text(encoding="utf-8").splitlines()
            key = f"{_json(case_id)}:"
            place = next((f":{n}" for n, line in enumerate(lines, start=1) if line.lstrip().startswith(key)), "")
            raise InputError(f"{path}{place}: case {case_id!r}: {found}; a run as it was is wanted; {_WRITE}")


def _check_version(path: Path, version: object) -> None:
    if not isinstance(version, int):
        raise InputError(f"{path}: has no key ragfault_baseline; a baseline was wanted; {_WRITE}")
    if version > BASELINE_VERSION:
        raise InputError(
            f"{path}: is a baseline of version {version}, this release reads up to {BASELINE_VERSION}; "
            f"install a newer otel-ragfault, or {_WRITE}"
        )


def _as_read(path: Path, baseline: Baseline) -> Read:
    name = baseline.run if baseline.run is not None else path.name
    side = Side(
        path,
        name,
        baseline.kind,
        len(baseline.cases),
        baseline.requests,
        dict(baseline.settings),
        list(baseline.labellings),
    )
    return Read(side, {case_id: _case(case_id, case) for case_id, case in baseline.cases.items()})


def _case(case_id: str, written: BaselineCase) -> Case:
    shared: Mapping[str, Any] = {name: getattr(written, name) for name in _SHARED}
    labels = dict(written.labels) or {written.label: written.requests}
    state = CaseState(**shared, request_id="", labels=labels, values=dict(written.values))
    return Case(case_id, "", (), "", frozenset(), frozenset(written.gold), state)


def is_baseline(name: str, known: Sequence[str]) -> bool:
    """Tell whether a name means a file: it is no run that is known, and there is such a file, or it looks like one."""
    return name not in known and (name.endswith(".json") or Path(name).is_file())
