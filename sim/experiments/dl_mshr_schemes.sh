#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The DL-MSHR comparison of Gu and Chen (ICS 2019, section 6): five MSHR schemes over the kernels on pascal28. Writes
# docs/results/dl_mshr_schemes{.md,_miss.svg,_fill.svg} and, for each run, build/results/dl_mshr_schemes/*.json; fails if a run failed.
#
#   sim/experiments/dl_mshr_schemes.sh [WORKLOAD[:SIZE]]...    JOBS=n: so many simulations at a time (default 2); REUSE=1: go on after an interruption
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
. sim/experiments/runs.bash
OUT=build/results/dl_mshr_schemes
DOC=docs/results/dl_mshr_schemes

# The list up to btree; those behind it came for the comparison of reordering (docs/cart.md).
mapfile -t WORKLOADS < <(all_workloads | sed '/^btree/q')
[ $# -eq 0 ] || WORKLOADS=("$@")
workloads_exist "${WORKLOADS[@]}"
SCHEMES=(base 2xe 2xe2xs 8xe8xs dl)
# When the L1D gives a way to a miss: the paper's table says it of the L2 only.
ALLOCATE=(miss fill)

options_of() { # SCHEME: the keys that differ from pascal28's 32 x 8 (L1D) and 32 x 4 (L2)
    case $1 in
    base) ;;
    2xe) echo "-s l1d.mshr_entries=64 -s l2.mshr_entries=64" ;;
    2xe2xs) echo "-s l1d.mshr_entries=64 -s l1d.mshr_slots=16 -s l2.mshr_entries=64 -s l2.mshr_slots=8" ;;
    8xe8xs) echo "-s l1d.mshr_entries=256 -s l1d.mshr_slots=64 -s l2.mshr_entries=256 -s l2.mshr_slots=32" ;;
    dl) echo "$PAPER_DL -s l2.mshr=dl" ;;
    esac
}
# One line a run: workload, scheme, cycles, entry- and merge-full, all refused, IPC, slots used.
figures() { # ALLOCATE
    local w s
    for w in "${WORKLOADS[@]}"; do
        for s in "${SCHEMES[@]}"; do
            jq -r --arg s "$s" '
                def rf(c): .stats["l1d_rf" + c] + .stats["l2_rf" + c];
                [.workload, $s, .cycles, rf("_entry_full") + rf("_merge_full"), rf(""), .ipc,
                 .derived.l1d_mshr_utilisation] | @tsv' "$(result "$OUT" "$w" "$s.$1")"
        done
    done
}

