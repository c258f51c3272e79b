"""``ragfault record``: everything that a label rests on, as a file that another reviewer can check."""

import json
from pathlib import Path

import click

from otel_ragfault.cli.groups import Group, example
from otel_ragfault.cli.options import File, Text, db_option, json_option
from otel_ragfault.cli.output import note, say, say_json
from otel_ragfault.counting import counted


class _Record(Group):
    """A group in which a first argument that is no command is a case: ``record CASE`` is ``record write CASE``."""

    default_command = "write"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command in its place."""
        named = next((arg for arg in args if not arg.startswith("-")), None)
        if args and named not in self.commands and not {"-h", "--help"} & {args[0]}:
            args = [self.default_command, *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=_Record,
    epilog=example(
        "ragfault record --db rag.duckdb long-haul-cabin --out case.json", "ragfault record verify case.json"
    ),
)
def record() -> None:
    """Write the evidence record of a case (record CASE --out FILE), or check one.

    A record holds the question, gold, the chunks that matter with their versions and times, the ranking, the prompt,
    the answer, citations, verdicts and the label, each unknown with its reason, so that the label can be recomputed
    from the file alone. Verdicts by rule are judged anew from the texts in it; what people, models and other checks
    said is taken on trust, and named. The digest tells a changed file, and is no signature.
    """


@record.command(epilog=example("ragfault record write --db rag.duckdb long-haul-cabin --out case.json"))
@db_option
@click.argument("needle", metavar="CASE_OR_TRACE_ID", type=Text())
@click.option(
    "--out", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Where; by default stdout."
)
@click.option(
    "--prov", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="W3C PROV-JSON, beside it."
)
@click.option("--run", "run_id", metavar="RUN_ID", type=Text(), help="A labelling; by default the newest.")
def write(db: Path, needle: str, *, out: Path | None, prov: Path | None, run_id: str | None) -> None:
    """Write the evidence record of a request: of the newest of a case, or of a trace."""
    from otel_ragfault.cli.database import reading
    from otel_ragfault.report.evidence import gather_evidence, provenance, write_evidence
    from otel_ragfault.report.evidence.document import write_json

    with reading(db) as con:
        found = gather_evidence(con, needle, run_id=run_id)
    if prov is not None:
        write_json(provenance(found), prov)
    if out is None:
        say(json.dumps(found.model_dump(mode="json"), indent=2, ensure_ascii=False))
        return
    write_evidence(found, out)
    unknown = sum(len(boundary.unknown) for boundary in found.boundaries.values())
    note(
        f"{out}: {found.case_id} is {found.label}; {counted(unknown, 'unknown')}, each with its reason; "
        f"digest {found.digest[:16]}"
    )


@record.command(epilog=example("ragfault record verify case.json"))
@json_option
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=File())
def verify(files: tuple[Path, ...], *, as_json: bool) -> None:
    """Check records: digest, hashes, verdicts by rule, and the label, all from the file alone.

    Exit code 1 if any fails.
    """
    from otel_ragfault.report.evidence import read_evidence, verify_evidence

    results = [(path, verify_evidence(read_evidence(path))) for path in files]
    if as_json:
        say_json(
            [
                {
                    "file": str(path),
                    "holds": one.holds,
                    "label": one.label,
                    "recomputed": one.recomputed,
                    "problems": list(one.problems),
                    "other_rules": one.other_rules,
                    "rejudged": list(one.rejudged),
                    "on_trust": list(one.on_trust),
                }
                for path, one in results
            ]
        )
    for path, one in () if as_json else results:
        verdict = "holds" if one.holds else "does not hold"
        say(f"{path}: {verdict}: {one.label} is recorded, {one.recomputed or 'nothing'} follows from the record")
        for problem in one.problems:
            say(f"  {problem}")
        if one.rejudged:
            say(f"  judged anew from the texts: {', '.join(one.rejudged)}")
        if one.on_trust:
            say(f"  taken on trust: {'; '.join(one.on_trust)}")
        if one.other_rules:
            say("  the rules of this release are not those that gave the label")
    if not all(one.holds for _, one in results):
        raise SystemExit(1)


@record.command(epilog=example("ragfault record schema > evidence-record.schema.json"))
def schema() -> None:
    """Print the JSON Schema of a record."""
    from otel_ragfault.report.evidence import evidence_json_schema

    say_json(evidence_json_schema())
