#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Proves properties of the RTL (docs/results/verification.md lists them). Prints one line per proof of a submodule (tb/formal/proofs.txt) or
# of a block (tagged proof in rtl/BLOCK/block.points): block, property, parameters, result, processor time in seconds. The exit code is 1 if
# a proof failed, 2 if no proof could be run.
#   tb/formal/run.sh                     all proofs
#   tb/formal/run.sh [--quick|--long] BLOCK [PROPERTY [PARAMETER=VALUE]...]   proofs of the block, of the property, at the parameters
#   tb/formal/run.sh --list              prints the proofs, as lines of tb/formal/proofs.txt
#   --quick      only proofs marked q
#   --long       only proofs marked l, which no other option runs
# MEMTWIN_RTL=folder  other Verilog, in folders as in rtl/
# PROOFS=file   list of proofs that replaces the others
# PATIENCE=n    seconds to search for a violation of an unproven contract (default: 60)
# A violation is replayed in Icarus, printed cycle by cycle and kept as build/formal/<proof>/trace.vcd.
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
OUT=${OUT:-${MEMTWIN_PROJECT:-.}/build/formal}
. tb/harness/blocks.bash
. tb/progress.bash
. tb/formal/contract.bash

die() {
    echo "formal: $*" >&2
    exit 2
}

# word NAME LIST: prints the value of NAME=VALUE in a list
word() {
    local w
    for w in $2; do [ "${w%%=*}" != "$1" ] || echo "${w#*=}"; done
}

# as_verilog LIST: converts NAME=VALUE .. to .NAME(VALUE), ..
as_verilog() {
    local w sep='' s=''
    for w in $1; do s+="$sep.${w%%=*}(${w#*=})" sep=', '; done
    echo "$s"
}

run_yosys() { # LOG SCRIPT
    tool yosys -q -l "$1" -p "$2" >"$1.out" 2>&1 || die "yosys: $(grep -m1 ERROR "$1.out") ($1)"
}

# proofs: prints the proofs of blocks, at points tagged proof, and of submodules, or those of PROOFS, as lines of tb/formal/proofs.txt
proofs() {
    [ -n "${MEMTWIN_PROJECT:-}" ] && [ -z "${PROOFS:-}" ] || sed '/^#/d; s/  */ /g; s/^ //; s/ $//; s/ *| */|/g' "${PROOFS:-tb/formal/proofs.txt}"
    [ -n "${PROOFS:-}" ] || points proof | awk '{
        block = $1
        split($3, is, ",")
        sub(/^[^ ]+ [^ ]+ [^ ]+ ?/, "")
        line = block "|" is[1] "|" $0 "|" is[2] "|" is[3] "|" is[4]
        gsub(/[+]/, " ", line)
        print line }'
}

# cone DIR BLOCK PARAMETERS: checks that no forbidden path remains after all flip-flops and memory cells are removed
cone() {
    local p set=''
    for p in $3; do set+=" -set ${p%%=*} ${p#*=}"; done
    cat >"$1/cone.ys" <<-END
		read_verilog -I${MEMTWIN_PROJECT:-.} -I$RTL/lib -I$RTL/incoming -I$RTL/mshr -I$RTL/$2 $(sources "$2") $(observer "$2")
		chparam$set $(observed "$2")
		hierarchy -check -top $(observed "$2")
		proc
		flatten
		memory
		opt
		delete t:\$*dff*
		$(facts cone "$2")
	END
    if tool yosys -q -l "$1/yosys.log" -s "$1/cone.ys" >"$1/out" 2>&1; then
        verdict='by structure, in every state'
    elif grep -q 'Assertion failed' "$1/out"; then
        verdict='VIOLATED: an output depends on an input it must not'
        return 1
    else
        die "yosys: $(grep -m1 ERROR "$1/out") ($1/yosys.log)"
    fi
}

