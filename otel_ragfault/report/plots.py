"""Plots, by matplotlib, which is an extra: ``pip install 'otel-ragfault[plot]'``."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from otel_ragfault.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from otel_ragfault.jobs.replaying import Setting, SettingSummary

SUFFIXES: Final = (".svg", ".png", ".pdf")
_INCHES: Final = (9.0, 4.5)
_MARKERS: Final = "osD^vPX*"
_STYLES: Final = ("-", "--", "-.", ":")
_BROADER: Final = 3.0


def check_plot(path: Path) -> None:
    """Say at once what keeps a plot from being drawn.

    Raises:
        InputError: matplotlib is not installed, or the file's name tells no format.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"--plot {path}: a file name that ends in {', '.join(SUFFIXES)} was wanted; name it so")
    if find_spec("matplotlib") is None:
        raise InputError(
            "--plot: the package matplotlib is not installed; it draws plots; run: pip install 'otel-ragfault[plot]'"
        )


def plot_completeness(summary: "Sequence[SettingSummary]", path: Path) -> None:
    """Draw the share of cases whose evidence is complete in the prompt against k, a line for each budget.

    Raises:
        InputError: matplotlib is not installed, or the file cannot be written.
    """
    check_plot(path)
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=_INCHES, layout="constrained")
    axes = figure.add_subplot()
    lines = _lines(summary)
    for number, (name, found) in enumerate(lines.items()):
        points = [(one.setting.k, one.complete.mean) for one in found if one.setting.k is not None]
        drawn = sorted((k, mean) for k, mean in points if mean is not None)
        axes.plot(
            [k for k, _ in drawn],
            [mean for _, mean in drawn],
            marker=_MARKERS[number % len(_MARKERS)],
            linestyle=_STYLES[number % len(_STYLES)],
            linewidth=1.0 + _BROADER * (len(lines) - number) / len(lines),  # equal lines stay visible below each other
            label=name,
        )
    axes.set_xlabel("k")
    axes.set_ylabel("cases with complete evidence in the prompt")
    axes.set_ylim(-0.03, 1.03)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(visible=True, alpha=0.3)
    figure.legend(loc="outside right upper")
    try:
        figure.savefig(path, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)
    except OSError as error:
        raise InputError(f"--plot {path}: {error.strerror}; a file that can be written was wanted") from error


def _lines(summary: "Sequence[SettingSummary]") -> "dict[str, list[SettingSummary]]":
    lines: dict[str, list[SettingSummary]] = {}
    for found in summary:
        lines.setdefault(_name(found.setting), []).append(found)
    return lines


def _name(setting: "Setting") -> str:
    parts = {
        "budget": "recorded" if setting.budget is None else setting.budget,
        "packing": setting.packing,
        "order": setting.ordering,
        "floor": setting.floor,
        "rerank": None if setting.rerank is None else ("on" if setting.rerank else "off"),
    }
    return ", ".join(f"{name} {value}" for name, value in parts.items() if value is not None)
