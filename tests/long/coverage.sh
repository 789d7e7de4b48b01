#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Full coverage: each hole in the coverage of Verilog and C has a reason, and each reason has a hole.
. tests/lib.bash
for part in rtl c; do
    expect 0 env OUT="$work/cov" "tb/coverage/$part.sh"
    sed -n '1,/^$/p' "$work/out"
done
finish
