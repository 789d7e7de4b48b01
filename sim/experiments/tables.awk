# SPDX-License-Identifier: Apache-2.0
# What the tables of experiments share. Rows are kernels (order[1..n]), columns schemes; a program that uses it supplies
#   in_group(w, group)   whether the kernel counts for a mean over that group
#   label(w)             its name in the tables
#   over_of(scheme)      what a scheme is set over, where a table does not say it
function head(text, first, columns, i, c, m) {
    m = split(columns, c, " ")
    printf "\n%s\n\n| %s |", text, first
    for (i = 1; i <= m; i++) printf " %s |", c[i]
    printf "\n|---|"
    for (i = 1; i <= m; i++) printf "---|"
    print ""
}
# The figure `field` of a scheme over that of another, or the inverse (speed of cycles).
function ratio(w, scheme, over, field, inverse, a, b, t) {
    a = v[w, scheme, field]; b = v[w, over, field]
    if (inverse) { t = a; a = b; b = t }
    return b ? a / b : (a ? -1 : 1) # -1: there is no ratio
}
function cell(x) { return x < 0 ? "-" : sprintf("%.3f", x) }
# Geometric mean of that over a group; kernels without a ratio, or with 0, do not count.
function mean(group, scheme, over, field, inverse, k, x, sum, m) {
    for (k = 1; k <= n; k++) {
        if (!in_group(order[k], group)) continue
        x = ratio(order[k], scheme, over, field, inverse)
        if (x > 0) { sum += log(x); m++ }
    }
    return m ? exp(sum / m) : -1
}
# A table of ratios: kernels, then means over the groups. A column is the scheme of that name behind `prefix`; all are set over the scheme
# `over`, or, if it is empty, each over what over_of says.
function ratios(text, columns, prefix, over, field, inverse, groups, k, i, c, m, g, l) {
    m = split(columns, c, " ")
    head(text, "kernel", columns)
    for (k = 1; k <= n; k++) {
        printf "| %s |", label(order[k])
        for (i = 1; i <= m; i++) printf " %s |", cell(ratio(order[k], prefix c[i], over == "" ? over_of(c[i]) : over, field, inverse))
        print ""
    }
    l = split(groups, g, ",")
    for (k = 1; k <= l; k++) {
        printf "| **mean, %s** |", g[k]
        for (i = 1; i <= m; i++) printf " **%s** |", cell(mean(g[k], prefix c[i], over == "" ? over_of(c[i]) : over, field, inverse))
        print ""
    }
}
