"""``ragfault config``: the configuration in force."""

from pathlib import Path
from typing import Any, Final

import click
import orjson

from otel_ragfault.cli.groups import example
from otel_ragfault.cli.options import config_option, json_option
from otel_ragfault.cli.output import note, say, say_json
from otel_ragfault.report.visible import visible

_MOST: Final = 5  # entries of a list that are shown as they are


@click.command(epilog=example("RAGFAULT_K=5 ragfault config"))
@config_option
@json_option
def config(config_file: Path | None, *, as_json: bool) -> None:
    """Print the configuration and where each value comes from.

    Later sources win: defaults, the configuration file, the environment (RAGFAULT_ and the key in capitals), flags.
    Other variables are RAGFAULT_DB, RAGFAULT_SCRUB, RAGFAULT_COLLECT_TOKEN, RAGFAULT_JUDGE_API_KEY and
    RAGFAULT_GENERATOR_TOKEN. A refusal_detector that cannot be imported is an error here as well.
    """
    from otel_ragfault.judging.refusals.own import load_detector
    from otel_ragfault.model import load_config

    loaded = load_config(config_file)
    load_detector(loaded.config.refusal_detector)
    values = loaded.config.model_dump(mode="json")
    if as_json:
        say_json(
            {
                "file": None if loaded.file is None else str(loaded.file),
                "values": {key: {"value": value, "source": loaded.sources[key]} for key, value in values.items()},
            }
        )
        return
    from otel_ragfault.cli.tables import say_table

    say(f"file: {'none found' if loaded.file is None else visible(str(loaded.file))}")
    say()
    rows = [[key, loaded.sources[key], _shown(value)] for key, value in values.items()]
    say_table(["key", "source", "value"], rows)
    calibrated = loaded.config.similarity_floor_provenance
    if calibrated is not None and calibrated.floor != loaded.config.similarity_floor:
        note(f"similarity_floor is not the calibrated {calibrated.floor:g} of similarity_floor_provenance")


def _shown(value: Any) -> str:
    if isinstance(value, list) and len(value) > _MOST:
        return f"{len(value)} entries (--json prints them)"
    return orjson.dumps(value).decode()
