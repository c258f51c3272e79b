"""Which kind of generator a text names."""

import re
from typing import Final

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.generators.command import CommandGenerator
from otel_ragfault.jobs.generators.function import FunctionGenerator
from otel_ragfault.jobs.generators.http import HttpGenerator
from otel_ragfault.jobs.generators.values import Generator, Limits
from otel_ragfault.model.wording import shown

_FUNCTION: Final = re.compile(r"(?P<module>.+\.py|[^\W\d]\w*(\.[^\W\d]\w*)*):[^\W\d]\w*(\.[^\W\d]\w*)*")
WANTED: Final = (
    "module:function, file.py:function, http://host/path, command:PROGRAM ARGUMENTS or shell:LINE was wanted"
)


def open_generator(spec: str, limits: Limits | None = None) -> Generator:
    """Open the generator that a text names. Close it after use: it may have processes.

    Args:
        spec: ``module:function``, ``file.py:function``, an address, ``command:…`` or ``shell:…``.
        limits: how long importing a function may take.

    Raises:
        InputError: it names nothing that can be run.
    """
    kind, colon, rest = spec.partition(":")
    if spec.lower().startswith(("http://", "https://")):
        return HttpGenerator(spec)
    if colon and kind in {"command", "shell"}:
        return CommandGenerator(spec, rest, shell=kind == "shell")
    if _FUNCTION.fullmatch(spec):
        return FunctionGenerator(spec, limits or Limits())
    raise InputError(f"--generator: found {shown(spec)}; {WANTED}")
