#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The studies over the kernels of the DL-MSHR paper have the kernels of dl_mshr_schemes.main.ini.
. tests/lib.bash

# kernels FILE: prints the kernels of all its `workload` keys except that of [group others]
kernels() {
    awk '/^\[/ { on = 0; others = /others/ } /^[^ ]/ { on = sub(/^workload = /, "") && !others } on' "$1" | xargs -n 1 | sort
}
kernels sim/experiments/dl_mshr_schemes.main.ini >"$work/main"
[ "$(wc -l <"$work/main")" = 30 ] || complain "$(wc -l <"$work/main") kernels of the paper, not 30"
for study in pools schemes.{closed,lookup,machine,misses,variants}; do
    kernels sim/experiments/dl_mshr_$study.ini | cmp -s - "$work/main" || complain "dl_mshr_$study.ini has other kernels than dl_mshr_schemes.main.ini"
done
sed 's/ bfs / /' sim/experiments/dl_mshr_pools.ini >"$work/pools.ini"
kernels "$work/pools.ini" | cmp -s - "$work/main" && complain "a list without bfs is accepted"
finish
