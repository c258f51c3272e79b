"""How a gate writes numbers."""

from otel_ragfault.jobs.gating.figures import PROPOSITIONS


def percent(share: float) -> str:
    """Return a share as people read it: ``80%``, ``66.7%``."""
    return f"{100 * share:.1f}".removesuffix(".0") + "%"


def number(value: float) -> str:
    """Return a number with at most four digits behind the point."""
    return f"{value:.4f}".rstrip("0").rstrip(".") or "0"


def in_unit(figure: str, value: float) -> str:
    """Return the value of a figure by its name: a share of cases in percent, a measure as a number."""
    bare = figure.split(" [", 1)[0]
    is_share = bare in PROPOSITIONS or bare.startswith(("label:", "boundary:"))
    return percent(value) if is_share else number(value)


def points(change: float) -> str:
    """Return a change of a share in points: ``20 points``, ``1 point``."""
    text = f"{100 * abs(change):.1f}".removesuffix(".0")
    return f"{text} point{'' if text == '1' else 's'}"


def p_text(p_value: float) -> str:
    """Return a p-value: ``p = 0.031``, ``p < 0.0001``."""
    return "p < 0.0001" if p_value < 0.0001 else f"p = {p_value:.2g}"  # noqa: PLR2004 - the smallest that is written out