# state DIR PARAMETERS PROPERTY: writes $1/formal_state.vh, which connects formal_cart to the registers and memories of the block by name
state() {
    local p i n list waits='' ids='' rows='' cols=''
    local BANKS ROWS COLS DEPTH ADDR_W ID_W BANK_MASK COL_MASK POLICY=0 HOLD=1 AGE_LIMIT=0 FILL=0 COL_DROP=0
    for p in $2; do local "$p"; done
    n=$((ROWS * COLS))
    local place_w=1 bank_w=0 col_w=0
    while [ $((1 << place_w)) -lt "$DEPTH" ]; do place_w=$((place_w + 1)); done
    for ((i = 0; i < ADDR_W; i++)); do bank_w=$((bank_w + (BANK_MASK >> i & 1))) col_w=$((col_w + (COL_MASK >> i & 1))); done
    local row_w=$((ADDR_W - bank_w - col_w)) queue_w=1 passed_w=1 queue_col_w=1 tags=$ROWS peers=$COLS
    col_w=$((col_w - COL_DROP))
    if [ "$FILL" = 1 ]; then tags=$n peers=$n; fi
    while [ $((1 << queue_col_w)) -lt $peers ]; do queue_col_w=$((queue_col_w + 1)); done
    while [ $((1 << queue_w)) -lt $n ]; do queue_w=$((queue_w + 1)); done
    while [ $((1 << passed_w)) -lt $((AGE_LIMIT + 1)) ]; do passed_w=$((passed_w + 1)); done

    inner() { # WIDTH NAME: a wire that flatten connects to the block's wire
        echo "    (* hierconn *) wire [$(($1 - 1)):0] \\u_dut.u_block.$2 ;"
    }
    words() { # WIDTH COUNT NAME: the words of a memory; sets $list to their concatenation, highest first
        local j
        for ((j = 0; j < $2; j++)); do
            inner "$1" "$3.mem[$j]"
            list="\\u_dut.u_block.$3.mem[$j] ${list:+, $list}"
        done
    }
    {
        inner $((BANKS * n * DEPTH)) lengths
        inner $((BANKS * n * place_w)) heads
        list='' && for ((i = 0; i < BANKS * n; i++)); do
            inner $peers "u_queues.gen_branch[$((i / n))].gen_queue[$((i % n))].older"
            list="\\u_dut.u_block.u_queues.gen_branch[$((i / n))].gen_queue[$((i % n))].older ${list:+, $list}"
        done && waits=$list
        list='' && for ((i = 0; i < DEPTH * n; i++)); do words $((ID_W + COL_DROP)) "$BANKS" "u_ids.gen_part[$i]"; done && ids=$list
        list='' && words $((tags * row_w)) "$BANKS" u_row_tags && rows=$list
        list='' && words $((n * col_w)) "$BANKS" u_col_tags && cols=$list
        local bank="1'b0" from_bank="1'b0" in_use="1'b0" alive="1'b0" last_tags="1'b0" last_cols="1'b0" held="1'b0" held_queue="1'b0"
        if [ "$POLICY" = 0 ]; then
            inner "$BANKS" u_drain.gen_rotating.u_rotate.bank
            inner "$BANKS" u_drain.gen_rotating.u_rotate.from_bank
            inner "$BANKS" u_drain.gen_rotating.u_rotate.used
            inner "$BANKS" u_drain.gen_rotating.u_branches.alive
            inner $((BANKS * tags)) u_drain.gen_rotating.u_branches.last_tags
            inner $((BANKS * queue_col_w)) u_drain.gen_rotating.u_branches.last_cols
            bank='\u_dut.u_block.u_drain.gen_rotating.u_rotate.bank '
            from_bank='\u_dut.u_block.u_drain.gen_rotating.u_rotate.from_bank '
            in_use='\u_dut.u_block.u_drain.gen_rotating.u_rotate.used '
            alive='\u_dut.u_block.u_drain.gen_rotating.u_branches.alive '
            last_tags='\u_dut.u_block.u_drain.gen_rotating.u_branches.last_tags '
            last_cols='\u_dut.u_block.u_drain.gen_rotating.u_branches.last_cols '
            if [ "$HOLD" = 1 ]; then
                inner 1 u_drain.held
                inner $n u_drain.gen_rotating.u_branches.gen_hold.held_r
                held='\u_dut.u_block.u_drain.held '
                held_queue='\u_dut.u_block.u_drain.gen_rotating.u_branches.gen_hold.held_r '
            fi
        elif [ "$POLICY$HOLD" = 11 ]; then
            local longest=u_drain.gen_whole_tree.gen_longest.gen_held
            inner 1 u_drain.held
            inner "$BANKS" $longest.held_bank
            inner $n $longest.held_queue
            held='\u_dut.u_block.u_drain.held '
            bank="\\u_dut.u_block.$longest.held_bank "
            held_queue="\\u_dut.u_block.$longest.held_queue "
        fi
        if [ "$POLICY" = 2 ]; then
            local at=u_drain.gen_whole_tree.gen_round_robin
            inner "$BANKS" $at.turn
            inner "$BANKS" $at.behind
            bank="\\u_dut.u_block.$at.turn " from_bank="\\u_dut.u_block.$at.behind | \\u_dut.u_block.$at.turn "
        fi
        list="1'b0"
        local valid="1'b0" passed="1'b0"
        if [ "$AGE_LIMIT" -gt 0 ]; then
            local at="u_drain.gen_rotating.u_branches.gen_age.gen_branch"
            valid='' list='' passed=''
            for ((i = 0; i < BANKS; i++)); do
                inner $((DEPTH * n)) "$at[$i].u_age.valid"
                inner $((DEPTH * n * queue_w)) "$at[$i].u_age.queues"
                inner $passed_w "$at[$i].u_age.passed"
                valid="\\u_dut.u_block.$at[$i].u_age.valid ${valid:+, $valid}"
                list="\\u_dut.u_block.$at[$i].u_age.queues ${list:+, $list}"
                passed="\\u_dut.u_block.$at[$i].u_age.passed ${passed:+, $passed}"
            done
        fi
        local labels=0 counted=0 aged=0
        case $3 in order) labels=2 ;; account) labels=1 counted=1 ;; room) counted=1 ;; age) aged=1 ;; esac
        cat <<-END
			    formal_cart #(
			        $(as_verilog "BANKS=$BANKS ROWS=$ROWS COLS=$COLS DEPTH=$DEPTH ADDR_W=$ADDR_W ID_W=$ID_W BANK_MASK=$BANK_MASK COL_MASK=$COL_MASK FILL=$FILL COL_DROP=$COL_DROP TAGS=$tags PEERS=$peers"),
			        $(as_verilog "POLICY=$POLICY HOLD=$HOLD PLACE_W=$place_w ROW_W=$row_w COL_W=$col_w LABELS=$labels COUNTED=$counted AGED=$aged AGE_LIMIT=$AGE_LIMIT QUEUE_W=$queue_w PASSED_W=$passed_w LAST_W=$queue_col_w")
			    ) u_state (
			        .lengths(\\u_dut.u_block.lengths ), .waits_for({$waits}), .heads(\\u_dut.u_block.heads ), .ids({$ids}), .rows({$rows}), .cols({$cols}),
			        .held($held), .held_queue($held_queue), .bank($bank), .from_bank($from_bank), .in_use($in_use), .alive($alive), .last_tags($last_tags), .last_cols($last_cols),
			        .list_valid({$valid}), .list({$list}), .passed({$passed}), .older(older), .past(past), .known(known),
			        .inside_label(inside_label), .addr(inside_addr), .id(inside_id), .count(inside_count), .holds(holds)
			    );
		END
    } >"$1/formal_state.vh"
}

