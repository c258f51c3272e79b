"""Assemble the commands into one program."""

import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from otel_ragfault import __version__
from otel_ragfault.cli.commands import commands
from otel_ragfault.cli.environment import unknown_variables
from otel_ragfault.cli.failures import PipeClosedError, exit_code
from otel_ragfault.cli.groups import Group, example
from otel_ragfault.cli.output import warn


class Program(Group):
    """The group of all commands, each imported when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of the commands."""
        return list(commands())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Import a command by its name."""
        entry = commands().get(cmd_name)
        return None if entry is None else entry.load()

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """List the commands from the table, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in commands().items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what click would turn into text and exit code 1 is left to :func:`exit_code`."""
        warn(unknown_variables())
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise PipeClosedError from None
        except KeyboardInterrupt:
            raise click.Abort from None

    def main(  # type: ignore[override]  # never returns
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> NoReturn:
        """Run, turn errors into one line and an exit code, and exit."""
        extra.pop("standalone_mode", None)
        run = super().main
        sys.exit(exit_code(lambda: run(args, prog_name or "ragfault", standalone_mode=False, **extra)))


@click.group(
    "ragfault",
    cls=Program,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=example(
        "ragfault import --db rag.duckdb traces.jsonl",
        "ragfault gold load --db rag.duckdb gold.jsonl",
        "ragfault label --db rag.duckdb",
        "ragfault query --db rag.duckdb failure_buckets",
    ),
)
@click.version_option(__version__, prog_name="ragfault")
@click.pass_context
def program(ctx: click.Context) -> None:
    """Find out, per request and from traces, which stage of a RAG pipeline lost the answer.

    Exit codes: 0 done, 1 a gate failed, 2 the input or the usage is wrong (one line says why).
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
        raise click.UsageError("No command was given.", ctx)
