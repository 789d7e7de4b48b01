#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 4 s
# The output of memtwin run: a single screen with consistent sums, all statistics by part, and color only on a terminal.
. tests/lib.bash

# Prints one row of the screen, with its continuation lines.
row() { # LABEL FILE
    awk -v label="$1" '/^[^ ]/ { on = index($0, label) == 1 } on' "$2"
}

# Prints the sum of the figures in a text that match the expression.
sum() { # REGEX
    grep -oE "$1" | grep -oE '[0-9]+([.][0-9]+)?' | awk '{ n += $1 } END { printf "%.1f", n }'
}

screen() { # NAME OPTION...
    local name=$1 total f
    shift
    expect 0 "$MEMTWIN" run "$@" --json "$work/$name.json"
    f=$work/$name
    cp "$work/out" "$f"
    [ "$(wc -l <"$f")" -le 25 ] || complain "$name: $(wc -l <"$f") lines"
    ! grep -E '.{81}' "$f" || complain "$name: more than 80 columns"
    ! grep -q "$(printf '\033')" "$f" || complain "$name: color in a file"
    ! sed 1,2d "$f" | grep -P '(^| )[(]?\d{4,}(?![\d.])' || complain "$name: a figure without commas"
    [ "$(row 'issue slots' "$f" | sum '[0-9.]+ %')" = 100.0 ] || complain "$name: issue slots: $(row 'issue slots' "$f")"
    [ "$(row 'load latency' "$f" | sum '[(][0-9]+ %')" = 100.0 ] || complain "$name: load latency: $(row 'load latency' "$f")"
    total=$(row 'load latency' "$f" | sed -n 's/^load latency *\([0-9.]*\) .*/\1/p')
    [ "$(row 'load latency' "$f" | sum '[0-9.]+ [(]')" = "$total" ] || complain "$name: the stages do not make up $total: $(row 'load latency' "$f")"
    jq -e '.config_values["sm.schedulers"] as $n | .stats | .load_life == .load_in_lsu + .load_in_tlb + .load_latency and
        .load_latency == .load_in_l1d + .load_in_icnt + .load_in_l2 + .load_in_dram and
        ([.load_in_lsu, .load_in_tlb, .load_in_l1d, .load_in_icnt, .load_in_l2, .load_in_dram] | max) <= .load_life and
        $n * .sm_cycles == .warp_insts - .dual_issues + ([to_entries[] | select(.key | startswith("slots_")) | .value] | add)' \
        "$f.json" >/dev/null || complain "$name: the statistics do not add up"
    for label in cycles 'miss rates' DRAM 'top stalls' lockstep results host 'look next at'; do
        [ -n "$(row "$label" "$f")" ] || complain "$name: no $label"
    done
    tail -n 1 "$f" | grep -q -- --stats || complain "$name: no word of --stats"
}

screen tiny -c tiny -w atax:64
screen paged -c tiny -w bfs:256 -s uvm.mode=paged -s uvm.memory_percent=60 --check
screen cart -c cart28 -w transpose:64 -s l2.incoming=cart -s l1d.mrpb_queues=48
screen sectors -c titanx -w atax:64 -s l2.bypass=stall -s l2.mshr_entries=2
screen gtx480 -c gtx480 -w srad:64,1 -s l1d.mshr=dl
screen twins -c tiny -w addvect:1024 --twin in_fifo --twin static_mshr
row lockstep "$work/twins" | tr -s ' \n' ' ' | grep -q '^lockstep 4 static_mshr: [0-9,]* cycles, 2 in_fifo: [0-9,]* cycles, 0 mismatches $' ||
    complain "$(row lockstep "$work/twins")"
twins=$(row lockstep "$work/twins" | tr -d ',' | grep -oE '[0-9]+ cycles' | awk '{ n += $1 } END { print n }')
[ "$twins" = "$(jq .lockstep.cycles "$work/twins.json")" ] || complain "the twins' cycles sum up to $twins"

# The stalls shown are the largest of all stalls, by share.
jq -r '.stats | "\(.l1d_refusals_no_way) \(.sm_cycles)"' "$work/tiny.json" |
    awk '{ printf "%.1f %%  L1D: all ways of the set wait for lines", 100 * $1 / $2 }' >"$work/stall"
grep -qFf "$work/stall" "$work/tiny" || complain "no '$(cat "$work/stall")' in the stalls"
row 'top stalls' "$work/gtx480" >"$work/rows"
row '(of cycles)' "$work/gtx480" >>"$work/rows"
sed 's/ %.*//; s/.* //' "$work/rows" >"$work/shares"
[ "$(wc -l <"$work/shares")" -eq 5 ] && sort -c -g -r "$work/shares" || complain "stalls: $(cat "$work/rows")"

# A hint agrees with its numbers.
row 'look next at' "$work/paged" | grep -q '^ *translations' || complain "no hint of translations"
! sed -n 's/^HINT(.*, "\(.*\)")$/\1/p' sim/hints.def | grep -E '.{67}' || complain "a hint is longer than a line"

