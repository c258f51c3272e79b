"""Tokenizers that users name: what a token is depends on the model, so that none is the default."""

import logging
import sys
from collections.abc import Callable, Sized
from importlib import import_module
from operator import index
from pathlib import Path
from typing import Any, Final

from otel_ragfault.errors import InputError
from otel_ragfault.model.wording import shown

Tokenizer = Callable[[str], int]
"""From a text to the number of its tokens."""

_WANTED: Final = "tiktoken:ENCODING_OR_MODEL, hf:NAME_OR_FILE or module:function was wanted"


def load_tokenizer(place: str) -> Tokenizer:
    """Return the tokenizer that a text names; only the library that it needs is imported.

    Args:
        place: ``tiktoken:cl100k_base`` or ``tiktoken:gpt-4o``; ``hf:`` and the name of a model on the Hugging Face hub,
            or a ``tokenizer.json``; or ``module:function``, a function from a text to a count or to its tokens.
            Modules of the current folder are found as well.

    Raises:
        InputError: the library is not installed, or there is no such tokenizer. The tokenizer raises it as well, for
            what it does wrong.
    """
    kind, colon, name = place.partition(":")
    if not colon or not kind or not name:
        raise InputError(f"--tokenizer: found {shown(place)}; {_WANTED}")
    load = {"tiktoken": _tiktoken, "hf": _hugging_face}.get(kind)
    return _checked(place, load(place, name) if load is not None else _function(place, kind, name))


def _tiktoken(place: str, name: str) -> Callable[[str], Any]:
    tiktoken = _library(place, "tiktoken")
    try:
        encoding = (
            tiktoken.get_encoding(name) if name in tiktoken.list_encoding_names() else tiktoken.encoding_for_model(name)
        )
    except Exception as error:
        wanted = "the name of an encoding or a model, and its file, which tiktoken downloads once"
        raise _unusable(place, error, wanted) from error
    return lambda text: encoding.encode(text, disallowed_special=())


def _hugging_face(place: str, name: str) -> Callable[[str], Any]:
    tokenizers = _library(place, "tokenizers")
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)  # it tells every try; the error says it once
    try:
        path = Path(name)
        made = tokenizers.Tokenizer.from_file(name) if path.is_file() else tokenizers.Tokenizer.from_pretrained(name)
    except Exception as error:
        wanted = "a tokenizer.json, or the name of a model on the hub that can be reached"
        raise _unusable(place, error, wanted) from error
    return lambda text: made.encode(text, add_special_tokens=False).ids


def _function(place: str, module: str, name: str) -> Callable[[str], Any]:
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except Exception as error:
        raise _unusable(place, error, "a function of an installed package or of the current folder") from error
    if not callable(found):
        raise InputError(f"--tokenizer {place}: is no function; a function from a text to a number was wanted")
    function: Callable[[str], Any] = found
    return function


def _library(place: str, name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise InputError(
            f"--tokenizer {place}: the package {name} is not installed; it counts these tokens; "
            f"run: pip install {name}, or name a function of your own as module:function"
        ) from None


def _unusable(place: str, error: Exception, wanted: str) -> InputError:
    said = " ".join(str(error).split())[:200]
    return InputError(f"--tokenizer {place}: cannot be used ({type(error).__name__}: {said}); {wanted} was wanted")


def _checked(place: str, function: Callable[[str], Any]) -> Tokenizer:
    def count(text: str) -> int:
        try:
            told = function(text)
        except Exception as error:
            raise InputError(
                f"--tokenizer {place}: failed on {shown(text)} ({type(error).__name__}: {error}); "
                "a number of tokens, or the tokens, was wanted; mend it"
            ) from error
        number = _number(told)
        if number is None or number < 0:
            raise InputError(
                f"--tokenizer {place}: returned {shown(told)}; a number of tokens, or the tokens, was wanted; mend it"
            )
        return number

    return count


def _number(told: Any) -> int | None:
    """Return a number as it is, and how many tokens there are in a collection of them."""
    if hasattr(told, "__index__") and not isinstance(told, bool):
        return index(told)
    return len(told) if isinstance(told, Sized) and not isinstance(told, str | bytes) else None
