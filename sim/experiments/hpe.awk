# SPDX-License-Identifier: Apache-2.0
# Tables of sim/experiments/hpe.sh, and into the folder `out` the data of its plots; with tables.awk. stdin: its figures.
# Fields of a run: 5 cycles, 6 evictions, 7 faults, 8 faults on evicted pages, 9 pages touched, 10 frames, 11 ratio1, 12 ratio2 (per mille),
# 13 class, 14 page sets in old, 15 intervals with LRU, 16 with MRU-C, 17 switches, 18 jumps, 19 searches, 20 compared, 21 HIR transfers,
# 22 entries, 23 lost, 24 walk hits told, 25 page sets divided.
BEGIN { CYCLES = 5; EVICTIONS = 6; FAULTS = 7 }
{
    w = $3
    if (!(w in type)) { type[w] = $1; name[w] = $2; order[++n] = w }
    for (i = 5; i <= NF; i++) v[w, $4, i] = $i
    known[w, $4] = 1
}
function in_group(w, group) { return group == "all" || group == "type " type[w] }
function label(w, k) { k = w; sub(/:.*/, "", k); return name[w] " " k }
function over_of(scheme, table1) {
    table1 = scheme ~ /table1/
    sub(/\..*/, ".lru", scheme)
    return scheme (table1 ? "+table1" : "")
}
function footprints(k, w) {
    head("Pages (4 KB) that a kernel touches, and what it does with all of them in GPU memory", "kernel", "type pages MiB cycles faults")
    for (k = 1; k <= n; k++) {
        w = order[k]
        printf "| %s | %s | %d | %.1f | %d | %d |\n", label(w), type[w], v[w, "100.lru", 9], v[w, "100.lru", 9] / 256, v[w, "100.lru", CYCLES], v[w, "100.lru", FAULTS]
    }
}
function against_lru() {
    print "\n## HPE over LRU (Figures 10 and 11)"
    ratios("Speed (cycles of LRU over those of HPE)", "95.hpe 75.hpe 50.hpe 25.hpe", "", "", CYCLES, 1, GROUPS)
    print "| paper | - | 1.34 | 1.16 | - |"
    ratios("Evictions of HPE over those of LRU", "95.hpe 75.hpe 50.hpe 25.hpe", "", "", EVICTIONS, 0, GROUPS)
    print "| paper | - | 0.82 | 0.88 | - |"
    print "\n![Speed of HPE over LRU](hpe_policies_speedup.svg)"
}
function against_ideal(rate, text) {
    ratios(rate " % of the pages fit. Speed over Ideal", "lru random rrip clock_pro hpe", rate ".", rate ".ideal", CYCLES, 1, GROUPS)
    ratios("The same: evictions over those of Ideal", "lru random rrip clock_pro hpe", rate ".", rate ".ideal", EVICTIONS, 0, GROUPS)
    ratios("The same: speed of HPE over others", "lru random rrip clock_pro", rate ".", rate ".hpe", CYCLES, 0, "all")
    print text
    beaten(rate)
}
# Kernels in which a policy evicts less, or is faster, than Ideal.
function beaten(rate, k, i, c, m, w, fewer, faster) {
    m = split("lru random rrip clock_pro hpe", c, " ")
    for (k = 1; k <= n; k++) {
        w = order[k]
        for (i = 1; i <= m; i++) {
            if (v[w, rate "." c[i], EVICTIONS] < v[w, rate ".ideal", EVICTIONS]) fewer = fewer " " name[w] ":" c[i]
            if (v[w, rate "." c[i], CYCLES] < 0.99 * v[w, rate ".ideal", CYCLES]) faster = faster " " name[w] ":" c[i]
        }
    }
    print "\nFewer evictions than Ideal:" (fewer ? fewer : " none") ". More than 1 % faster:" (faster ? faster : " none") "."
}
function others() {
    print "\n## All policies (Figures 3 and 12)"
    print "\nRRIP inserts with distant prediction and a delay of 128 faults for kernels of type II, as the paper sets it; LRU, RRIP and CLOCK-Pro see every page walk that hits at once, but for those of replayed faults."
    print "Ideal is Belady's MIN over the references of a first pass with all pages in memory. It is no bound: which references come next depends on what is resident ([why](../eviction.md#ideal))."
    against_ideal(75, "| paper | 1.34 | 1.16 | 1.27 | 1.20 |\n\nPaper, 75 %: HPE within 11 % of Ideal, 18 % more evictions.")
    against_ideal(50, "| paper | 1.16 | 1.21 | 1.16 | 1.15 |\n\nPaper, 50 %: HPE within 11 % of Ideal, 16 % more evictions.")
    print "\n![Speed over Ideal](hpe_policies_others.svg)"
}
function rates(i, c, r, m, k) {
    print "\n## By memory"
    m = split("lru hpe ideal", c, " ")
    head("Time over that with all pages in GPU memory; geometric means over all kernels", "memory", "lru hpe ideal")
    printf "100 1 1 1\n" >(out "/rates.dat")
    for (r = 1; r <= split("95 75 50 25", k, " "); r++) {
        printf "| %d %% |", k[r]
        printf "%d", k[r] >(out "/rates.dat")
        for (i = 1; i <= m; i++) {
            printf " %.3f |", mean("all", k[r] "." c[i], "100.lru", CYCLES, 0)
            printf " %.4f", mean("all", k[r] "." c[i], "100.lru", CYCLES, 0) >(out "/rates.dat")
        }
        print ""
        print "" >(out "/rates.dat")
    }
    print "\n![Time by memory](hpe_policies_rates.svg)"
}
function kind(class) { return class == 1 ? "regular" : class == 2 ? "irregular#1" : class == 3 ? "irregular#2" : "-" }
function per_mille(x) { return x >= 1000000 ? "inf" : sprintf("%.3f", x / 1000) }
function classes(k, w, r, s, rate) {
    print "\n## Classification and adjustment (Figures 9 and 13)"
    print "\nWhen GPU memory was full for the first time: ratio1, ratio2, class, page sets in the old partition; then intervals that ended with each strategy, switches between them, jumps of MRU-C's search point, page sets divided."
    print "\n| kernel | memory | ratio1 | ratio2 | class | old | LRU | MRU-C | switches | jumps | divided |\n|---|---|---|---|---|---|---|---|---|---|---|"
    for (k = 1; k <= n; k++)
        for (r = 1; r <= split("75 50", rate, " "); r++) {
            w = order[k]; s = rate[r] ".hpe"
            printf "| %s | %d %% | %s | %s | %s | %d | %d | %d | %d | %d | %d |\n", label(w), rate[r], per_mille(v[w, s, 11]), per_mille(v[w, s, 12]),
                kind(v[w, s, 13]), v[w, s, 14], v[w, s, 15], v[w, s, 16], v[w, s, 17], v[w, s, 18], v[w, s, 25]
        }
}
# Transfers that were due: every 16th fault.
function due(w, s) { return int(v[w, s, FAULTS] / 16) }
function quotient(a, b) { return b ? sprintf("%.1f", a / b) : "-" }
function overheads(k, w, r, s, rate) {
    print "\n## Overheads (Figures 14 and 15)"
    print "\nPage sets compared in a search of MRU-C; entries in a transfer of the HIR cache, of all that were due (paper: fewer than 10 in most, MVT 139), and of those that had any; walks that hit and were told of, and those of them lost to way conflicts of 128 sets of 8 and of 16 sets of 8."
    print "\n| kernel | memory | compared | entries / due | entries / sent | walk hits | lost | lost, 16 x 8 |\n|---|---|---|---|---|---|---|---|"
    for (k = 1; k <= n; k++)
        for (r = 1; r <= split("75 50", rate, " "); r++) {
            w = order[k]; s = rate[r] ".hpe"
            printf "| %s | %d %% | %s | %s | %s | %d | %d | %d |\n", label(w), rate[r], quotient(v[w, s, 20], v[w, s, 19]), quotient(v[w, s, 22], due(w, s)), quotient(v[w, s, 22], v[w, s, 21]),
                v[w, s, 24], v[w, s, 23], v[w, s "+hir16", 23]
        }
}
# Geometric mean over the kernels of a type of the speed with one value of a key over that with another, the better strategy in each.
function best_over(group, rate, part, k, w, base, x, sum, m) {
    for (k = 1; k <= n; k++) {
        w = order[k]
        if (!in_group(w, group)) continue
        base = v[w, rate ".hpe+hits+always_lru", CYCLES]
        x = v[w, rate ".hpe+hits+always_mru_c", CYCLES]
        if (x < base) base = x
        x = part == "" ? base : v[w, rate ".hpe+hits+best+" part, CYCLES]
        sum += log(base / x); m++
    }
    return m ? exp(sum / m) : -1
}
function sensitivity(i, c, g, l, k, m) {
    print "\n## Sensitivity (section V.A, Figures 7 and 8)"
    print "\n75 %: speed over that of page sets of 16 pages and intervals of 64 faults; of both strategies the better one, without adjustment, with ideal hits, as the paper tests it; geometric means by type."
    print "\n| kernels | 8 pages | 16 | 32 | interval 32 | 64 | 128 |\n|---|---|---|---|---|---|---|"
    l = split(GROUPS, g, ",")
    for (k = 1; k <= l; k++)
        printf "| %s | %s | 1 | %s | %s | 1 | %s |\n", g[k], cell(best_over(g[k], 75, "set8")), cell(best_over(g[k], 75, "set32")),
            cell(best_over(g[k], 75, "interval32")), cell(best_over(g[k], 75, "interval128"))
    m = split("hits transfer1 transfer64 hir16 walk20", c, " ")
    ratios("75 %: speed over HPE as it is (transfers at every 16th fault, walks of 8 cycles, HIR cache of 128 x 8). hits: each walk that hits is known at once; hir16: 16 x 8", \
        "hits transfer1 transfer64 hir16 walk20", "75.hpe+", "75.hpe", CYCLES, 1, "all")
    ratios("50 %: the same", "hits hir16", "50.hpe+", "50.hpe", CYCLES, 1, "all")
    printf "\nLRU with walks of 20 cycles, 75 %%: %s of its speed with 8.\n", cell(mean("all", "75.lru+walk20", "75.lru", CYCLES, 1))
    print "\n## TLBs of Table I"
    print "\nThey reach more than most of these kernels touch (see the script): hardly a walk is told of, and LRU is FIFO."
    ratios("Speed of HPE over LRU with them", "75.hpe+table1 50.hpe+table1", "", "", CYCLES, 1, GROUPS)
}
function blocks() {
    print "\n## Policies of drivers"
    print "\nNot in the paper: units of 2 MB, of 64 KB, and the tree of 64 KB blocks, without prefetching."
    ratios("50 %: speed over LRU by page", "lru_2mb sl64 tree hpe", "50.", "50.lru", CYCLES, 1, "all")
}
function plots(k, w, i, c, m) {
    m = split("lru random rrip clock_pro hpe", c, " ")
    for (k = 1; k <= n; k++) {
        w = order[k]
        printf "%s %.4f %.4f\n", name[w], ratio(w, "75.hpe", "75.lru", CYCLES, 1), ratio(w, "50.hpe", "50.lru", CYCLES, 1) >(out "/speedup.dat")
        printf "%s", name[w] >(out "/others.dat")
        for (i = 1; i <= m; i++) printf " %.4f", ratio(w, "75." c[i], "75.ideal", CYCLES, 1) >(out "/others.dat")
        print "" >(out "/others.dat")
    }
    printf "mean %.4f %.4f\n", mean("all", "75.hpe", "75.lru", CYCLES, 1), mean("all", "50.hpe", "50.lru", CYCLES, 1) >(out "/speedup.dat")
    printf "mean" >(out "/others.dat")
    for (i = 1; i <= m; i++) printf " %.4f", mean("all", "75." c[i], "75.ideal", CYCLES, 1) >(out "/others.dat")
    print "" >(out "/others.dat")
}
END {
    for (k = 1; k <= n; k++) if (!(type[order[k]] in seen)) { seen[type[order[k]]] = 1; GROUPS = GROUPS "type " type[order[k]] "," }
    GROUPS = GROUPS "all"
    print "# Page eviction on hpe15"
    print "\nWritten by `make experiment-hpe` (`sim/experiments/hpe.sh`, which says what each scheme is). Paper: Yu et al., IEEE TCAD 2019, section V; \"-\": it gives no figure, or there is none."
    print "Kernels are named and typed as in its Table II (without cutcp, mri-q, sad and sgemm, which we lack); three of type II make more steps than by default, so that they pass through their data often; kernels that would take long are smaller."
    print "Footprints are a sixth of those in the paper in the mean (5.7 of 37 MB), and the TLBs, of 16 and 64 entries, reach an eighth. Means are geometric; kernels for which a ratio does not exist (no evictions) do not count."
    footprints()
    against_lru()
    others()
    rates()
    classes()
    overheads()
    sensitivity()
    blocks()
    plots()
}
