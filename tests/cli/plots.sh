#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 2 s
# Plots of the documents: marks for all values, legible text, the key above the bars, and the report's colors.
. tests/lib.bash
. tests/study.bash
cat >"$work/plots.json" <<'END'
[{"file": "bars", "bars": "bars.dat", "y": "IPC / baseline", "rule": 1},
 {"file": "lines", "lines": ["a.dat", "none.dat"], "names": ["a b", "c"], "x": "entries", "y": "ns", "log": "xy", "width": 400},
 {"file": "negative", "bars": "negative.dat"},
 {"file": "powers", "points": ["points.dat"], "names": ["p"], "powers": [{"exponent": 3, "name": "x^3"}, {"exponent": "fit.dat", "name": "x^% by fit"}]},
 {"file": "none", "bars": "none.dat", "names": ["x"]},
 {"file": "pages", "each": "page", "columns": 2, "width": 90, "height": 90}]
END
# Looks: no two of 64 lines are alike, and all colors are legible on a dark page.
cp sim/report/looks.js "$work/looks.mjs"
cat >"$work/check.mjs" <<'END'
import { colorScales, contrastOnDark, darkStyle, dashScale, shapeScale } from './looks.mjs';
const names = Array.from({ length: 64 }, (_, k) => String(k));
const edges = colorScales(names)[1].range;
for (const scale of [dashScale, shapeScale])
  console.log(new Set(scale(names).range.map((x, k) => edges[k] + x)).size, scale(names.slice(9, 10), names).range[0] === scale(names).range[9]);
const rules = [...darkStyle().matchAll(/="(#[0-9A-Fa-f]+)"\] \{ (fill|stroke): (#[0-9a-f]+)/g)];
console.log(rules.length, rules.every(r => contrastOnDark(r[3]) >= 4.5), rules.some(r => contrastOnDark(r[1]) < 2));
END
is "looks" "64 true 64 true 48 true true" "$(node "$work/check.mjs" 2>&1 | xargs)"

printf 'kernel\tone\ttwo\nbfs\t1.5\t2\nGM\\_HCC\t\t1\n' >"$work/bars.dat"
printf '16\t1\n32\t10\n64\t100\n' >"$work/a.dat"
printf '# atax\n0 0\n5 0\n\n7 1\n9 1\n' >"$work/page_0.dat"
printf '# mvt\n0 0\n48 23\n' >"$work/page_1.dat"
printf 'kernel\tone\na\t-1.5\nb\t0.5\n' >"$work/negative.dat"
printf '0.25\t0.1\n1\t1\n' >"$work/points.dat"
echo 'e=2.5' >"$work/fit.dat"
expect 0 sim/report/draw_plots.sh "$work/plots.json" "$work"
is "bars of a value below 0 and one above it" 2 "$(grep -oE 'mark-rect role-mark[^>]*>(<path[^>]*>(</path>)?)+' "$work/negative.svg" | grep -oE 'd="M0?[^"]*' | grep -cvE 'v-?0h')"
grep -q '>-1.5<\|>−1.5<' "$work/negative.svg" || complain "no axis down to -1.5: $(grep -oE '>[−-]?[0-9.]+<' "$work/negative.svg" | xargs)"
is "powers" "x^3 x^2.50 by fit" "$(grep -oE '>x\^[^<]*' "$work/powers.svg" | tr -d '>' | xargs)"
is "files" "bars.svg lines.svg negative.svg pages.svg powers.svg" "$(cd "$work" && echo *.svg)"
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
