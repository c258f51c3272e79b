"""``ragfault demo``: the eight cases end to end."""

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from otel_ragfault.cli.groups import example
from otel_ragfault.cli.options import json_option
from otel_ragfault.cli.output import say, say_json

if TYPE_CHECKING:
    from otel_ragfault.demo import Demo


@click.command(epilog=example("ragfault demo --dir ragfault-demo"))
@click.option(
    "--dir",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("ragfault-demo"),
    show_default=True,
    help="Folder for the databases; those of an earlier demonstration there are replaced.",
)
@json_option
def demo(folder: Path, *, as_json: bool) -> None:
    """Run eight cases of a small RAG pipeline: spans, database, labels, cards, what-if, probes.

    No model is called and nothing leaves this machine.
    """
    from otel_ragfault.cli.progress import working
    from otel_ragfault.demo import run_demo

    with working("running the eight cases"):
        found = run_demo(folder)
    if as_json:
        say_json(found.as_json())
        return
    for part in (_cards(found), _summary(found.figures), _experiments(found.figures), _next(found.db)):
        say(part)


def _cards(found: "Demo") -> str:
    from otel_ragfault.report import card_text, find_cards
    from otel_ragfault.store import connect

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
    from otel_ragfault.demo import PROBED_CASE, WHATIF_CASE

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
    from otel_ragfault.demo import WHATIF_CASE

    program = "ragfault" if shutil.which("ragfault") else sys.argv[0]  # in an environment that is not activated
    return f"""
Go on with
  {program} show --db {db} {WHATIF_CASE}
  {program} whatif --db {db} --case {WHATIF_CASE} --k 2,3,14 --budget 50,80,400
  {program} query --db {db} --sql "SELECT label, requests, try_first FROM failure_bucket"
"""
