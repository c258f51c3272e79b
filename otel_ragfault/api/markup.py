"""HTML of notebooks: small, without scripts, readable on dark and on light ground.

Colours are those of the page; marks are translucent. A viewer that takes the styles out leaves plain tables. Everything
that is not markup of ours is escaped.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from otel_ragfault.faults import is_pass
from otel_ragfault.report.visible import visible

LONGEST: Final = 600
"""Characters of a text that are shown."""

_STYLE: Final = (
    "<style>.ragfault{font:13px/1.45 system-ui,sans-serif;max-width:70em}"
    ".ragfault table{border-collapse:collapse;background:none;margin:6px 0 0}"
    ".ragfault th,.ragfault td{text-align:left!important;vertical-align:top!important;padding:2px 12px 2px 0;border:0;"
    "border-bottom:1px solid #8885;background:none}"
    ".ragfault i{font-style:normal;padding:0 5px;border-left:3px solid}"
    ".ragfault u{text-decoration:none;display:inline-block;width:100px;background:#8883}"
    ".ragfault s{display:block;height:9px;background:#1f6feba0}"
    ".ragfault small{font-size:12px;opacity:.75}</style>"
)
_TONES: Final = {"good": "#2ea043", "bad": "#da3633", "open": "#bf8700", "plain": "#888888"}
_WEAK: Final = "30"
"""Opacity of the ground of a mark, in hex."""


class Html(str):
    """A text that is markup already."""

    __slots__ = ()


def text(value: object) -> Html:
    """Return a value as escaped text: one line a line, control characters made visible, cut where it is long."""
    if value is None:
        return Html("<small>not known</small>")
    if isinstance(value, Html):
        return value
    if isinstance(value, bool):
        return Html("yes" if value else "no")
    if isinstance(value, float):
        return Html(f"{value:.4g}")
    said = str(value)
    shown = said if len(said) <= LONGEST else f"{said[:LONGEST]}… ({len(said)} characters)"
    return Html("<br>".join(escape(visible(line)) for line in shown.splitlines()) or "&nbsp;")


def badge(value: object, tone: str = "plain") -> Html:
    """Return a value as a mark of a tone: good, bad, open or plain."""
    style = f"background:{_TONES[tone]}{_WEAK};border-color:{_TONES[tone]}"
    return Html(f'<i style="{style}">{text(value)}</i>')


def label_badge(label: str) -> Html:
    """Return a label in the tone of what it says."""
    return badge(label, "good" if is_pass(label) else "open" if label.startswith("unknown.") else "bad")


def bar(share: float) -> Html:
    """Return a share as a bar with its figure."""
    width = round(max(0.0, min(1.0, share)) * 100)
    return Html(f'<u><s style="width:{width}px"></s></u> {share:.1%}')


def table(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> Html:
    """Return a table."""
    head = "".join(f"<th>{text(name)}</th>" for name in heading)
    body = "".join("<tr>" + "".join(f"<td>{text(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return Html(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")


def facts(rows: Iterable[tuple[str, object]]) -> Html:
    """Return names and values as a table without a heading."""
    body = "".join(f"<tr><th>{text(name)}</th><td>{text(value)}</td></tr>" for name, value in rows)
    return Html(f"<table><tbody>{body}</tbody></table>")


def join(parts: Iterable[object], between: str = " ") -> Html:
    """Return values one after the other."""
    return Html(between.join(text(part) for part in parts))


def box(title: object, *parts: Html) -> Html:
    """Return a titled piece of a page."""
    inner = "".join(f"<div>{part}</div>" for part in parts if part)
    return Html(f'{_STYLE}<div class="ragfault"><b>{text(title)}</b>{inner}</div>')


def note(value: object) -> Html:
    """Return a remark."""
    return Html(f"<small>{text(value)}</small>")
