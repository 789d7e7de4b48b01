#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: long, 75 s
# MT_ASYNC_RESET (docs/use/integration.md): in each block the same registers have a reset, and all resets are asynchronous. `rst` drives only the
# reset pins. The blocks lint clean, run in lockstep, and reset without a clock edge.
. tests/lib.bash
. tb/harness/blocks.bash
includes=$(printf -- '-I%s ' rtl/*/)

# flops TREE BLOCK PARAMETERS OPTION: prints kinds and numbers of flip-flops. `reset` is the number that `rst` reaches, and `read` the number of
# cells that read `rst` other than at a reset pin.
flops() {
    local p set= reset=
    for p in $3; do set+=" -set ${p%%=*} ${p#*=}"; done
    for p in PP0 PP1; do reset+="\$_DFF_${p}_,\$_DFFE_${p}P_,\$_DFFE_${p}N_,"; done
    expect 0 yosys -q -p "read_verilog $4 $includes $(sed "s|^|$1/|" "rtl/$2/$2.f" | tr '\n' ' '); chparam $set $2; hierarchy -check -top $2; proc; flatten; opt; memory_map; opt; simplemap; opt_clean
        tee -q -o $work/stat stat; tee -q -o $work/reset select -count i:rst %coe* %co1 t:\$_*DFF*_ %i; tee -q -o $work/read select -count i:rst %co1:-${reset%,}[R] c:* %i"
    awk '$1 ~ /^\$_.*(DFF|LATCH)/ { print $1, $2 }' "$work/stat"
    sed 's/ objects.*//; s/^/reset /' "$work/reset"
    sed 's/ objects.*//; s/^/read /' "$work/read"
}
number() { awk -v kind="$1" '$1 ~ kind { n += $2 } END { print n + 0 }'; }

# same_registers TREE BLOCK PARAMETERS: checks that with the macro the registers are the same, that resets are asynchronous, and that `rst` drives nothing else
same_registers() {
    flops "$1" "$2" "$3" '' >"$work/sync"
    flops "$1" "$2" "$3" -DMT_ASYNC_RESET >"$work/async"
    local resets
    resets=$(number '^reset$' <"$work/sync")
    [ "$resets" -gt 0 ] && [ "$resets" -eq "$(number '^reset$' <"$work/async")" ] && [ "$resets" -eq "$(number '_DFFE?_[PN][PN][01]' <"$work/async")" ] &&
        [ "$(number DFF <"$work/sync")" -eq "$(number DFF <"$work/async")" ] && [ "$(number '^read$' <"$work/async")" -eq 0 ] &&
        ! grep -qE '_(ALDFF|DFFSR|DLATCH)' "$work/async" && ! grep -qE '_DFFE?_[PN][PN][01]' "$work/sync"
}

# lockstep BLOCK PARAMETERS [PARAMETERS OF ITS REGISTERS]: checks the registers and runs the block with the model. The twin's reset is applied
# after the outputs of its cycle, and before the edge.
lockstep() {
    same_registers . "$1" "$2 ${3:-}" || complain "$1: other registers: $(paste -sd' ' "$work/sync") and $(paste -sd' ' "$work/async")"
    expect 0 env MEMTWIN_TWINS="$work/twins" TWIN_VFLAGS=-DMT_ASYNC_RESET TWIN_CFLAGS='-O0 -DSHIM_ASYNC_RESET' "$MEMTWIN" cosim "$1" $(printf -- ' -p %s' $2 | sed 's/^ -p $//') --cycles 20000
    grep -q '^verdict: PASS' "$work/out" || complain "$1: $(tail -n 2 "$work/out")"
}

for block in $(blocks); do
    point=$(point_of core "$block")
    for tool in 'verilator --lint-only -Wall --language 1364-2005 --top-module' 'iverilog -g2005 -Wall -t null -s'; do
        expect 0 $tool "$block" -DMT_ASYNC_RESET $includes $(cat "rtl/$block/$block.f")
        [ ! -s "$work/err" ] || complain "$block: $(head -n 3 "$work/err")"
    done
    lockstep "$block" "$point"
    case $block in # a lookup of two cycles uses other parts
        dl_mshr) lockstep dl_mshr 'SETS=8 HEADS=5' ;;
        static_mshr) lockstep static_mshr 'ENTRIES=6 SLOTS=3 LOOKUP=2' ;;
    esac

    # if the reset arrives with the inputs, it has an effect immediately
    expect 3 env MEMTWIN_TWINS="$work/twins_now" TWIN_VFLAGS=-DMT_ASYNC_RESET "$MEMTWIN" cosim "$block" $(printf -- ' -p %s' $point | sed 's/^ -p $//') --cycles 20000
done

# a register that is still synchronous, one that reads the reset other than at its pin, and one without its reset
while IFS='|' read -r what expression; do
    rm -rf "$work/rtl"
    cp -r rtl "$work/rtl"
    sed -i "$expression" "$work/rtl/hir/hir.v"
    ! cmp -s rtl/hir/hir.v "$work/rtl/hir/hir.v" || complain "$what: the fault can no longer be planted"
    ! same_registers "$work" hir "$(point_of core hir)" || complain "not found: $what"
done <<'FAULTS'
look is reset synchronously|/MT_OR_RST/{N; s/ `MT_OR_RST\(.*if (rst) look\)/\1/}
look reads the reset|s/else look <= take;/else look <= take \&\& !rst;/
page reads the reset|s/page <= hit_page;/page <= rst ? {PAGE_W{1'b0}} : hit_page;/
FAULTS
finish
