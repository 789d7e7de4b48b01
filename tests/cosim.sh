#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 3 s; full, 20 s
# Runs one block in lockstep alone, at the points tagged cosim in rtl/BLOCK/block.points, in tier long also at those tagged mutants. Each
# long run must reach its coverage floors. Short runs with other seeds start from more power-up states. Icarus replays a recording of each
# point. The block then runs once at every 18th size of tb/harness/sizes.sh; tests/long/cosim.sh runs all sizes.
#   tests/cosim.sh BLOCK [POINT]...           (make cosim-BLOCK) runs all points, or those named
#   tests/cosim.sh --list BLOCK [POINT]...    prints NAME PARAM=VALUE... of each point. A size that no row names is called size-.. with its values that are no defaults.
# Tier test runs no points tagged cosim=full, and tier full runs every fifth one. Tier test runs Verilator only at the defaults, whose floors apply in all
# tiers, and Icarus at the points, since a twin takes seconds to build and Icarus needs no twin for a few cycles. tests/long/cosim.sh runs this script in tier long, which has all points, for longer, and no sizes.
. tests/lib.bash
. tb/harness/blocks.bash
die() {
    echo "cosim: $*" >&2
    exit 1
}
list=
case ${1:-} in
--help) awk 'NR > 3 && !/^#/ { exit } NR > 3 { sub(/^# ?/, ""); print }' tests/cosim.sh && exit ;;
--list) list=1 && shift ;;
esac
block=${1:-}
[[ $# -gt 0 && $block != -* ]] || die 'usage: tests/cosim.sh [--list] BLOCK [POINT]...'
blocks | grep -qx -- "$block" || die "no block '$block'; there are: $(blocks | xargs)"
[ -x "$MEMTWIN" ] || die "no $MEMTWIN (make)"
shift

# chosen: prints NAME VALUE PARAM=VALUE... of each point that the tier runs; VALUE is the tag's value
chosen() {
    case ${TIER:-full} in
    test) points cosim "$block" >"$work/all" && awk '$3 != "full"' "$work/all" ;;
    full) points cosim "$block" | awk '$3 != "full" || n++ % 5 == 0' ;;
    long) points cosim "$block" && points mutants "$block" | awk '$3 !~ /,large$/' ;;
    esac | cut -d ' ' -f 2-
    return "${PIPESTATUS[0]}"
}

# sizes: prints CYCLES NAME PARAM=VALUE... of each size that a row names, and of every 18th size that tb/harness/sizes.sh lists; only in tier full
sizes() {
    [ "${TIER:-full}" = full ] || return 0
    points sizes "$block" >"$work/named" || return 1
    sed -E 's/^[^ ]* ([^ ]*) (-|[0-9]+)/\2 \1/; s/^-/20000/' "$work/named"
    "$MEMTWIN" list blocks >"$work/blocks" && TIER=full tb/harness/sizes.sh "$block" | sed -n '1~18p' >"$work/unnamed" || return 1
    awk -v block="$block" 'FILENAME == ARGV[1] { if (/^[^ ]/) on = $1 == block; else if (on) default_of[$1] = $2; next }
        {
            sub(/ [|].*/, "")
            name = ""
            for (i = 2; i <= NF; i++) { split($i, word, "="); if (word[2] != default_of[word[1]]) name = name "-" word[1] word[2] }
            $1 = "20000 size" (name == "" ? "-defaults" : name)
            print
        }' "$work/blocks" "$work/unnamed"
}

# named COLUMN NAME...: prints the lines of stdin whose COLUMN is one of the names, or all lines if no names are given
named() {
    awk -v column="$1" -v names=" ${*:2} " 'names == "  " || index(names, " " $column " ")'
}

# cosim CYCLES SEED OPTION...: makes one run, which must be busy, that is hit at least an eighth of the coverage points
busy=$(facts busy "$block")
cosim() {
    expect 0 "$MEMTWIN" cosim "$block" --cycles "$1" --seed "$2" "${@:3}"
    [ "$1" -ge "${busy:-0}" ] || return 0
    awk '$NF == "floor" { on = 1; next } on && NF > 2 && $NF $(NF - 1) ~ /^-?[0-9]+$/ { of++; hit += $(NF - 1) > 0 } END { exit hit * 8 < of || !of }' "$work/out" ||
        complain "little happens in $1 cycles of $block, seed $2: ${*:3}"
}

# run NAME VALUE PARAM=VALUE...
run() {
    local params run cycles=$replayed
    [ "$2" != full ] || cycles=$replayed_large
    params=$(printf -- ' -p %s' "${@:3}" | sed 's/^ -p $//')
    for run in $LOCKSTEP_RUNS; do cosim "${run%:*}" "${run#*:}" $params; done
    cosim $cycles 12 $params --model-only --record "$work/point.vec"
    expect 0 "$MEMTWIN" replay "$work/point.vec" --engine icarus
    echo "$block $1 ${*:3}"
}

replayed=4000 replayed_large=4000 # Icarus takes longer than everything else
case ${TIER:-full} in
test) LOCKSTEP_RUNS='' replayed=1000 ;;
full) LOCKSTEP_RUNS='20000:11 2000:21 2000:22' replayed=1000 replayed_large=500 ;;
esac
chosen >"$work/chosen" && sizes >"$work/every" || exit 1
[ -s "$work/chosen" ] || complain "$block has no points"
for name in "$@"; do
    cut -d ' ' -f 1 "$work/chosen" | cat - <(cut -d ' ' -f 2 "$work/every") | grep -qxF -- "$name" || die "$block has no point '$name' (tests/cosim.sh --list $block)"
done
named 1 "$@" <"$work/chosen" >"$work/points"
named 2 "$@" <"$work/every" >"$work/sizes"
if [ -n "$list" ]; then cut -d ' ' -f 1,3- "$work/points" && cut -d ' ' -f 2- "$work/sizes" && exit; fi
while read -r point; do run $point </dev/null; done <"$work/points"
while read -r cycles name point; do
    cosim "$cycles" 11 $(printf -- ' -p %s' $point | sed 's/^ -p $//')
    echo "$block $name $point"
done <"$work/sizes"
if [ $# -eq 0 ]; then
    expect 0 "$MEMTWIN" cosim "$block"
    ! grep 'too few' "$work/out" || complain "no floors at the defaults"
fi
finish
