#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 1 s
# A block of another repository (docs/tutorial/own_block) as a library: cosim, replay and list treat it like a built-in block, runners find
# only its points, and each error is one line. tests/harness/tutorial.sh runs it with its Verilog.
. tests/lib.bash
unset MEMTWIN_BLOCK MEMTWIN_PROJECT MEMTWIN_RTL
own=$work/own
cp -r docs/tutorial/own_block "$own" && mkdir "$own/build"
driver=$own/tb/aging_arbiter/aging_arbiter_driver.c
model=$own/cmodel/aging_arbiter/aging_arbiter.c

# library NAME [FILE EDIT]: builds build/NAME.so after this edit of FILE
library() {
    local files=("$model" "$driver") copy
    if [ $# = 3 ]; then
        copy=$work/${2##*/}
        sed "$3" "$2" >"$copy"
        ! cmp -s "$2" "$copy" || complain "the edit has no effect: $3"
        files=("${files[@]/$2/$copy}")
    fi
    gcc -w -O0 -fPIC -shared -Icmodel -Itb -I"$own/cmodel" -o "$own/build/$1.so" "${files[@]}" || complain "$1 does not compile"
}

# ---- like a built-in block
library good
block=$own/build/good.so
expect 0 "$MEMTWIN" list blocks --block "$block"
grep -qx aging_arbiter "$work/out" && grep -qx dl_mshr "$work/out" || complain "list blocks: $(cat "$work/out")"
sum=$(sha256sum <"$block")
expect_line 1 "--record $block: this file is the library of your block; use another" "$MEMTWIN" cosim --block "$block" --model-only --cycles 2000 --record "$block"
expect_line 1 "--json $block: this file is the library of your block; use another" "$MEMTWIN" list blocks --block "$block" --json "$block"
expect_line 1 "--csv $block: this file is the library of your block; use another" env MEMTWIN_BLOCK="$block" "$MEMTWIN" run -c tiny -w bfs:64 --csv "$block"
[ "$(sha256sum <"$block")" = "$sum" ] || complain "the library was overwritten"
expect 0 "$MEMTWIN" cosim --block "$block" --model-only -p REQUESTERS=3 --cycles 2000 --record "$work/x.vec"
grep -qF 'PASS (model alone' "$work/out" || complain "cosim: $(cat "$work/out")"
expect 0 env MEMTWIN_BLOCK="$block" "$MEMTWIN" cosim aging_arbiter --model-only --cycles 20
expect 0 "$MEMTWIN" replay --block "$block" "$work/x.vec" --engine model
expect 0 "$MEMTWIN" replay --block "$block" "$work/x.vec" --engine icarus
expect 0 "$MEMTWIN" mutants --block "$block" --top "$work/top.v"
expect 0 env MEMTWIN_BLOCK="$block" "$MEMTWIN" cosim in_fifo --model-only --cycles 20
expect_line 1 "there is no block 'aging_arbiter'" "$MEMTWIN" replay "$work/x.vec" --engine model
expect_line 1 "did you mean 'aging_arbiter'?" "$MEMTWIN" cosim --block "$block" aging_arbitre
expect_line 1 'with AGE below REQUESTERS - 1 one may starve' "$MEMTWIN" cosim --block "$block" -p AGE=1
expect_line 1 "works only with 'memtwin list blocks'" "$MEMTWIN" list configs --block "$block"

# ---- its points
export MEMTWIN_PROJECT=$own
expect 0 tb/mutation/mutate.sh --list
[ "$(cat "$work/out")" = '1 aging_arbiter 100 REQUESTERS=3 AGE=4' ] || complain "points of mutants: $(cat "$work/out")"
expect 0 tb/formal/run.sh --list
[ "$(cut -d'|' -f1-3 "$work/out")" = 'aging_arbiter|contract|REQUESTERS=3 AGE=3' ] || complain "proofs: $(cat "$work/out")"
expect_line 1 "no block 'in_fifo'; there are: aging_arbiter" tb/harness/cosim.sh in_fifo
# wrong_point EDIT TEXT COMMAND...: checks that the error names the line of the point before anything is run
wrong_point() {
    sed -i.good "$1" "$own/rtl/aging_arbiter/block.points"
    expect_line "${WRONG:-1}" "$own/rtl/aging_arbiter/block.points:$2" env MEMTWIN_BLOCK="$block" "${@:3}" aging_arbiter
    mv "$own/rtl/aging_arbiter/block.points.good" "$own/rtl/aging_arbiter/block.points"
}
wrong_point 's/mutants=100/mutants=lots/' '5: three: mutants=lots: its value is how many' tb/mutation/mutate.sh
wrong_point 's/REQUESTERS=3 AGE=4/REQUESTERS=3 AGE=1/' '5: aging_arbiter: with AGE below' tb/mutation/mutate.sh
WRONG=2 wrong_point 's/proof=[^ ]*/proof=nope/' '6: proof: proof=nope: its value is property' tb/formal/run.sh
wrong_point 's/AGE=255/AGEE=9/' "4: -p AGEE=9: aging_arbiter has no parameter 'AGEE'" tb/harness/cosim.sh
wrong_point 's/AGE=255/AGE=999/' '4: -p AGE=999: aging_arbiter: parameter AGE=999 is outside 1..255' tb/harness/cosim.sh
unset MEMTWIN_PROJECT
mkdir -p "$work/bin" && ln -s "$(realpath "$MEMTWIN")" "$work/bin/memtwin"
expect 2 env PATH="$work/bin:$PATH" make -s -C "$own" -f "$PWD/tb/harness/block.mk" BLOCK=aging_arbitre
grep -qF 'BLOCK=aging_arbitre: no folders cmodel/aging_arbitre' "$work/err" || complain "a block that is not there: $(cat "$work/err")"

# ---- errors of the library
refused() { # TEXT NAME [FILE EDIT]
    [ $# = 2 ] || library "${@:2}"
    expect_line 1 "$1" timeout 20 "$MEMTWIN" cosim --block "$own/build/$2.so" --model-only --cycles 20
}
refused "$own/build/none.so: No such file or directory" none
echo text >"$own/build/text.so"
refused "$own/build/text.so: file too short" text
mkfifo "$own/build/pipe.so"
refused "$own/build/pipe.so: a pipe, not a library" pipe
expect_line 1 "/dev/null: a device, not a library" timeout 20 "$MEMTWIN" list blocks --block /dev/null
refused 'no symbol memtwin_block: BLOCK_LIBRARY(name) makes it' bare "$driver" '/^BLOCK_LIBRARY/d'
refused 'built for another version of MemTwin: build it again' old "$driver" '/^BLOCK_LIBRARY/i #undef BLOCK_LIBRARY_ABI\n#define BLOCK_LIBRARY_ABI 0'
refused 'lacks a function' lame "$model" 's/\.tick = tick,//'
refused "a block of MemTwin has the same name" taken "$model" 's/"aging_arbiter"/"cart"/'
refused 'rst must be its first port' late "$model" 's/ports\[\] = {/&{"first"},/'
for command in 'cosim in_fifo' 'list blocks' "replay $work/x.vec"; do
    expect_line 1 "MEMTWIN_BLOCK=$own/build/none.so: No such file" env MEMTWIN_BLOCK="$own/build/none.so" "$MEMTWIN" $command
done

# ---- errors of the project
cp "$block" "$work/good.so"
expect 1 "$MEMTWIN" cosim --block "$work/good.so" --cycles 20
grep -qF "no folder above $work/good.so has rtl/aging_arbiter/aging_arbiter.f" "$work/err" || complain "a library without Verilog: $(cat "$work/err")"
differs() { # TEXT EDIT [observe]: edits the Verilog of the block, or of the observer
    rm -rf "$work/rtl" && cp -r "$own/rtl" "$work/rtl"
    cp "$own/tb/aging_arbiter/aging_arbiter_observe.v" "$work/rtl/aging_arbiter"
    sed -i "$2" "$work/rtl/aging_arbiter/aging_arbiter${3:+_$3}.v"
    expect 1 env MEMTWIN_RTL="$work/rtl" "$MEMTWIN" cosim --block "$block" --cycles 20
    grep -qF "$1" "$work/err" || complain "'$1' is not in: $(cat "$work/err")"
}
differs 'port st_old: the list says output of 4 bits, the Verilog has none' '/st_old/d; s/grant,$/grant/' observe
! grep -q 'bits, the Verilog .* bits' "$work/err" || complain "a port that is not there has bits: $(cat "$work/err")"
differs "$work/rtl/aging_arbiter/aging_arbiter.v:25: ERROR: syntax error" 's/assign valid/asign valid/'
differs 'port extra of the Verilog is not in the list' 's/^ *input  wire  *take,/& input wire extra,/'
differs 'port take: the list says input of 1 bits, the Verilog input of 2 bits' 's/input  wire  *take,/input wire [1:0] take,/'
finish