table() {
    awk -F'\t' '
    function head(text) { printf "\n%s\n\n| kernel | 2X entry | 2X entry + 2X slot | 8X + 8X | DL-MSHR |\n|---|---|---|---|---|\n", text }
    { if (!($1 in seen)) { seen[$1] = ++n; name[n] = $1 } rf[$1, $2] = $4; all[$1, $2] = $5; ipc[$1, $2] = $6; used[$1, $2] = $7 }
    END {
        split("2xe 2xe2xs 8xe8xs dl", s, " ")
        head("IPC over the baseline'"'"'s (last line: geometric mean)")
        for (i = 1; i <= n; i++) {
            printf "| %s |", name[i]
            for (k = 1; k <= 4; k++) { x = ipc[name[i], s[k]] / ipc[name[i], "base"]; sum[k] += log(x); printf " %.3f |", x }
            print ""
        }
        printf "| **mean** |"; for (k = 1; k <= 4; k++) printf " **%.3f** |", exp(sum[k] / n); print ""
        print "| paper | 1.080 | 1.145 | - | 1.192 |"
        head("MSHR refusals (entry-full and merge-full cycles, L1D and L2) against the baseline; in brackets refused cycles of all reasons")
        for (i = 1; i <= n; i++) {
            printf "| %s (%.3g of %.3g cycles) |", name[i], rf[name[i], "base"], all[name[i], "base"]
            for (k = 1; k <= 4; k++) {
                b = rf[name[i], "base"]; a = all[name[i], "base"]
                x = b ? 100 * (rf[name[i], s[k]] / b - 1) : 0; y = a ? 100 * (all[name[i], s[k]] / a - 1) : 0
                rsum[k] += rf[name[i], s[k]]; asum[k] += all[name[i], s[k]]
                if (b) { rmean[k] += x; rn[k]++ }
                if (a) { amean[k] += y; an[k]++ }
                printf " %s (%s) |", b ? sprintf("%+.1f %%", x) : "none", a ? sprintf("%+.1f %%", y) : "none"
            }
            rbase += rf[name[i], "base"]; abase += all[name[i], "base"]; print ""
        }
        printf "| **mean over kernels** |"; for (k = 1; k <= 4; k++) printf " **%+.1f %%** (%+.1f %%) |", rn[k] ? rmean[k] / rn[k] : 0, an[k] ? amean[k] / an[k] : 0; print ""
        printf "| **all kernels together** |"; for (k = 1; k <= 4; k++) printf " **%+.1f %%** (%+.1f %%) |", rbase ? 100 * (rsum[k] / rbase - 1) : 0, abase ? 100 * (asum[k] / abase - 1) : 0; print ""
        print "| paper | -68.3 % | -89.2 % | - | -88.1 % |"
        head("L1D MSHR slots used, over the baseline'"'"'s (its share in brackets)")
        for (i = 1; i <= n; i++) {
            printf "| %s (%.1f %%) |", name[i], 100 * used[name[i], "base"]
            for (k = 1; k <= 4; k++) {
                u = used[name[i], "base"]; x = u ? used[name[i], s[k]] / u : 1
                usum[k] += log(x); printf " %.2f |", x
            }
            print ""
        }
        printf "| **mean** |"; for (k = 1; k <= 4; k++) printf " **%.2f** |", exp(usum[k] / n); print ""
        print "| paper | - | - | - | 1.537 |"
    }'
}

plot() { # ALLOCATE
    awk -F'\t' '{ if (!($1 in seen)) { seen[$1] = 1; name[++n] = $1 } ipc[$1, $2] = $6 }
        END { for (i = 1; i <= n; i++) { k = name[i]; sub(/:.*/, "", k); b = ipc[name[i], "base"]
            printf "%s %.4f %.4f %.4f %.4f\n", k, ipc[name[i], "2xe"] / b, ipc[name[i], "2xe2xs"] / b, ipc[name[i], "8xe8xs"] / b, ipc[name[i], "dl"] / b } }' \
        "$OUT/figures.$1.tsv" >"$OUT/ipc.$1.dat"
    gnuplot <<EOF
set terminal svg size 1200,420 font "sans,11"
set output "${DOC}_$1.svg"
set style data histogram
set style histogram cluster gap 1
set style fill solid 0.8 border -1
set xtics rotate by -40
set title "L1D: allocation on ${1/miss/a miss}"
set ylabel "IPC / baseline"
set yrange [0:*]
set grid y
set key top left horizontal
plot "$OUT/ipc.$1.dat" using 2:xtic(1) title "2X entry", "" using 3 title "2X entry + 2X slot", "" using 4 title "8X + 8X", "" using 5 title "DL-MSHR", 1 with lines lc "black" notitle
EOF
}

mkdir -p "$OUT" "$(dirname "$DOC")"
for w in "${WORKLOADS[@]}"; do for s in "${SCHEMES[@]}"; do for a in "${ALLOCATE[@]}"; do
    printf '%s\t%s\n' "$(result "$OUT" "$w" "$s.$a")" "-c pascal28 -w $w -s l1d.allocate=$a $(options_of "$s")"
done; done; done | run_all
for a in "${ALLOCATE[@]}"; do figures "$a" >"$OUT/figures.$a.tsv"; done
{
    echo "# MSHR schemes on pascal28"
    echo
    echo "Written by \`make experiment-dl_mshr\` (\`sim/experiments/dl_mshr_schemes.sh\`); what to make of it: [dl_mshr.md](dl_mshr.md)."
    echo "Baseline: static MSHRs, L1D 32 entries x 8 slots, L2 32 x 4 per bank. 2X and 8X multiply entries and slots; DL-MSHR has the"
    echo "baseline's slots, L1D 128 sets x 2, L2 64 x 2. Paper: Gu and Chen, ICS 2019, averages of section 6."
    for a in "${ALLOCATE[@]}"; do
        echo
        echo "## L1D allocation on ${a/miss/a miss}"
        table <"$OUT/figures.$a.tsv"
        echo
        echo "![IPC of the schemes over the baseline](dl_mshr_schemes_$a.svg)"
    done
} >"$OUT/table.md"
cat "$OUT/table.md"
[ $# -eq 0 ] || exit 0 # some kernels alone are no result
for a in "${ALLOCATE[@]}"; do plot "$a"; done
cp "$OUT/table.md" "$DOC.md"
