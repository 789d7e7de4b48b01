#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Coverage of everything: each hole of the Verilog and of the C has a reason, each reason a hole.
. tests/lib.bash
for part in rtl c; do
    expect 0 env OUT="$work/cov" "tb/coverage/$part.sh"
    sed -n '1,/^$/p' "$work/out"
done
finish
