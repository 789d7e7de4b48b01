#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures the tables of a library in tests/recorded, and writes their pages to build/report. A table stands between two lines:
#   <!-- synth: FORM REPORT LIBRARY -->   FORM: synth/FORM.jq makes it of build/synth/REPORT.json; LIBRARY: as the reports name it; any, if the report is of none
#   <!-- end -->
#   synth/report.sh            all reports of that library; those of none have to be named
#   synth/report.sh REPORT...  these
# KNOWN=1: of the sizes of the sweep, and of the designs on FPGAs, those that have been measured before. LIBERTY, FAKERAM: see synth/flow.bash
. "$(dirname "$0")/flow.bash"
start tables tables tables

# measured REPORT: the command that makes it
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

# form FORM REPORT: the table in Markdown, or as it is what is no table
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

# rewrite FILE: with the tables of the reports that were made
rewrite() {
    local line kind form report library
    while IFS= read -r line; do
        printf '%s\n' "$line"
        [[ $line == '<!-- synth: '* ]] || continue
        read -r _ kind form report library _ <<<"$line"
        [[ $library == "$lib_name" || $library == any ]] && [[ " $reports " == *" $report "* ]] || continue
        form "$form" "$report"
        while IFS= read -r line && [ "$line" != '<!-- end -->' ]; do :; done
        [ "$line" = '<!-- end -->' ] || die "no end of the table of $report in $1"
        printf '%s\n' "$line"
    done <"$1" >"$tmp/page"
    cmp -s "$tmp/page" "$1" || cp "$tmp/page" "$1"
}

# A page of build/report goes on from what stands there, else from what is recorded.
mkdir -p build/report
pages=$(grep -l '^<!-- synth: ' tests/recorded/*.md)
for page in $pages; do [ -e "build/report/${page##*/}" ] || cp "$page" build/report; done
reports=${*:-$(sed -n "s/^<!-- synth: [a-z_]* \([a-z_]*\) $lib_name -->$/\1/p" $pages | sort -u)}
for report in $reports; do
    command=$(measured "$report")
    echo "synth: $command" >&2
    $command >/dev/null
done
for page in $pages; do rewrite "build/report/${page##*/}"; done
if [[ " $reports " == *" sweep "* ]]; then cp "$out/sweep.svg" "build/report/sweep_$lib_name.svg"; fi
