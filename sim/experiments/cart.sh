#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The CART evaluation of Gu (PhD dissertation, Oregon State University, sections 2.3 and 2.6): what stands before the L2 banks, and L1D
# schemes beside it, over the kernels on cart28. Writes for each run build/results/cart/*.json, and, when all kernels ran,
# docs/results/cart_schemes{.md,_narrow.svg,_wide.svg}; fails if a run failed.
#
#   sim/experiments/cart.sh [WORKLOAD[:SIZE]]...    JOBS=n: so many simulations at a time (default 2); REUSE=1: go on after an interruption
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
. sim/experiments/runs.bash
OUT=build/results/cart
DOC=docs/results/cart_schemes

mapfile -t WORKLOADS < <(all_workloads)
[ $# -eq 0 ] || WORKLOADS=("$@")
workloads_exist "${WORKLOADS[@]}"
# cart28 as it is, where the reply network limits most kernels, and with replies of one flit, where it limits none.
declare -A SCHEMES=([narrow]="base nonblocking bq16 cart mrpb racb cart+mrpb cart+racb"
    [wide]="base fifo264 nonblocking bq2 bq4 bq8 bq16 bq16free cart cartfree age16 longest robin mrpb mrpbgreedy racb cart+mrpb cart+racb")
# CART's size, on the wide machine: row groups, leaf queues in each, entries in each.
SIZES="2R1C2E 2R2C2E 4R4C2E 4R2C4E 8R4C4E 8R8C8E"

machine() {
    case $1 in
    narrow) ;;
    wide) echo "-s icnt.flit_bytes=136" ;;
    esac
}

options_of() { # SCHEME or SIZE: the keys that differ from cart28's
    local cart="-s l2.incoming=cart" bq="-s l2.incoming=bank_queues -s l2.bank_queues"
    # Of MRPB's drain policies the one that did most for these kernels; "greedy" is beside it.
    local mrpb="-s l1d.mrpb_queues=48 -s l1d.bypass=line -s l1d.mrpb_drain=lowest" racb="-s l1d.bypass=stall -s l2.bypass=stall"
    case $1 in
    base) ;;
    fifo264) echo "-s l2.in_queue=264" ;;
    nonblocking) echo "-s l2.incoming=nonblocking" ;;
    bq16free) echo "$bq=16 -s l2.bank_queue_depth=16 -s l2.incoming_hold=no" ;;
    bq*) echo "$bq=${1#bq} -s l2.bank_queue_depth=$((256 / ${1#bq}))" ;;
    cart) echo "$cart" ;;
    cartfree) echo "$cart -s l2.incoming_hold=no" ;;
    age16) echo "$cart -s l2.cart_age_limit=16" ;;
    longest) echo "$cart -s l2.cart_policy=longest" ;;
    robin) echo "$cart -s l2.cart_policy=round_robin" ;;
    mrpb) echo "$mrpb" ;;
    mrpbgreedy) echo "$mrpb -s l1d.mrpb_drain=greedy" ;;
    racb) echo "$racb" ;;
    cart+mrpb) echo "$cart $mrpb" ;;
    cart+racb) echo "$cart $racb" ;;
    *R*C*E)
        local e=${1#*C}
        local c=${1#*R}
        echo "$cart -s l2.cart_rows=${1%%R*} -s l2.cart_cols=${c%%C*} -s l2.cart_depth=${e%E}"
        ;;
    esac
}

# A run a line: workload, scheme, instructions per L2 miss, and what is measured.
FIGURES='.stats as $s | [$w, $scheme, .derived.insts_per_l2_miss // 0, .ipc, $s.l2_rf, $s.dram_row_conflicts,
    .derived.dram_bank_parallelism // 0, $s.l2_primary + $s.l2_write_misses + $s.l2_bypassed, $s.dram_active_cycles / $s.dram_cycles,
    $s.reorder_stalls / $s.l2_cycles, .derived.reorder_queue_mean // 0,
    $s.l2_rf_rsp_queue / ([$s.l2_rf, 1] | max), $s.dram_busy_cycles / $s.dram_cycles] | @tsv'
