#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/long/cosim.sh runs every size that a shipped configuration builds, and both ends of each parameter's range, in lockstep.
# tb/harness/machines.txt has each value of a key that selects a block: in tier test the values for cart28, in tier long for each configuration.
# A missing size is named.
# tier: test, 5 s; long, 300 s
. tests/lib.bash
. tb/harness/blocks.bash

# ---- no point is missing
expect 0 env TIER=long tb/harness/sizes.sh --machines
mv "$work/out" "$work/machines"
expect 0 env TIER=long tb/harness/sizes.sh
sed 's/ |.*//' "$work/out" >"$work/run"
"$MEMTWIN" list blocks >"$work/blocks"

# ---- tests/cosim.sh selects points by name; names are unique
expect 0 env TIER=full tests/cosim.sh --list in_fifo 5 lint_most
[ "$(cat "$work/out")" = $'5 DEPTH=5 ADDR_W=48 ID_W=32\nlint_most DEPTH=16384' ] || complain "points 5 and lint_most of in_fifo: $(cat "$work/out")"
expect 0 env TIER=full tests/cosim.sh --list in_fifo
twice=$(cut -d ' ' -f 1 "$work/out" | sort | uniq -d)
[ -z "$twice" ] || complain "names of several points of in_fifo: $twice"
expect_line 1 "in_fifo has no point 'nopoint'" tests/cosim.sh in_fifo 5 nopoint
expect_line 1 "no block 'chart'; there are: dl_mshr " tests/cosim.sh chart
for wrong in '' --frob --list; do expect_line 1 'usage: tests/cosim.sh [--list] BLOCK [POINT]...' tests/cosim.sh $wrong; done
expect 0 tests/cosim.sh --help
grep -qF 'tests/cosim.sh BLOCK [POINT]...' "$work/out" || complain "tests/cosim.sh --help: $(cat "$work/out")"

# missing [SED]: prints the edited sizes that no point has
missing() {
    sed "${1:-}" "$work/run" >"$work/edited"
    awk -F ' [|] ' 'NR == FNR { run[$0]; next } !($1 in run) { print $2 ": no lockstep at " $1 }' "$work/edited" "$work/machines"
    { for block in $(blocks); do facts ends "$block" | sed "s/^/$block ends /"; done; sed 's/ / point /' "$work/edited"; } | awk -f tests/harness/covers.awk "$work/blocks" -
}
[ "$(wc -l <"$work/machines")" -ge 150 ] || complain "only $(wc -l <"$work/machines") points of machines"
[ -z "$(missing)" ] || complain "no lockstep: $(missing)"
while IFS='|' read -r edit what; do
    missing "$edit" >"$work/out"
    grep -qF "$what" "$work/out" || complain "not missed: $what: $(cat "$work/out")"
done <<'FAULTS'
/^dl_mshr SETS=256 SLOTS=64 /d|titanx.dl_split_l2: no lockstep at dl_mshr SETS=256 SLOTS=64 
/^in_fifo .*DEPTH=264/d|cart28.fifo264: no lockstep at in_fifo ADDR_W=40 ID_W=32 DEPTH=264
/^static_mshr ENTRIES=192/d|v100: no lockstep at static_mshr ENTRIES=192 
s/DEPTH=1024/DEPTH=1023/|bank_queues: no point with DEPTH=1024
s/FAIL_W=16/FAIL_W=15/|bpg: no point with FAIL_W=16
FAULTS

# ---- no value of a key is missing. values CONFIGURATION: prints KEY=VALUE BLOCK PARAM=VALUE.. of the configuration with each value
values() {
    "$MEMTWIN" list keys | awk '$3 ~ /[|]/ { n = split($3, value, "|"); for (i = 1; i <= n; i++) print $1 "=" value[i] }' | while read -r key; do
        "$MEMTWIN" config -c "$1" -s "$key" --blocks 2>/dev/null </dev/null | sed -n "/^;/!s/^\(.*\) ;.*/$key \1/p"
    done
}
# unlisted SED: prints the edited values that no machine of machines.txt has
unlisted() {
    sed "$1" "$work/machines" | awk 'NR == FNR { for (i = 2; $i != "|"; i++) has[$1, $i]; next }
        { for (i = 3; i <= NF; i++) if (!(($2, $i) in has) && !said[$1]++) print $1 ": no machine has " $2 " " $i }' - "$work/values"
}
configs=cart28
[ "$TIER" = test ] || configs=$("$MEMTWIN" list configs | cut -d ' ' -f 1)
# No machine has addr_hash for its functions: each function has its own point in rtl/addr_hash/block.points.
for config in $configs; do values "$config"; done | grep -v ' addr_hash ' >"$work/values"
[ -z "$(unlisted '')" ] || complain "values of keys that are in no row of tb/harness/machines.txt: $(unlisted '')"
for edit in '/[.]dl/d|l1d.mshr=dl: no machine has dl_mshr' '/[.]cart/d; /^cart /d|l2.incoming=cart: no machine has cart'; do
    unlisted "${edit%|*}" | grep -qF "${edit#*|}" || complain "not missed: ${edit#*|}: $(unlisted "${edit%|*}")"
done

# ---- a wrong list
while IFS='~' read -r row why; do
    printf '%s\n' 'cart | tiny | l2.incoming=cart' "$row" >"$work/wrong.txt"
    MACHINES=$work/wrong.txt expect_line 1 "$work/wrong.txt:2: $why" tb/harness/sizes.sh --machines
done <<'ROWS'
cart | tiny | l2.incoming=cart~'cart': missing or repeated name
| tiny | l2.incoming=cart~'': missing or repeated name
odd | tinny | l2.incoming=cart~odd: memtwin config: no configuration 'tinny'
odd | tiny | l2.bank_queues=16 l2.incoming=bank_queues~odd: memtwin config: configuration tiny: l2.bank_queues=16 must be
odd | * | l2.incomming=cart~odd: illegal machine: memtwin config: -s l2.incomming=cart
ROWS
expect_line 1 "no block 'chart'" tb/harness/sizes.sh chart

# ---- a design still gets a twin if its loops are too large to unroll and Verilator accepts it in no other form
[ "$TIER" = test ] || LOOP_LINES=0 MEMTWIN_TWINS=$work/twins expect 0 "$MEMTWIN" cosim cart -p ROWS=2 -p COLS=4 -p DEPTH=4 -p BANKS=2 -p BANK_MASK=2 --cycles 2000

# ---- memtwin config --blocks
expect_line 1 "use either --blocks or --diff" "$MEMTWIN" config -c tiny --blocks --diff titanx
expect 0 "$MEMTWIN" config -c v100 --blocks
grep -q '^; static_mshr ENTRIES=512 .* ; l1d.0.mshr.0 has no Verilog: .*outside 1..256' "$work/out" || complain "v100 does not list the blocks without Verilog: $(cat "$work/out")"
expect 0 "$MEMTWIN" config -c pascal28 -s l1d.mshr=dl -s l2.mshr=unlimited --blocks
[ "$(sed 's/ .*//' "$work/out" | xargs)" = "dl_mshr addr_hash in_fifo" ] || complain "blocks of pascal28: $(cat "$work/out")"
finish
