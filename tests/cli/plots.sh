#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 2 s
# Plots of the documents: marks for all values, legible text, the key above the bars, and the report's colors.
. tests/lib.bash
. tests/study.bash
cat >"$work/plots.json" <<'END'
[{"file": "bars", "bars": "bars.dat", "y": "IPC / baseline", "rule": 1},
 {"file": "lines", "lines": ["a.dat", "none.dat"], "names": ["a b", "c"], "x": "entries", "y": "ns", "log": "xy", "width": 400},
 {"file": "none", "bars": "none.dat", "names": ["x"]},
 {"file": "pages", "each": "page", "columns": 2, "width": 90, "height": 90}]
END
printf 'kernel\tone\ttwo\nbfs\t1.5\t2\nGM\\_HCC\t\t1\n' >"$work/bars.dat"
printf '16\t1\n32\t10\n64\t100\n' >"$work/a.dat"
printf '# atax\n0 0\n5 0\n\n7 1\n9 1\n' >"$work/page_0.dat"
printf '# mvt\n0 0\n48 23\n' >"$work/page_1.dat"
expect 0 sim/report/draw_plots.sh "$work/plots.json" "$work"
is "files" "bars.svg lines.svg pages.svg" "$(cd "$work" && echo *.svg)"
is "bars, without an empty value" "1 #0072B2 2 #E69F00" "$(grep -oE 'mark-rect role-mark[^>]*>(<path[^>]*>(</path>)?)+' "$work/bars.svg" | grep -oE 'fill="#[0-9A-F]{6}' | cut -d '"' -f 2 | sort | uniq -c | xargs)"
grep -q '>GM_HCC</text>' "$work/bars.svg" || complain "the name of a place: $(grep -o '>[^<]*</text>' "$work/bars.svg" | xargs)"
grep -qE 'role-legend"[^>]*><g transform="translate\([0-9.]+,-[0-9]+' "$work/bars.svg" || complain "the key is not above: $(grep -oE 'role-legend"[^>]*><g transform="[^"]*' "$work/bars.svg")"
! grep -q '>c</text>' "$work/lines.svg" || complain "a line without a file is in the key"
is "titles of panels" "atax mvt" "$(grep -oE '>(atax|mvt)<' "$work/pages.svg" | tr -d '<>' | xargs)"

# Recorded plots fit into a page with text of 10 pixels and more.
for plot in docs/results/data/*.svg; do
    width=$(sed -n 's/.*<svg[^>]* width="\([0-9]*\).*/\1/p' "$plot" | head -n 1)
    small=$(grep -oE 'font-size="[0-9]+' "$plot" | grep -oE '[0-9]+$' | sort -n | head -n 1)
    [ "${width:-9999}" -le 1000 ] && [ "${small:-0}" -ge 10 ] || complain "$plot: width $width, text of $small px"
    ! grep -qi gnuplot "$plot" || complain "$plot: drawn by another program"
done
finish
