# SPDX-License-Identifier: Apache-2.0
# Figures 32 and 33: L1D accesses and warp instructions of an SM per 1,000 cycles, over 100,000 cycles: bp and sv alone, and together with Warped-Slicer's CTAs.
ctas = system("sqlite3 concurrent_kernels.db \"SELECT v.value FROM result r JOIN run ON run.id = r.run JOIN config_value v ON v.config = run.config WHERE r.study = 'concurrent_kernels.2_pairs' AND r.scheme = 'ws' AND r.workload = 'backprop:65536+spmv' AND v.key = 'cke.partition'\"")
if (ctas eq "") exit
series(file, words) = system("\"$MEMTWIN\" run -q -c maxwell16_cke -s cke.restart=launch -s sim.max_cycles=100000 --sample 1000 --series concurrent_kernels_".file.".csv -w ".words." >/dev/null 2>&1")
ran = series("bp", "backprop:65536")
ran = series("sv", "spmv")
ran = series("both", "backprop:65536+spmv -s cke.partition=".ctas)
set terminal svg size 1100,420 font "sans,11"
set output "concurrent_kernels_time.svg"
set datafile separator ","
set xlabel "SM cycle"
set yrange [0:*]
set grid y
set key below
set multiplot layout 1,2
plot_of(what) = sprintf("plot 'concurrent_kernels_bp.csv' using 'cycle':(column('%s') / 16) with lines title 'bp alone', 'concurrent_kernels_sv.csv' using 'cycle':(column('%s') / 16) with lines title 'sv alone', 'concurrent_kernels_both.csv' using 'cycle':(column('w0_%s') / 16) with lines title 'bp beside sv', '' using 'cycle':(column('w1_%s') / 16) with lines title 'sv beside bp'", what, what, what, what)
set title "L1D accesses of an SM in 1,000 cycles (Figure 32)"
eval plot_of("l1d_accesses")
set title "Warp instructions of an SM in 1,000 cycles (Figure 33)"
eval plot_of("warp_insts")
unset multiplot
