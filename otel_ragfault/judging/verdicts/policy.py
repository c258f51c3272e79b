"""Keep in the database whom the configuration believes, so that every query counts verdicts the same way."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.model.judging import JudgingConfig


def store_policy(con: "DuckDBPyConnection", config: "JudgingConfig") -> None:
    """Store the order of trust and the floors, where they are not those that are stored."""
    place = {source: number for number, source in enumerate(config.precedence, 1)}
    wanted = (
        place["human"],
        place["rule"],
        place["code"],
        place["model"],
        config.agreement_floor,
        config.kappa_floor,
        config.citations_required,
    )
    if con.execute("SELECT * FROM judging_policy").fetchall() == [wanted]:
        return
    con.execute("DELETE FROM judging_policy")
    con.execute("INSERT INTO judging_policy VALUES (?, ?, ?, ?, ?, ?, ?)", wanted)
