"""Where the files are that ship beside the code: SQL and the demonstration.

A checkout keeps ``queries/`` and ``examples/`` beside the package; a wheel carries them inside it. This module is the
only one that knows both places.
"""

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


@cache
def bundled(name: str) -> Path:
    """Return the folder or file ``name`` (``queries``, ``examples/travel_policy``), from the wheel or the checkout.

    Raises:
        FileNotFoundError: neither place has it, which means a broken installation.
    """
    for base in (_PACKAGE / "_bundled", _PACKAGE.parent):
        found = base / name
        if found.exists():
            return found
    raise FileNotFoundError(
        f"{name} is neither in the wheel nor beside the package {_PACKAGE}; reinstall otel-ragfault"
    )
