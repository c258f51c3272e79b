"""The command ``ragfault``: the top floor, imported by nothing. Only here do errors become text and exit codes."""

__all__ = ["main"]


def main() -> None:
    """Run the command line of this process and exit."""
    from otel_ragfault.cli.program import program

    program.main(prog_name="ragfault")
