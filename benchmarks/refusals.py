"""How well refusals are told from answers: precision, recall and every miss; and how fast.

On the project's own labelled answers, whose half ``held`` was set aside while rules were written, and on two published
data sets where their folder is there. The flags of those are compared with, not believed: what each says of itself is
printed.

``python benchmarks/refusals.py --data FOLDER``
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

from otel_ragfault.judging import detect_refusal

REPOSITORY = Path(__file__).parents[1]
sys.path.insert(0, str(REPOSITORY / "tests"))

from judging.refusal_set import labelled  # noqa: E402 - found only behind the line above


def delucionqa(folder):
    """Answers of one model on car manuals; the flag comes from a rule of the authors', not from people."""
    for line in (folder / "delucionqa" / "answers.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield row["answer"], row["is_refusal"]


def clapnq(folder):
    """Answers of four systems on Wikipedia passages; refused where the authors' auto measure says so."""
    for line in (folder / "clapnq" / "answers.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield row["answer"], row["auto"]["answerability_accuracy"].endswith("Negative")


def report(name, note, rows, *, misses):
    rows = list(rows)
    started = time.process_time()
    told = [detect_refusal(answer) for answer, _ in rows]
    spent = time.process_time() - started
    both = sum(verdict.value and flag for verdict, (_, flag) in zip(told, rows, strict=True))
    found = sum(bool(verdict.value) for verdict in told)
    flagged = sum(flag for _, flag in rows)
    print(f"\n{name}: {note}")
    print(
        f"  {len(rows)} answers, {flagged} flagged, {found} found, {both} of them right; "
        f"precision {both / max(1, found):.3f}, recall {both / max(1, flagged):.3f}; "
        f"{sum(verdict.partial for verdict in told)} partial; {len(rows) / spent:,.0f} answers a second"
    )
    if misses:
        for verdict, (answer, flag) in zip(told, rows, strict=True):
            if bool(verdict.value) is not flag:
                print(f"  {'missed' if flag else 'taken '} {answer[:300]!r}\n         {verdict.reason}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    default = os.environ.get("RAGFAULT_REALDATA", REPOSITORY.parent / "shared" / "data")
    parser.add_argument(
        "--data", type=Path, default=Path(default), help="folder of delucionqa and clapnq (RAGFAULT_REALDATA)"
    )
    parser.add_argument("--quiet", action="store_true", help="the figures without the misses")
    options = parser.parse_args()
    for half, note in (
        ("dev", "rules were written on it"),
        ("held", "checked when the rules stood: 1.000 and 0.989; its two misses were mended since"),
    ):
        rows = [(row.answer, row.refuses) for row in labelled(half)]
        report(f"own answers, half {half}", note, rows, misses=not options.quiet)
    for language in sorted({row.language for row in labelled()}):
        rows = [(row.answer, row.refuses) for row in labelled(language=language)]
        report(f"own answers, {language}", "both halves", rows, misses=False)
    for reader in (delucionqa, clapnq):
        if (options.data / reader.__name__).is_dir():
            report(reader.__name__, reader.__doc__, reader(options.data), misses=not options.quiet)
        else:
            print(f"\n{reader.__name__}: not measured, there is no folder {options.data / reader.__name__}; see --data")


if __name__ == "__main__":
    main()