# model DIR BLOCK PROPERTY PARAMETERS OF_PROPERTY STATE: writes the block with the property as $1/model.aig; if STATE is not empty, also
# with the state invariants
model() {
    local addr_w id_w
    addr_w=$(word ADDR_W "$4") id_w=$(word ID_W "$4")
    {
        echo "\`define DUT $(observed "$2")"
        echo "\`define PROPERTY formal_$3"
        echo "\`define ADDR_W $addr_w"
        echo "\`define ID_W $id_w"
        echo "\`define DUT_PARAMETERS $(as_verilog "$4")"
        echo "\`define PROPERTY_PARAMETERS $(as_verilog "ADDR_W=$addr_w ID_W=$id_w $5")"
        if [ "$3" = age ]; then echo '`define AGED'; fi
        if [ -n "$6" ]; then echo '`define STATE'; fi
    } >"$1/formal_point.vh"
    if [ -n "$6" ]; then state "$1" "$4" "$3"; fi
    run_yosys "$1/yosys.log" "read_verilog -I$1 -I$RTL/lib -I$RTL/incoming tb/formal/formal_top.v tb/formal/formal_cart.v tb/formal/formal_$3.v $(sources "$2") $(observer "$2");
        hierarchy -check -top formal_top; proc; memory_collect; memory_map; setundef -undriven -anyseq * formal_top %d *_observe* %d; flatten; check -assert; opt -full; techmap; opt -fast;
        dffunmap; setundef -undriven -anyseq; aigmap; opt_clean -purge; write_aiger -zinit -symbols -map $1/model.aim $1/model.aig"
}

