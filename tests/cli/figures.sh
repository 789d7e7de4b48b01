#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 3 s
# The figures of the documents listed in tests/cli/figures.txt match the recorded tables or a short run, and a changed table is noticed.
. tests/lib.bash

commas() { sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta'; }
# figure RECORDED SECTION ROW COLUMN FORM: prints it as a page shows it
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
            else if (form == "rise") x = sprintf("%.1f %%", 100 * (x - 1))
            else if (form == "rise0") x = sprintf("%.0f %%", 100 * (x - 1))
            else if (form == "bracket") { sub(/.*[(]/, "", x); sub(/[)].*/, "", x) }
            else if (form == "share") x = sprintf("%.0f %%", 100 * x)
            else if (form == "gain") x = sprintf("%+.1f %%", 100 * (x - 1))
            else if (form != "raw" && form != "comma") { gsub(/,/, "", x); x = sprintf(form, x + 1e-9) }
            print x
            exit
        }' "$1/$TABLE.md" | if [ "$5" = comma ]; then commas; else cat; fi
}
# statistic ARGUMENTS NAME FORM: prints a statistic of a run as a page shows it
statistic() {
    # shellcheck disable=SC2086
    "$MEMTWIN" run -q $1 --csv - 2>/dev/null | awk -F, -v name="$2" -v form="$3" '$4 == name && $1 == "total" { print form == "share" ? sprintf("%.0f %%", 100 * $6) : form == "comma" ? $6 : sprintf(form, $6); exit }' |
        if [ "$3" = comma ]; then commas; else cat; fi
}
# compare FOLDER [TABLE]: prints the figures of the pages that differ from the tables in FOLDER, or from one table
declare -A prose=() # the pages with their lines joined, since a sentence may wrap anywhere
compare() {
    local page text section row column form x only=${2:-}
    while IFS='~' read -r page text TABLE section row column form; do
        read -r page <<<"$page"; read -r TABLE <<<"$TABLE"; read -r section <<<"$section"; read -r row <<<"$row"; read -r column <<<"$column"; read -r form <<<"$form"
        text=${text# } text=${text% }
        [ -z "$only" ] || [ "$TABLE" = "$only" ] || continue
        [ -n "${prose[$page]:-}" ] || prose[$page]=$(tr '\n' ' ' <"$page" | tr -s ' ')
        if [ "$TABLE" = run ]; then x=$(statistic "$section" "$row" "$column"); else x=$(figure "$1" "$section" "$row" "$column" "$form"); fi
        if [ -z "$x" ]; then
            echo "$TABLE: no '$column' of '$row' in section '$section'"
        else
            [[ ${prose[$page]} = *"${text/@/$x}"* ]] || echo "$page: not '${text/@/$x}', as $TABLE has it"
        fi
    done < <(grep -v '^#' tests/cli/figures.txt)
}
# lines of make run, from its recorded table
totals=docs/results/data/dl_mshr_lockstep.md
awk 'function commas(n, tail) {
        for (n = n ""; length(n) > 3; n = substr(n, 1, length(n) - 3)) tail = "," substr(n, length(n) - 2) tail
        return n tail
    }
    /^[a-z0-9]+:[0-9,]+ +\| static/ { split($0, part, "|"); split(part[4], why, " "); split(part[3], base, " "); workload = $1; n++; before += why[1] + why[2] }
    /^ +\| dl / { split($0, part, "|"); split(part[4], why, " "); split(part[3], now, " "); after += why[1] + why[2]; gain = base[1] / now[1]; sum += log(gain)
        if (n == 1 || gain < least) { least = gain; at = workload }
        if (n == 1 || gain > most) { most = gain; top = workload } }
    END { printf "Refusals by a full MSHR fall from %s to %s (%+.1f %%). All refusals\n", commas(before), commas(after), 100 * after / before - 100
        printf "IPC %+.1f %% on average: from %+.1f %% (%s) to %+.1f %% (%s).\n", 100 * exp(sum / n) - 100, 100 * least - 100, at, 100 * most - 100, top }' $totals >"$work/run"
read -r twins cycles evaluated < <(sed -n 's/^lockstep: \([0-9]*\) twins a run, \([0-9]*\) twin-cycles compared, 0 mismatches (the RTL moved in \([0-9]*\) of.*/\1 \2 \3/p' $totals)
cycles=$(commas <<<"$cycles") evaluated=$(commas <<<"$evaluated")
fall=$(sed -n 's/.*refused cycles -\([0-9.]*\) % (mean),$/\1/p' $totals)
printf '%s\n' "$twins DL-MSHRs in Verilog and in C were compared in $cycles cycles; no output" "differed. The Verilog ran in $evaluated of them;" "fall by $fall %." \
    "| \`make run\`: $cycles cycles of $twins DL-MSHRs, 0 differ |" >>"$work/run"
