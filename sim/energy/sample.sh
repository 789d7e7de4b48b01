#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Energy of the papers' schemes on a sample of their kernels: every fifth of the DL-MSHR paper's and of CART's memory-intensive ones, every third of
# MDB's two lists. Writes build/report/energy.md, with AccelWattch's comparison: half an hour.
#
#   sim/energy/sample.sh    OUT=folder: output folder. JOBS=n: number of concurrent runs
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
export MEMTWIN
MEMTWIN=$(realpath "${MEMTWIN:-build/memtwin}")
mkdir -p "${OUT:=build/report}/energy"
folder=$(realpath "$OUT/energy")

# study FILE.ini SCHEMES WORKLOAD..: runs the study with these schemes and workloads alone
study() {
    awk -v list=" $2 " '/^\[/ { keep = /^\[(study|set|group .*)\]/; name = $2; sub(/\].*/, "", name); if (/^\[scheme /) keep = index(list, " " name " ") } keep' \
        "sim/experiments/$1" | if [[ $1 = mdb* ]]; then sed '/^reference = /d'; else cat; fi >"$folder/$1"
    tool "$MEMTWIN" study "$folder/$1" -j "${JOBS:-1}" -o "$folder/energy.db" "${@:3}" >&2
}
# page STUDY TABLES..: a Markdown table for each list of tables
page() {
    local tables
    echo -e "\n## $1"
    for tables in "${@:2}"; do
        echo
        sim/energy/energy.sh "$folder/energy.db" "$tables" "study = '$1'" | sed '1,/^## /d; 0,/^$/{/^$/d}'
    done
}
(head -n 1 sim/experiments/paper.csv && grep ',energy over the baseline,' sim/experiments/paper.csv) >"$folder/paper.csv"
study dl_mshr_schemes.main.ini 'base 2xe 2xe2xs 8xe8xs dl mrpb dl+mrpb' -w backprop -w heartwall -w cutcp -w transpose -w convsep -w reduction
study cart_schemes.wide.ini 'base bq16 cart mrpb' -w bfs -w alignedtypes -w sn -w lbm
study mdb_schemes.ini 'base mdb_{local,global}' -w pfilter -w syr2k:160 -w atax:2048 -w scalarprod -w srad
{
    echo '# Energy'
    echo
    echo "Written by \`sim/energy/sample.sh\`, which names the kernels. \`sim/energy/energy.csv\` has the energies per event, and their sources."
    page dl_mshr_schemes.main gpuwattch+mha_gu gpuwattch+leakage+mha_gu gpuwattch+netlist accelwattch
    page cart_schemes.wide gpuwattch+netlist gpuwattch+leakage accelwattch
    page mdb_schemes gpuwattch+bpg_dai gpuwattch+netlist accelwattch
    echo -e '\n## AccelWattch'
    sim/energy/accelwattch.sh
} >"$OUT/energy.md.new"
mv "$OUT/energy.md.new" "$OUT/energy.md"
cat "$OUT/energy.md"
