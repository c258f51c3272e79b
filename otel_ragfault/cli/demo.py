"""``ragfault demo``: the eight cases end to end."""

from pathlib import Path
from typing import Any

import click
import orjson

from otel_ragfault.demo import PROBED_CASE, WHATIF_CASE, Demo, run_demo
from otel_ragfault.report import card_text, find_cards
from otel_ragfault.store import connect


@click.command(epilog="Example: ragfault demo --dir /tmp/ragfault-demo")
@click.option(
    "--dir",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("ragfault-demo"),
    show_default=True,
    help="Folder for the databases; those of an earlier demonstration there are replaced.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def demo(folder: Path, *, as_json: bool) -> None:
    """Run eight cases of a small RAG pipeline: spans, database, labels, cards, what-if, probes.

    No model is called and nothing leaves this machine.
    """
    found = run_demo(folder)
    if as_json:
        click.echo(orjson.dumps(found.as_json(), option=orjson.OPT_INDENT_2).decode())
        return
    click.echo(_cards(found))
    click.echo(_summary(found.figures))
    click.echo(_experiments(found.figures))
    click.echo(_next(found.db))


def _cards(found: Demo) -> str:
    with connect(found.db, read_only=True) as con:
        return "\n\n".join(card_text(find_cards(con, case_id)[0]) for case_id in found.figures["labels"])


def _summary(figures: dict[str, Any]) -> str:
    width = max(map(len, figures["labels"]))
    lines = ["", "Labels", *(f"  {case_id:<{width}}  {label}" for case_id, label in figures["labels"].items())]
    lines += ["", "What one score would have said"]
    lines += [f"  cases with gold evidence: {figures['with_gold']} of {figures['cases']}"]
    lines += [f"  recall@{cutoff}: {value:.2f}" for cutoff, value in figures["recall"].items()]
    lines += [f"  end-to-end correct: {figures['correct']} of {figures['cases']}"]
    copied = f"answer is a sentence copied from a prompt chunk: {figures['faithful']}"
    lines += [f"  answered (not refused): {figures['answered']}; {copied}; correct: {figures['answered_correct']}"]
    return "\n".join(lines)


def _experiments(figures: dict[str, Any]) -> str:
    lines = ["", f"{WHATIF_CASE} run again under other settings"]
    lines += [
        f"  k={row['k']} budget={row['budget']}: prompt {' '.join(row['prompt'])} -> {row['label']}"
        for row in figures["whatif"]
    ]
    probes = figures["probes"][PROBED_CASE]
    lines += ["", f"{PROBED_CASE} probed: the same generator, its prompt changed"]
    lines += [f"  {name:<10}  {'pass' if correct else 'fail'}" for name, correct in probes.items()]
    return "\n".join(lines)


def _next(db: Path) -> str:
    return f"""
Go on with
  ragfault show --db {db} {WHATIF_CASE}
  ragfault whatif --db {db} --case {WHATIF_CASE} --k 2,3,14 --budget 50,80,400
  ragfault query --db {db} --sql "SELECT label, requests, try_first FROM failure_bucket"
"""
