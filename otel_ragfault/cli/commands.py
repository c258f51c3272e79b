"""The one table of commands. A module is imported when its command runs, so that ``ragfault --help`` loads none."""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Final

import click

_PACKAGE: Final = "otel_ragfault.cli"


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a command is (``module:attribute`` in this package), and the line that ``ragfault --help`` shows."""

    target: str
    summary: str

    @property
    def module(self) -> str:
        """The full name of the module."""
        return f"{_PACKAGE}.{self.target.split(':', 1)[0]}"

    def load(self) -> click.Command:
        """Import the command."""
        command: click.Command = getattr(import_module(self.module), self.target.split(":", 1)[1])
        return command


# The order is that of a first day: see it, bring data, label, look, ask, tune.
_TABLE: Final[dict[str, Entry]] = {
    "demo": Entry("demo:demo", "Run the eight cases end to end."),
    "import": Entry("import_spans:import_spans", "Import files of OTLP spans and build the request records."),
    "collect": Entry("collect:collect", "Receive spans over OTLP (HTTP and gRPC) and load them."),
    "load": Entry("load:load", "Load what a process left in the spool."),
    "status": Entry("status:status", "What waits in the spool, who holds the database, what was refused."),
    "doctor": Entry("doctor:doctor", "What each pipeline fails to record, and the exact fix."),
    "corpus": Entry("corpus:corpus", "Load what was indexed, as a snapshot."),
    "gold": Entry("gold:gold", "Check and load gold: what a right answer needs."),
    "verdict": Entry("verdict:verdict", "Load what people say about answers; see where judges disagree."),
    "judge": Entry("judge:judge", "Let a model judge answers, and see how far to trust it."),
    "label": Entry("label:label", "Label every request that has gold."),
    "show": Entry("show:show", "Show the card of one request."),
    "record": Entry("record:record", "Write all that a label rests on as a file, and check such files."),
    "whatif": Entry("whatif:whatif", "Label the recorded rankings under other settings."),
    "floor": Entry("floor:floor", "Calibrate the similarity floor from labelled requests."),
    "probe": Entry("probe:probe", "Ask the generator again with one thing changed, and read what that means."),
    "compare": Entry("compare:compare", "Compare two runs on identical cases: what changed, and how sure that is."),
    "gate": Entry("gate:gate", "Fail a build when a run is not good enough, or worse than its baseline."),
    "measures": Entry("measures:measures", "Retrieval measures (nDCG, recall, MRR …) with intervals."),
    "query": Entry("query:query", "Ask the database: a named query, or your own SQL, read-only."),
    "emit": Entry("emit:emit", "Send labels and verdicts to your backend as evaluation events."),
    "export": Entry("export:export", "Write spans, requests and labels as Parquet files."),
    "build": Entry("build:build", "Build request records, or derive all of them again."),
    "map": Entry("map:map_spans", "Try what a mapping and the conventions read from a file of spans."),
    "config": Entry("config:config", "Print the configuration and where each value comes from."),
}


@cache
def commands() -> dict[str, Entry]:
    """Return the commands of this installation, in the order in which help lists them."""
    return {name: entry for name, entry in _TABLE.items() if find_spec(entry.module) is not None}
