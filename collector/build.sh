#!/usr/bin/env bash
# Build the Collector of builder.yaml: collector/build.sh [OUTDIR]
#
# Writes OUTDIR/otelcol-ragfault (default: .cache/otelcol of the checkout) and, beside it, the hash of what it was built
# from; with the same hash nothing is built. Wants Go; a Go of 1.21 or later fetches the release that the modules ask for.
set -euo pipefail

BUILDER=go.opentelemetry.io/collector/cmd/builder@v0.161.0
NAME=otelcol-ragfault

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:-$here/../.cache/otelcol}

fail() { echo "build.sh: $*" >&2; exit 2; }

hash_of() { # of standard input; macOS has no sha256sum
  if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -d ' ' -f 1
}

wanted=$({ cat "$here/builder.yaml" "$here/build.sh"; uname -sm; } | hash_of)
if [[ -x $out/$NAME && $(cat "$out/$NAME.sha256" 2>/dev/null) == "$wanted" ]]; then
  echo "$out/$NAME is up to date"
  exit 0
fi

command -v go >/dev/null || fail "no go command was found; Go 1.26 was wanted; install it from https://go.dev/dl/ and run this again"
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d "$out/build.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

# -e is for the builder's `go mod tidy`, which also looks for modules that nothing but the tests of the components
# import; a module proxy need not have those. What the binary itself lacks still fails, when it is compiled.
# Without -buildvcs=false the revision of a checkout around OUTDIR would be in the binary.
export GOFLAGS="${GOFLAGS:-} -e -buildvcs=false" CGO_ENABLED=0
go run "$BUILDER" --config "$here/builder.yaml" --skip-strict-versioning=false \
  || fail "the Collector could not be built; what the builder says above tells why"

mv -f "$NAME/$NAME" "$out/$NAME"
echo "$wanted" >"$out/$NAME.sha256"
echo "$out/$NAME was built in $SECONDS s"
