#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 10 s
# The figures of the documents that tests/cli/figures.txt names are those of the recorded tables, and a table that changes is noticed.
. tests/lib.bash

commas() { sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta'; }
# figure RECORDED SECTION ROW COLUMN FORM: as a page shows it
figure() {
    awk -F ' *[|] *' -v section="$2" -v row="${3#[0-9]:}" -v nth="$([[ $3 =~ ^([0-9]): ]] && echo "${BASH_REMATCH[1]}" || echo 1)" -v column="$4" -v form="$5" '
        /^## / { here = section == "" ? 0 : ($0 == "## " section || (!exact && index($0, "## " section) == 1)); if ($0 == "## " section) exact = 1 }
        BEGIN { here = section == "" }
        here && /^\|/ && !head { head = 1; at = 0; for (i = 2; i < NF; i++) if ($i == column) at = i }
        !/^\|/ { head = 0 }
        here && at && $2 == row && ++seen == nth {
            x = $at; gsub(/[*]/, "", x)
            if (form == "word") { sub(/ *[(].*/, "", x) }
            else if (form == "less") x = sprintf("%.1f", -x + 1e-9)
            else if (form == "gain") x = sprintf("%+.1f %%", 100 * (x - 1))
            else if (form != "raw" && form != "comma") { gsub(/,/, "", x); x = sprintf(form, x + 1e-9) }
            print x
            exit
        }' "$1/$TABLE.md" | if [ "$5" = comma ]; then commas; else cat; fi
}
# compare FOLDER [TABLE]: says which figures of the pages are not those of the tables there, or of one of them
declare -A prose=() # the pages; their lines joined, as sentences are wrapped anywhere
compare() {
    local page text section row column form x only=${2:-}
    while IFS='~' read -r page text TABLE section row column form; do
        read -r page <<<"$page"; read -r TABLE <<<"$TABLE"; read -r section <<<"$section"; read -r row <<<"$row"; read -r column <<<"$column"; read -r form <<<"$form"
        text=${text# } text=${text% }
        [ -z "$only" ] || [ "$TABLE" = "$only" ] || continue
        [ -n "${prose[$page]:-}" ] || prose[$page]=$(tr '\n' ' ' <"$page" | tr -s ' ')
        x=$(figure "$1" "$section" "$row" "$column" "$form")
        if [ -z "$x" ]; then
            echo "$TABLE: no '$column' of '$row' in section '$section'"
        else
            [[ ${prose[$page]} = *"${text/@/$x}"* ]] || echo "$page: not '${text/@/$x}', as $TABLE has it"
        fi
    done < <(grep -v '^#' tests/cli/figures.txt)
}
# what make run adds up to
cycles=$(sed -n 's/^lockstep: .* \([0-9]*\) twin-cycles compared, 0 mismatches.*/\1/p' tests/recorded/dl_mshr_lockstep.md)
grep -qF "differing | $(commas <<<"$cycles") / 0 |" README.md || complain "README.md: not $cycles cycles, as dl_mshr_lockstep has it"
compare tests/recorded >"$work/differ"
[ ! -s "$work/differ" ] || complain "$(cat "$work/differ")"
# one digit of a table is another: noticed, and nothing else
cp -r tests/recorded "$work"
sed -i '/^| dl_64x4 | 0.559 /s/0.559/0.558/' "$work/recorded/timing.md"
compare "$work/recorded" timing >"$work/differ"
[ "$(wc -l <"$work/differ")" -ge 1 ] && ! grep -qv '0\.558' "$work/differ" || complain "a changed table: $(cat "$work/differ")"
finish
