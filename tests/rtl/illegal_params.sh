#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every illegal parameter stops Icarus, Verilator and Yosys with a nonzero exit code and the reason in the message. If other parameters set a
# bound, the last legal value passes (lint elaborates both ends of each range). One line per check; exit code 1 if one failed. Each tool runs a
# block's first check for each reason, and each value of 0; Icarus runs all others. In tier test each tool runs a block's first check, and Icarus every fifth of
# the others; in tier full each tool runs a block's first ones, and Icarus every second of the others.
# tier: test, 6 s; full, 50 s; long, 120 s
set -eu
. "$(dirname "$0")/../../tb/env.bash"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
out=$tmp/out
includes=$(printf -- '-I%s ' rtl/*/)
failed=0
n=0
: >"$tmp/seen"

# elaborate TOOL BLOCK NAME=VALUE...
elaborate() {
    local tool=$1 block=$2 p='' g='' c='' s
    shift 2
    for s in "$@"; do
        p="$p -P$block.$s" g="$g -G$s" c="$c${c:+, }.${s%%=*}(${s#*=})"
    done
    case $tool in
    iverilog) iverilog -g2005 $includes -s "$block" $p -t null $files ;;
    verilator) verilator --lint-only --language 1364-2005 $includes --top-module "$block" $g $files ;;
    yosys) # chparam reads no minus sign, but an instance does
        echo "module top; $block #($c) u (); endmodule" >"$tmp/top.v"
        yosys -q -p "read_verilog -defer $includes $files; read_verilog $tmp/top.v; hierarchy -check -top top"
        ;;
    esac >"$out" 2>&1
}

# check BLOCK 'NAME=VALUE ...' REASON: REASON is the missing module, or "legal". All other parameters have their defaults. BLOCK may be an
# arithmetic module of rtl/lib.
check() {
    local tools="iverilog verilator yosys"
    if [ -f "rtl/lib/$1.v" ]; then files=$(echo rtl/lib/mt_{sum,mod,div}_*.v); else files=$(tr '\n' ' ' <"rtl/$1/$1.f"); fi
    new="$1 $3"
    [ "${TIER:-long}" = long ] || new=$1
    if [[ $2 != *=0 || $3 = legal ]] && grep -qxF -- "$new" "$tmp/seen"; then tools=iverilog; else echo "$new" >>"$tmp/seen"; fi
    n=$((n + 1))
    case ${TIER:-long}-$tools in
    test-iverilog) [ $((n % 5)) = 0 ] || return 0 ;;
    full-iverilog) [ $((n % 2)) = 0 ] || return 0 ;;
    esac
    for tool in $tools; do
        if elaborate "$tool" "$1" $2; then got=legal; else got=$(grep -o 'ILLEGAL_[A-Za-z0-9_]*' "$out" | head -1); fi
        if [ "$got" = "$3" ]; then
            echo "ok   $tool $1 $2: $3"
        else
            echo "FAIL $tool $1 $2: expected $3, got ${got:-an error without the reason}"
            failed=1
        fi
    done
}

# ranges BLOCK NAME=LOW..HIGH...: checks that the values next to each range are refused
ranges() {
    local range name low high reason
    for range in "${@:2}"; do
        name=${range%%=*} low=${range#*=}
        high=${low#*..} low=${low%..*}
        reason=ILLEGAL_${name}_must_be_${low}_$([ $((high - low)) = 1 ] && echo or || echo to)_$high
        check "$1" "$name=$((low - 1))" "$reason"
        check "$1" "$name=$((high + 1))" "$reason"
    done
}

ranges dl_mshr SETS=3..256
check dl_mshr HEADS=1 ILLEGAL_HEADS_must_be_at_least_2
check dl_mshr HEADS=0 ILLEGAL_HEADS_must_be_at_least_2
check dl_mshr 'SETS=8 HEADS=8' ILLEGAL_HEADS_must_be_below_SETS
ranges dl_mshr_paper SETS=2..256 TAIL=0..2 GATE=0..1 EARLY_FREE=0..1
check dl_mshr_paper 'SETS=64 RESERVED_HEADS=64' ILLEGAL_RESERVED_HEADS_must_be_below_SETS
check dl_mshr_paper RESERVED_HEADS=-1 ILLEGAL_RESERVED_HEADS_must_be_below_SETS
ranges static_mshr ENTRIES=1..256 LOOKUP=1..2
check dl_mshr SETS=0 ILLEGAL_SETS_must_be_3_to_256
check static_mshr ENTRIES=-1 ILLEGAL_ENTRIES_must_be_1_to_256
for block in dl_mshr dl_mshr_paper static_mshr; do
    ranges $block SLOTS=1..64 ADDR_W=1..64 PAYLOAD_W=0..2048
    [ $block = dl_mshr_paper ] || check $block ADDR_OUT=2 ILLEGAL_ADDR_OUT_must_be_0_or_1
done
check dl_mshr SETS=3 legal
check dl_mshr_paper SETS=2 legal
check dl_mshr_paper 'SETS=64 RESERVED_HEADS=63' legal

for block in in_fifo bank_queues cart; do
    ranges $block ADDR_W=1..48 ID_W=1..32
done
ranges in_fifo DEPTH=1..16384
ranges bank_queues DEPTH=1..1024
for block in bank_queues cart; do
    check $block BANKS=1 ILLEGAL_BANKS_must_be_2_to_64
    check $block BANKS=128 ILLEGAL_BANKS_must_be_2_to_64
    check $block BANKS=24 ILLEGAL_BANKS_must_be_a_power_of_two
    check $block BANKS=32 ILLEGAL_BANK_MASK_must_have_log2_BANKS_bits
    check $block BANK_MASK=0 ILLEGAL_BANK_MASK_must_have_log2_BANKS_bits
    check $block BANK_MASK=448 ILLEGAL_BANK_MASK_must_have_log2_BANKS_bits
    check $block BANK_MASK=-1 ILLEGAL_BANK_MASK_must_have_log2_BANKS_bits
    check $block BANK_MASK=2097600 ILLEGAL_BANK_MASK_must_lie_within_ADDR_W
    check $block BANK_MASK=1049024 legal
    ranges $block HOLD=0..1
done
check bank_queues ADDR_W=8 ILLEGAL_BANK_MASK_must_lie_within_ADDR_W
check bank_queues ADDR_W=9 legal
check bank_queues QUEUES=1 ILLEGAL_QUEUES_must_be_2_to_BANKS
check bank_queues QUEUES=32 ILLEGAL_QUEUES_must_be_2_to_BANKS
check bank_queues QUEUES=12 ILLEGAL_QUEUES_must_be_a_power_of_two
ranges cart DEPTH=1..32 ROWS=1..8 COLS=1..8 POLICY=0..2 AGE_LIMIT=0..65535
check cart 'ROWS=8 COLS=8 DEPTH=9' ILLEGAL_BANKS_times_ROWS_times_COLS_times_DEPTH_must_be_at_most_8192
check cart 'ROWS=8 COLS=8 DEPTH=8' legal
check cart 'AGE_LIMIT=1 POLICY=1' ILLEGAL_AGE_LIMIT_needs_POLICY_0
check cart 'AGE_LIMIT=1 POLICY=2' ILLEGAL_AGE_LIMIT_needs_POLICY_0
ranges cart FILL=0..1 COL_DROP=0..29
check cart COL_DROP=5 ILLEGAL_COL_DROP_must_leave_a_bit_of_COL_MASK
check cart 'COL_DROP=4 FILL=1' legal
check cart COL_MASK=0 ILLEGAL_COL_MASK_must_have_a_bit
check cart COL_MASK=-1 ILLEGAL_COL_MASK_must_have_a_bit
check cart COL_MASK=63 ILLEGAL_COL_MASK_must_have_no_bit_of_BANK_MASK
check cart COL_MASK=2097152 ILLEGAL_COL_MASK_must_lie_within_ADDR_W
check cart ADDR_W=9 ILLEGAL_COL_MASK_must_leave_a_bit_for_the_row
check cart COL_MASK=2096701 ILLEGAL_COL_MASK_must_leave_a_bit_for_the_row
check cart ADDR_W=10 legal
check cart COL_MASK=2096700 legal

ranges bpg ADDR_W=1..48 ID_W=1..8
check bpg SETS=0 ILLEGAL_SETS_must_be_1_to_4096
check bpg SETS=-32 ILLEGAL_SETS_must_be_1_to_4096
check bpg SETS=8192 ILLEGAL_SETS_must_be_1_to_4096
check bpg SETS=24 ILLEGAL_SETS_must_be_a_power_of_two
ranges bpg WAYS=1..16 INDEX=0..7
check bpg INDEX=4 ILLEGAL_INDEX_must_give_back_the_line_with_the_tag
check bpg INDEX=5 ILLEGAL_INDEX_must_give_back_the_line_with_the_tag
check bpg 'INDEX=7 SETS=4' ILLEGAL_INDEX_ipoly_needs_8_SETS_or_more
check bpg 'INDEX=2 SETS=16' ILLEGAL_INDEX_fermi_needs_32_or_64_SETS
check bpg SAMPLED=0 ILLEGAL_SAMPLED_must_be_1_to_64
check bpg 'SAMPLED=128 SETS=256' ILLEGAL_SAMPLED_must_be_1_to_64
check bpg SAMPLED=6 ILLEGAL_SAMPLED_must_be_a_power_of_two
check bpg SAMPLED=64 ILLEGAL_SAMPLED_must_be_at_most_SETS
ranges bpg TAG_W=1..48
check bpg TAG_W=36 ILLEGAL_TAG_W_must_be_at_most_ADDR_W_less_log2_SETS
check bpg ADDR_W=5 ILLEGAL_TAG_W_must_be_at_most_ADDR_W_less_log2_SETS
ranges bpg CALCULATORS=1..16
check bpg 'INTERVAL=3 CALCULATORS=1' ILLEGAL_INTERVAL_must_be_4_to_1048575
check bpg INTERVAL=1048576 ILLEGAL_INTERVAL_must_be_4_to_1048575
check bpg INTERVAL=11 ILLEGAL_INTERVAL_must_be_at_least_CALCULATORS_plus_4
ranges bpg HIT_W=2..16 FAIL_W=2..16 HIT_SCALE=0..7
for legal in ADDR_W=37 'SETS=1 SAMPLED=1' 'SETS=4096 TAG_W=28' 'INDEX=2 SETS=64' 'INDEX=7 SETS=8' SAMPLED=32 TAG_W=35 INTERVAL=12; do
    check bpg "$legal" legal
done

check expiry ENTRIES=1 ILLEGAL_ENTRIES_must_be_2_to_1024
check expiry ENTRIES=-256 ILLEGAL_ENTRIES_must_be_2_to_1024
check expiry ENTRIES=1025 ILLEGAL_ENTRIES_must_be_2_to_1024
check expiry 'ENTRIES=2 BLOCK_W=1' ILLEGAL_BLOCK_W_must_be_2_to_32
check expiry BLOCK_W=33 ILLEGAL_BLOCK_W_must_be_2_to_32
check expiry BLOCK_W=8 ILLEGAL_ENTRIES_must_be_less_than_2_to_the_power_of_BLOCK_W
check expiry 'ENTRIES=4 BLOCK_W=2' ILLEGAL_ENTRIES_must_be_less_than_2_to_the_power_of_BLOCK_W
check expiry PAGES=1 ILLEGAL_PAGES_must_be_2_to_32
check expiry PAGES=64 ILLEGAL_PAGES_must_be_2_to_32
check expiry PAGES=12 ILLEGAL_PAGES_must_be_a_power_of_two
ranges expiry TAKE=1..16
for legal in 'ENTRIES=255 BLOCK_W=8' 'ENTRIES=3 BLOCK_W=2'; do
    check expiry "$legal" legal
done

check hir SETS=0 ILLEGAL_SETS_must_be_1_to_1024
check hir SETS=-128 ILLEGAL_SETS_must_be_1_to_1024
check hir SETS=2048 ILLEGAL_SETS_must_be_1_to_1024
check hir SETS=96 ILLEGAL_SETS_must_be_a_power_of_two
check hir WAYS=0 ILLEGAL_WAYS_must_be_1_to_16
check hir WAYS=-8 ILLEGAL_WAYS_must_be_1_to_16
check hir WAYS=17 ILLEGAL_WAYS_must_be_1_to_16
check hir 'SET_W=3 SETS=1' ILLEGAL_SET_W_must_be_4_to_48
check hir SET_W=49 ILLEGAL_SET_W_must_be_4_to_48
check hir SET_W=7 ILLEGAL_SET_W_must_be_at_least_log2_SETS_plus_1
check hir 'SET_W=10 SETS=1024' ILLEGAL_SET_W_must_be_at_least_log2_SETS_plus_1
check hir PAGES=1 ILLEGAL_PAGES_must_be_2_to_32
check hir 'PAGES=64 COUNT_W=1' ILLEGAL_PAGES_must_be_2_to_32
check hir PAGES=12 ILLEGAL_PAGES_must_be_a_power_of_two
check hir COUNT_W=0 ILLEGAL_COUNT_W_must_be_1_to_4
check hir 'COUNT_W=5 PAGES=2' ILLEGAL_COUNT_W_must_be_1_to_4
check hir 'COUNT_W=3 PAGES=32' ILLEGAL_PAGES_times_COUNT_W_must_be_at_most_64
ranges hir LOST_W=1..16
for legal in 'SET_W=4 SETS=8' SET_W=8 'PAGES=32 COUNT_W=2'; do
    check hir "$legal" legal
done
ranges addr_hash ADDR_W=1..48
check addr_hash SETS=0 ILLEGAL_SETS_must_be_1_to_4096
check addr_hash SETS=8192 ILLEGAL_SETS_must_be_1_to_4096
check addr_hash SETS=48 ILLEGAL_SETS_must_be_a_power_of_two
ranges addr_hash INDEX=0..8
check addr_hash 'INDEX=2 SETS=16' ILLEGAL_INDEX_fermi_needs_32_or_64_SETS
check addr_hash 'INDEX=4 SETS=2' ILLEGAL_INDEX_pmod_and_a_prime_need_4_SETS_or_more
check addr_hash 'INDEX=5 SETS=1' ILLEGAL_INDEX_pmod_and_a_prime_need_4_SETS_or_more
check addr_hash 'INDEX=7 SETS=4' ILLEGAL_INDEX_ipoly_needs_8_SETS_or_more
ranges addr_hash PARTITIONS=1..256 MAP=0..6
for map in 1 2 5; do
    check addr_hash "MAP=$map PARTITIONS=12" ILLEGAL_MAP_xor_xor_next_and_d_prime_need_a_power_of_two_of_PARTITIONS
done
check addr_hash 'MAP=3 PARTITIONS=1' ILLEGAL_MAP_prime_needs_2_PARTITIONS_or_more
for n in 1 3 8 32 128; do
    check addr_hash "MAP=4 PARTITIONS=$n" ILLEGAL_MAP_a_prime_needs_2_4_16_or_64_PARTITIONS
done
for n in 4 12 128; do
    check addr_hash "MAP=6 PARTITIONS=$n" ILLEGAL_MAP_ipoly_needs_8_16_32_or_64_PARTITIONS
done
ranges addr_hash INTERLEAVE=0..10 LATENCY=1..2
for legal in 'INDEX=4 SETS=4' 'INDEX=8 SETS=1' 'MAP=3 PARTITIONS=2' 'MAP=4 PARTITIONS=2' 'MAP=6 PARTITIONS=64' PARTITIONS=12; do
    check addr_hash "$legal" legal
done
for module in mt_mod_const mt_div_exact mt_mod_poly; do
    ranges $module WIDTH=1..48
done
for module in mt_mod_const mt_div_exact; do
    check $module P=8193 ILLEGAL_P_must_be_3_to_8191
    check $module P=30 ILLEGAL_P_must_be_odd
    check $module R_W=4 ILLEGAL_R_W_must_be_log2_P_rounded_up
    check $module R_W=6 ILLEGAL_R_W_must_be_log2_P_rounded_up
    check $module 'P=17 R_W=5' legal
done
check mt_mod_const SUM_W=7 ILLEGAL_SUM_W_must_hold_the_sum
check mt_mod_const 'P=31 SUM_W=8' legal
check mt_div_exact P=1 ILLEGAL_P_must_be_3_to_8191
check mt_div_exact Q_W=49 ILLEGAL_Q_W_must_be_1_to_48
ranges mt_mod_poly DEGREE=1..16
check mt_mod_poly POLY=31 ILLEGAL_POLY_must_have_DEGREE
check mt_mod_poly POLY=64 ILLEGAL_POLY_must_have_DEGREE
check mt_mod_poly POLY=63 legal
check mt_sum_bits N=255 ILLEGAL_N_must_be_1_to_254
check mt_sum_rows W=0 ILLEGAL_W_must_be_1_to_64
ranges mt_sum_rows ROWS=2..512
for module in mt_sum_bits mt_sum_rows; do
    check $module W=65 ILLEGAL_W_must_be_1_to_64
    check $module W=64 legal
done
ranges lease LANES=1..32 ENTRIES=1..32 BLOCK_W=2..20 COUNT_W=2..16 PAGES=2..32
check lease PAGES=12 ILLEGAL_PAGES_must_be_a_power_of_two
ranges lease GROUPS=1..64 DUTY=1..1048576 PERIOD=28..4194304
check lease PERIOD=2056 ILLEGAL_PERIOD_less_DUTY_must_leave_time_for_all_entries_and_groups
check lease DUTY=4944 ILLEGAL_PERIOD_less_DUTY_must_leave_time_for_all_entries_and_groups
ranges lease LIFE_W=2..16 WEIGHT=0..7
for legal in PERIOD=2057 DUTY=4943 LANES=32 'ENTRIES=1 COUNT_W=2 GROUPS=1 DUTY=1 PERIOD=28' 'GROUPS=33 WEIGHT=7'; do
    check lease "$legal" legal
done
ranges mil KERNELS=1..4 SCHEDULERS=1..4 INTERVAL_W=4..16 RF_W=4..24
check mil RF_W=9 ILLEGAL_RF_W_must_be_at_least_INTERVAL_W
ranges mil INFLIGHT_W=4..10 MINST_W=4..16
check mil MINST_W=9 ILLEGAL_MINST_W_must_be_INTERVAL_W_to_2_more
check mil MINST_W=13 ILLEGAL_MINST_W_must_be_INTERVAL_W_to_2_more
ranges mil RATIO_MAX=2..64 QUOTA_W=8..24
check mil QUOTA_W=9 ILLEGAL_QUOTA_W_must_hold_RATIO_MAX_to_the_power_of_KERNELS
check mil 'KERNELS=4 RATIO_MAX=33' ILLEGAL_QUOTA_W_must_hold_RATIO_MAX_to_the_power_of_KERNELS
ranges mil LIMIT=0..2 ORDER=0..2 ZERO=0..2
for legal in 'RF_W=10 MINST_W=12' 'KERNELS=4 RATIO_MAX=32' 'KERNELS=1 RATIO_MAX=64 QUOTA_W=8' QUOTA_W=10; do
    check mil "$legal" legal
done

ranges cap GROUPS=1..64 AVAIL_W=4..28 SIZE_W=5..24 C_NUM=1..255 C_DEN=1..255
check cap C_NUM=9 ILLEGAL_C_NUM_must_be_at_least_C_DEN
check cap C_DEN=12 ILLEGAL_C_NUM_must_be_at_least_C_DEN
ranges cap OVER=0..4
for legal in C_NUM=10 C_DEN=11; do
    check cap "$legal" legal
done

check cache_example LINE_BYTES=16 ILLEGAL_LINE_BYTES_must_be_32_to_128
check cache_example LINE_BYTES=256 ILLEGAL_LINE_BYTES_must_be_32_to_128
check cache_example LINE_BYTES=96 ILLEGAL_LINE_BYTES_must_be_a_power_of_two
check cache_example SETS=1 ILLEGAL_SETS_must_be_2_to_256
check cache_example SETS=512 ILLEGAL_SETS_must_be_2_to_256
check cache_example SETS=48 ILLEGAL_SETS_must_be_a_power_of_two
ranges cache_example WAYS=1..8
check cache_example DATA_W=32 ILLEGAL_DATA_W_must_be_64_to_256
check cache_example DATA_W=512 ILLEGAL_DATA_W_must_be_64_to_256
check cache_example DATA_W=96 ILLEGAL_DATA_W_must_be_a_power_of_two
ranges cache_example ADDR_W=16..48 ID_W=1..16 MSHR_SETS=2..64 MSHR_SLOTS=1..16 EVICTS=1..8
check cache_example 'LINE_BYTES=32 DATA_W=256' legal

# values far above the range, in Verilator, which unrolls loops before it misses a module; not in tier test
far() {
    local files
    [ "${TIER:-long}" != test ] || return 0
    files=$(tr '\n' ' ' <"rtl/$1/$1.f")
    elaborate verilator "$1" "$2" || :
    if grep -q "$3" "$out"; then
        echo "ok   verilator $1 $2: $3"
    else
        echo "FAIL verilator $1 $2: expected $3"
        failed=1
    fi
}
far static_mshr ENTRIES=100000 ILLEGAL_ENTRIES_must_be_1_to_256
far dl_mshr HEADS=100000 ILLEGAL_HEADS_must_be_below_SETS
far dl_mshr_paper SETS=100000 ILLEGAL_SETS_must_be_2_to_256
far cap SIZE_W=100000 ILLEGAL_SIZE_W_must_be_5_to_24
far lease LANES=100000 ILLEGAL_LANES_must_be_1_to_32
far cart ROWS=100000 ILLEGAL_ROWS_must_be_1_to_8
far bpg SAMPLED=100000 ILLEGAL_SAMPLED_must_be_1_to_64

exit $failed
