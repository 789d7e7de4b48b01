#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every include in the C model goes down: to the file's own room, or to a room on an earlier line of cmodel/rooms.txt. Prints each include
# that does not.
. tests/lib.bash

# levels FILE...: checks the includes of files of cmodel/
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
        /^[ \t]*#[ \t]*include[ \t]*</ && /<[a-z_0-9]+\/[a-z_0-9]+\.(h|def)>/ && !/<sys\// {
            print FILENAME ":" FNR ": a file of the model in angle brackets"
            bad = 1
        }
        /^[ \t]*#[ \t]*include[ \t]*"/ {
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

find cmodel -name '*.[ch]' >"$work/files"
levels $(cat "$work/files") || complain "includes that go up"
! grep -vE '^cmodel/[^/]*/[^/]*$' "$work/files" || complain "a file that is in no room"
! grep -l '^ *# *include' $(ls cmodel/*/*.def | grep -v -e config/keys.def) | grep . || complain "a table includes something"
for room in $(grep -v '^#' cmodel/rooms.txt); do
    [ "$room" = BLOCKS ] || [ -d "cmodel/$room" ] || complain "cmodel/rooms.txt: there is no room $room"
done
[ -z "$(grep -v '^#' cmodel/rooms.txt | tr ' ' '\n' | sort | uniq -d)" ] || complain "cmodel/rooms.txt names a room twice"

# An include that goes up, or to another room on the same level, is found.
mkdir -p "$work/l2"
for line in '#include "gpu/gpu.h"' '#include "l1d/l1d.h"' '\t#\tinclude "sm/sm.h"' '#include <gpu/gpu.h>'; do
    printf "$line\n" >"$work/l2/up.c"
    ! levels "$work/l2/up.c" >"$work/out" || complain "not found: $line"
done
echo '#include "dram/dram.h"' >"$work/l2/up.c"
levels "$work/l2/up.c" || complain "an include that goes down is refused"
finish
