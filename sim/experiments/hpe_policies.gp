# SPDX-License-Identifier: Apache-2.0
# Plots of hpe_policies.sql.
set grid y
set style fill solid 0.8 border -1
set yrange [0:*]

set terminal svg size 1200,420 font "sans,11"
set output "hpe_policies_speedup.svg"
set style data histogram
set style histogram cluster gap 1
set xtics rotate by -40
set ylabel "speed of HPE / LRU"
set key tmargin center horizontal
f = "hpe_policies_speedup.dat"
plot f using 2:xtic(1) title "75 % fit", "" using 3 title "50 % fit", 1 with lines lc "black" notitle

set output "hpe_policies_others.svg"
set ylabel "speed / Ideal, 75 % fit"
f = "hpe_policies_others.dat"
plot f using 2:xtic(1) title "LRU", "" using 3 title "random", "" using 4 title "RRIP-FP", "" using 5 title "CLOCK-Pro", "" using 6 title "HPE", \
    1 with lines lc "black" notitle

set terminal svg size 640,480 font "sans,11"
set output "hpe_policies_rates.svg"
set xtics norotate
set xlabel "GPU memory, % of the pages touched"
set ylabel "time / that with all pages in memory"
set logscale y
set yrange [1:*]
set xrange [20:100] reverse
set key default
set key top left
f = "hpe_policies_rates.dat"
plot for [i = 2:4] f using 1:i with linespoints title word("LRU HPE Ideal", i - 1)
