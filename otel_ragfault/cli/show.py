"""``ragfault show``: the card of a case or of a trace."""

import shutil
from pathlib import Path
from typing import Final

import click

from otel_ragfault.cli.groups import example
from otel_ragfault.cli.options import Text, db_option, json_option
from otel_ragfault.cli.output import note, say, say_json

_NARROWEST: Final = 60
_IN_A_PIPE: Final = 100


@click.command(epilog=example("ragfault show --db rag.duckdb long-haul-cabin"))
@click.argument("needle", metavar="CASE_OR_TRACE_ID", type=Text())
@db_option
@click.option("--all", "show_all", is_flag=True, help="Show every request of the case, not only the newest.")
@json_option
def show(db: Path, needle: str, *, show_all: bool, as_json: bool) -> None:
    """Show a request: query, ranking, prompt, answer, label, and what to try first.

    CASE_OR_TRACE_ID is a gold case id, a trace id or a request id. In the ranking, * marks required evidence and | the
    cut at k. With --json every request that was found is printed, newest first.
    """
    from otel_ragfault.cli.database import reading
    from otel_ragfault.errors import InputError
    from otel_ragfault.report import card_text, find_cards

    with reading(db) as con:
        cards = find_cards(con, needle, limit=None if show_all or as_json else 1)
    if not cards:
        raise InputError(
            f"{needle!r}: no request has this case id, trace id or request id; "
            "see ragfault query --db DB --sql 'SELECT case_id, trace_hex(trace_id) FROM request'"
        )
    if as_json:
        say_json([card.as_json() for card in cards])
        return
    width = max(shutil.get_terminal_size((_IN_A_PIPE, 0)).columns, _NARROWEST)
    say("\n\n".join(card_text(card, width=width) for card in cards))
    if cards[0]["found"] > len(cards):
        note(f"this is the newest of {cards[0]['found']} requests; --all shows them all")
