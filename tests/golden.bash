# SPDX-License-Identifier: Apache-2.0
# Shared by the tests that compare a block's Verilog with the sequences of its C test. Source tests/lib.bash first.

# golden BLOCK N: records the N sequences of tests/BLOCK/test_BLOCK.c into $work/golden
golden() {
    block=$1
    mkdir "$work/golden"
    cp -r rtl "$work/rtl"
    expect 0 env "${block^^}_VECTORS=$work/golden" "build/asan/tests/$block/test_$block"
    [ "$(find "$work/golden" -name '*.vec' | wc -l)" -eq "$2" ] || complain "not a recording of each sequence"
}

# replays: the sequences pass in the model, in Icarus and in Verilator; in tier test Verilator takes those with the parameters of most, for one twin to build
replays() {
    local twins=$work/golden most
    expect 0 "$MEMTWIN" replay "$work/golden" --engine model
    expect 0 "$MEMTWIN" replay "$work/golden" --engine icarus
    if [ "$TIER" = test ]; then
        twins=$work/most
        most=$(sed -s -n '/^params /p' "$work"/golden/*.vec | sort | uniq -c | sort -n | sed -n '$s/^ *[0-9]* //p')
        mkdir "$twins" && grep -lxF "$most" "$work"/golden/*.vec | xargs cp -t "$twins"
    fi
    expect 0 "$MEMTWIN" replay "$twins" --engine twin
}

# fault NAME FILE SED: changes the block's Verilog and expects another sequence in Icarus. Tier test runs every sixth, tier full every third.
faults=0
fault() {
    faults=$((faults + 1))
    case ${TIER:-long}-$((faults % 3))-$((faults % 6)) in test-?-[^1] | full-[^1]-?) return 0 ;; esac
    sed -i "$3" "$work/rtl/$block/$2"
    ! cmp -s "rtl/$block/$2" "$work/rtl/$block/$2" || complain "$1: the fault can no longer be planted: $3"
    MEMTWIN_RTL=$work/rtl expect 3 "$MEMTWIN" replay "$work/golden/test_$1.vec" --engine icarus
    cp "rtl/$block/$2" "$work/rtl/$block/$2"
}