# replay DIR BLOCK PROPERTY: replays the inputs of $1/trace.aiw in Icarus; the last line says if the property was violated
replay() {
    awk '
        FNR == NR { if ($1 == "input" && $4 != "clk") { at[$4, $3] = $2 + 1; if (!($4 in top) || $3 > top[$4]) top[$4] = $3 } next }
        FNR == 1 || !/^[01]/ { next }
        {
            s = ""
            for (name in top) {
                bits = ""
                for (i = top[name]; i >= 0; i--) bits = bits (((name, i) in at) ? substr($0, at[name, i], 1) : "0")
                s = s " " name " = " top[name] + 1 "\047b" bits ";"
            }
            print s " tick;"
        }' "$1/model.aim" "$1/trace.aiw" >"$1/steps.vh"
    iverilog -g2005 -I"$1" -I"$RTL/lib" -I"$RTL/incoming" -s formal_replay -o "$1/replay.vvp" tb/formal/formal_replay.v tb/formal/formal_top.v \
        "tb/formal/formal_$3.v" $(sources "$2") $(observer "$2") && vvp -n "$1/replay.vvp" +vcd="$1/trace.vcd" | grep -v "^VCD info" >"$1/replay.txt"
}

# solve DIR COMMANDS: runs ABC on the model, with the log in $1/abc.log
solve() {
    tool yosys-abc -c "read_aiger $1/model.aig; $2" >"$1/abc.log" 2>&1 || die "abc failed ($1/abc.log)"
}

# check DIR BLOCK PROPERTY PARAMETERS OF_PROPERTY ENGINE: runs a proof and sets $verdict
check() {
    case $6 in
    pdr)
        model "$1" "$2" "$3" "$4" "$5" ''
        solve "$1" "scorr; dc2; scorr; pdr -T 120"
        if grep -q 'Property proved' "$1/abc.log"; then verdict='proven, unbounded (pdr)' && return 0; fi
        ;;
    induction)
        model "$1" "$2" "$3" "$4" "$5" state
        solve "$1" 'bmc3 -F 4; ind -F 2'
        if grep -q 'No output asserted in 4 frames' "$1/abc.log" && grep -q 'Networks are equivalent' "$1/abc.log"; then
            verdict='proven, unbounded (induction)' && return 0
        fi
        ;;
    *) die "no engine '$6'" ;;
    esac
    # The property is not proven, so search for its shortest violation.
    model "$1" "$2" "$3" "$4" "$5" ''
    solve "$1" "scorr; dc2; scorr; bmc3 -T 60; write_cex -a $1/trace.aiw"
    verdict='NOT PROVEN, and not violated in as many cycles as 60 s allow'
    if grep -q 'was asserted in frame' "$1/abc.log"; then
        replay "$1" "$2" "$3"
        verdict="VIOLATED: $1/trace.vcd"
    fi
    return 1
}

