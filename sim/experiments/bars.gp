# SPDX-License-Identifier: Apache-2.0
# Draws IPC of schemes over a baseline, with kernels side by side: call "bars.gp" NAME TITLE WIDTH SCHEMES
# reads NAME.dat, whose first line has the schemes' names, and writes NAME.svg.
set terminal svg size ARG3,420 font "sans,11"
set output ARG1.".svg"
set datafile separator "\t"
set style data histogram
set style histogram cluster gap 1
set style fill solid 0.8 border -1
set xtics rotate by -40
set title ARG2
set ylabel "IPC / baseline"
set yrange [0:*]
set grid y
set key top left horizontal
plot for [i=2:ARG4+1] ARG1.".dat" using i:xtic(1) title columnheader(i), 1 with lines lc "black" notitle
