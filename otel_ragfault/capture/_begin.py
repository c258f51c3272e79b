"""Starting the span of one call: the hot path, kept short and in one place."""

from opentelemetry.context import Context
from opentelemetry.trace import Span

from otel_ragfault.capture._arguments import Args, Kwargs
from otel_ragfault.capture._context import current, enter, hand_down, handed_down, with_stage
from otel_ragfault.capture._failures import Guard
from otel_ragfault.capture._options import current_options, current_tracer
from otel_ragfault.capture._plan import BLIND, Plan, values_of
from otel_ragfault.capture._span import StageSpan

_START = Guard("start")


def begin(plan: Plan, args: Args, kwargs: Kwargs) -> StageSpan | None:
    """Starts the span of one call and makes it current; ``None`` where there is nothing to trace."""
    try:
        parent = current()
        name, constants = plan.name, plan.constants
        if plan.is_request:
            handed = {**handed_down(parent), **dict(values_of(plan.handed, args, kwargs, BLIND))}
            constants = {**constants, **handed}
            parent = hand_down(handed, parent, across_processes=plan.propagate)
        if plan.named_by is not None:
            for attribute, value in values_of((plan.named_by,), args, kwargs, BLIND):
                name = f"{plan.kind.verb} {value}"
                constants = {**constants, attribute: value}
        options = current_options()
        span = current_tracer(options).start_span(name, parent, plan.kind.span_kind, constants)
        if not span.is_recording():
            return _unrecorded(plan, span, parent)
        seen, view = plan.seen
        stage = StageSpan(span, plan.kind, view if seen is options else plan.view(options), True)  # noqa: FBT003
        if plan.picked:
            stage.write_all(dict(values_of(plan.picked, args, kwargs, BLIND)))
        if plan.picked_content and stage.view.content:
            stage.write_all(dict(values_of(plan.picked_content, args, kwargs, stage.view)))
        stage.mark = enter(with_stage(parent, span, stage))
    except Exception as error:  # noqa: BLE001  # a sampler, a span processor or a tracer of the user's
        _START.caught(error)
        return None
    return stage


def _unrecorded(plan: Plan, span: Span, parent: Context) -> StageSpan | None:
    """Keeps a sampled-out span current, so that its children are sampled out as well; else does nothing at all."""
    if not span.get_span_context().is_valid and not plan.is_request:
        return None
    stage = StageSpan(span, plan.kind, BLIND, False)  # noqa: FBT003
    stage.mark = enter(with_stage(parent, span, stage))
    return stage
