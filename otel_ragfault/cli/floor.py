"""``ragfault floor``: calibrate the similarity floor."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, Final

import click

from otel_ragfault.cli.groups import example
from otel_ragfault.cli.options import Finite, OutFile, Text, config_option, db_option, json_option
from otel_ragfault.cli.output import note, say, say_json, warn
from otel_ragfault.counting import counted

if TYPE_CHECKING:
    from otel_ragfault.jobs.calibrating import Calibrated, Calibration, Curve
    from otel_ragfault.model.floor import FloorProvenance

_BY: Final = ("service", "data_source", "embedding_model")
_POINTS: Final = 11


@click.command(
    epilog=example(
        "ragfault floor --db rag.duckdb",
        "ragfault floor --db rag.duckdb --max-false-rejection 0.05 --write ragfault.toml",
    )
)
@db_option
@click.option("--by", type=click.Choice(_BY), help="A floor for each: similarities of other models are others.")
@click.option("--group", type=Text(), help="With --by: only this one, to write its floor.")
@click.option(
    "--max-false-rejection", type=Finite(), help="The highest floor that rejects at most this share of evidence."
)
@click.option("--depth", type=click.IntRange(1), help="How far down a ranking other chunks count. Default: all of it.")
@click.option("--write", metavar="FILE", type=OutFile(), help="Write the floor and where it comes from to this file.")
@config_option
@json_option
def floor(
    db: Path,
    *,
    by: str | None,
    group: str | None,
    max_false_rejection: float | None,
    depth: int | None,
    write: Path | None,
    config_file: Path | None,
    as_json: bool,
) -> None:
    """Calibrate the similarity floor: the score below which evidence counts as not found.

    Scores of required evidence are held against those of ranked chunks that nobody calls relevant, and against the
    best score of each unanswerable question; every case weighs the same. The floor is where evidence kept and others
    left out are most in sum (Youden), or the highest with --max-false-rejection. Intervals resample cases. Only
    similarities can have a floor. Without --write, what would be written is printed.
    """
    from otel_ragfault.cli.database import writing
    from otel_ragfault.cli.progress import working
    from otel_ragfault.jobs.calibrating import calibrate, provenance, write_floor
    from otel_ragfault.model import load_config

    if max_false_rejection is not None and not 0 <= max_false_rejection < 1:
        raise click.UsageError("--max-false-rejection: a share from 0 to less than 1 was wanted, such as 0.05.")
    config = load_config(config_file).config
    with working("calibrating"), writing(db) as con:
        found = calibrate(con, config, by=by, max_false_rejection=max_false_rejection, depth=depth)
    chosen = _chosen(found, group, write)
    origin = None if chosen is None or chosen.curve is None else provenance(found, chosen, db.name)
    if write is not None and origin is not None:
        write_floor(origin, write)
    if as_json:
        say_json(_object(found, origin, write))
        return
    _say(found, chosen, origin, write)


def _chosen(found: "Calibration", group: str | None, write: Path | None) -> "Calibrated | None":
    """Return the group whose floor is meant; ``None`` where that is open.

    Raises:
        InputError: there is no such group, or a floor is to be written and it is open which, or there is none.
    """
    from otel_ragfault.errors import InputError

    names = ", ".join(repr(one.group) for one in found.groups)
    if group is not None:
        of_name = [one for one in found.groups if one.group == group]
        if not of_name:
            raise InputError(f"--group: found {group!r}; with --by {found.by} there are {names}; give one of them")
        chosen = of_name[0]
    elif len(found.groups) > 1:
        if write is not None:
            raise InputError(
                f"--write: there are {len(found.groups)} floors, of {names}; the configuration holds one; give --group"
            )
        return None
    else:
        chosen = found.groups[0]
    if chosen.curve is None and (write is not None or len(found.groups) == 1):
        raise InputError(f"no floor can be calibrated: {chosen.problem}")
    return chosen


def _object(found: "Calibration", origin: "FloorProvenance | None", write: Path | None) -> dict[str, Any]:
    return {
        "operating_point": found.operating_point,
        "by": found.by,
        "seed": found.how.seed,
        "replicates": found.how.replicates,
        "confidence": found.how.confidence,
        "groups": [_group_object(one) for one in found.groups],
        "provenance": None if origin is None else origin.model_dump(mode="json"),
        "written": None if write is None or origin is None else str(write),
    }


def _group_object(one: "Calibrated") -> dict[str, Any]:
    curve = one.curve
    told: dict[str, Any] = {
        "group": one.group,
        "floor": None,
        "problem": one.problem,
        "warnings": one.warnings,
        "requests": one.requests,
        "cases": one.cases,
        "unranked": one.unranked,
        "unanswerable": one.unanswerable,
        "unanswerable_passed": one.unanswerable_passed,
        "unused": one.unused,
        "runs": one.runs,
    }
    if curve is None:
        return told
    return told | {
        "floor": curve.chosen.floor,
        "floor_low": curve.floor_low,
        "floor_high": curve.floor_high,
        "false_rejection": curve.chosen.false_rejection,
        "false_acceptance": curve.chosen.false_acceptance,
        "auc": curve.auc,
        "auc_low": curve.auc_low,
        "auc_high": curve.auc_high,
        "roc": [
            {
                "floor": point.floor,
                "false_rejection": point.false_rejection,
                "false_acceptance": point.false_acceptance,
            }
            for point in curve.points
        ],
    }


def _say(
    found: "Calibration", chosen: "Calibrated | None", origin: "FloorProvenance | None", write: Path | None
) -> None:
    from otel_ragfault.jobs.calibrating import floor_toml

    _say_groups(found)
    if chosen is not None and chosen.curve is not None:
        say()
        _say_points(chosen.curve)
    warn(
        warning if one.group is None else f"{one.group}: {warning}"
        for one in found.groups
        if chosen is None or one is chosen
        for warning in one.warnings
    )
    if origin is None:
        return
    if write is not None:
        note(f"written to {write}; {_use(write)}")
        return
    say()
    say("--write FILE would write:")
    say()
    say(floor_toml(origin).rstrip())


def _use(write: Path) -> str:
    """Say whether the file is the one that commands read in this folder, or has to be named."""
    from otel_ragfault.model.config_file import find_config_file

    found = find_config_file(Path.cwd())
    if found is not None and found.samefile(write):
        return "ragfault label uses it from now on"
    return f"to use it: ragfault label --config {quote(str(write))}"


def _say_groups(found: "Calibration") -> None:
    from otel_ragfault.cli.tables import say_table

    heading = [
        "floor",
        "interval",
        "evidence below",
        "others kept",
        "AUC",
        "interval",
        "cases",
        "unanswerable",
        "left out",
    ]
    by = [] if found.by is None else [found.by]
    rows = [[*([one.group or "(not named)"] if by else []), *_cells(one)] for one in found.groups]
    say_table([*by, *heading], rows)
    say()
    how = found.how
    say(
        f"chosen by {found.operating_point}; intervals of {how.confidence:.0%}: bootstrap over cases, {how.replicates} "
        f"replicates, seed {how.seed}"
    )


def _cells(one: "Calibrated") -> list[str]:
    left_out = ", ".join(f"{counted(number, 'request')}: {reason}" for reason, number in one.unused.items())
    counts = [str(one.cases), str(one.unanswerable)]
    if one.curve is None:
        return ["none", "", "", "", "", "", *counts, "; ".join(filter(None, (one.problem, left_out)))]
    curve = one.curve
    if one.unanswerable_passed is not None:
        counts[1] += f" ({one.unanswerable_passed:.0%} kept)"
    return [
        f"{curve.chosen.floor:g}",
        f"{curve.floor_low:g} to {curve.floor_high:g}",
        f"{curve.chosen.false_rejection:.1%}",
        f"{curve.chosen.false_acceptance:.1%}",
        f"{curve.auc:.3f}",
        f"{curve.auc_low:.3f} to {curve.auc_high:.3f}",
        *counts,
        left_out,
    ]


def _say_points(curve: "Curve") -> None:
    """Print some points of the curve, the chosen one among them."""
    from otel_ragfault.cli.tables import say_table

    last = len(curve.points) - 1
    places = {round(step * last / (_POINTS - 1)) for step in range(_POINTS)} | {curve.points.index(curve.chosen)}
    rows = [
        [
            f"{point.floor:g}",
            f"{point.false_rejection:.1%}",
            f"{point.false_acceptance:.1%}",
            "chosen" if point is curve.chosen else "",
        ]
        for point in (curve.points[place] for place in sorted(places))
    ]
    say_table(["floor", "evidence below", "others kept", ""], rows, ["right", "right", "right", "left"])
