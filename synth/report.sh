#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures the tables of a library in docs/results/data, and writes their pages to build/report. A table is between two marker lines:
#   <!-- synth: FORM REPORT LIBRARY -->   FORM: synth/FORM.jq formats build/synth/REPORT.json; LIBRARY: as named in reports, or "any" if
# the report depends on no library
#   <!-- end -->
#   synth/report.sh            all reports of that library; reports without a library must be named
#   synth/report.sh REPORT...  the given reports
# KNOWN=1: for the sweep and the FPGA designs, only points that have been measured before. LIBERTY, FAKERAM: see synth/flow.bash
. "$(dirname "$0")/flow.bash"
start tables tables tables

# measured REPORT: prints the command that measures it
measured() {
    case $1 in
    report) echo synth/run.sh ;;
    options | split) echo "synth/run.sh --$1" ;;
    *_options) echo "synth/${1%_options}.sh --options" ;;
    *_quick) echo "synth/${1%_quick}.sh --quick" ;;
    sweep) echo "synth/sweep.sh${KNOWN:+ --known}" ;;
    *) [ -x "synth/$1.sh" ] && echo "synth/$1.sh" || die "no report $1" ;;
    esac
}

# form FORM REPORT: prints the table in Markdown, and text without columns as a code block
form() {
    jq -r -L synth -f "synth/$1.jq" "$out/$2.json" >"$tmp/form"
    if grep -q $'\t' "$tmp/form"; then
        awk -F '\t' '
            { printf "|"; for (i = 1; i <= NF; i++) printf " %s |", $i; print "" }
            NR == 1 { printf "|"; for (i = 1; i <= NF; i++) printf "---|"; print "" }' "$tmp/form"
    else
        printf '```text\n'
        sed '1{/^$/d}' "$tmp/form"
        printf '```\n'
    fi
}

# rewrite FILE: updates the tables of the measured reports
rewrite() {
    local line kind form report library
    while IFS= read -r line; do
        printf '%s\n' "$line"
        [[ $line == '<!-- synth: '* ]] || continue
        read -r _ kind form report library _ <<<"$line"
        [[ $library == "$lib_name" || $library == any ]] && [[ " $reports " == *" $report "* ]] || continue
        form "$form" "$report"
        while IFS= read -r line && [ "$line" != '<!-- end -->' ]; do :; done
        [ "$line" = '<!-- end -->' ] || die "missing end marker of the table of $report in $1"
        printf '%s\n' "$line"
    done <"$1" >"$tmp/page"
    cmp -s "$tmp/page" "$1" || cp "$tmp/page" "$1"
}

# Updates the pages in build/report. A missing page starts as a copy of the recorded one.
mkdir -p build/report
pages=$(grep -l '^<!-- synth: ' docs/results/data/*.md)
for page in $pages; do [ -e "build/report/${page##*/}" ] || cp "$page" build/report; done
reports=${*:-$(sed -n "s/^<!-- synth: [a-z_]* \([a-z_]*\) $lib_name -->$/\1/p" $pages | sort -u)}
for report in $reports; do
    command=$(measured "$report")
    echo "synth: $command" >&2
    $command >/dev/null
done
for page in $pages; do rewrite "build/report/${page##*/}"; done
if [[ " $reports " == *" sweep "* ]]; then cp "$out/sweep.svg" "build/report/sweep_$lib_name.svg"; fi
