"""What a stage does at every call, worked out once: which attributes are constant, which are picked, and the name."""

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from otel_ragfault import semconv
from otel_ragfault.capture._arguments import Args, Kwargs, Parameters, Pick, computed, constant
from otel_ragfault.capture._failures import Guard, count_failure
from otel_ragfault.capture._kinds import Kind, Setting
from otel_ragfault.capture._options import Options
from otel_ragfault.capture._outcomes import Reading
from otel_ragfault.capture._text import View, clean

_ARGUMENT = Guard("argument")
BLIND = View(content=False, redact=None)

Picked = tuple[str, Callable[[Any, View], Any], Pick]


@dataclass(slots=True)
class Plan:
    """Everything that :func:`begin` needs to know about one decorated function or one ``with``."""

    kind: Kind
    reading: Reading
    name: str
    named_by: Picked | None
    """The setting that is the second word of the name, where it differs from call to call."""
    constants: dict[str, Any]
    picked: tuple[Picked, ...]
    picked_content: tuple[Picked, ...]
    """Picked only where content may be written."""
    handed: tuple[Picked, ...]
    """Attributes that a request hands down; picked before the span starts."""
    content: bool | None
    texts: bool
    propagate: bool
    is_request: bool
    seen: tuple[Options | None, View] = (None, BLIND)
    """The options that were last in force, and the view that follows from them."""

    def view(self, options: Options) -> View:
        """Returns what a span that starts under these options may show."""
        content = options.content if self.content is None else self.content
        view = View(content, options.redact, self.texts)
        self.seen = (options, view)
        return view


def values_of(picked: tuple[Picked, ...], args: Args, kwargs: Kwargs, view: View) -> Iterator[tuple[str, Any]]:
    """Yields the attributes of one call; one that fails is counted and left out."""
    for name, convert, pick in picked:
        found = None
        with _ARGUMENT:
            value = pick(args, kwargs)
            found = None if value is None else convert(value, view)
        if found is not None:
            yield name, found


def make_plan(kind: Kind, settings: Mapping[str, Any], reading: Reading, function: Callable[..., Any] | None) -> Plan:
    """Works out the plan of a decorated function; of a ``with``, where there is none."""
    parameters = None if function is None else Parameters(function)
    picks = {
        name: found
        for name, setting in kind.settings.items()
        if (found := _pick(setting, settings.get(name), parameters)) is not None
    }
    constants: dict[str, Any] = {semconv.RAGFAULT_STAGE: kind.stage}
    if kind.operation is not None:
        constants[semconv.GEN_AI_OPERATION_NAME] = kind.operation
    picked: list[Picked] = []
    content: list[Picked] = []
    handed: list[Picked] = []
    is_request = kind.stage == semconv.STAGE_REQUEST
    named_by: Picked | None = None
    for name, (pick, is_constant) in picks.items():
        setting = kind.settings[name]
        entry = (setting.attribute, setting.convert, pick)
        if is_request and setting.attribute in semconv.PROPAGATED:
            handed.append(entry)
        elif name == kind.target and not is_constant and settings.get("name") is None:
            named_by = entry
        elif is_constant and not setting.content:
            constants.update(values_of((entry,), (), {}, BLIND))
        else:
            (content if setting.content else picked).append(entry)
    target = constants.get(kind.settings[kind.target].attribute) if kind.target else None
    return Plan(
        kind=kind,
        reading=reading,
        name=_static_name(kind, settings.get("name"), target, function),
        named_by=named_by,
        constants=constants,
        picked=tuple(picked),
        picked_content=tuple(content),
        handed=tuple(handed),
        content=settings.get("content"),
        texts=bool(settings.get("texts")),
        propagate=bool(settings.get("propagate")),
        is_request=is_request,
    )


def _pick(setting: Setting, value: Any, parameters: Parameters | None) -> tuple[Pick, bool] | None:
    """Returns how a setting's value is found at a call, and whether it is the same at every call."""
    if value is None:
        name = next((one for one in setting.parameters if parameters is not None and one in parameters), None)
        return None if name is None or parameters is None else (parameters.pick(name), False)
    if callable(value):
        return computed(value, parameters), False
    if parameters is not None and setting.names_parameter and isinstance(value, str):
        if not parameters.accepts(value):
            count_failure("parameter", f"no parameter is named {value}; name one, or give a function of the call")
        return parameters.pick(value), False
    return constant(value), True


def _static_name(kind: Kind, told: Any, target: Any, function: Callable[..., Any] | None) -> str:
    """Returns the name of spans as far as it is known beforehand: what the user says, the target, or the function."""
    words = (told, target, None if function is None else function_name(function))
    word = next((one for one in words if isinstance(one, str)), None)
    return kind.verb if word is None else clean(f"{kind.verb} {word}")


def function_name(function: Any) -> str:
    """Returns a name for a function, the function in a ``partial``, or a callable object."""
    while isinstance(function, functools.partial):
        function = function.func
    name = getattr(function, "__name__", None)
    return name if isinstance(name, str) else type(function).__name__
