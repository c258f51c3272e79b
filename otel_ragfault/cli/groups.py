"""What every command has: an example in its help, and a group that says what a misspelt command was meant to be."""

from typing import Any

import click


def example(*lines: str) -> str:
    """Return the end of a help text: one example of use, its lines kept as they are."""
    return "\n".join(["\b", "Example:", *(f"  {line}" for line in lines)])


class Group(click.Group):
    """A group whose "no such command" names the nearest command, or all of them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("no_args_is_help", False)  # a missing command is wrong usage, and one line says so
        super().__init__(*args, **kwargs)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the first argument names."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-") and not ctx.resilient_parsing:
            from otel_ragfault.model.wording import did_you_mean

            known = self.list_commands(ctx)
            guess = did_you_mean(name, known)
            hint = f"did you mean {guess!r}?" if guess else f"one of {', '.join(known)} was wanted."
            raise click.UsageError(f"No such command {name!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)
