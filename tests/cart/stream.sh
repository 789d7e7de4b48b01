#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 3 s; full, 45 s
# cart_stream (docs/understand/cart.md) lints clean. Each packet leaves once, unchanged, with its line number and in the order of its line, at
# points with full queues, stalls and age limits. Planted faults are found. Tier full also tests its defaults, in Verilator.
. tests/lib.bash
files=$(cat rtl/cart/cart_stream.f)

for parameters in '' -DMT_ASYNC_RESET '-GPACKET_W=1 -GADDR_W=3 -GBANKS=2 -GBANK_MASK=2 -GCOL_MASK=1 -GROWS=1 -GCOLS=1 -GDEPTH=1' '-GPACKET_W=4096 -GDEPTH=1'; do
    expect 0 verilator --lint-only -Wall --language 1364-2005 -Irtl/lib -Irtl/incoming $parameters --top-module cart_stream $files
    [ ! -s "$work/err" ] || complain "lint $parameters: $(head -n 5 "$work/err")"
done
expect 0 yosys -q -p "read_verilog -defer -Irtl/lib -Irtl/incoming $(tr '\n' ' ' <<<"$files"); hierarchy -check -top cart_stream; proc; check -assert"
expect 1 verilator --lint-only -Irtl/lib -Irtl/incoming -GPACKET_W=4097 --top-module cart_stream $files
grep -q ILLEGAL_PACKET_W "$work/err" || complain "PACKET_W=4097: $(head -n 3 "$work/err")"

# run FILES PACKETS SEED NAME=VALUE..: runs the bench in Icarus
run() {
    local files=$1 packets=$2 seed=$3
    shift 3
    expect 0 iverilog -g2005 -Wall -Irtl/lib -Irtl/incoming -s stream_bench ${*/#/-Pstream_bench.} -o "$work/bench" $files tests/cart/stream_bench.v
    [ ! -s "$work/err" ] || complain "Icarus: $(head -n 3 "$work/err")"
    expect 0 vvp -n "$work/bench" "+packets=$packets" "+seed=$seed"
}
# passes SITUATION...: checks that the bench passed and that each situation occurred
passes() {
    grep -q '^PASS' "$work/out" || complain "$(tail -n 3 "$work/out")"
    local met
    for met in "$@"; do ! grep -q ", 0 $met" "$work/out" || complain "never $met: $(cat "$work/out")"; done
}
packets=600
[ "$TIER" = test ] || packets=3000
run "$files" $packets 1
passes refused waiting reordered
grep -qE ' [1-9][0-9]+ in a row' "$work/out" || complain "not a packet a cycle: $(cat "$work/out")"
run "$files" $packets 2 ADDR_W=4 BANKS=2 BANK_MASK=2 COL_MASK=1 ROWS=1 COLS=1 DEPTH=1 PACKET_W=40
passes refused full waiting
sed "s/free      <= {N{1'b1}};/free      <= ID0;/" rtl/cart/cart_stream.v >"$work/cart_stream.v"
! cmp -s rtl/cart/cart_stream.v "$work/cart_stream.v" || complain "no fault: half of the places"
run "${files/rtl\/cart\/cart_stream.v/$work/cart_stream.v}" $packets 2 ADDR_W=4 BANKS=2 BANK_MASK=2 COL_MASK=1 ROWS=1 COLS=1 DEPTH=1 PACKET_W=40
grep -q '^PASS.*, 0 full' "$work/out" || complain "half of the places are never used, and the bench does not find it: $(tail -n 2 "$work/out")"
run "$files" $packets 3 POLICY=2 DEPTH=1 COLS=3
passes waiting reordered
if [ "$TIER" != test ]; then
    run "$files" $packets 4 AGE_LIMIT=3
    passes waiting reordered
    run "$files" $packets 5 FILL=1 COL_DROP=2
    passes waiting reordered
fi

while read -r edit; do
    sed "$edit" rtl/cart/cart_stream.v >"$work/cart_stream.v"
    ! cmp -s rtl/cart/cart_stream.v "$work/cart_stream.v" || complain "no fault: $edit"
    run "${files/rtl\/cart\/cart_stream.v/$work/cart_stream.v}" 600 1
    grep -q "^FAIL" "$work/out" || complain "not found: $edit: $(tail -n 2 "$work/out")"
    [ "$TIER" != test ] || break
done <<'FAULTS'
s/if (rst) valid <= 1.b0;/if (rst \&\& valid === 1'bx) valid <= 1'b0;/
s/if (leave || m_tready) valid/valid/
s/| freed;/;/
s/if (refill) place/if (enter) place/
s/\.waddr(place)/.waddr(pick_id)/
s/\.re   (leave)/.re   (1'b1)/
s/if (leave) addr/if (drain_valid) addr/
FAULTS

if [ "$TIER" = full ]; then
    # number of bits, as counted in docs/understand/cart.md
    expect 0 yosys -q -p "read_verilog -Irtl/lib -Irtl/incoming $(tr '\n' ' ' <<<"$files"); hierarchy -top cart_stream; proc; opt; simplemap cart_stream; tee -q -o $work/stat stat cart_stream"
    [ "$(awk '$1 ~ /^\$_.*DFF/ { n += $2 } END { print n + 0 }' "$work/stat")" -eq 287 ] || complain "not 287 flip-flops: $(grep DFF "$work/stat")"
    verilate "$work/verilated" stream_bench -Irtl/lib -Irtl/incoming $files tests/cart/stream_bench.v \
        -GADDR_W=21 -GPACKET_W=1200 -GBANKS=16 -GBANK_MASK=450 -GCOL_MASK=61 -GROWS=4
    expect 0 "$work/verilated/Vstream_bench" +packets=5000 +seed=5
    passes waiting reordered
fi
finish
