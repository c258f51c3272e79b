"""The labelling statement, generated from the rules of :mod:`otel_ragfault.faults` and from nowhere else.

Its steps are the files of ``queries/facts/``, one common table expression each. Two steps are generated: ``walk`` gives
each (request, required group) the number of its stop, ``stop_label`` turns numbers into labels.

The statement reads the relations ``subject`` (in the shape of ``request``), ``joined`` (request_id, case_id) and
``judged`` (in the shape of ``verdict``), so that recorded requests and hypothetical ones are labelled by the same text.
"""

from functools import cache
from itertools import groupby

from otel_ragfault.faults import FIELDS, RULES, Rule, Stop, is_pass, stops
from otel_ragfault.resources import bundled
from otel_ragfault.sql.library import read_query


@cache
def labelling_statement(rules: tuple[Rule, ...] = RULES) -> str:
    """Return a SELECT with one row a joined request: label, outcome, propositions, detail.

    Parameters of the statement: ``$k``, ``$default_k``, ``$floor``, ``$default_snapshot``, ``$stopwords``.
    """
    generated = {"walk": walk(rules), "stop_label": stop_label(rules)}
    steps = []
    for name in _order():
        body = generated[name[1:]] if name.startswith("*") else read_query("facts", name).body
        steps.append((name.removeprefix("*"), body))
    *inner, (_, last) = steps
    return "WITH " + ",\n".join(f"{name} AS (\n{body}\n)" for name, body in inner) + f"\n{last}"


def _order() -> list[str]:
    lines = (bundled("queries") / "facts" / "_order.txt").read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def walk(rules: tuple[Rule, ...]) -> str:
    """Return the step that walks the tree: the columns of ``fact`` and the number of the ``stop``."""
    branches = []
    for rule, group in groupby(stops(rules), key=lambda stop: stop.rule):
        holds, *unknown = group
        branches.append(f"WHEN {rule.when} THEN {holds.number}")
        if unknown:
            branches.append(f"WHEN ({rule.when}) IS NULL THEN {_blame(unknown)}")
    return "SELECT fact.*,\n    CASE\n        " + "\n        ".join(branches) + "\n    END AS stop\nFROM fact"


def _blame(unknown: list[Stop]) -> str:
    """Return the number of the stop whose field is missing: the first that is, the last when no other is."""
    *asked, last = unknown
    if not asked:
        return str(last.number)
    whens = " ".join(f"WHEN {FIELDS[stop.missing or ''].is_missing} THEN {stop.number}" for stop in asked)
    return f"CASE {whens} ELSE {last.number} END"


def stop_label(rules: tuple[Rule, ...]) -> str:
    """Names the stops: ``stop``, ``passes``, ``label``, ``boundary``, ``stopped_at``, ``missing``."""
    rows = []
    for stop in stops(rules):
        passes = stop.missing is None and is_pass(stop.label)
        texts = ", ".join(map(_literal, (stop.label, stop.boundary, stop.rule.key, stop.missing)))
        rows.append(f"({stop.number}, {str(passes).upper()}, {texts})")
    values = ",\n    ".join(rows)
    return (
        "SELECT stop, passes, label, boundary, stopped_at, missing\n"
        f"FROM (VALUES\n    {values}\n) AS named(stop, passes, label, boundary, stopped_at, missing)"
    )


def _literal(text: str | None) -> str:
    return "CAST(NULL AS VARCHAR)" if text is None else "'" + text.replace("'", "''") + "'"
