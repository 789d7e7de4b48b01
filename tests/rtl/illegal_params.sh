#!/bin/sh
# Every illegal parameter stops Icarus, Verilator and Yosys with a non-zero exit code and the reason in the message; the legal ends
# of each range pass. One line a check; exit code 1 if one failed.
set -eu
cd "$(dirname "$0")/../.."

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
out=$tmp/out
failed=0

# elaborate TOOL BLOCK NAME VALUE
elaborate() {
    case $1 in
    iverilog) iverilog -g2005 -Irtl/mshr -s "$2" "-P$2.$3=$4" -t null $files ;;
    verilator) verilator --lint-only --language 1364-2005 -Irtl/mshr --top-module "$2" "-G$3=$4" $files ;;
    yosys) # chparam reads no minus sign, an instance does
        echo "module top; $2 #(.$3($4)) u (); endmodule" >"$tmp/top.v"
        yosys -q -p "read_verilog -Irtl/mshr $files $tmp/top.v; hierarchy -check -top top"
        ;;
    esac >"$out" 2>&1
}

# check BLOCK NAME=VALUE REASON, with REASON the module that must not exist, or "legal"
check() {
    files=$(tr '\n' ' ' <"rtl/$1/$1.f")
    for tool in iverilog verilator yosys; do
        if elaborate "$tool" "$1" "${2%%=*}" "${2#*=}"; then got=legal; else got=$(grep -o 'ILLEGAL_[A-Za-z0-9_]*' "$out" | head -1); fi
        if [ "$got" = "$3" ]; then
            echo "ok   $tool $1 $2: $3"
        else
            echo "FAIL $tool $1 $2: expected $3, got ${got:-an error without the reason}"
            failed=1
        fi
    done
}

check dl_mshr SETS=1 ILLEGAL_SETS_must_be_2_to_256
check dl_mshr SETS=257 ILLEGAL_SETS_must_be_2_to_256
check dl_mshr RESERVED_HEADS=128 ILLEGAL_RESERVED_HEADS_must_be_below_SETS
check dl_mshr RESERVED_HEADS=-1 ILLEGAL_RESERVED_HEADS_must_be_below_SETS
check dl_mshr TAIL=3 ILLEGAL_TAIL_must_be_0_to_2
check dl_mshr TAIL=-1 ILLEGAL_TAIL_must_be_0_to_2
check dl_mshr GATE=2 ILLEGAL_GATE_must_be_0_or_1
check dl_mshr EARLY_FREE=2 ILLEGAL_EARLY_FREE_must_be_0_or_1
check static_mshr ENTRIES=1 ILLEGAL_ENTRIES_must_be_2_to_256
check static_mshr ENTRIES=257 ILLEGAL_ENTRIES_must_be_2_to_256
for block in dl_mshr static_mshr; do
    check $block SLOTS=0 ILLEGAL_SLOTS_must_be_1_to_64
    check $block SLOTS=65 ILLEGAL_SLOTS_must_be_1_to_64
    check $block ADDR_W=0 ILLEGAL_ADDR_W_must_be_1_to_48
    check $block ADDR_W=49 ILLEGAL_ADDR_W_must_be_1_to_48
    check $block OFF_W=0 ILLEGAL_OFF_W_must_be_1_to_16
    check $block OFF_W=17 ILLEGAL_OFF_W_must_be_1_to_16
    check $block ID_W=0 ILLEGAL_ID_W_must_be_1_to_32
    check $block ID_W=33 ILLEGAL_ID_W_must_be_1_to_32
    check $block DATA_W=-8 ILLEGAL_DATA_W_must_be_0_to_1024
    check $block DATA_W=1032 ILLEGAL_DATA_W_must_be_0_to_1024
    check $block DATA_W=12 ILLEGAL_DATA_W_must_be_a_multiple_of_8
    check $block OBSERVE=2 ILLEGAL_OBSERVE_must_be_0_or_1
    check $block OBSERVE=-1 ILLEGAL_OBSERVE_must_be_0_or_1
    for legal in OBSERVE=0 SLOTS=1 SLOTS=64 ADDR_W=1 ADDR_W=48 OFF_W=1 OFF_W=16 ID_W=1 ID_W=32 DATA_W=8 DATA_W=1024; do
        check $block $legal legal
    done
done
for legal in SETS=2 SETS=256 RESERVED_HEADS=0 RESERVED_HEADS=127 TAIL=0 TAIL=2 GATE=0 EARLY_FREE=1; do
    check dl_mshr $legal legal
done
check static_mshr ENTRIES=2 legal
check static_mshr ENTRIES=256 legal
exit $failed
