# SPDX-License-Identifier: Apache-2.0
# Plots of farfault_schemes.sql.
set grid y
set style fill solid 0.8 border -1
set yrange [0:*]

set terminal svg size 1200,420 font "sans,11"
set output "farfault_schemes_faults.svg"
set style data histogram
set style histogram cluster gap 1
set xtics rotate by -40
set ylabel "time / copy, then execute"
set key tmargin center horizontal
f = "farfault_schemes_faults.dat"
plot f using 2:xtic(1) title "blocking", for [i = 3:7] "" using i title word("1 2 4 16 any", i - 2), 1 with lines lc "black" notitle

set output "farfault_schemes_prefetch.svg"
f = "farfault_schemes_prefetch.dat"
plot f using 2:xtic(1) title "none", for [i = 3:8] "" using i title word("random sequential locality oracle tree overlap", i - 2), \
    1 with lines lc "black" notitle

set terminal svg size 640,480 font "sans,11"
set output "farfault_schemes_memory.svg"
set xtics norotate
set xlabel "GPU memory, % of the pages touched"
set ylabel "time / that with all pages in memory"
set logscale y
set yrange [1:*]
set xrange [20:100] reverse
set key default
set key top left
f = "farfault_schemes_memory.dat"
plot for [i = 2:3] f using 1:i with linespoints title word("LRU LRU,prefetch", i - 1)
