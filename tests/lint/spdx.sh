#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every source file names its license in its first three lines. Prints each that does not.
. tests/lib.bash

# unlicensed: prints the files on stdin without a license line
unlicensed() {
    xargs -d '\n' awk 'FNR == 1 { file[++n] = FILENAME } FNR <= 3 && /SPDX-License-Identifier: Apache-2\.0/ { has[FILENAME] }
        FNR > 3 { nextfile } END { for (i = 1; i <= n; i++) if (!(file[i] in has)) print file[i] }'
}

{ git ls-files -co --exclude-standard 2>/dev/null || find . -path ./build -prune -o -type f -print | sed 's|^\./||'; } | grep -E '(\.(c|h|cpp|def|v|vh|sh|bash|awk|jq|tcl|mk)|(^|/)Makefile|^\.ci/run)$' >"$work/sources"
[ "$(wc -l <"$work/sources")" -gt 500 ] || complain "only $(wc -l <"$work/sources") source files"
unlicensed <"$work/sources" >"$work/without"
[ ! -s "$work/without" ] || complain "without an SPDX line: $(head -n 5 "$work/without" | xargs), $(wc -l <"$work/without") in all"

# A license line below the third line does not count.
printf '\n\n\n// SPDX-License-Identifier: Apache-2.0\n' >"$work/late.c"
[ "$(echo "$work/late.c" | unlicensed)" = "$work/late.c" ] || complain "a late SPDX line is accepted"
finish
