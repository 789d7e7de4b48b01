#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Generates documentation from the Verilog: rtl/BLOCK/ports.md (parameters and ports), and docs/figures/waves/*.json and *.svg from each *.wave.
#   tb/integration/docs.sh            writes changed files
#   tb/integration/docs.sh --check    lists stale files; exit code 1 if there are any
# BLOCKS="A B"  limits the port tables to blocks A and B
# TREE=folder   reads and writes rtl/*/ports.md and docs/figures/waves there
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
. tb/harness/blocks.bash
show_help "$@"
TREE=${TREE:-.}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

parameters() {
    local verilog
    echo '| parameter | default | meaning |'
    echo '|---|---|---|'
    if [ ! -e "rtl/$1/$1.core" ]; then # a module that is not a block: from its comments
        verilog=$(ls rtl/*/"$1.v" 2>/dev/null) || { echo "docs: no rtl/$1/$1.core, no rtl/*/$1.v" >&2; return 1; }
        awk '/^\) \(/ { exit }
             /^    \/\/ / { text = substr($0, 8) }
             /^    parameter / { value = $4; sub(/,$/, "", value); print "| `" $2 "` | " value " | " text " |" }' "$verilog"
        return
    fi
    awk '/^parameters:/ { on = 1; next } /^[a-z]/ { on = 0 }
         on && /^  [A-Z]/ { name = $1; sub(/:/, "", name); value = "" }
         on && $1 == "default:" { value = $2 }
         on && $1 == "description:" {
            text = $0; sub(/^[^"]*"/, "", text); sub(/"$/, "", text)
            if (value == "") { value = text; sub(/.*; default /, "", value); sub(/; default .*/, "", text) }
            print "| `" name "` | " value " | " text " |" }' "rtl/$1/$1.core"
}

# page BLOCK: prints the page of a block
page() {
    local point other
    point=$(points core "$1" | cut -d ' ' -f 4-)
    printf '# Parameters and ports of %s\n\nGenerated from the Verilog by `tb/integration/docs.sh`. Combinational inputs: inputs that affect the output in the same cycle, at `%s`.\n\n' "$1" "$point"
    parameters "$1" || return 1
    if [ -e "rtl/$1/$1_stream.v" ]; then
        printf '\nOf `%s_stream`:\n\n' "$1"
        parameters "$1_stream" || return 1
    fi
    echo
    tb/integration/ports.sh "$1" >"$tmp/ports" || return 1
    cat "$tmp/ports"
    while read -r other; do
        printf '\nWith `%s`, these ports have other combinational inputs:\n\n' "$other"
        sed '/^|---/q' "$tmp/ports"
        tb/integration/ports.sh "$1" $other >"$tmp/others" || return 1
        grep -vxFf "$tmp/ports" "$tmp/others" || { echo "docs: rtl/$1/block.points: $other changes no combinational input" >&2; return 1; }
    done < <(facts cones "$1")
}

check=
case ${1:-} in
--check) check=y ;;
'') ;;
*) echo "docs: unknown argument $1" >&2 && exit 1 ;;
esac
stale=0
# settle FILE MADE: updates FILE from MADE, or with --check reports a difference
settle() {
    ! cmp -s "$2" "$1" || return 0
    if [ -n "$check" ]; then
        echo "docs: $1 is out of date; run tb/integration/docs.sh:" >&2
        diff "$1" "$2" | head -n 20 >&2 || true
        stale=1
    else
        cp "$2" "$tmp/new" && mv "$tmp/new" "$1"
    fi
}
for block in ${BLOCKS:-$(blocks)}; do
    page "$block" >"$tmp/page"
    settle "$TREE/rtl/$block/ports.md" "$tmp/page"
done
for wave in "$TREE"/docs/figures/waves/*.wave; do
    tb/integration/wave.sh "$wave" "$tmp/wave.json" "$tmp/wave.svg"
    for kind in json svg; do settle "${wave%.wave}.$kind" "$tmp/wave.$kind"; done
done
exit $stale
