#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 55 s
# A new block needs the files that docs/use/adding_a_block.md names, and one line in one list: the block toy (tests/harness/toy/) is added
# to a copy of the tree. It builds, lints, runs with its Verilog, and is in the list of each runner. Without the line or one of the files this
# fails.
. tests/lib.bash
tree=$work/tree
mkdir -p "$tree"
cp -a Makefile cmodel docs rtl sim synth tb tests "$tree"
[ -z "$(find "$tree"/{cmodel,docs,rtl,synth,tb} -name '*toy*')" ] || complain "there is a toy without being added"

# ---- exactly the files and the line of the document
sed -n 's/^| `\([a-z_./]*foo[a-z_./]*\)` |.*/\1/p' docs/use/adding_a_block.md | sed 's/foo/toy/g' | sort >"$work/named"
(cd tests/harness/toy && find . -type f | sed 's|^\./||' | sort) >"$work/files"
cmp -s "$work/named" "$work/files" || complain "the document and the toy have other files: $(diff "$work/named" "$work/files")"
cp -r tests/harness/toy/. "$tree"
grep -qx '    BLOCK(foo)' docs/use/adding_a_block.md || complain "the document has no line BLOCK(foo)"
echo 'BLOCK(toy)' >>"$tree/cmodel/blocks.def"

cd "$tree" || exit 1
unset MEMTWIN_HOME MEMTWIN_RTL MEMTWIN_TWINS
export MEMTWIN=build/memtwin TWIN_CFLAGS=-O0
expect 0 make -s OPTIMIZE=-O0 build/memtwin

# ---- the program
expect 0 "$MEMTWIN" list blocks
grep -qx toy "$work/out" || complain "toy is not in 'memtwin list blocks'"
expect 0 "$MEMTWIN" cosim toy
grep -q '^verdict: PASS' "$work/out" && ! grep -q 'too few' "$work/out" || complain "memtwin cosim toy: $(tail -n 3 "$work/out")"
expect 3 "$MEMTWIN" cosim toy --plant get_value@50

# ---- make
expect 0 make -s lint-toy
expect 0 tests/lint/rooms.sh
expect 0 make -s cosim-toy
for name in 'default ' 'wide '; do grep -q "^toy $name" "$work/out" || complain "make cosim-toy: no $name"; done
make -n test 2>/dev/null | grep -q 'tests/run.sh .*cosim-toy.*test_toy' || complain "make test has no cosim-toy or no test_toy"
expect 0 make -n coverage mutation
expect 0 make -s formal BLOCK=toy
grep -q '^1 of 1 shown' "$work/out" || complain "make formal: $(cat "$work/out")"

# ---- the lists of the runners
listed() { # N COMMAND...: expects the command to list N points of toy
    local n=$1
    shift
    expect 0 "$@"
    [ "$(grep -cw toy "$work/out")" -eq "$n" ] || complain "not $n points of toy in: $*"
}
listed 6 env TIER= tests/rtl/lint.sh --list toy
listed 6 env TIER= tests/rtl/lint.sh --list --all
listed 2 tb/coverage/rtl.sh --list
listed 1 tb/mutation/mutate.sh --list
listed 1 tb/formal/run.sh --list
listed 2 synth/timing.sh --list
listed 1 synth/sweep.sh --list
listed 1 synth/area.sh --list
listed 2 synth/gate_level.sh --list
for tag in resets ports long netlist core; do listed 1 bash -c ". tb/harness/blocks.bash; points $tag"; done
mkdir "$work/made"
expect 0 tb/cores/cores.sh "$work/made"
for file in toy.core sim/toy_bench.v sim/toy.vec; do [ -s "$work/made/rtl/toy/$file" ] || complain "make cores makes no $file"; done
expect 0 synth/netlist.sh --area toy WIDTH=1

# ---- a missing file or line is noticed
sed -i '/BLOCK(toy)/d' cmodel/blocks.def
expect 1 tests/rtl/lint.sh toy
echo 'BLOCK(toy)' >>cmodel/blocks.def
mv rtl/toy/block.points "$work"
expect 1 tb/coverage/rtl.sh --list
grep -q 'no rtl/toy/block.points' "$work/err" || complain "no word of a block without points: $(cat "$work/err")"
expect 1 tests/rtl/lint.sh toy
finish
