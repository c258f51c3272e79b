"""Picking one value out of a call's arguments, without binding the whole signature at every call."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

Args = tuple[Any, ...]
Kwargs = Mapping[str, Any]
Pick = Callable[[Args, Kwargs], Any]

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class Parameters:
    """The parameters of one function, read once when it is decorated."""

    def __init__(self, function: Callable[..., Any]) -> None:
        try:
            parameters = inspect.signature(function).parameters
        except (TypeError, ValueError):  # some builtins tell no signature
            parameters = {}  # type: ignore[assignment]
        self._positions = {
            name: place for place, (name, one) in enumerate(parameters.items()) if one.kind in _POSITIONAL
        }
        self._defaults = {
            name: None if one.default is inspect.Parameter.empty else one.default
            for name, one in parameters.items()
            if one.kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        }
        self._open = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters.values())
        self._rest = next((n for n, one in parameters.items() if one.kind is inspect.Parameter.VAR_POSITIONAL), None)

    def __contains__(self, name: str) -> bool:
        return name in self._defaults

    def accepts(self, name: str) -> bool:
        """Tells whether a call may give an argument of that name."""
        return self._open or name in self._defaults

    def pick(self, name: str) -> Pick:
        """Returns a function that picks the argument of that name; ``None`` where a call does not give it."""
        default = self._defaults.get(name)
        place = self._positions.get(name)
        if place is None:
            return lambda _, kwargs: kwargs.get(name, default)
        return lambda args, kwargs: args[place] if len(args) > place else kwargs.get(name, default)

    def named(self, args: Args, kwargs: Kwargs) -> dict[str, Any]:
        """Returns all arguments of a call by name, with defaults; surplus positional ones under the starred name."""
        found = dict(self._defaults)
        found.update(zip(self._positions, args, strict=False))
        found.update(kwargs)
        if self._rest is not None:
            found[self._rest] = args[len(self._positions) :]
        return found


def constant(value: Any) -> Pick:
    """Returns a pick that is the same for every call."""
    return lambda _args, _kwargs: value


def computed(function: Callable[[dict[str, Any]], Any], parameters: Parameters | None) -> Pick:
    """Returns a pick that asks the user's function, which is given all arguments by name."""
    if parameters is None:
        return lambda _args, _kwargs: function({})
    named = parameters.named
    return lambda args, kwargs: function(named(args, kwargs))
