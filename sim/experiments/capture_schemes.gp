# SPDX-License-Identifier: Apache-2.0
# Plots of capture_schemes.sql.
set grid y
set style fill solid 0.8 border -1
set terminal svg size 1000,420 font "sans,11"
set style data histogram
set style histogram cluster gap 1
set xtics rotate by -40
set key tmargin center horizontal
set logscale y
set yrange [0.5:*]

set output "capture_schemes_fit.svg"
set ylabel "speed over NP"
f = "capture_schemes_fit.dat"
plot f using 2:xtic(1) title "RP", for [i = 3:5] "" using i title word("SP TP CAP", i - 2)

set output "capture_schemes_all.svg"
set ylabel "time / CAPTURE"
f = "capture_schemes_all.dat"
plot f using 2:xtic(1) title "RPRE", for [i = 3:5] "" using i title word("SPSE TPTE TPNE", i - 2), 1 with lines lc "black" notitle

# References to each page, one plot per kernel
unset logscale
set logscale y
unset xtics
set xtics
set style fill empty
set key tmargin center horizontal
set xlabel "page (every 16th)"
set ylabel "warp instructions that refer to it"
set yrange [*:*]
f = "capture_schemes_pages.dat"
kernels = system("awk 'NF && !seen[$1]++ { print $1 }' " . f)
if (words(kernels)) set output "capture_schemes_pages.svg"
if (words(kernels)) plot for [i = 1:words(kernels)] f index i - 1 using 2:3 with points pt 7 ps 0.4 title word(kernels, i)
