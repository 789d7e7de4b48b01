#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Writes a trace of modern.txt into a folder: kernelslist.g and kernel-N.traceg.
#
#   sim/experiments/fidelity/modern_trace.sh NAME DIR
set -euo pipefail
folder=$(realpath -m -- "${2:-.}") # before env.bash changes to the root of the checkout
. "$(dirname "$0")/../../../tb/env.bash"
data=sim/experiments/fidelity

case ${1:-} in -h | --help) sed -n '3,/^set/{s/^# \{0,1\}//p}' "$script_path" && exit ;; esac
[ $# -eq 2 ] || { sed -n '3,/^set/{s/^# \{0,1\}//p}' "$script_path" >&2 && exit 1; }
parts=$(awk -v name="$1" '$1 == name { sub(/^[^ ]+ /, ""); print }' $data/modern.txt)
[ -n "$parts" ] || { echo "modern_trace.sh: $1: no such trace" >&2 && exit 1; }
mkdir -p "$folder"
: >"$folder/kernelslist.g"
n=0
IFS=/ read -ra list <<<"$parts"
for part in "${list[@]}"; do
    read -r kind first second <<<"$part"
    if [ "$kind" = copy ]; then
        printf 'MemcpyHtoD,0x7f%010x,%d\n' "$first" "$second" >>"$folder/kernelslist.g"
        continue
    fi
    n=$((n + 1))
    echo "kernel-$n.traceg" >>"$folder/kernelslist.g"
    awk -v kind="$kind" -v id=$n -v stream="${first:-0}" "$(cat $data/trace.awk $data/modern_trace.awk)" </dev/null >"$folder/kernel-$n.traceg"
done
