"""What a replay found, as tables and as objects."""

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from otel_ragfault.cli.output import note, say
from otel_ragfault.cli.tables import Align, say_table
from otel_ragfault.counting import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from otel_ragfault.jobs.replaying import Replayed, Setting, SettingSummary

REACHED: Final = "evidence would have reached the prompt"
CHANGED: Final = "the prompt would have changed"
_BAR: Final = 20

_PARTS: Final[dict[str, "Callable[[Setting], Any]"]] = {
    "k": lambda setting: setting.k,
    "budget": lambda setting: setting.budget,
    "packing": lambda setting: setting.packing,
    "order": lambda setting: setting.ordering,
    "floor": lambda setting: setting.floor,
    "rerank": lambda setting: None if setting.rerank is None else ("on" if setting.rerank else "off"),
}


def says(row: "Replayed") -> str:
    """Return what is known of a row: its label, or how far the evidence would have come."""
    if not row.needs_generator:
        return row.label
    return REACHED if row.expect == "answer" else CHANGED


def row_object(row: "Replayed") -> dict[str, Any]:
    """Return a row as JSON has it."""
    return {
        "case_id": row.case_id,
        "request_id": row.request_id,
        "trace_id": row.trace_id,
        "run_id": row.run_id,
        "k": row.k,
        "budget": row.budget,
        "unit": row.unit,
        "packing": row.packing,
        "order": row.ordering,
        "floor": row.setting.floor,
        "reranked": row.reranked,
        "prompt": row.prompt,
        "same_prompt": row.same_prompt,
        "complete": row.complete,
        "label": row.label,
        "outcome": row.outcome,
        "needs_generator": row.needs_generator,
        "says": says(row),
        "answer": row.answer,
        "not_known": row.not_known,
    }


def summary_object(found: "SettingSummary") -> dict[str, Any]:
    """Return a setting as JSON has it; what is null was not tried."""
    return {
        **{name: part(found.setting) for name, part in _PARTS.items()},
        "requests": found.requests,
        "cases": found.cases,
        "complete": found.complete.mean,
        "complete_low": found.complete.low,
        "complete_high": found.complete.high,
        "complete_cases": found.complete.cases,
        "complete_unknown": found.complete_unknown,
        "needs_generator": found.needs_generator,
        "needs_generator_share": found.needs_generator_share,
        "labels": found.labels,
    }


def say_replayed(rows: "Sequence[Replayed]", summary: "Sequence[SettingSummary]", *, of_one_case: bool) -> None:
    """Print a row a request and setting for one case, a row a setting for many."""
    if of_one_case:
        _say_rows(rows)
    else:
        _say_summary(summary)
        for why, number in Counter(row.not_known for row in rows if row.not_known).most_common():
            note(f"{counted(number, 'row is', 'rows are')} not known: {why}")
    waiting = sum(row.needs_generator for row in rows)
    if waiting:
        note(
            f"{counted(waiting, 'row needs', 'rows need')} a generator: {REACHED}, or the prompt is another "
            "one, and only a run of the generator tells what becomes of it; --generator runs one"
        )


def note_no_rerank(rows: "Sequence[Replayed]") -> None:
    """Say for how many requests it makes no difference whether they are reranked."""
    tried = {row.request_id: row.has_rerank for row in rows if row.setting.rerank is not None}
    without = sum(not has_rerank for has_rerank in tried.values())
    if without:
        note(
            f"--rerank changes nothing for {without} of {counted(len(tried), 'request')}: "
            "no reranking was recorded of them"
        )


def _say_rows(rows: "Sequence[Replayed]") -> None:
    shown = _tried([row.setting for row in rows])
    names: dict[str, Callable[[Replayed], str]] = {
        "k": lambda row: "not known" if row.k is None else str(row.k),
        "budget": lambda row: "none" if row.budget is None else f"{row.budget} {row.unit}",
        **{name: _cell(_PARTS[name]) for name in shown if name not in {"k", "budget"}},
    }
    if len({row.request_id for row in rows}) > 1:
        names |= {
            "request": lambda row: row.request_id,
            "run": lambda row: row.run_id or "(not named)",
            "trace": lambda row: row.trace_id,
        }
    names["prompt"] = _prompt
    names["label"] = _label
    if any(row.answer is not None for row in rows):
        names["answer"] = lambda row: row.answer or ""
    say_table(list(names), [[cell(row) for cell in names.values()] for row in rows])


def _cell(part: "Callable[[Setting], Any]") -> "Callable[[Replayed], str]":
    return lambda row: _shown(part(row.setting))


def _shown(value: Any) -> str:
    return "recorded" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _prompt(row: "Replayed") -> str:
    if row.prompt is None:
        return f"not known ({row.not_known})"
    return " ".join("(no id)" if one is None else one for one in row.prompt) or "(nothing)"


def _label(row: "Replayed") -> str:
    if not row.needs_generator:
        return row.label
    why = f" ({row.not_known})" if row.not_known else ""
    return f"{says(row)}; what becomes of it needs a generator{why}"


def _tried(settings: "Sequence[Setting]") -> list[str]:
    """Return which parts of a setting were tried at all."""
    return [name for name, part in _PARTS.items() if any(part(setting) is not None for setting in settings)]


def _say_summary(summary: "Sequence[SettingSummary]") -> None:
    shown = _tried([found.setting for found in summary])
    heading = [*shown, "requests", "evidence complete", "interval", "not known", "needs generator", "labels"]
    sides: list[Align] = ["right"] * len(shown)
    sides += ["right", "left", "left", "right", "right", "left"]
    say_table(
        heading, [[_shown(_PARTS[name](found.setting)) for name in shown] + _cells(found) for found in summary], sides
    )
    known = max((found.complete.cases for found in summary), default=0)
    say()
    say(
        f"evidence complete: the share of {counted(known, 'case')} that need evidence whose every required group "
        "is in the prompt; not known: requests of which that cannot be told"
    )


def _cells(found: "SettingSummary") -> list[str]:
    mean = found.complete
    interval = "" if mean.low is None or mean.high is None else f"{mean.low:.2f} to {mean.high:.2f}"
    return [
        str(found.requests),
        "NULL" if mean.mean is None else f"{mean.mean:.2f} {'#' * round(mean.mean * _BAR)}".rstrip(),
        interval,
        str(found.complete_unknown),
        f"{found.needs_generator} ({found.needs_generator_share:.0%})",
        ", ".join(f"{label} {count}" for label, count in found.labels.items()),
    ]
