#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 45 s; long, 300 s
# The kernels on all machines, and the micro traces, give the recorded page of fidelity.sh: in tier full every eighth kernel, whose rows the page
# must have; in tier long all. In the page, cycles are within 5 % of Accel-Sim's on average on gtx480 and titanx, and within 10 % for the worst
# kernel (11 with local memory); on qv100 and sm90_h100 within 3 and 10, on the other machines within 3 on average, but for local memory;
# modern kernels are within 5 on average.
. tests/lib.bash
page=docs/results/data/fidelity.md
[ "$TIER" = long ] || export EVERY=8
OUT=$work expect 0 sim/experiments/fidelity.sh
# rows PAGE: its rows of micro traces and kernels, each behind its section's title
rows() { awk '/^## /{ title = $0 } /^[|] / && title ~ /Micro|Kernels/ { print title ": " $0 }' "$1"; }
if [ "$TIER" = long ]; then
    diff $page "$work/fidelity.md" >"$work/other"
else
    rows "$work/fidelity.md" >"$work/rows"
    [ "$(wc -l <"$work/rows")" -gt 120 ] || complain "only $(wc -l <"$work/rows") rows"
    comm -23 <(sort "$work/rows") <(rows $page | sort) >"$work/other"
fi
[ ! -s "$work/other" ] || complain "not the recorded page (if that is meant: make experiment-fidelity, make record): $(head -n 20 "$work/other")"

for row in 'gtx480, all (159)' 'titanx, all (159)' 'qv100, K (60)' 'rtx3070, K (60)' 'titanv, K (60)' 'rtx2060, K (60)' 'sm90_h100, K (60)' 'qv100, M (24)' 'rtx3070, M (24)'; do
    grep -qF "$row" $page || complain "no row $row"
done
# The page's errors in cycles of groups follow from its rows of kernels.
awk -F ' *[|] *' '
    /^## /{ config = /^## Kernels/ ? $NF : ""; sub(/.* /, "", config) }
    config && match($2, /\([A-Z]\)$/) {
        group = substr($2, RSTART + 1, 1)
        e = 100 * ($4 - $3) / $3
        if (e < 0) e = -e
        for (k = 0; k < 2; k++) {
            at = config ", " (k ? "all" : group)
            if (k && group ~ /[HILM]/) continue
            n[at]++
            sum[at] += e
            if (e > most[at]) most[at] = e
        }
    }
    END { for (at in n) printf "%s (%d) | %.1f / %.1f\n", at, n[at], sum[at] / n[at], most[at] }' $page | sort >"$work/groups"
sed -nE 's/\*\*//g; s/^\| ([a-z0-9_]+, [A-Za-z]+ \([0-9]+\)) \| ([^|]*) \|.*/\1 | \2/p' $page | sort | diff - "$work/groups" >"$work/other" ||
    complain "groups that do not follow from their kernels: $(head -n 20 "$work/other")"
awk -F ' *[|] *' '/^[|] [*]*[a-z0-9_]+, [A-Za-z]+ \(/ && !/, L \(/ {
    gsub(/[*]/, "", $3)
    split($3, e, " / ")
    if (e[1] > (/gtx480|titanx|, M/ ? 5 : 3) || (/gtx480|titanx|qv100|h100/ && !/, M/ && e[2] > (/, [HI] / ? 11 : 10))) print $2 ": " $3 " % off"
}' $page >"$work/off"
[ ! -s "$work/off" ] || complain "too far off: $(cat "$work/off")"
finish
