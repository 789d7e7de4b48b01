#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every include of the C model goes down: to the file's own room, or to a room on an earlier line of
# cmodel/rooms.txt. Prints each include that does not.
. tests/lib.bash

# levels FILE...: checks the includes of these files of cmodel/
levels() {
    awk '
        FILENAME ~ /rooms\.txt$/ {
            if ($0 !~ /^#/)
                for (i = 1; i <= NF; i++) level[$i] = FNR
            next
        }
        FILENAME ~ /(blocks|mshr_kinds)\.def$/ {
            if (!/^(BLOCK|MSHR_KIND)\(/) next
            room = $NF # BLOCK(name), MSHR_KIND(VALUE, name)
            gsub(/.*\(|\)/, "", room)
            if (/^MSHR_KIND/) room = room "_mshr"
            if (!(room in level)) level[room] = level["BLOCKS"]
            next
        }
        FNR == 1 {
            n = split(FILENAME, part, "/")
            room = part[n - 1]
            if (!(room in level)) { print FILENAME ": room " room " is not in cmodel/rooms.txt"; bad = 1 }
        }
        /^ *# *include "/ {
            split($0, quoted, "\"")
            if (quoted[2] ~ /\.def$/) next
            split(quoted[2], part, "/")
            if (part[1] != room && !(part[1] in level && level[part[1]] < level[room])) {
                print FILENAME ":" FNR ": " room " may not include " quoted[2]
                bad = 1
            }
        }
        END { exit bad }' cmodel/rooms.txt cmodel/blocks.def cmodel/mshr/mshr_kinds.def "$@"
}

levels cmodel/*/*.[ch] || complain "includes that go up"
! grep -l '^ *#' $(ls cmodel/*/*.def | grep -v -e config/keys.def) | grep . || complain "a table includes something"
# A file that includes upwards is found.
mkdir -p "$work/lib" && echo '#include "gpu/gpu.h"' >"$work/lib/up.c"
! levels "$work/lib/up.c" >"$work/out" || complain "an include that goes up is not found"
finish
