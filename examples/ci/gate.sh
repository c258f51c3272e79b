#!/usr/bin/env bash
# Run the gate and leave its reports in a folder. Settings come from the environment, so that no text of a pull request
# ever becomes part of a command. It ends with the exit code of the gate: 0 passed, 1 failed, 2 it could not be run.
#
#   GATE_DB             the database, labelled
#   GATE_RUN            the run to look at; empty: the only one
#   GATE_BASELINE       a run, or a file of `ragfault gate --write-baseline`; empty: thresholds only
#   GATE_BASELINE_DB    the database of the baseline, if it is another
#   GATE_CONFIG         a configuration file; empty: the nearest ragfault.toml
#   GATE_REQUIRE        thresholds, one a line, such as passed>=0.9
#   GATE_NO_REGRESSION  figures that must not become worse, one a line
#   GATE_STRICT         true: no case may fail that passed before
#   GATE_REPORTS        the folder of gate.md, gate.xml, gate.sarif and gate.json; made if there is none
set -euo pipefail

reports=${GATE_REPORTS:-ragfault-gate}
mkdir -p "$reports"
arguments=(--db "${GATE_DB:?name the database in GATE_DB}")

add() { # add OPTION VALUE: nothing for an empty value
  if [[ -n $2 ]]; then arguments+=("$1" "$2"); fi
}

add_lines() { # add_lines OPTION TEXT: once for each line that is not blank
  local line
  while IFS= read -r line; do
    if [[ $line =~ [^[:space:]] ]]; then arguments+=("$1" "$line"); fi
  done <<<"$2"
}

add --run "${GATE_RUN:-}"
add --baseline "${GATE_BASELINE:-}"
add --baseline-db "${GATE_BASELINE_DB:-}"
add --config "${GATE_CONFIG:-}"
add_lines --require "${GATE_REQUIRE:-}"
add_lines --no-regression "${GATE_NO_REGRESSION:-}"
if [[ ${GATE_STRICT:-false} == true ]]; then arguments+=(--no-new-failures); fi

code=0
ragfault gate "${arguments[@]}" --json \
  --markdown "$reports/gate.md" --junit "$reports/gate.xml" --sarif "$reports/gate.sarif" \
  >"$reports/gate.json" 2>"$reports/gate.log" || code=$?
cat "$reports/gate.log" >&2

if [[ ! -s $reports/gate.md ]]; then # it could not be run: the comment says why
  {
    printf '<!-- otel-ragfault gate -->\n## ❌ RAG gate: could not be run (exit code %s)\n\n' "$code"
    sed 's/^/    /' "$reports/gate.log"
  } >"$reports/gate.md"
fi
cat "$reports/gate.md"
exit "$code"