# --stats lists each statistic under the heading of its part, with the values of the JSON. It lists zeros only with --stats zeros.
expect 0 "$MEMTWIN" run -c tiny -w atax:64 --stats
cp "$work/out" "$work/stats"
expect 0 "$MEMTWIN" run -c tiny -w atax:64 --stats zeros
cp "$work/out" "$work/zeros"
expect 0 "$MEMTWIN" list stats
awk '!/ histogram: / { print $1 }' "$work/out" | sort >"$work/names"
sed -n '/^SM$/,$s/^  \([a-z0-9_]*\) *[0-9][0-9.]*  .*/\1/p' "$work/zeros" | sort | cmp -s - "$work/names" || complain "--stats zeros does not print every statistic"
for part in SM LSU L1D MRPB MDB Crossbar L2 'Incoming buffer' DRAM TLB GMMU UVM PCIe HIR HPE; do
    grep -qx "$part" "$work/zeros" || complain "no heading '$part'"
done
grep -qx 'Incoming buffer' "$work/stats" && ! grep -qx 'UVM\|HPE\|MRPB' "$work/stats" || complain "--stats: parts that are not used"
! grep -E '^  [a-z0-9_]+ +0(\.0000)?  ' "$work/stats" || complain "--stats prints zeros"
awk '/^SM$/ { on = 1 } on && /^  [a-z]/ && $2 ~ /^[0-9]+$/ { print $1, $2 }' "$work/stats" | sort >"$work/a"
jq -r '.stats | to_entries[] | select(.value > 0) | "\(.key) \(.value)"' "$work/tiny.json" | sort | cmp -s - "$work/a" || complain "--stats differs from the JSON"
awk '/^[A-Z]/ { part = $0 } $1 == "tlb_refusals" || $1 == "pcie_read_bytes" || $1 == "hpe_wrong_evictions" || $1 == "reorder_fills" { print part ":" $1 }' "$work/zeros" |
    sort | tr '\n' ' ' | grep -qx 'HPE:hpe_wrong_evictions Incoming buffer:reorder_fills PCIe:pcie_read_bytes TLB:tlb_refusals ' || complain "statistics under other parts"

# One line has the counts of paging, and is absent without paging.
expect 0 "$MEMTWIN" run -c tiny -w 2dconv:64 -s uvm.mode=paged -s uvm.memory_percent=50 --json "$work/paged.json"
digits() { sed -E ':a; s/([0-9])([0-9]{3})($|,)/\1,\2\3/; ta' <<<"$1"; }
paged() { digits "$(jq ".stats.uvm_$1" "$work/paged.json")"; }
grep -qx "paging        $(paged faults) faults, $(paged demand_pages) demand pages, $(paged evictions) evicted" "$work/out" || complain "paging: $(cat "$work/out")"
expect 0 "$MEMTWIN" run -c tiny -w 2dconv:64 -s uvm.mode=copy --json "$work/paged.json"
grep -qx "paging        $(paged copy_cycles) SM cycles for copies before the kernels" "$work/out" || complain "copies: $(cat "$work/out")"
expect 0 "$MEMTWIN" run -c tiny -w 2dconv:64
! grep -q '^paging' "$work/out" || complain "paging without paging"
expect_line 1 "-q or --stats" "$MEMTWIN" run -c tiny -w atax:64 -q --stats
expect_line 1 "--stats some: expected all, zeros or accelsim" "$MEMTWIN" run -c tiny -w atax:64 --stats some

# Colors appear on a terminal, but not with NO_COLOR (unless empty), and not on a dumb terminal.
terminal() { # VARIABLE=VALUE...
    env "$@" script -qec "$MEMTWIN run -c tiny -w addvect:256" /dev/null </dev/null >"$work/out" 2>&1
    grep -q 'addvect:256 on tiny' "$work/out" || complain "no run on a terminal: $(cat "$work/out")"
    grep -q "$(printf '\033')\[1m" "$work/out"
}
terminal TERM=xterm NO_COLOR= || complain "no color on a terminal"
! terminal TERM=xterm NO_COLOR=1 || complain "color with NO_COLOR"
! terminal TERM=dumb NO_COLOR= || complain "color on a dumb terminal"
! terminal -u TERM NO_COLOR= || complain "color on an unknown terminal"
# Names do not control the terminal through results either; JSON has escapes for unprintable characters.
name=$work/$'n\e[31m\xe2\x80\xae\xc2\x9b\xe2\x80\x8b.ini'
cp sim/configs/tiny.ini "$name"
cat >"$work/each" <<'END'
for out in - /dev/stdout /dev/tty /dev/fd/2; do
    "$MEMTWIN" run -q -c "$NAME" -w addvect:32 --csv $out
    "$MEMTWIN" run -q -c "$NAME" -w addvect:32 --json $out
done
END
MEMTWIN=$MEMTWIN NAME=$name script -qec "bash $work/each" /dev/null </dev/null >"$work/out" 2>&1
[ "$(grep -c 'n?\[31m' "$work/out")" -ge 8 ] && [ "$(grep -cF 'n\u001b[31m\u202e\u009b\u200b.ini' "$work/out")" -ge 4 ] || complain "results on a terminal: $(head -n 3 "$work/out" | cat -v)"
! LC_ALL=C grep -q $'[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]\|\xc2[\x80-\x9f]\|\xe2\x80' "$work/out" || complain "results control the terminal: $(grep -a 'n.*ini' "$work/out" | head -n 3 | cat -v)"
"$MEMTWIN" run -q -c "$name" -w addvect:32 --csv "$work/raw.csv" >/dev/null
grep -qF $'n\e[31m\xe2\x80\xae\xc2\x9b\xe2\x80\x8b.ini' "$work/raw.csv" || complain "a CSV file has other bytes than the name"

finish
