#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What docs/integration/ shows of the Verilog is made from the Verilog. A section
#     <!-- made by: KIND ARGUMENT -->  ..  <!-- end -->
# is replaced by what KIND prints:  ports BLOCK | parameters BLOCK | wave FILE (of docs/integration/waves/)
# and each wave is written for WaveDrom too, beside its FILE.
#   tb/integration/docs.sh            rewrites the pages and the waves
#   tb/integration/docs.sh --check [PAGE]..    says which differ from what would be written; exit code 1 if one does
# DOCS=folder   other pages
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
DOCS=${DOCS:-docs}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

parameters() {
    local verilog
    echo '| parameter | default | meaning |'
    echo '|---|---|---|'
    if [ ! -e "rtl/$1/$1.core" ]; then # no block, but a module: in its comments
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

section() { # KIND ARGUMENT
    case $1 in
    ports) tb/integration/ports.sh "$2" ;;
    parameters) parameters "$2" ;;
    wave)
        echo '```'
        tb/integration/wave.sh "$DOCS/integration/waves/$2" "$tmp/waves/${2%.wave}.json" || return 1
        echo '```'
        echo "[The same for WaveDrom](waves/${2%.wave}.json)"
        ;;
    *) echo "docs: unknown section '$1'" >&2; return 1 ;;
    esac
}

# page FILE: as it should be
page() {
    local line inside=
    while IFS= read -r line; do
        [ "$line" != '<!-- end -->' ] || inside=
        [ -n "$inside" ] || printf '%s\n' "$line"
        if [[ $line =~ ^'<!-- made by: '([a-z]+)' '([a-z0-9_.]+)' -->'$ ]]; then
            [ -z "$inside" ] || { echo "docs: $1: a section without its end" >&2; return 1; }
            inside=y
            section "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" || return 1
        fi
    done <"$1"
    [ -z "$inside" ] || { echo "docs: $1: a section without its end" >&2; return 1; }
}

check=
[ "${1:-}" != --check ] || { check=y; shift; }
[ $# -gt 0 ] || set -- "$DOCS"/integration.md "$DOCS"/integration/*.md
stale=0
# settle FILE MADE: takes what was made, or complains of what is there
settle() {
    ! cmp -s "$2" "$1" || return 0
    if [ -n "$check" ]; then
        echo "docs: $1 is not what tb/integration/docs.sh makes:" >&2
        diff "$1" "$2" | head -n 20 >&2 || true
        stale=1
    else
        cp "$2" "$tmp/new" && mv "$tmp/new" "$1"
    fi
}
mkdir "$tmp/waves"
for file in "$@"; do
    page "$file" >"$tmp/page"
    settle "$file" "$tmp/page"
done
for wave in "$tmp"/waves/*.json; do [ ! -e "$wave" ] || settle "$DOCS/integration/waves/${wave##*/}" "$wave"; done
exit $stale
