#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs a block in lockstep at its points tagged cosim (rtl/BLOCK/block.points), for 150,000 cycles each, and replays a recording of each
# point in Icarus in four states. Prints one line per point. Stops at the first failure, prints its output and exits with its code.
# tests/cosim.sh checks more for MemTwin's own blocks.
#   tb/harness/cosim.sh BLOCK
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
. tb/harness/blocks.bash
show_help "$@"
MEMTWIN=${MEMTWIN:-build/memtwin}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# = 1 ] || { echo 'usage: tb/harness/cosim.sh BLOCK' >&2; exit 1; }
reason=$(check_block "$1") || { echo "cosim: $reason" >&2; exit 1; }

# try COMMAND...: runs a command of memtwin and prints its verdict
try() {
    "$MEMTWIN" "$@" >"$work/out" || { local code=$?; cat "$work/out" >&2; exit $code; }
    sed -n 's/^verdict: //p' "$work/out"
}

points cosim "$1" >"$work/points"
[ -s "$work/points" ] || { echo "cosim: no point of $1 is tagged cosim" >&2; exit 1; }
check_points cosim "$1"
while read -r block name _ params; do
    set -- ${params:+$(printf -- '-p %s ' $params)}
    verdict=$(try cosim "$block" "$@")
    try cosim "$block" "$@" --cycles 4000 --model-only --record "$work/point.vec" >/dev/null
    echo "$block $name${params:+ $params}: $verdict, in Icarus $(try replay "$work/point.vec" --engine icarus)"
done <"$work/points"
