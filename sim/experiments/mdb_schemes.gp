# SPDX-License-Identifier: Apache-2.0
# Plots of mdb_schemes.sql.
set grid y
set style fill solid 0.8 border -1
set yrange [0:*]

set terminal svg size 1200,420 font "sans,11"
set output "mdb_schemes_ipc.svg"
set style data histogram
set style histogram cluster gap 1
set xtics rotate by -40
set ylabel "IPC / baseline"
set key tmargin center horizontal
f = "mdb_schemes_ipc.dat"
plot f using 2:xtic(1) title "SWL-best", "" using 3 title "CBWT-best", "" using 4 title "MDB-local", "" using 5 title "MDB-global", \
    "" using 6 title "static best", 1 with lines lc "black" notitle

set terminal svg size 1200,900 font "sans,11"
set output "mdb_schemes_memory.svg"
f = "mdb_schemes_memory.dat"
array metric[4] = ["L1D hits / 1000 instructions", "failures / 1000 instructions", "memory instructions / cycle, over the baseline's", "loads to the L2 / 1000 instructions"]
set multiplot layout 2,2
do for [m = 1:4] {
    set ylabel metric[m]
    plot f using (column(4 * m - 2)):xtic(1) title "base", "" using (column(4 * m - 1)) title "SWL-best", \
        "" using (column(4 * m)) title "CBWT-best", "" using (column(4 * m + 1)) title "MDB-global"
}
unset multiplot

set terminal svg size 900,420 font "sans,11"
set output "mdb_schemes_sensitivity.svg"
set ylabel "IPC / that of fermi15 without bypassing"
plot "mdb_schemes_sensitivity.dat" using 2:xtic(1) title "base", "" using 3 title "MDB-local", "" using 4 title "MDB-global"

set terminal svg size 640,480 font "sans,11"
set output "mdb_schemes_fit.svg"
set xtics norotate
set xlabel "users of the L1D / N"
set ylabel "reservation failures / those with all N"
set xrange [0:1.02]
set key tmargin center vertical maxrows 2
load "mdb_schemes_fit.dat"
plot "mdb_schemes_fit.HCC.dat" using 1:2 with points pt 6 lc "gray50" title "HCC kernels", \
    "mdb_schemes_fit.polybench.dat" using 1:2 with points pt 7 title "the paper's five HCC kernels", \
    x**3 title "x^3", x**p_polybench dashtype 2 title sprintf("x^{%.2f}, fitted to the five", p_polybench)
