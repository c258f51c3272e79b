"""What is wrong with a file, as values: file, line, field and reason."""

from dataclasses import dataclass
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import PydanticCustomError

from otel_ragfault.counting import counted
from otel_ragfault.errors import InputError
from otel_ragfault.model.wording import did_you_mean, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pydantic import ValidationError

_WANTED = {
    "string_type": "a text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
}


_SPELLINGS = {"gold_chunk_ids": "is another spelling of 'evidence'; give one of the two"}


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One fault of a file. ``line`` counts from 1; ``field`` is empty when the whole line is meant."""

    file: str
    line: int
    field: str
    reason: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: "
        return f"{place}{self.field}: {self.reason}" if self.field else place + self.reason


class InvalidFileError(InputError):
    """A file has faults, and nothing of it was loaded. ``problems`` holds every one of them."""

    def __init__(self, problems: "Sequence[Problem]", advice: str) -> None:
        self.problems = tuple(problems)
        count = counted(len(self.problems), "problem")
        super().__init__(f"{count}, nothing was loaded; first: {self.problems[0]}; {advice}")


def at_field(field: str, reason: str) -> PydanticCustomError:
    """Return the error by which a model's own check names the field that it is about."""
    return PydanticCustomError("at_field", "{reason}", {"field": field, "reason": reason})


def faults(error: "ValidationError", model: type[BaseModel]) -> "Iterator[tuple[str, str]]":
    """Yield ``(field, reason)`` for each fault that pydantic found, in our words."""
    for fault in error.errors(include_url=False):
        context = fault.get("ctx", {})
        if fault["type"] == "at_field":
            yield _path((*fault["loc"], str(context["field"]))), str(context["reason"])
        else:
            yield (
                _path(fault["loc"]),
                _reason(fault["type"], fault["msg"], fault["input"], fault["loc"], context, model),
            )


def _path(loc: "Iterable[int | str]") -> str:
    """Spell a place: ``evidence[0][1].quote``. Parts in angle brackets are pydantic's own, not the user's."""
    path = ""
    for part in loc:
        if isinstance(part, int):
            path += f"[{part}]"
        elif part != "[key]" and not part.startswith("<"):
            name = part or '""'
            path += f".{name}" if path else name
    return path


def _reason(
    kind: str,
    message: str,
    found: object,
    loc: "Sequence[int | str]",
    context: "Mapping[str, object]",
    model: type[BaseModel],
) -> str:
    if kind == "extra_forbidden":
        return _unknown_key(str(loc[-1]), model, dict.fromkeys(_keys_at(model, loc[:-1])))
    if kind in ("missing", "value_error"):
        return str(context.get("error", "is missing"))
    if kind == "literal_error":
        return f"found {shown(found)}, wanted {context['expected']}"
    if kind == "greater_than_equal":
        return f"found {shown(found)}, wanted at least {context['ge']}"
    wanted = _WANTED.get(kind) or message.removeprefix("Input should be ").removesuffix(" or an instance of tuple")
    return f"found {shown(found)}, wanted {wanted}"


def _unknown_key(key: str, model: type[BaseModel], here: "Iterable[str]") -> str:
    """Say that a key is not known; what was meant is one of those that can stand ``here``, or nothing is said."""
    if key in _SPELLINGS:
        return _SPELLINGS[key]
    if key in _keys(model):
        return "is a known key, but not at this place"
    guess = did_you_mean(key, here)
    return f"is not a known key; did you mean {guess!r}?" if guess else "is not a known key"


def _keys_at(model: type[BaseModel], loc: "Sequence[int | str]") -> "Iterator[str]":
    """Yield the keys that can stand at a place: those of the models that the path to it leads to."""
    places: list[object] = [model]
    for part in loc:
        inner = [plain for place in places for found in _within(place, part) for plain in _plain(found)]
        places = inner or places  # a part of the path that is pydantic's own leads nowhere
    for place in places:
        if isinstance(place, type) and issubclass(place, BaseModel):
            yield from place.model_fields


def _within(place: object, part: int | str) -> "Iterator[object]":
    if isinstance(place, type) and issubclass(place, BaseModel):
        if part in place.model_fields:
            yield place.model_fields[str(part)].annotation
    elif isinstance(part, int) or get_origin(place) is dict:
        yield from get_args(place)[-1:] if isinstance(part, str) else get_args(place)[:1]


def _plain(annotation: object) -> "Iterator[object]":
    """Yield the types that an annotation stands for, one for each side of a union."""
    if get_origin(annotation) is Annotated:
        yield from _plain(get_args(annotation)[0])
    elif get_origin(annotation) in {Union, UnionType}:
        for one in get_args(annotation):
            yield from _plain(one)
    else:
        yield annotation


def _keys(model: type[BaseModel]) -> "Iterator[str]":
    for name, field in model.model_fields.items():
        yield name
        yield from _inner_keys(field.annotation)


def _inner_keys(annotation: object) -> "Iterator[str]":
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield from _keys(annotation)
    for inner in getattr(annotation, "__args__", ()):
        yield from _inner_keys(inner)
