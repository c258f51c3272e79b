"""Variables of the environment that begin like ours, and are none of ours: said once, before a command runs."""

import os
from collections.abc import Mapping
from typing import Final

PREFIX: Final = "RAGFAULT_"

VARIABLES: Final = frozenset({"COLLECT_TOKEN", "DB", "GENERATOR_TOKEN", "JUDGE_API_KEY", "SCRUB"})
"""What commands read beside the keys of the configuration, without the prefix."""

COLLECTOR: Final = frozenset(
    """
    backend_endpoint backend_exporter backend_headers backend_insecure backend_queue_bytes backend_redact batch_bytes
    ca_file compression debug_verbosity decision_wait file file_backups file_compression file_days file_format
    file_megabytes grpc_addr health_addr http_addr log_level memory_mib metrics_port next_endpoint otelcol queue_bytes
    queue_dir queue_fsync redact sample_percent tls_cert tls_client_ca tls_key token_file traces_in_memory
    """.upper().split()  # readable as a text only
)
"""What the configurations of ``collector/`` read; a Collector and our commands may share an environment."""

DEVELOPMENT: Final = frozenset({"CRASH_AT", "CRASH_ROUNDS", "FUZZ_BODIES", "ORACLE_EXAMPLES", "REALDATA", "SPANS"})
"""What our own tests read."""


def unknown_variables(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return a line for each variable that looks like one of ours and has no effect.

    What is nearly a key of the configuration is left to :func:`otel_ragfault.model.load_config`, which refuses it.
    """
    others = [
        name.removeprefix(PREFIX)
        for name, value in environment.items()
        if name.startswith(PREFIX) and value.strip() and name.removeprefix(PREFIX) not in _KNOWN
    ]
    if not others:
        return []  # as nearly always; the configuration is not imported for it
    from otel_ragfault.model.config_env import key_meant
    from otel_ragfault.model.wording import did_you_mean

    lines = []
    for name in sorted(others):
        if key_meant(name.lower()) is None:
            meant = did_you_mean(name, sorted(VARIABLES), cutoff=_NEAR)
            advice = f"did you mean {PREFIX}{meant}?" if meant else f"ragfault config lists the keys; {_OTHERS}"
            lines.append(f"environment {PREFIX}{name}: is not known and has no effect; {advice}")
    return lines


_NEAR: Final = 0.75
_KNOWN: Final = VARIABLES | COLLECTOR | DEVELOPMENT
_OTHERS: Final = f"other variables are {', '.join(PREFIX + name for name in sorted(VARIABLES))}"
