"""The user's own detector of refusals: a function that the configuration names, asked before the text is read."""

import sys
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from pathlib import Path

from otel_ragfault.errors import ConfigError
from otel_ragfault.model.wording import shown

Detector = Callable[[str], bool | None]
"""From the text of an answer to whether it refuses; ``None`` leaves the answer to the rules."""


@lru_cache(maxsize=8)
def load_detector(place: str | None) -> Detector | None:
    """Load a detector written ``module:function``; modules of the current folder are found as well.

    Raises:
        ConfigError: there is no such module or function. The detector raises it as well, for what it does wrong.
    """
    if place is None:
        return None
    module, _, name = place.partition(":")
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        function = getattr(import_module(module), name)
    except Exception as error:
        raise ConfigError(
            f"refusal_detector: found {place}, which cannot be imported ({type(error).__name__}: {error}); "
            "wanted module:function of an installed package or of the current folder"
        ) from error
    if not callable(function):
        raise ConfigError(f"refusal_detector: found {place}, which is no function; wanted a function of one text")
    return _checked(place, function)


def _checked(place: str, function: Callable[[str], object]) -> Detector:
    def detector(answer: str) -> bool | None:
        try:
            told = function(answer)
        except Exception as error:
            raise ConfigError(
                f"refusal_detector: {place} failed on {shown(answer)} ({type(error).__name__}: {error}); "
                "mend it, or let it return None for what it cannot tell"
            ) from error
        if told is None or isinstance(told, bool):
            return told
        raise ConfigError(f"refusal_detector: {place} returned {shown(told)}, wanted True, False or None")

    return detector
