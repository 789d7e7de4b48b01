#!/bin/bash
# The harness can fail, and proves it: faults planted into the RTL and into the model must be found, by Verilator and
# by Icarus, in the same cycle and at the same port. A fault that cannot be planted any more is a failure too.
# Run from the root. Exit code: 0 if every fault was found.
set -u
cd "$(dirname "$0")/../.." || exit 2
export MEMTWIN_HOME=$PWD
work=$(mktemp -d "${TMPDIR:-/tmp}/memtwin-faults.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
export TWIN_CFLAGS=-O1 # these twins run briefly: build fast
program=build/memtwin
point=(-p SETS=8 -p RESERVED_HEADS=3 -p DATA_W=16)
run=(dl_mshr "${point[@]}" --cycles 12000 --seed 5)
failures=0

fail() {
    echo "FAIL $*"
    failures=$((failures + 1))
}

# verdict FILE: "cycle port" of a report's verdict line, or nothing.
verdict() {
    sed -n 's/^verdict: MISMATCH: cycle \([0-9]*\), port \([a-z_]*\).*/\1 \2/p' "$1"
}

# expect NAME STATUS LOG COMMAND...: the command's exit status is STATUS.
expect() {
    local name=$1 status=$2 log=$3 is
    shift 3
    "$@" >"$log" 2>&1
    is=$?
    [ $is -eq "$status" ] && return 0
    fail "$name: exit status $is, expected $status: $*"
    tail -n 5 "$log" | sed 's/^/     | /'
    return 1
}

# ---- The unbroken RTL passes everywhere, from the model's own recording ----
cp -r rtl "$work/rtl"
export MEMTWIN_RTL=$work/rtl MEMTWIN_TWINS=$work/twins
expect record 0 "$work/log" $program cosim "${run[@]}" --model-only --record "$work/good.vec"
for engine in model icarus twin; do
    expect "good recording, $engine" 0 "$work/log" $program replay "$work/good.vec" --engine $engine
    grep -q '^verdict: PASS$' "$work/log" || fail "good recording, $engine: no PASS"
done
expect "good cosim" 0 "$work/log" $program cosim "${run[@]}"

# ---- RTL faults: name | file | sed expression ----
faults=$(
    cat <<'TABLE'
counter: a shared set taken is not counted|dl_mshr/dau.v|s/ - {{CNT_W{1'b0}}, take_shared};/;/
counter: a reserved set freed is counted as shared|dl_mshr/dau.v|s/all_done && (held_head || !cur_shared);/all_done \&\& held_head;/
picker: attaches reserved sets|dl_mshr/dau.v|s/is_free & SHARED)/is_free)/
picker: a merge-full entry links nothing|dl_mshr/dau.v|s/(!tail_full || any_shared)/!tail_full/
link: P names the head|dl_mshr/dlm_sets.v|s/(link & {SETS{take_id\[b\]}})$/(link \& {SETS{match_ptr[b]}})/
drain: the links are not followed|mshr/mshr_drain.v|s/rsp_last  = end_of_set && !cur_linked/rsp_last  = end_of_set/
drain order: slots backwards|dl_mshr/dl_mshr.v|s/\.rslot  *(slot_rslot)/.rslot(~slot_rslot)/
drain: no RET with the last response|mshr/mshr_drain.v|s/(!active || all_done)/!active/
refusal: merge-full for entry-full|dl_mshr/dau.v|s/MSHR_REFUSE_ENTRY_FULL/MSHR_REFUSE_MERGE_FULL/
ret: still matchable after RET|dl_mshr/dlm_sets.v|s/ & ~(ret_hit & {SETS{ret_start}})//
ret: a tail linked in the cycle of its RET stays matchable|dl_mshr/dlm_sets.v|s/= take & {SETS{!(ret_start && .*}};/= take;/
state: nobody waits after merge-full|dl_mshr/dlm_sets.v|s/ | (tail & {SETS{refuse_merge}})//
error: not sticky|dl_mshr/dau.v|s/if (!stop) begin/if (1'b1) begin/
data: byte mask inverted|mshr/mshr_slots.v|s/{w_mask, w_data}/{~w_mask, w_data}/
TABLE
)

# plant FILE SED: changes a file of the scratch RTL; false if that changes nothing.
plant() {
    cp "$work/rtl/$1" "$work/keep.v"
    sed -i "$2" "$work/rtl/$1"
    ! cmp -s "$work/keep.v" "$work/rtl/$1"
}

found=0
while IFS='|' read -r name file expression; do
    if ! plant "$file" "$expression"; then
        fail "$name: the fault cannot be planted into $file any more"
        continue
    fi
    if expect "$name: cosim" 3 "$work/log" $program cosim "${run[@]}" &&
        expect "$name: icarus" 3 "$work/log.icarus" $program replay "$work/good.vec" --engine icarus; then
        twin=$(verdict "$work/log")
        icarus=$(verdict "$work/log.icarus")
        if [ -z "$twin" ] || [ "$twin" != "$icarus" ]; then
            fail "$name: Verilator finds '$twin', Icarus '$icarus'"
        else
            found=$((found + 1))
            echo "found: $name (cycle port: $twin)"
        fi
    fi
    cp "$work/keep.v" "$work/rtl/$file"
done <<<"$faults"

# ---- X: state without reset is for Icarus to find ----
if plant mshr/mshr_drain.v "s/^ *active <= 1'b0;$//"; then
    expect "no reset of active: icarus" 3 "$work/log" $program replay "$work/good.vec" --engine icarus &&
        grep -Eq '^  rtl +[0-9a-f]*x' "$work/log" && echo "found: no reset of active (X at $(verdict "$work/log"))" ||
        fail "no reset of active: no X in Icarus' report"
else
    fail "no reset of active: cannot be planted any more"
fi
cp "$work/keep.v" "$work/rtl/mshr/mshr_drain.v"

# ---- A flipped bit of the model's outputs is reported in its very cycle and port ----
flips="ret_ready rsp_valid err st_free_heads st_free_shared st_state req_ready req_refuse req_primary req_head
    rsp_last rsp_off rsp_id rsp_write rsp_data rsp_mask"
for port in $flips; do
    for cycle in $(seq 2000 2300); do # the next cycle in which the port means something
        $program cosim "${run[@]}" --plant "$port@$cycle" >"$work/log" 2>&1
        status=$?
        [ $status -eq 1 ] && grep -q 'means nothing in that cycle' "$work/log" || break
    done
    if [ $status -ne 3 ] || [ "$(verdict "$work/log")" != "$cycle $port" ]; then
        fail "plant $port@$cycle: status $status, '$(verdict "$work/log")'"
        continue
    fi
    replay=$(sed -n 's/^replay file: //p' "$work/log")
    expect "plant $port@$cycle: replay" 3 "$work/log" $program replay "$replay" --engine model
    [ "$(verdict "$work/log")" = "$cycle $port" ] || fail "plant $port@$cycle: replay finds '$(verdict "$work/log")'"
    echo "found: plant $port@$cycle"
done
expect "plant of no port" 1 "$work/log" $program cosim "${run[@]}" --plant nonsense@5
expect "plant of no cycle" 1 "$work/log" $program cosim "${run[@]}" --plant err@
expect "plant past the end" 1 "$work/log" $program cosim "${run[@]}" --plant err@12000

# ---- Faults in the model's source: a copy of the tree, changed and made ----
mkdir -p "$work/tree/build"
cp -a Makefile cmodel tb sim rtl "$work/tree" && cp -a build/obj "$work/tree/build/"
model_faults=$(
    cat <<'TABLE'
model: attaches reserved sets|s/lowest_free(m, m->g.heads_only)/lowest_free(m, 0)/
model: an attached set in the drain looks like a head in it|s/\(m, next, \|->set\[next\].state = \)MSHR_S10/\1MSHR_S5/
model: RET is taken in the middle of a chain|s/in->rsp_ready && drain_ends(m)/in->rsp_ready \&\& drain_set_ends(m)/
TABLE
)
core=cmodel/mshr/mshr_core.c
while IFS='|' read -r name expression; do
    cp -p "$core" "$work/tree/$core"
    sed -i "$expression" "$work/tree/$core"
    if cmp -s "$core" "$work/tree/$core"; then
        fail "$name: the fault cannot be planted into $core any more"
        continue
    fi
    touch "$work/tree/$core"
    if ! (cd "$work/tree" && MEMTWIN_HOME=$PWD make -s build/memtwin) >"$work/log" 2>&1; then
        fail "$name: does not compile"
        tail -n 5 "$work/log" | sed 's/^/     | /'
        continue
    fi
    expect "$name" 3 "$work/log" env MEMTWIN_HOME="$work/tree" "$work/tree/build/memtwin" cosim "${run[@]}" &&
        echo "found: $name (cycle port: $(verdict "$work/log"))"
done <<<"$model_faults"

echo "$found RTL faults found, $failures failures"
[ $failures -eq 0 ] && [ $found -ge 6 ]
