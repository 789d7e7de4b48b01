#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compares one DRAM channel with theoretical bounds, and measures its speed: makes the tables of docs/understand/dram.md with memtwin dram.
# usage: dram_bounds.sh [REQUESTS]
set -eu
. "$(dirname "$0")/../../tb/env.bash"
memtwin=${MEMTWIN:-build/memtwin}
n=${1:-1000000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Timings of GPGPU-Sim's GTX 480; all other keys have their defaults.
cat >"$work/gtx480.ini" <<'END'
[dram]
address_map = 0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS
atom_bytes = 64
cl = 12
wl = 4
rcd = 12
rp = 12
ras = 28
rc = 40
rrd = 6
ccdl = 3
rtp = 2
rtpl = 2
wr = 12
cdlr = 5
END

# requests NAME AWK-EXPRESSIONS: writes a file of requests; the expressions give cycle, kind and address of request i. at(row, bank, column) applies the map.
requests() {
    awk -v n="$n" 'function at(r, b, c) { return r * 65536 + int(b / 2) * 8192 + int(c / 4) * 512 + b % 2 * 256 + c % 4 * 64 }
        BEGIN { srand(1); for (i = 0; i < n; i++) printf "%d %s %x\n", '"$2"' }' >"$work/$1"
}

# row TITLE FILE OPTION...: runs memtwin dram with a file of requests and adds a row to the table
row() {
    local title=$1 file=$2
    shift 2
    "$memtwin" dram -c "$work/gtx480.ini" -t "$work/$file" --json "$work/json" "$@" >/dev/null
    jq -r --arg title "$title" '"\($title)|\(.cycles / .requests * 10000 | round / 10000)|\(.utilization * 10000 | round / 100) %|\(.row_hits / .requests * 10000 | round / 100) %|\(.cycles / .cpu_seconds / 1e4 | round / 100)"' "$work/json" >>"$work/table"
}

requests one_bank '0, "R", at(i % 4096, 0, 0)'
requests hits '0, "R", at(0, i % 16, int(i / 16) % 64)'
requests new_rows '0, "R", at(int(i / 16) % 4096, i % 16, 0)'
requests reads '0, "R", i * 64'
requests turns '0, (i % 2 ? "W" : "R"), i * 64'
requests random '0, "R", int(rand() * 4194304) * 64'
requests random_rw '0, (rand() < 0.5 ? "W" : "R"), int(rand() * 4194304) * 64'
requests rare 'i * 1000, "R", int(rand() * 4194304) * 64'
echo 'requests|CK each|data bus|row hits|M CK/s of CPU' >"$work/table"
row 'new row, one bank' one_bank
row 'row hits, all banks' hits
row 'new row, all banks' new_rows
row 'the same, two command buses' new_rows -s dram.buses=2
row 'the same, FCFS' new_rows -s dram.scheduler=fcfs
row 'sequential reads' reads
row 'read and write in turn' turns
row 'the same, high 48, low 16' turns -s dram.write_high=48 -s dram.write_low=16
row 'the same, write queue of 2' turns -s dram.write_queue=2 -s dram.write_high=2 -s dram.write_low=0
row 'random reads' random
row 'random reads and writes' random_rw
row 'a random read in 1000 CK' rare
column -t -s '|' "$work/table"
echo
printf '0 R 0\n1000 R 10000\n2000 R 10040\n' >"$work/alone"
for i in 1 2 3; do
    head -n $i "$work/alone" >"$work/some"
    "$memtwin" dram -c "$work/gtx480.ini" -t "$work/some" --json "$work/json" >/dev/null
    jq -r --argjson i $i '"unloaded read, \(["closed row", "another row open", "row open"][$i - 1]): \(.cycles - ($i - 1) * 1000) CK"' "$work/json"
done
