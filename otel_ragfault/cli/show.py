"""``ragfault show``: the card of a case or of a trace."""

import shutil
from pathlib import Path

import click
import orjson

from otel_ragfault.errors import InputError
from otel_ragfault.report import card_text, find_cards
from otel_ragfault.store import connect


@click.command(epilog="Example: ragfault show --db rag.duckdb long-haul-cabin")
@click.option("--db", type=click.Path(path_type=Path), required=True, envvar="RAGFAULT_DB", help="The database.")
@click.option("--all", "show_all", is_flag=True, help="Show every request of the case, not only the newest.")
@click.option("--json", "as_json", is_flag=True, help="Print the cards as a JSON list.")
@click.argument("needle", metavar="CASE_OR_TRACE_ID")
def show(db: Path, needle: str, *, show_all: bool, as_json: bool) -> None:
    """Show a request: query, ranking with gold marked, prompt, answer, label, and what to try first.

    CASE_OR_TRACE_ID is a gold case id, a trace id or a request id. In the ranking * marks required evidence, and
    | k | the cut.
    """
    with connect(db, read_only=True) as con:
        cards = find_cards(con, needle)
    if not cards:
        raise InputError(
            f"{needle!r}: no request has this case id, trace id or request id; "
            "see ragfault query --db DB --sql 'SELECT case_id, trace_hex(trace_id) FROM request'"
        )
    shown = cards if show_all or as_json else cards[:1]
    if as_json:
        click.echo(orjson.dumps([card.as_json() for card in shown], option=orjson.OPT_INDENT_2).decode())
        return
    width = max(shutil.get_terminal_size((100, 24)).columns, 60)
    click.echo("\n\n".join(card_text(card, width=width) for card in shown))
    if len(cards) > len(shown):
        click.echo(f"\n(the newest of {len(cards)} requests of this case; --all shows them all)", err=True)