figures() { # MACHINE SCHEME...
    local m=$1 w s
    shift
    for w in "${WORKLOADS[@]}"; do for s in "$@"; do
        jq -r --arg w "$w" --arg scheme "$s" "$FIGURES" "$(result "$OUT" "$w" "$s.$m")"
    done; done
}

# tables SCHEME...: stdin: figures. Memory-intensive: fewer than 1500 thread instructions per L2 miss in the baseline.
tables() {
    awk -F'\t' -v schemes="$*" -f sim/experiments/cart.awk
}

plot() { # MACHINE
    awk -F'\t' '{ if (!($1 in seen)) { seen[$1] = 1; name[++n] = $1 } ipc[$1, $2] = $4 }
        END { for (i = 1; i <= n; i++) { k = name[i]; sub(/:.*/, "", k); b = ipc[name[i], "base"]; printf "%s", k
            split("bq16 cart mrpb racb cart+mrpb cart+racb", s, " "); for (j = 1; j <= 6; j++) printf " %.4f", ipc[name[i], s[j]] / b; print "" } }' \
        "$OUT/figures.$1.tsv" >"$OUT/ipc.$1.dat"
    gnuplot <<-END
		set terminal svg size 1400,420 font "sans,11"
		set output "$OUT/$1.svg"
		set style data histogram
		set style histogram cluster gap 1
		set style fill solid 0.8 border -1
		set xtics rotate by -40
		set ylabel "IPC / baseline"
		set yrange [0:*]
		set grid y
		set key top left horizontal
		plot "$OUT/ipc.$1.dat" using 2:xtic(1) title "bank queues", "" using 3 title "CART", "" using 4 title "MRPB", "" using 5 title "RACB", \
		    "" using 6 title "CART+MRPB", "" using 7 title "CART+RACB", 1 with lines lc "black" notitle
	END
}

# Runs of a machine: wants MACHINE SCHEME... <WORKLOADS, one a line
wants() {
    local m=$1 w s
    shift
    while read -r w; do for s in "$@"; do
        printf '%s\t%s\n' "$(result "$OUT" "$w" "$s.$m")" "-c cart28 -w $w $(machine "$m") $(options_of "$s")"
    done; done
}

# Memory-intensive on the wide machine.
memory_intensive() {
    figures wide base | awk -F'\t' '$3 < 1500 { print $1 }'
}

mkdir -p "$OUT"
for m in wide narrow; do printf '%s\n' "${WORKLOADS[@]}" | wants $m ${SCHEMES[$m]}; done | run_all
mapfile -t MEMORY < <(memory_intensive)
printf '%s\n' "${MEMORY[@]}" | wants wide $SIZES | run_all
{
    echo "# What stands before the L2 banks, on cart28"
    echo
    echo "Written by \`make experiment-cart\` (\`sim/experiments/cart.sh\`, which says what each scheme is); what to make of it: [cart.md](cart.md)."
    echo "Paper: Gu, PhD dissertation, Oregon State University, chapter 2; \"-\": it gives no figure."
    for m in narrow wide; do
        figures "$m" ${SCHEMES[$m]} >"$OUT/figures.$m.tsv"
        plot "$m"
        printf '\n## cart28%s\n' "$([ "$m" = narrow ] || echo " with replies of one flit ($(machine "$m"))")"
        tables ${SCHEMES[$m]} <"$OUT/figures.$m.tsv"
        printf '\n![IPC of the schemes over the baseline](cart_schemes_%s.svg)\n' "$m"
    done
    printf '\n## Size of CART: memory-intensive kernels on cart28 with replies of one flit\n'
    WORKLOADS=("${MEMORY[@]}")
    figures wide base cart $SIZES | tables base cart $SIZES
} >"$OUT/table.md"
cat "$OUT/table.md"
if [ $# -eq 0 ]; then # some kernels alone are no result
    cp "$OUT/table.md" "$DOC.md"
    for m in narrow wide; do cp "$OUT/$m.svg" "${DOC}_$m.svg"; done
fi
