#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: long, 70 s
# The Verilog with MT_FPGA, which uses RAM instead of register files with one-hot selects, behaves the same: in lockstep with the model and
# replayed in four states, at the points tagged fpga_lockstep (tests/rtl/lint.sh lints them), and proven equivalent at two small ones. Run
# from the root.
. tests/lib.bash
. tb/harness/blocks.bash
export MEMTWIN_RTL=$work/rtl MEMTWIN_TWINS=$work/twins
mkdir "$work/twins"
cp -r rtl "$work"
reads=$(grep -l '^`ifdef MT_FPGA' rtl/*/*.v)
[ "$(wc -w <<<"$reads")" -ge 2 ] || complain "MT_FPGA is read by these alone: $reads"
for file in $reads; do sed -i '1i `define MT_FPGA' "$work/$file"; done

# lockstep BLOCK PARAM=VALUE...
lockstep() {
    local params
    params=$(printf -- ' -p %s' "${@:2}" | sed 's/^ -p $//')
    expect 0 "$MEMTWIN" cosim "$1" $params --cycles "$cycles" --seed 11
    expect 0 "$MEMTWIN" cosim "$1" $params --cycles $replayed --seed 12 --model-only --record "$work/point.vec"
    expect 0 "$MEMTWIN" replay "$work/point.vec" --engine icarus
}

cycles=40000 replayed=2000
points fpga_lockstep >"$work/points"
while read -r block _ _ point; do
    lockstep "$block" $point </dev/null
    echo "$block $point"
done <"$work/points"

# same BLOCK PARAM=VALUE...: proves that the block is equivalent to the one without MT_FPGA, from a reset on and for any inputs
same() {
    local block=$1 set='' folder files
    shift
    set=$(printf -- ' -set %s' "$@" | tr = ' ')
    for folder in . "$work"; do
        files=$(sed "s|^|$folder/|" "rtl/$block/$block.f" | tr '\n' ' ')
        expect 0 yosys -q -p "read_verilog $(printf -- '-I%s ' rtl/*/) $files; chparam$set $block; hierarchy -check -top $block; proc; flatten
            rename -top $([ "$folder" = . ] && echo plain || echo fpga); memory -nomap; memory_map; opt -full; write_rtlil $work/$([ "$folder" = . ] && echo plain || echo fpga).il"
    done
    expect 0 yosys -q -p "read_rtlil $work/plain.il; read_rtlil $work/fpga.il; miter -equiv -flatten -make_assert plain fpga both; hierarchy -top both
        opt -full; techmap; opt; dffunmap; setundef -undriven -zero; setundef -init -zero; aigmap; opt_clean; write_aiger -zinit $work/both.aig"
    yosys-abc -c "read $work/both.aig; fold; scorr; dprove" >"$work/out" 2>&1
    grep -qE '^(UNSATISFIABLE|Networks are equivalent)' "$work/out"
}
same cart ADDR_W=4 ID_W=2 DEPTH=2 BANKS=2 BANK_MASK=1 COL_MASK=2 ROWS=2 COLS=2 || complain "cart with MT_FPGA is not proven to be cart"
same bpg ADDR_W=9 SETS=4 WAYS=2 SAMPLED=2 TAG_W=3 CALCULATORS=2 INTERVAL=7 INDEX=0 ID_W=2 HIT_W=2 FAIL_W=3 HIT_SCALE=1 || complain "bpg with MT_FPGA is not proven to be bpg"

# ---- planted faults: the heads of the current cycle, a tag lane that is not written, and others
# planted FILE FROM TO BLOCK
planted() {
    cp "$work/$1" "$work/good"
    sed -i "s/$2/$3/" "$work/$1"
    ! cmp -s "$work/$1" "$work/good" || complain "$1 has no '$2'"
    expect 3 "$MEMTWIN" cosim "$4" --cycles 20000 --seed 11
    cp "$work/good" "$work/$1"
}
planted rtl/cart/cart_ram.v '(AHEAD != 0) ? heads_next : heads' 'heads' cart
sed -i 's/(AHEAD != 0) ? heads_next : heads/heads/' "$work/rtl/cart/cart_ram.v"
! same cart ADDR_W=4 ID_W=2 DEPTH=2 BANKS=2 BANK_MASK=1 COL_MASK=2 ROWS=2 COLS=2 || complain "a planted fault is proven equivalent"
cp rtl/cart/cart_ram.v "$work/rtl/cart"
planted rtl/cart/cart_ram.v '= (AHEAD != 0) ? drain_at_next : drain_at' '= drain_at' cart
planted rtl/cart/cart_ram.v 'fill_place | (p' 'fill_place \& (p' cart
planted rtl/lib/mt_regfile_1r1w.v 'if (we\[l\])' 'if (we[0])' cart
planted rtl/lib/mt_regfile_1rw.v 'addr | (i' 'addr \& (i' bpg
finish
