"""Labels under other settings, from the recorded rankings, without running the pipeline.

Ranks and assembly can be replayed; a generator cannot. Where a setting changes the prompt, the answer is not known, and
the label says so (``unknown.answer``) once the evidence would have reached the prompt. A generator, where one is given,
answers. Hypothetical requests are judged and labelled by what judges and labels recorded ones.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from otel_ragfault.errors import InputError, NothingJoinedError
from otel_ragfault.jobs.evaluations import link_evaluations
from otel_ragfault.jobs.label import (
    join_to_gold,
    judge_joined,
    prepare_requests,
    select_subjects,
    statement_parameters,
    why_nothing_joined,
)
from otel_ragfault.jobs.replaying.generation import Generation, Prompt, changed_prompts
from otel_ragfault.jobs.replaying.result import Replayed
from otel_ragfault.jobs.replaying.settings import Grid, Setting
from otel_ragfault.jobs.replaying.tokenizers import load_tokenizer
from otel_ragfault.jobs.replaying.world import World
from otel_ragfault.judging.verdicts import store_policy
from otel_ragfault.sql import read_query
from otel_ragfault.store import transaction

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.model import Config

Progress = Callable[[int, int], None]

_AT_ONCE: Final = 20_000  # hypothetical requests; more are labelled by one statement each


def replay(
    con: "DuckDBPyConnection",
    config: "Config",
    grid: Grid | None = None,
    *,
    case_id: str | None = None,
    run_id: str | None = None,
    tokenizer: str | None = None,
    generation: Generation | None = None,
    progress: Progress | None = None,
) -> list[Replayed]:
    """Label every request that has gold, or those of one case or run, under each setting of a grid.

    Args:
        con: a database open for writing (answers that nobody has judged yet are judged first).
        config: as for labelling; ``packing`` and ``replaying`` say what assembly does, and who counts tokens.
        grid: the settings to try; without one, the recorded setting.
        case_id: replay the requests of this case only.
        run_id: replay the requests of this run of the pipeline only.
        tokenizer: who counts tokens, as :func:`load_tokenizer` has it; takes the place of the configuration's.
        generation: a generator that answers prompts which were never recorded.
        progress: called with the settings done and the settings in all.

    Raises:
        InputError: no gold is loaded, no request belongs to the case or run, or tokens cannot be counted.
        NothingJoinedError: there are no requests, or none has gold.
    """
    grid = grid or Grid()
    prepare_requests(con, config)
    with con.cursor() as cursor:
        _select(cursor, config, case_id, run_id)
        place = tokenizer or config.replaying.tokenizer
        world = World(cursor, config, statement_parameters(cursor, config, None))
        world.record(grid.unit, None if place is None else load_tokenizer(place))
        settings = list(grid.settings())
        if generation is not None:
            generation.ask(cursor, _prompts(world, settings, grid.unit))
        return list(_labelled(world, settings, grid.unit, generation, progress))


def _labelled(
    world: World, settings: list[Setting], unit: str | None, generation: Generation | None, progress: Progress | None
) -> Iterator[Replayed]:
    """Label settings together that look at the same floor, as many at a time as fit."""
    for number, setting in enumerate(settings):
        world.pack(number, setting, unit)
        world.add(generation)
        following = settings[number + 1 : number + 2]
        if world.tried < _AT_ONCE and following and following[0].floor == setting.floor:
            continue
        for place, *row in world.label(setting.floor, judging=generation is not None):
            yield Replayed(settings[place], *row)
        if progress is not None:
            progress(number + 1, len(settings))


def _select(con: "DuckDBPyConnection", config: "Config", case_id: str | None, run_id: str | None) -> None:
    """Join the wanted requests to gold, and judge them as labelling does."""
    select_subjects(con)
    requests, joined = join_to_gold(con)
    if not joined:
        raise NothingJoinedError(why_nothing_joined(con, requests))
    con.execute(read_query("whatif", "selected").body, {"case_id": case_id, "run_id": run_id})
    if (case_id or run_id) and con.execute("SELECT count(*) FROM joined").fetchone() == (0,):
        of_case = "" if case_id is None else f" belongs to case {case_id!r}"
        of_run = "" if run_id is None else f" comes from run {run_id!r}"
        raise InputError(
            f"no request with gold{of_case}{' and' if of_case and of_run else ''}{of_run}; one that was recorded was "
            "wanted; see ragfault query --db DB --sql 'SELECT DISTINCT case_id, run_id FROM request'"
        )
    with transaction(con):
        store_policy(con, config.judging)
        link_evaluations(con, config.judging)
        judge_joined(con, config, statement_parameters(con, config, None)["default_snapshot"])


def _prompts(world: World, settings: list[Setting], unit: str | None) -> dict[Prompt, None]:
    """Return every prompt of any setting that was not recorded."""
    found: dict[Prompt, None] = {}
    for number, setting in enumerate(settings):
        world.pack(number, setting, unit)
        found.update((prompt, None) for _, prompt in changed_prompts(world.con))
    return found