prove() { # BLOCK PROPERTY PARAMETERS OF_PROPERTY ENGINE
    local dir engine sizes status=0
    read -r engine sizes <<<"$5"
    dir=$OUT/$(tr -s ' =' '-_' <<<"$1 $2 $3 $4" | tr -d "'{}" | sed 's/-*$//')
    rm -rf "$dir"
    mkdir -p "$dir"
    verdict=
    processor "$dir" start
    if [ "$engine" = cone ]; then
        [ -n "$(facts cone "$1")" ] || die "rtl/$1/block.points has no line cone:"
        cone "$dir" "$1" "$3" || status=1
    elif [ "$2" = contract ]; then
        contract "$dir" "$1" "$3" "$engine" $sizes || status=1
    else
        check "$dir" "$1" "$2" "$3" "$4" "$engine" || status=1
    fi
    processor "$dir" end
    printf '%-11s %-8s %-62s %s, %.1f s\n' "$1" "$2" "$3${4:+, $4}" "$verdict" "$spent"
    if [ -s "$dir/replay.txt" ]; then sed 's/^/    | /' "$dir/replay.txt"; fi
    return $status
}

# processor DIR start|end: sets $spent to the processor seconds of the commands between start and end
processor() {
    times >"$1/times.$2"
    [ "$2" = start ] || spent=$(awk 'FNR == 2 { for (i = 1; i <= 2; i++) { split($i, t, "m"); sum += (t[1] * 60 + t[2]) * (FILENAME ~ /start$/ ? -1 : 1) } }
        END { print sum }' "$1/times.end" "$1/times.start")
}

# wanted BLOCK PROPERTY PARAMETERS: succeeds if the arguments select this proof
wanted() {
    local w
    [ -z "${ask[0]:-}" ] || [ "$1" = "${ask[0]}" ] || return 1
    [ -z "${ask[1]:-}" ] || [ "$2" = "${ask[1]}" ] || return 1
    for w in "${ask[@]:2}"; do [[ " $3 " == *" $w "* ]] || return 1; done
}

show_help "$@"
if [ "${1:-}" = --list ]; then proofs; exit; fi
only=
if [ "${1:-}" = --quick ]; then only=q && shift; elif [ "${1:-}" = --long ]; then only=l && shift; fi
ask=("$@")
[ -d "$RTL" ] || die "MEMTWIN_RTL=$RTL: no such folder"
[[ ${PATIENCE:-60} =~ ^[1-9][0-9]*$ ]] || die "PATIENCE must be a positive integer (seconds): $PATIENCE"
[ -z "${PROOFS:-}" ] || [ -r "$PROOFS" ] || die "no list of proofs $PROOFS"
for program in yosys yosys-abc iverilog; do command -v $program >/dev/null || die "$program is not installed"; done
list=$(proofs) || exit 2 # the error has been printed
# asked_for: prints the selected proofs of the list
asked_for() {
    local block property parameters of_property engine quick
    while IFS='|' read -r block property parameters of_property engine quick; do
        case $only in
        '') [ "$quick" != l ] || continue ;;
        *) [ "$quick" = $only ] || continue ;;
        esac
        ! wanted "$block" "$property" "$parameters" || echo "$block|$property|$parameters|$of_property|$engine"
    done
}
list=$(asked_for <<<"$list")
[ -n "$list" ] || die "no such proof: $*; tb/formal/run.sh --list prints the proofs"
for module in $(cut -d '|' -f 1 <<<"$list" | sort -u); do
    [ ! -e "${MEMTWIN_PROJECT:-.}/rtl/$module/$module.f" ] || reason=$(check_rtl "$module") || die "$reason"
    ls "$RTL"/*/"$module.v" >/dev/null 2>&1 || die "MEMTWIN_RTL=$RTL: no $module.v; name the rtl folder"
done
mkdir -p "$OUT"
progress_begin formal "$(wc -l <<<"$list")" "$OUT/progress"
made=0 missed=0 total=0
while IFS='|' read -r block property parameters of_property engine; do
    [ ! -t 2 ] || progress "$block $property $parameters $of_property" # a log gets a line for each proof anyway
    made=$((made + 1))
    prove "$block" "$property" "$parameters" "$of_property" "$engine" || missed=$((missed + 1))
    total=$(awk -v a="$total" -v b="$spent" 'BEGIN { print a + b }')
done <<<"$list"
printf 'processor time: %.1f s\n' "$total"
echo "$((made - missed)) of $made shown"
[ $missed -eq 0 ]
