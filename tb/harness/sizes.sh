#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Prints sizes at which each block runs in lockstep: its sizes in the machines of tb/harness/machines.txt, and its points tagged lint, which
# cover both ends of each parameter's range (tests/harness/points.sh). Run it from the root. tests/long/cosim.sh uses all sizes,
# tests/cosim.sh those with TIER=full.
#   tb/harness/sizes.sh [BLOCK]...               prints BLOCK PARAM=VALUE... | MACHINE... | END... per line, with all parameters in the block's order
#   tb/harness/sizes.sh --machines [BLOCK]...    prints BLOCK PARAM=VALUE... | MACHINE per line, once per instance in the machine
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
. tb/harness/blocks.bash
show_help "$@"
MEMTWIN=${MEMTWIN:-build/memtwin}
MACHINES=${MACHINES:-tb/harness/machines.txt}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
die() {
    echo "sizes: $*" >&2
    exit 1
}

# machine NAME CONFIGURATION SETTING...: prints the points of the machine's blocks that have Verilog; fails, with the reason in $work/why, if the
# machine is illegal
machine() {
    local name=$1 config=$2
    shift 2
    "$MEMTWIN" config -c "$config" ${*/#/-s } --blocks >"$work/blocks" 2>"$work/why" </dev/null || return 1
    [ "$name" = shipped ] || config=$config.$name
    sed -n "/^;/!s/ *;.*/ | $config/p" "$work/blocks"
}

machines() {
    local line=0 name configs settings tier config made
    local -A seen=()
    mapfile -t all < <("$MEMTWIN" list configs | cut -d ' ' -f 1)
    while IFS='|' read -r name configs settings tier; do
        line=$((line + 1))
        [[ $name != '#'* ]] || continue
        read -r name <<<"$name"
        [ -n "$name" ] && [ -z "${seen[$name]:-}" ] || die "$MACHINES:$line: '$name': missing or repeated name"
        [ "${TIER:-long}$tier" != 'full long' ] || continue
        seen[$name]=1 made=
        read -r configs <<<"$configs"
        for config in $([ "$configs" = '*' ] && echo "${all[@]}" || echo "$configs"); do
            if machine "$name" "$config" $settings; then
                made=1
            elif [ "$configs" != '*' ]; then
                die "$MACHINES:$line: $name: $(cat "$work/why")"
            fi
        done
        [ -n "$made" ] || die "$MACHINES:$line: $name: illegal machine: $(cat "$work/why" 2>/dev/null)"
    done <"$MACHINES"
}

# ends: prints the points tagged lint, with all parameters
ends() {
    local block point
    points lint "$@" | while read -r block _ kind point; do
        [ "$kind" = - ] || continue
        "$MEMTWIN" cosim "$block" $(printf -- ' -p %s' $point | sed 's/^ -p $//') --model-only --cycles 1 </dev/null |
            sed -n 's/^cosim \(.*\): 1 cycle.*/\1 | /p'
    done
}

# of BLOCK...: prints the lines of stdin that name one of the blocks, or all lines if no BLOCK is given
of() {
    awk -v blocks=" $* " 'blocks == "  " || index(blocks, " " $1 " ")'
}

only=
[ "${1:-}" != --machines ] || { only=1; shift; }
for block in "$@"; do reason=$(check_block "$block") || die "$reason"; done
# The list is cached, because it takes ten seconds to find the blocks of every machine.
kept=build/machines-${TIER:-long}
key=$(cat "$0" "$MEMTWIN" "$MACHINES" sim/configs/*.ini | md5sum)
if [ -f "$kept" ] && [ "$(head -n 1 "$kept")" = "$key" ]; then
    tail -n +2 "$kept" >"$work/machines"
else
    machines >"$work/machines"
    mkdir -p build && { echo "$key" && cat "$work/machines"; } >"$kept.$$" && mv "$kept.$$" "$kept"
fi
if [ -n "$only" ]; then
    of "$@" <"$work/machines"
    exit
fi
ends "$@" >"$work/ends"
"$MEMTWIN" list blocks >"$work/list"
for block in $(blocks); do facts ends "$block" | sed "s/^/$block ends /"; done >"$work/facts"
of "$@" <"$work/machines" | cat - "$work/ends" | awk -f tb/harness/sizes.awk "$work/list" "$work/facts" -
