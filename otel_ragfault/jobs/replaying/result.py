"""What a replay found of one request under one setting."""

from dataclasses import dataclass

from otel_ragfault.jobs.replaying.settings import Setting


@dataclass(frozen=True, slots=True)
class Replayed:
    """One request under one setting.

    Attributes:
        setting: what was tried.
        request_id: the request; ``trace_id`` and ``run_id`` tell where it comes from.
        trace_id: its trace.
        run_id: the run of the pipeline that it belongs to; ``None`` where the traffic names none.
        case_id: its gold case.
        expect: what gold expects.
        k: the k in force, the recorded one where none was tried.
        budget: the budget in force, in ``unit``.
        unit: what the budget counts.
        packing: which chunks are taken when they do not all fit.
        ordering: where they are placed.
        reranked: whether the ranking is one after reranking.
        prompt: the ids that would reach the prompt; ``None`` where that cannot be told, which ``not_known`` explains.
        same_prompt: whether the prompt is the recorded one, so that the recorded answer counts.
        label: the label.
        outcome: what the user would get.
        complete: whether all that gold requires is in the prompt; ``None`` where that is not known or nothing is
            required.
        needs_generator: all that comes before the generator is clear and the prompt differs from the recorded one, so
            that only a run of the generator can tell what becomes of it.
        answer: what a generator answered to a changed prompt; ``None`` where none was asked.
        not_known: why the prompt cannot be told, or why the generator gave no answer.
        has_rerank: whether the recorded pipeline reranked.
    """

    setting: Setting
    request_id: str
    trace_id: str
    run_id: str | None
    case_id: str
    expect: str
    k: int | None
    budget: int | None
    unit: str
    packing: str
    ordering: str
    reranked: bool
    prompt: list[str | None] | None
    same_prompt: bool
    label: str
    outcome: str
    complete: bool | None
    needs_generator: bool
    answer: str | None
    not_known: str | None
    has_rerank: bool
