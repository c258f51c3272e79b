"""A world as it would have been: hypothetical requests in temporary tables, judged and labelled as recorded ones.

Every request under every setting is a hypothetical request with an id of its own, so that one statement labels many
settings. While they are judged and labelled, temporary relations stand in the place of ``request``, ``verdict`` and the
like, so that the same statements read them; nothing of it reaches the database.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.label import judge_joined
from otel_ragfault.jobs.replaying.generation import GENERATED, Generation
from otel_ragfault.jobs.replaying.settings import ORDERINGS, PACKINGS, Setting
from otel_ragfault.sql import labelling_statement, read_query
from otel_ragfault.store import registered

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.jobs.replaying.tokenizers import Tokenizer
    from otel_ragfault.model import Config

_SHADOWS: Final = {
    "verdict": "FROM still_judged",
    "answer_claim": "FROM still_cut",
    "claim_check": "FROM claim_check LIMIT 0",
}
_TOKENS: Final = pa.schema({"text": pa.string(), "tokens": pa.int64()})


class World:
    """The requests of the relation ``joined``, under as many settings as are tried."""

    def __init__(self, con: "DuckDBPyConnection", config: "Config", parameters: dict[str, Any]) -> None:
        self.con = con
        self.tried = 0  # hypothetical requests that wait for a label
        self._config = config
        self._parameters = parameters
        self._generated: list[dict[str, Any]] = []

    def record(self, unit: str | None, tokenizer: "Tokenizer | None") -> None:
        """Note the recorded settings, how large the ranked chunks are, and which prompts our rules make out of them.

        Raises:
            InputError: tokens are asked for, and nobody counts them.
        """
        if unit == "tokens" and tokenizer is None:
            raise InputError(
                "budgets in tokens need to know whose; a tokenizer was wanted; give --tokenizer, such as "
                "tiktoken:cl100k_base, hf:NAME_OR_FILE or module:function, or set tokenizer in [replaying]"
            )
        self._run("chosen")
        self._run(
            "recorded",
            default_k=self._parameters["default_k"],
            default_snapshot=self._parameters["default_snapshot"],
            packing=self._config.packing,
            ordering=self._config.replaying.ordering,
        )
        self._run("ranked_chunk")
        units = {row[0] for row in self.con.execute(read_query("whatif", "budget_units").body).fetchall()}
        units |= {unit} if unit is not None else set()
        self._count_tokens(tokenizer if "tokens" in units else None)
        self._run("chunk_size", units=sorted(units))
        self._run("recorded_to_pack")
        self._keep("remade", "packing")
        self._tell_rules()

    def pack(self, number: int, setting: Setting, unit: str | None) -> None:
        """Make the prompts of a setting, in the relation ``packed``."""
        self._run(
            "asked",
            k=setting.k,
            budget=setting.budget,
            unit=unit,
            packing=setting.packing,
            ordering=setting.ordering,
            floor=setting.floor,
            rerank=setting.rerank,
        )
        self._run("asked_to_pack")
        self._keep("made", "packing")
        self._run("packed", setting_no=number)

    def add(self, generation: Generation | None) -> None:
        """Add the packed requests to those that are tried, with what a generator made of changed prompts."""
        if not self.tried:
            self._run("tried")
        self._run("add")
        ((self.tried,),) = self.con.execute("SELECT count(*) FROM tried").fetchall()
        if generation is not None:
            self._generated += generation.rows(self.con)

    def label(self, floor: float | None, *, judging: bool) -> list[tuple[Any, ...]]:
        """Label what is tried; return the rows of ``queries/whatif/row.sql``.

        Args:
            floor: the floor of the settings; the label looks at it, or at that of the configuration if it is higher.
            judging: whether there may be answers that nobody has judged.
        """
        snapshot = self._parameters["default_snapshot"]
        self._fill("generated", pa.Table.from_pylist(self._generated, GENERATED))
        self._run("hypothetical")
        for name in ("still_judged", "still_cut", "hypothetical_joined"):
            self._run(name)
        self._run("completeness", default_snapshot=snapshot)
        floors = [one for one in (self._parameters["floor"], floor) if one is not None]
        parameters = self._parameters | {"floor": max(floors, default=None)}
        with self._shadowed():
            if judging:
                judge_joined(self.con, self._config, snapshot)
            self.con.execute(f"CREATE OR REPLACE TEMP TABLE hypothetical_label AS {labelling_statement()}", parameters)
        self.tried = 0
        self._generated = []
        return self.con.execute(read_query("whatif", "row").body).fetchall()

    @contextmanager
    def _shadowed(self) -> Iterator[None]:
        """Put the hypothetical in the place of the recorded."""
        for name, rows in _SHADOWS.items():
            self.con.execute(f"CREATE TEMP TABLE {name} AS {rows}")
        self.con.execute("CREATE TEMP VIEW request AS FROM hypothetical")
        self.con.execute("CREATE OR REPLACE TEMP VIEW subject AS FROM hypothetical")
        self.con.execute("CREATE OR REPLACE TEMP VIEW judged AS FROM verdict")
        try:
            yield
        finally:
            self.con.execute("DROP VIEW temp.request")
            for name in _SHADOWS:
                self.con.execute(f"DROP TABLE temp.{name}")

    def _tell_rules(self) -> None:
        """Find out which rule made the recorded prompts that ours did not make."""
        self._run("told_rule")
        for packing, ordering in product(PACKINGS, ORDERINGS):
            self._run("other_to_pack", packing=packing, ordering=ordering)
            if self.con.execute("SELECT count(*) FROM to_try").fetchone() == (0,):
                return
            self.con.execute("CREATE OR REPLACE TEMP VIEW to_pack AS FROM to_try")
            self._keep("made", "packing")
            self._run("tell_rule", packing=packing, ordering=ordering)

    def _count_tokens(self, tokenizer: "Tokenizer | None") -> None:
        """Count each different text once."""
        counted: list[dict[str, Any]] = []
        if tokenizer is not None:
            texts = self.con.execute("SELECT DISTINCT text FROM ranked_chunk").fetchall()
            counted = [{"text": text, "tokens": tokenizer(text)} for (text,) in texts]
        self._fill("token_count", pa.Table.from_pylist(counted, _TOKENS))

    def _fill(self, name: str, table: pa.Table) -> None:
        with registered(self.con, "incoming_rows", table):
            self.con.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS FROM incoming_rows")

    def _keep(self, name: str, query: str) -> None:
        self.con.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS {read_query('whatif', query).body}")

    def _run(self, name: str, **parameters: Any) -> None:
        self.con.execute(read_query("whatif", name).body, parameters)
