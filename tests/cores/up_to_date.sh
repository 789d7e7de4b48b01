#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 4 s
# The generated files of rtl/ (FuseSoC cores, benches, vectors, wrappers, interfaces) are those that `make cores` writes.
. tests/lib.bash

mkdir "$work/made"
expect 0 tb/cores/cores.sh "$work/made"
git ls-files 'rtl/*.core' 'rtl/*_bench.v' 'rtl/*/sim/*.vec' 'rtl/sv/*' | sort >"$work/kept"
while read -r file; do
    cmp -s "$file" "$work/made/$file" || complain "$file is out of date; run make cores"
done <"$work/kept"
(cd "$work/made" && find rtl -type f | sort) | cmp -s - "$work/kept" || complain "the cores in the repository are not those of blocks.def"
finish