while read -r line; do
    grep -qF "$line" README.md || complain "README.md: not '$line', as dl_mshr_lockstep has it"
done <"$work/run"
# README's speed and error are those of two pages' tables.
speeds=$(awk -F ' *[|] *' '/^\| `[a-z0-9]+` \| [0-9.]+ \|/ { print $5 + 0; print $9 + 0 }' docs/results/performance.md | sort -n | sed -n '1p; $p' | xargs | sed 's/ / to /')
grep -qF "[$speeds times]" README.md || complain "README.md: not $speeds times, as docs/results/performance.md has it"
errors=$(sed -n 's/^| \*\*\(gtx480\|titanx\), all ([0-9]*)\*\* | \*\*\([0-9.]*\) .*/\2/p' docs/results/fidelity.md | xargs | sed 's/ / and /')
grep -qF "[$errors %](docs/results/fidelity.md)" README.md || complain "README.md: not $errors %, as docs/results/fidelity.md has it"
# Mutants that only st_ ports show: how many are proven harmless elsewhere, and which are not.
unproven=$(sed -n '/^## Found at observed ports alone/,/^## Points/s/^\* `\([a-z_]*\)` .*/\1/p' docs/results/data/mutation.md | sort | uniq -c | sort -nr |
    awk '{ n += $1; list = list (NR > 1 ? ", " : "") ($1 == 1 ? "one" : $1) " of `" $2 "`" } END { print n " (" list ")" }')
proven=$(sed -n 's/^Of the .* ports alone, \([0-9]*\) are proven.*/\1/p' docs/results/data/mutation.md | commas)
for text in "for $proven it is proven that" "The other $unproven lack that proof."; do
    tr '\n' ' ' <docs/results/verification.md | grep -qF "$text" || complain "verification.md: not '$text', as mutation.md has it"
done
# Mutants of an earlier Verilog are called so.
if grep -q 'of an earlier Verilog' docs/results/data/mutation.md; then
    for page in README.md docs/results/verification.md; do
        tr '\n' ' ' <$page | grep -q 'of an earlier Verilog' || complain "$page: does not say that some mutants are of an earlier Verilog"
    done
fi
# The period of a path is that of its row.
awk -F ' *[|] *' '/^## / { part = $0 } part == "## Periods, 45 nm" &&  /^\|/ { ns[$2] = $5 }
    part ~ /^## Paths.*45 nm/ && /^[A-Za-z0-9_=]+: .* ns$/ { name = $0; sub(/:.*/, "", name); value = $0; sub(/ ns$/, "", value); sub(/.*, /, "", value); if (name in ns && ns[name] != value) print name ": " value " and " ns[name] }' docs/results/data/timing.md >"$work/paths"
[ ! -s "$work/paths" ] || complain "timing.md: paths of other netlists than the rows: $(cat "$work/paths")"
# Coverage figures that lack a block or name a file that is gone are called old, with the missing blocks.
about=$(sed -n '/^## Coverage/,$p' docs/results/verification.md | tr '\n' ' ')
covered() { sed -n '/^## The Verilog/,/^By file/p' docs/results/data/coverage.md | grep -q "^| $1 |"; }
gone=$(grep -oE '`(rtl|tb|cmodel|sim)/[a-z0-9_/]+\.(v|vh|c|h)`' docs/results/data/coverage.md | tr -d '`' | sort -u | while read -r file; do [ -e "$file" ] || echo "$file"; done)
[ -z "$gone" ] || [[ $about = *'of an earlier Verilog'* ]] || complain "verification.md: does not say that the coverage figures are of an earlier Verilog; there is no $(head -n 1 <<<"$gone")"
for block in $(sed -n 's/^BLOCK(\(.*\))/\1/p' cmodel/blocks.def); do
    covered "$block" || [[ $about = *"\`$block\`"* ]] || complain "verification.md: does not say that the coverage figures lack $block"
done
# The number of proofs is that of the list.
proofs=$(tb/formal/run.sh --list | wc -l)
grep -q "^All $proofs proofs use" docs/results/verification.md || complain "verification.md: not $proofs proofs, as tb/formal/run.sh --list has them"
compare docs/results/data >"$work/differ"
[ ! -s "$work/differ" ] || complain "$(cat "$work/differ")"
# if one digit of a table changes, exactly that figure is reported
cp -r docs/results/data "$work"
sed -i '/^| dl_64x4 | cut /s/0\.[0-9]*/0.701/' "$work/data/timing.md"
compare "$work/data" timing >"$work/differ"
[ "$(wc -l <"$work/differ")" -ge 1 ] && ! grep -qv '0\.701' "$work/differ" || complain "a changed table: $(cat "$work/differ")"
finish
