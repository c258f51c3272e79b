"""Write a calibrated floor into a configuration file; comments, order and every other key stay as they are."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import tomlkit
from tomlkit.exceptions import TOMLKitError

from otel_ragfault import __version__
from otel_ragfault.errors import ConfigError
from otel_ragfault.jobs.calibrating.calibrate import Calibrated, Calibration
from otel_ragfault.model.floor import FloorProvenance

_DIGITS: Final = 6
_FLOOR: Final = "similarity_floor"
_PROVENANCE: Final = "similarity_floor_provenance"
_PROJECT_FILE: Final = "pyproject.toml"


def provenance(calibration: Calibration, chosen: Calibrated, database: str) -> FloorProvenance:
    """Return where a floor comes from.

    Raises:
        ConfigError: there is no floor.
    """
    curve = chosen.curve
    if curve is None:
        raise ConfigError(f"no floor was found ({chosen.problem}); one was wanted, to write it; label more cases")
    return FloorProvenance(
        floor=curve.chosen.floor,
        interval=(curve.floor_low, curve.floor_high),
        operating_point=calibration.operating_point,
        false_rejection=round(curve.chosen.false_rejection, _DIGITS),
        false_acceptance=round(curve.chosen.false_acceptance, _DIGITS),
        auc=round(curve.auc, _DIGITS),
        auc_interval=(round(curve.auc_low, _DIGITS), round(curve.auc_high, _DIGITS)),
        confidence=calibration.how.confidence,
        database=database,
        group=None if calibration.by is None else f"{calibration.by} {chosen.group or '(not named)'}",
        runs=chosen.runs,
        cases=chosen.cases,
        unanswerable=chosen.unanswerable,
        requests=chosen.requests,
        calibrated_at=datetime.now(UTC).replace(microsecond=0).isoformat(),  # type: ignore[arg-type]  # read as text
        version=__version__,
    )


def floor_toml(found: FloorProvenance) -> str:
    """Return what would be written."""
    document = tomlkit.document()
    _put(document, found)
    return tomlkit.dumps(document)


def write_floor(found: FloorProvenance, path: Path) -> None:
    """Write a floor and where it comes from; the file is replaced as a whole, or not at all.

    In a ``pyproject.toml`` it goes into ``[tool.ragfault]``. A file that does not exist is made.

    Raises:
        ConfigError: the file is no TOML, or cannot be written.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig") if path.exists() else ""
        document = tomlkit.parse(text)
        _put(_table(document, path), found)
        unfinished = path.resolve().with_name(f"{path.name}.new-{os.getpid()}")
        try:
            unfinished.write_bytes(tomlkit.dumps(document).encode())
            unfinished.replace(path.resolve())
        finally:
            unfinished.unlink(missing_ok=True)
    except (TOMLKitError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: is not TOML ({error}); correct that line, or name another file") from error
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written ({error.strerror}); a file to write was wanted") from error


def _table(document: "tomlkit.TOMLDocument", path: Path) -> Any:
    if path.name != _PROJECT_FILE:
        return document
    tool = document.setdefault("tool", tomlkit.table(is_super_table=True))
    return tool.setdefault("ragfault", tomlkit.table())


def _put(table: Any, found: FloorProvenance) -> None:
    table[_FLOOR] = found.floor
    if _PROVENANCE in table:
        del table[_PROVENANCE]
    section = tomlkit.table()
    for key, value in found.model_dump(mode="json", exclude_none=True).items():
        section.add(key, value)
    table.add(_PROVENANCE, section)
