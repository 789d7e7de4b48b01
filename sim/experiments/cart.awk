# SPDX-License-Identifier: Apache-2.0
# Tables of sim/experiments/cart.sh. schemes: those of the columns, the first is what they are compared to.
BEGIN {
    n_s = split(schemes, s, " ")
    # [Gu] sections 2.3 and 2.6. Of bank queues (for no named B) and of stalls and conflicts it says "on average" only.
    memory["cart"] = "1.342"; memory["mrpb"] = "1.234"; memory["racb"] = "1.126"; memory["cart+mrpb"] = "1.386"; memory["cart+racb"] = "1.415"
    compute["cart"] = "1.025"; compute["mrpb"] = compute["racb"] = "within 1 %"; both["cart"] = "1.265"; both["bq16"] = "1.108 (some B)"
    stalls["nonblocking"] = -68.8; conflicts["cart"] = -12.3; misses["bq16"] = 20.8; active["bq16"] = 21.0
}
{
    if (!($1 in seen)) { seen[$1] = ++n; name[n] = $1 }
    for (i = 3; i <= NF; i++) v[$1, $2, i] = $i
}
function head(text, i) {
    printf "\n%s\n\n| kernel |", text
    for (i = 2; i <= n_s; i++) printf " %s |", s[i]
    printf "\n|---|"
    for (i = 2; i <= n_s; i++) printf "---|"
    print ""
}
function paper(figures, i) {
    printf "| paper |"
    for (i = 2; i <= n_s; i++) printf " %s |", (s[i] in figures) ? figures[s[i]] : "-"
    print ""
}
# Geometric mean of a figure over the baseline's, over the kernels of a kind (M, C or both) whose baseline's is not 0. One that
# falls to 0 counts as a thousandth.
function mean(which, scheme, column, k, x, sum, m) {
    sum = m = 0
    for (k = 1; k <= n; k++) {
        if (which != "MC" && kind[name[k]] != which || !v[name[k], s[1], column]) continue
        x = v[name[k], scheme, column] / v[name[k], s[1], column]
        sum += log(x > 0.001 ? x : 0.001); m++
    }
    return m ? exp(sum / m) : 1
}
function total(which, scheme, column, k, sum) {
    sum = 0
    for (k = 1; k <= n; k++) if (which == "MC" || kind[name[k]] == which) sum += v[name[k], scheme, column]
    return sum
}
function mean_row(text, which, column, i) {
    printf "| **%s** |", text
    for (i = 2; i <= n_s; i++) printf " **%.3f** |", mean(which, s[i], column)
    print ""
}
function ipc(which, text, figures, k, i) {
    if (!count[which]) return
    head("IPC over the baseline's, " text " kernels (last line but one: geometric mean); in brackets thread instructions per L2 miss of the baseline")
    for (k = 1; k <= n; k++) {
        if (kind[name[k]] != which) continue
        printf "| %s (%.0f) |", name[k], v[name[k], s[1], 3]
        for (i = 2; i <= n_s; i++) printf " %.3f |", v[name[k], s[i], 4] / v[name[k], s[1], 4]
        print ""
    }
    mean_row("mean", which, 4)
    paper(figures)
}
# Sums over the memory-intensive kernels, in percent of the baseline's.
function change(text, column, figures, i) {
    printf "| %s |", text
    for (i = 2; i <= n_s; i++)
        printf " %s%s |", total("M", s[1], column) ? sprintf("%+.1f %%", 100 * (total("M", s[i], column) / total("M", s[1], column) - 1)) : "none", \
            (s[i] in figures) ? sprintf(" (%+.1f)", figures[s[i]]) : ""
    print ""
}
function change_of_means(text, column, figures, i) {
    printf "| %s |", text
    for (i = 2; i <= n_s; i++) printf " %+.1f %%%s |", 100 * (mean("M", s[i], column) - 1), (s[i] in figures) ? sprintf(" (%+.1f)", figures[s[i]]) : ""
    print ""
}
function plain(text, column, format, k, i, sum, m) {
    printf "| %s |", text
    for (i = 2; i <= n_s; i++) {
        sum = m = 0
        for (k = 1; k <= n; k++) if (kind[name[k]] == "M") { sum += v[name[k], s[i], column]; m++ }
        printf " " format " |", m ? sum / m : 0
    }
    print ""
}
END {
    for (k = 1; k <= n; k++) count[kind[name[k]] = v[name[k], s[1], 3] < 1500 ? "M" : "C"]++
    ipc("M", "memory-intensive", memory)
    ipc("C", "compute-intensive", compute)
    if (count["M"] && count["C"]) {
        head("All kernels, IPC over the baseline's")
        mean_row("mean", "MC", 4)
        paper(both)
    }
    if (!count["M"]) exit
    head("Memory-intensive kernels: geometric means over the baseline's, and changes of sums; the paper's figures in brackets")
    change_of_means("L2 stalls: refused cycles", 5, stalls)
    change("L2 stalls, sum", 5, none)
    change_of_means("row conflicts", 6, conflicts)
    change("row conflicts, sum", 6, none)
    change_of_means("bank-level parallelism", 7, none)
    change_of_means("L2 misses", 8, misses)
    change_of_means("DRAM efficiency: active cycles", 9, active)
    plain("fill stalls of the tree or queues, of L2 cycles", 10, "%.2f")
    plain("requests in it", 11, "%.1f")
    plain("L2 stalls that are for the reply queue", 12, "%.2f")
    plain("DRAM data bus busy", 13, "%.2f")
}
