#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 60 s
# MT_ASYNC_RESET (docs/integration.md): in the blocks that have it the registers with a reset are the same ones, all asynchronous, and no other has one; they lint
# clean, run in lockstep, and reset without a clock edge. All other blocks refuse the macro.
. tests/lib.bash
. tb/harness/blocks.bash
with=$(sed -n 's/^\* `MT_ASYNC_RESET`.* for \(.*\); other blocks refuse it.*/\1/p' docs/integration.md | tr -d '`,')
[ -n "$with" ] || complain "docs/integration.md does not say which blocks have MT_ASYNC_RESET"
includes=$(printf -- '-I%s ' rtl/*/)

# flops BLOCK PARAMETERS OPTION: kinds and numbers of flip-flops
flops() {
    local p set=
    for p in $2; do set+=" -set ${p%%=*} ${p#*=}"; done
    expect 0 yosys -q -p "read_verilog $3 $includes $(tr '\n' ' ' <"rtl/$1/$1.f"); chparam $set $1; hierarchy -check -top $1; proc; flatten; opt; memory_map; opt; simplemap; opt_clean; tee -q -o $work/stat stat"
    awk '$1 ~ /^\$_.*DFF/ { print $1, $2 }' "$work/stat"
}
number() { awk -v kind="$1" '$1 ~ kind { n += $2 } END { print n + 0 }'; }

# lockstep BLOCK PARAMETERS [PARAMETERS OF ITS REGISTERS]: its registers, and a run beside the model. The twin's reset comes behind the outputs of its cycle, and before the edge.
lockstep() {
    flops "$1" "$2 ${3:-}" '' >"$work/sync"
    flops "$1" "$2 ${3:-}" -DMT_ASYNC_RESET >"$work/async"
    [ "$(number '_SDFFC?E?_' <"$work/sync")" -gt 5 ] && [ "$(number '_SDFFC?E?_' <"$work/sync")" -eq "$(number '_DFFE?_[PN][PN][01]' <"$work/async")" ] &&
        [ "$(number _ <"$work/sync")" -eq "$(number _ <"$work/async")" ] && ! grep -qE '_(SDFF|ALDFF|DFFSR|DLATCH)' "$work/async" && ! grep -qE '_DFFE?_[PN][PN][01]' "$work/sync" ||
        complain "$1: other registers: $(paste -sd' ' "$work/sync") and $(paste -sd' ' "$work/async")"
    expect 0 env MEMTWIN_TWINS="$work/twins" TWIN_VFLAGS=-DMT_ASYNC_RESET TWIN_CFLAGS='-O0 -DSHIM_ASYNC_RESET' "$MEMTWIN" cosim "$1" $(printf -- ' -p %s' $2 | sed 's/^ -p $//') --cycles 20000
    grep -q '^verdict: PASS' "$work/out" || complain "$1: $(tail -n 2 "$work/out")"
}

for block in $(blocks); do
    if ! grep -qw -- "$block" <<<"$with"; then
        expect 1 verilator --lint-only -DMT_ASYNC_RESET $includes --top-module "$block" $(cat "rtl/$block/$block.f")
        grep -q ILLEGAL_MT_ASYNC_RESET "$work/err" || complain "$block does not refuse MT_ASYNC_RESET: $(head -n 2 "$work/err")"
        continue
    fi
    point=$(point_of core "$block")
    for tool in 'verilator --lint-only -Wall --language 1364-2005 --top-module' 'iverilog -g2005 -Wall -t null -s'; do
        expect 0 $tool "$block" -DMT_ASYNC_RESET $includes $(cat "rtl/$block/$block.f")
        [ ! -s "$work/err" ] || complain "$block: $(head -n 3 "$work/err")"
    done
    lockstep "$block" "$point"
    case $block in # with a lookup of two cycles they are made of other parts; what observes clears registers by itself
        dl_mshr) lockstep dl_mshr 'SETS=8 HEADS=5' OBSERVE=0 ;;
        static_mshr) lockstep static_mshr 'ENTRIES=6 SLOTS=3 LOOKUP=2' ;;
    esac

    # where the reset comes with the inputs it shows at once
    expect 3 env MEMTWIN_TWINS="$work/twins_now" TWIN_VFLAGS=-DMT_ASYNC_RESET "$MEMTWIN" cosim "$block" $(printf -- ' -p %s' $point | sed 's/^ -p $//') --cycles 20000
done
finish
