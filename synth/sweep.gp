# SPDX-License-Identifier: Apache-2.0
# Plot of synth/sweep.sh: gnuplot -e "from='FOLDER'; out='FILE'" sweep.gp
families = "static_8_slots dl_4_slots dl_2_slots cart bpg hir"
file(name) = from . "/" . name . ".dat"
shown = ""
do for [name in families] { if (system("test -e " . file(name) . " && echo yes") eq "yes") { shown = shown . " " . name } }

set terminal svg size 1000,460 font "sans,11"
set output out
set multiplot layout 1,2
set grid
set logscale x 2
set xlabel "entries"
set key top left noenhanced
set logscale y
set ylabel "um2, fastest netlist, without cut RAMs"
plot for [name in shown] file(name) using 1:2 with linespoints title name
unset logscale y
set yrange [0:*]
set ylabel "its period, ns"
set key bottom right
plot for [name in shown] file(name) using 1:3 with linespoints title name
unset multiplot
