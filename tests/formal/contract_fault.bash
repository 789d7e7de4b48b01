# SPDX-License-Identifier: Apache-2.0
# Faults that a contract must find, for the contract tests. Source after tests/lib.bash.
export MEMTWIN_RTL=$work/rtl
. tb/harness/blocks.bash
. tb/formal/contract.bash
. tests/formal/plant.bash
die() {
    complain "$*"
    return 1
}

shadow='ROWS=2 WAYS=3 TAG_W=3'
judge='CALCULATORS=4 HIT_W=3 FAIL_W=3 HIT_SCALE=1 INDEX_W=2 LMAX_W=3 ADJUSTED_W=5'
bpg='ADDR_W=4 ID_W=2 SETS=4 WAYS=2 INDEX=0 SAMPLED=2 TAG_W=2 CALCULATORS=2 INTERVAL=6 HIT_W=3 FAIL_W=2 HIT_SCALE=1'
hir='SETS=2 WAYS=2 SET_W=4 PAGES=2 COUNT_W=2 LOST_W=2'

# fault FILE OLD NEW MODULE PARAMETERS LABEL...: replaces OLD, which occurs once, in a fresh copy of rtl/; each LABEL, prefixed by its
# submodules (except gen_any and gen_split), is violated within 16 cycles, or $frames. Tier full plants each fault and proves every fifth;
# tier long proves all.
faults=0
fault() {
    local file=$1 old=$2 new=$3 module=$4 parameters=$5 label n
    shift 5
    plant "$file" "$old" "$new"
    faults=$((faults + 1))
    [ "${TIER:-full}" = long ] || [ $((faults % 5)) = 1 ] || return 0
    rm -rf "$work/m"
    mkdir "$work/m"
    contract_model "$work/m" "$module" "$parameters" assert || return 0
    for label in "$@"; do
        n=$(awk -v label="$label" '$1 == "output" { sub(/^gen_(any|split)\./, "", $4); sub(/\.bad\.is$/, "", $4); if ($4 == label) { print $2; exit } }' "$work/m/assert.aim")
        [ -n "$n" ] || complain "$module: no assertion $label"
        yosys-abc -c "read_aiger $work/m/assert.aig; fold; cone -s -O ${n:-0}; bmc3 -F ${frames:-16}" >"$work/log" 2>&1 || complain "abc failed"
        grep -q 'was asserted in frame' "$work/log" && echo "found: $label by: $new" || complain "$module $label not violated by: $new"
    done
}
