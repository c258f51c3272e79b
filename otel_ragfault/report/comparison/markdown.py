"""A comparison as Markdown, as GitHub and GitLab render it."""

from collections.abc import Iterator, Sequence
from typing import Final

from otel_ragfault.counting import counted
from otel_ragfault.jobs.comparing import Comparison
from otel_ragfault.report.comparison import cells
from otel_ragfault.report.comparison.sections import Section, sections
from otel_ragfault.report.escape import inline

_LONGEST: Final = 200  # characters of a cell
_MOST: Final = 200  # rows of a table; a comment on a pull request holds 65,536 characters


def as_markdown(comparison: Comparison) -> str:
    """Return a comparison as Markdown. What could be markup, a link or a mention in data is escaped."""
    lines = [
        f"## Comparison of {_escaped(cells.side(comparison.before))} and {_escaped(cells.side(comparison.after))}",
        "",
        f"{counted(len(comparison.cases), 'case')} on both sides.",
        "",
    ]
    for warning in comparison.warnings:
        lines += [f"> **Warning:** {_escaped(warning)}", ""]
    for section in sections(comparison):
        lines += [*_section(section), ""]
    lines.append(
        f"Intervals of {cells.confidence(comparison)}: "
        f"{cells.method(comparison.interval, replicates=comparison.replicates, seed=comparison.seed)}."
    )
    return "\n".join(lines) + "\n"


def _section(section: Section) -> Iterator[str]:
    yield f"### {section.title}"
    yield ""
    if section.rows:
        yield _row(section.headings)
        yield "|" + "|".join(" ---: " if n in section.numeric else " --- " for n in range(len(section.headings))) + "|"
        for row in section.rows[:_MOST]:
            yield _row([_escaped(cell) for cell in row])
        if len(section.rows) > _MOST:
            yield ""
            yield f"… and {counted(len(section.rows) - _MOST, 'row')} more."
    for number, line in enumerate(section.lines):
        if number or section.rows:
            yield ""
        yield _escaped(line)


def _row(row: Sequence[str]) -> str:
    return "| " + " | ".join(row) + " |"


def _escaped(text: str) -> str:
    return inline(text, most=_LONGEST)
