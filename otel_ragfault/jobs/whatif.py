"""Labels under other settings, from the recorded rankings, without running the pipeline.

Ranks and assembly can be replayed; a generator cannot. Where a setting changes the prompt, the answer is not known, and
the label says so (``unknown.answer``) once the evidence would have reached the prompt.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.build import build_requests, hold_against_corpus
from otel_ragfault.jobs.label import join_to_gold, select_subjects, statement_parameters
from otel_ragfault.judging import judge_requests
from otel_ragfault.sql import labelling_statement, read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.model import Config


@dataclass(frozen=True, slots=True)
class Replayed:
    """One request under one setting.

    ``expect`` is what gold expects. ``k`` and ``budget`` are the ones in force (the recorded ones where none was asked
    for), ``prompt`` the ids that would reach the prompt or ``None`` where that cannot be told, which ``not_known``
    explains. ``needs_generator``: all that gold requires would have reached a prompt that differs from the recorded
    one, and only a run of the generator can tell what becomes of it.
    """

    request_id: str
    case_id: str
    expect: str
    k: int | None
    budget: int | None
    prompt: list[str | None] | None
    label: str
    needs_generator: bool
    not_known: str | None


def replay(
    con: "DuckDBPyConnection",
    config: "Config",
    *,
    ks: Sequence[int | None] = (None,),
    budgets: Sequence[int | None] = (None,),
    unit: str | None = None,
    case_id: str | None = None,
) -> list[Replayed]:
    """Label every request that has gold, or those of one case, under each combination of k and budget.

    Args:
        con: a database open for writing (answers that nobody has judged yet are judged first).
        config: as for labelling; ``packing`` says what assembly does with a chunk that does not fit.
        ks: values of k; ``None`` is the recorded one.
        budgets: context budgets; ``None`` is the recorded one.
        unit: what budgets count, ``words`` or ``characters``; ``None`` is the recorded unit, else words.
        case_id: replay the requests of this case only.

    Raises:
        InputError: no gold is loaded, no request belongs to the case, or a k or budget is negative.
    """
    negative = [number for number in (*ks, *budgets) if number is not None and number < 0]
    if negative:
        raise InputError(f"found {negative[0]} for k or budget; 0 or more was wanted; correct ks and budgets")
    build_requests(con, mapping=config.mapping, default_snapshot=config.default_snapshot)
    hold_against_corpus(con, mapping=config.mapping, default_snapshot=config.default_snapshot)
    select_subjects(con)
    join_to_gold(con)
    judge_requests(con, config)
    if case_id is not None:
        con.execute("DELETE FROM joined WHERE case_id <> ?", [case_id])
        if con.execute("SELECT count(*) FROM joined").fetchone() == (0,):
            raise InputError(
                f"no request belongs to case {case_id!r}; a case with recorded requests was wanted; "
                "see ragfault query --db DB --sql 'SELECT DISTINCT case_id FROM request'"
            )
    return [row for k, budget in product(ks, budgets) for row in _one_setting(con, config, k, budget, unit)]


def _one_setting(
    con: "DuckDBPyConnection", config: "Config", k: int | None, budget: int | None, unit: str | None
) -> list[Replayed]:
    parameters = statement_parameters(con, config, None)
    shared = {name: parameters[name] for name in ("default_k", "default_snapshot")}
    con.execute(
        read_query("whatif", "packed").text,
        {"k": k, "budget": budget, "unit": unit, "packing": config.packing, **shared},
    )
    con.execute(read_query("whatif", "subject").text)
    con.execute(read_query("whatif", "judged").text)
    rows = con.execute(
        "SELECT trace_hex(labelled.request_id), case_id, gold_case.expect, packed.k, packed.budget, packed.prompt_ids, "
        "labelled.label, "
        "labelled.label = 'unknown.answer' AND packed.prompt_ids IS NOT NULL AND NOT packed.same_prompt, "
        f"packed.not_known FROM ({labelling_statement()}) AS labelled "
        "JOIN packed USING (request_id) JOIN gold_case USING (case_id) ORDER BY case_id, request_id",
        parameters,
    ).fetchall()
    return [Replayed(*row) for row in rows]
