# SPDX-License-Identifier: Apache-2.0
# Tables of sim/experiments/mdb.sh, and into the folder `out` the data of its plots. stdin: its figures.
# Fields of a run: 7 IPC, 8 hits, 9 failures, 11 L1-L2 traffic, all three per 1000 warp instructions, 10 memory instructions per cycle,
# 12 failures, 13 decisions, 14 their mean L_max, 15 to 22 how many were for 1 to 8.
{
    w = $3
    if (!(w in class)) { class[w] = $1; name[w] = $2; users[w] = $4; order[++n] = w }
    choice[w, $5] = $6
    for (i = 7; i <= NF; i++) v[w, $5, i] = $i
}
function ipc(w, scheme) { return v[w, scheme, 7] / v[w, "base", 7] }
function label(w, k) { k = w; sub(/:.*/, "", k); return name[w] " " k }
function ours(w) { return ipc(w, "8mb") > 1.5 ? "HCC" : "LCC" }
# Is the kernel in a group: HCC or LCC (of the paper), ours (HCC by our own 8 MB), polybench (the paper's five for the fit)?
function in_group(w, group) {
    if (group == "ours") return ours(w) == "HCC"
    if (group == "polybench") return name[w] ~ /^(S2K|GMV|ATX|MVT|BIC)$/
    return class[w] == group
}
function size(group, k, m) { for (k = 1; k <= n; k++) m += in_group(order[k], group); return m + 0 }
# Geometric mean of the IPC of a scheme over that of another.
function gmean(group, scheme, over, k, sum, m) {
    for (k = 1; k <= n; k++) if (in_group(order[k], group)) { sum += log(v[order[k], scheme, 7] / v[order[k], over, 7]); m++ }
    return m ? exp(sum / m) : 1
}
function head(text, first, columns, i, c, m) {
    m = split(columns, c, " ")
    printf "\n%s\n\n| %s |", text, first
    for (i = 1; i <= m; i++) printf " %s |", c[i]
    printf "\n|---|"
    for (i = 1; i <= m; i++) printf "---|"
    print ""
}
function paper(columns, figures, i, c, m) {
    m = split(columns, c, " ")
    printf "| paper |"
    for (i = 1; i <= m; i++) printf " %s |", (c[i] in figures) ? figures[c[i]] : "-"
    print ""
}
function means(text, group, columns, i, c, m) {
    if (!size(group)) return
    m = split(columns, c, " ")
    printf "| **%s** |", text
    for (i = 1; i <= m; i++) printf " **%.3f** |", gmean(group, c[i], "base")
    print ""
}
function ipc_rows(group, columns, k, i, c, m) {
    m = split(columns, c, " ")
    for (k = 1; k <= n; k++) {
        if (!in_group(order[k], group)) continue
        printf "| %s |", label(order[k])
        for (i = 1; i <= m; i++) printf " %.3f |", ipc(order[k], c[i])
        print ""
    }
}
function schemes(columns, figures) {
    columns = "static_best swl_best cbwt_best mrpb mdb_local mdb_global mdb_local+noscale mdb_global+noscale mdb_local+once mdb_global+once"
    figures["swl_best"] = 1.39; figures["cbwt_best"] = 1.51; figures["mdb_local"] = 1.75; figures["mdb_global"] = 1.69
    print "\n## Schemes (Figure 6)"
    head("IPC over the baseline's; means are geometric", "kernel", columns)
    ipc_rows("HCC", columns)
    means("mean, HCC", "HCC", columns)
    paper(columns, figures)
    ipc_rows("LCC", columns)
    means("mean, LCC", "LCC", columns)
    means("mean, HCC by our own 8 MB", "ours", columns)
    print "\n![IPC of the schemes over the baseline](mdb_schemes_ipc.svg)"
}
function contention(columns, figures, k, w) {
    columns = "bmod nol1d 8mb"
    figures["bmod"] = "about 0.5"
    print "\n## Contention (Figure 2)"
    print "\nIPC over the baseline's of an L1D with modulo index, of none, of one of 8 MB (4096 sets of 16 ways); HCC: 8 MB give more than 1.5."
    print "\n| kernel | modulo index | no L1D | 8 MB | paper | ours |\n|---|---|---|---|---|---|"
    for (k = 1; k <= n; k++) {
        w = order[k]
        printf "| %s | %.3f | %.3f | %.3f | %s | %s |\n", label(w), ipc(w, "bmod"), ipc(w, "nol1d"), ipc(w, "8mb"), class[w], ours(w)
    }
}
# A figure of some schemes, HCC kernels, and its mean over them.
function metric(text, field, columns, group, k, i, c, m, sum) {
    m = split(columns, c, " ")
    head(text, "kernel", columns)
    for (k = 1; k <= n; k++) {
        printf "| %s |", label(order[k])
        for (i = 1; i <= m; i++) { printf " %.4g |", v[order[k], c[i], field]; sum[class[order[k]], i] += v[order[k], c[i], field] }
        print ""
    }
    split("HCC LCC", group, " ")
    for (k = 1; k <= 2; k++) {
        if (!size(group[k])) continue
        printf "| **mean, %s** |", group[k]
        for (i = 1; i <= m; i++) printf " **%.4g** |", sum[group[k], i] / size(group[k])
        print ""
    }
}
function memory(columns) {
    columns = "base swl_best cbwt_best mdb_local mdb_global"
    print "\n## L1D and traffic (Figure 7)"
    metric("L1D hits per 1000 warp instructions", 8, columns)
    metric("Reservation failures (refused cycles of accesses that use the L1D, for want of a way, an MSHR entry or slot, or the miss queue) per 1000 warp instructions", 9, columns)
    metric("Memory instructions per cycle (warp instructions, all SMs)", 10, columns)
    metric("Loads sent to the L2, misses and bypassed, per 1000 warp instructions", 11, columns)
    print "\n![Hits, failures, memory instructions per cycle, traffic](mdb_schemes_memory.svg)"
}
function limit(w, k) { k = choice[w, "static_best"]; return k == "base" ? "all" : substr(k, 7) }
function lmax(w, scheme) { return v[w, scheme, 13] ? sprintf("%.2f", v[w, scheme, 14]) : "-" }
function decisions(k, w) {
    print "\n## What was decided"
    print "\nN: users of an SM (warps of a CTA or CTAs; the most of all launches). The best static limit and its IPC over the baseline's; decisions and mean L_max (8: all users; \"-\": fewer accesses than an interval); the best SWL and CBWT."
    print "\n| kernel | N | static_best | its IPC | mdb_local: L_max | decisions | IPC | mdb_global: L_max | decisions | IPC | swl_best | cbwt_best |"
    print "|---|---|---|---|---|---|---|---|---|---|---|---|"
    for (k = 1; k <= n; k++) {
        w = order[k]
        printf "| %s | %d | %s | %.3f | %s | %d | %.3f | %s | %d | %.3f | %s | %s |\n", label(w), users[w], limit(w), ipc(w, "static_best"),
            lmax(w, "mdb_local"), v[w, "mdb_local", 13], ipc(w, "mdb_local"), lmax(w, "mdb_global"), v[w, "mdb_global", 13],
            ipc(w, "mdb_global"), choice[w, "swl_best"], choice[w, "cbwt_best"]
    }
    print "\nDecisions of mdb_local, percent, by L_max (8: nobody goes past):"
    print "\n| kernel | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |\n|---|---|---|---|---|---|---|---|---|"
    for (w = 1; w <= n; w++) {
        printf "| %s |", label(order[w])
        for (k = 1; k <= 8; k++) printf v[order[w], "mdb_local", 13] ? sprintf(" %.0f |", 100 * v[order[w], "mdb_local", 14 + k] / v[order[w], "mdb_local", 13]) : " - |"
        print ""
    }
    print "\nIPC over the baseline's if the first L users use the L1D:"
    printf "\n| kernel |"; for (k = 0; k <= 15; k++) printf " %d |", k
    printf "\n|---|"; for (k = 0; k <= 15; k++) printf "---|"
    print ""
    for (w = 1; w <= n; w++) {
        printf "| %s |", label(order[w])
        for (k = 0; k <= 15; k++) printf k < users[order[w]] ? sprintf(" %.3f |", ipc(order[w], "static" k)) : " |"
        print ""
    }
}
# Means over the HCC kernels of variants of the machine, beside the paper's three figures: one a line in `lines`,
# "variant text base paper's-base paper's-mdb_global".
function sensitivity(part, count, k, i, f, lines, row) {
    count = split("base 16_KB 1 1.70,kb32 32_KB 1.77 1.96,kb64 64_KB 2.43 2.44,mshr16 16_MSHRs - -,base 32_MSHRs 1 1.70,mshr64 64_MSHRs - -," \
        "mshr128 128_MSHRs - -,base GTO 1 1.70,lrr LRR 0.93 1.83,two_level two-level 0.94 1.82,base 700_MHz - -,mhz1400 1400_MHz - -", lines, ",")
    print "\n## Sensitivity (Figures 8, 9)"
    print "\nIPC over that of fermi15 without bypassing, geometric means over the HCC kernels of the paper; in brackets the gain over the same machine without bypassing."
    print "\n| | base | mdb_local | mdb_global | paper: base | paper: mdb_global |\n|---|---|---|---|---|---|"
    for (i = 1; i <= count; i++) {
        split(lines[i], f, " ")
        row[1] = gmean("HCC", f[1], "base")
        for (k = 2; k <= 3; k++) row[k] = gmean("HCC", variant(k == 2 ? "mdb_local" : "mdb_global", f[1]), "base")
        gsub(/_/, " ", f[2])
        printf "| %s | %.3f | %.3f (%.3f) | %.3f (%.3f) | %s | %s |\n", f[2], row[1], row[2], row[2] / row[1], row[3], row[3] / row[1], f[3], f[4]
        printf "\"%s\" %.4f %.4f %.4f\n", f[2], row[1], row[2], row[3] >(out "/sensitivity.dat")
    }
    print "\nThe paper has no figures for MSHRs (\"double the performance with any of the examined MSHR sizes\").\n"
    print "\n![Sensitivity](mdb_schemes_sensitivity.svg)"
    slots()
}
function variant(scheme, part) { return part == "base" ? scheme : scheme "+" part }
function slots(i, k, part, text, group) {
    split("slots8 slots32 slots128 base", part, " ")
    split("8 32 128 no limit", text, " ")
    print "\nBypassing loads in flight of an SM (`l1d.bypass_slots`), IPC over the baseline's, geometric means:"
    print "\n| slots | mdb_local, HCC | static_best, HCC | mdb_local, LCC | static_best, LCC |\n|---|---|---|---|---|"
    for (i = 1; i <= 4; i++) {
        printf "| %s |", i < 4 ? text[i] : "no limit"
        for (k = 1; k <= 2; k++) {
            group = k == 1 ? "HCC" : "LCC"
            printf " %.3f | %.3f |", gmean(group, variant("mdb_local", part[i]), "base"), gmean(group, variant("static_best", part[i]), "base")
        }
        print ""
    }
}
# R2 of y = c x^p over the points.
function r2(c, p, i, rest, all, mean) {
    for (i = 1; i <= points; i++) mean += y[i] / points
    for (i = 1; i <= points; i++) { rest += (y[i] - c * x[i] ^ p) ^ 2; all += (y[i] - mean) ^ 2 }
    return all ? 1 - rest / all : 1
}
function fit(group, k, w, l, p, r, best, power, sxy, sxx, c, file) {
    points = 0
    file = out "/fit." group ".dat"
    printf "" >file
    for (k = 1; k <= n; k++) {
        w = order[k]
        if (!in_group(w, group) || !v[w, "base", 12]) continue
        for (l = 1; l < users[w]; l++) {
            x[++points] = l / users[w]
            y[points] = v[w, "static" l, 12] / v[w, "base", 12]
            print x[points], y[points], name[w] >file
        }
    }
    close(file)
    if (!points) return
    for (k = 1; k <= points; k++) { sxy += y[k] * x[k] ^ 3; sxx += x[k] ^ 6 }
    c = sxy / sxx
    best = -1e9
    for (p = 0.02; p < 12; p += 0.02) if ((r = r2(1, p)) > best) { best = r; power = p }
    printf "| %s | %d | %.3f | %.3f (c = %.3f) | %.3f (p = %.2f) |\n", group == "HCC" ? "all HCC kernels" : "S2K, GMV, ATX, MVT, BIC", points, r2(1, 3), r2(c, 3), c, best, power
    printf "c_%s = %.4f\np_%s = %.4f\n", group, c, group, power >(out "/fit.gp")
}
function cube() {
    printf "" >(out "/fit.gp")
    print "\n## The cubic model (Figure 4)"
    print "\nReservation failures with L of N users in the L1D over those with all N, at every L from 1 to N - 1 (at N it is 1 by construction): R2 of three curves. The paper: y = x^3, 0.88 over its points of S2K, GMV, ATX, MVT and BIC."
    print "\n| kernels | points | y = x^3 | y = c x^3 | y = x^p |\n|---|---|---|---|---|"
    fit("polybench")
    fit("HCC")
    print "\n![Failures against users of the L1D](mdb_schemes_fit.svg)"
}
function data(k, i, c, m, w, field) {
    m = split("swl_best cbwt_best mdb_local mdb_global static_best", c, " ")
    for (k = 1; k <= n; k++) {
        w = order[k]
        printf "%s", name[w] >(out "/ipc.dat")
        for (i = 1; i <= m; i++) printf " %.4f", ipc(w, c[i]) >(out "/ipc.dat")
        print "" >(out "/ipc.dat")
    }
    for (k = 1; k <= 2; k++) {
        if (!size(k == 1 ? "HCC" : "LCC")) continue
        printf "%s", k == 1 ? "GM\\\\_HCC" : "GM\\\\_LCC" >(out "/ipc.dat")
        for (i = 1; i <= m; i++) printf " %.4f", gmean(k == 1 ? "HCC" : "LCC", c[i], "base") >(out "/ipc.dat")
        print "" >(out "/ipc.dat")
    }
    m = split("base swl_best cbwt_best mdb_global", c, " ")
    for (k = 1; k <= n; k++) {
        w = order[k]
        if (class[w] != "HCC") continue
        printf "%s", name[w] >(out "/memory.dat")
        for (field = 8; field <= 11; field++) for (i = 1; i <= m; i++)
            printf " %.4f", field == 10 ? v[w, c[i], field] / v[w, "base", field] : v[w, c[i], field] >(out "/memory.dat")
        print "" >(out "/memory.dat")
    }
}
END {
    print "# Model-driven bypassing on fermi15\n"
    print "Written by `make experiment-mdb` (`sim/experiments/mdb.sh`, which says what each scheme is). Paper: Dai, PhD dissertation, NC State University 2017, chapter 2; \"-\": it gives no figure."
    print "Kernels are named as there; HCC, LCC: high and low contention, as there (without Barnes-Hut, which we lack)."
    schemes()
    contention()
    memory()
    decisions()
    if (size("HCC")) { sensitivity(); cube() }
    data()
}
