# SPDX-License-Identifier: Apache-2.0
# Plots of uvmbench.sql, and pages over time of all workloads.
set terminal svg size 1000,420 font "sans,11"
set output "uvmbench_time.svg"
set style data histogram
set style histogram cluster gap 1
set style fill solid 0.8 border -1
set xtics rotate by -50
set grid y
set yrange [0:1.2]
set ylabel "IPC / explicit copies"
set key tmargin center horizontal
f = "uvmbench_time.dat"
plot f using 2:xtic(1) title "UVM", "" using 3 title "prefetch before launches", 1 with lines lc "black" notitle

set output "uvmbench_rate.svg"
set yrange [0:14]
set ylabel "GB/s to the GPU, while data move"
f = "uvmbench_rate.dat"
plot f using 2:xtic(1) title "copies, pieces of 2 MB at half speed", "" using 3 title "copies at full speed", "" using 4 title "UVM"

set output "uvmbench_over.svg"
set logscale y
set yrange [0.5:100]
set ylabel "time over that with all pages"
f = "uvmbench_over.dat"
plot f using 2:xtic(1) title "110 %", "" using 3 title "125 %", 1 with lines lc "black" notitle

reset
set terminal svg size 640,420 font "sans,11"
set output "uvmbench_repeat.svg"
set logscale x 2
set grid y
set yrange [0:1.05]
set xlabel "times that each launch runs"
set ylabel "IPC, UVM over explicit copies"
set key top left
f = "uvmbench_repeat.dat"
stats f using 1 nooutput
plot for [i = 0:STATS_blocks - 1] f index i using 1:2 with linespoints title columnheader(1)

reset
set terminal svg size 1100,680 font "sans,9"
set output "uvmbench_pages.svg"
set multiplot layout 4,8 margins 0.02,0.98,0.04,0.95 spacing 0.015,0.05
unset key
set xrange [0:48]
set yrange [-0.5:23.5]
unset tics
n = system("ls uvmbench_pages_*.dat | wc -l") + 0
do for [i = 0:n - 1] {
    f = sprintf("uvmbench_pages_%d.dat", i)
    set title system("sed -n '1s/^# //p' ".f) offset 0,-0.7
    plot f using 1:2 with lines lw 3 lc "#1b6ca8"
}
unset multiplot
