# SPDX-License-Identifier: Apache-2.0
# The plots of uvmbench.sql, and pages over time of six workloads.
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

reset
set terminal svg size 1000,520 font "sans,11"
set output "uvmbench_pages.svg"
set multiplot layout 2,3
unset key
set xrange [-0.5:47.5]
set yrange [-0.5:23.5]
unset tics
do for [i = 0:5] {
    f = sprintf("uvmbench_pages_%d.dat", i)
    set title system("sed -n '1s/^# //p' ".f)
    set xlabel "references"
    set ylabel "pages"
    plot f using 1:2 with dots lw 5
}
unset multiplot
