# SPDX-License-Identifier: Apache-2.0
# Appends its reason, or nothing, to each hole: awk -f explain.awk REASONS HOLES. HOLES: hole BLOCK FILE LINE KIND NAME, separated by tabs.
# REASONS: one line FILE,.. | KIND,.. | NAME | reason each; the first match applies.
#   FILE   a * matches anything
#   NAME   for toggles: signals with the bits of the hole, separated by commas; a * matches letters, digits and _, so never bits.
#          For other kinds: an extended regular expression for the whole text
# If `all` is set, a FILE or a NAME that matches no hole is an error: exit code 1. Exit code 2: REASONS is malformed.
function trim(s) {
    gsub(/^ +| +$/, "", s)
    return s
}

# fail WHAT
function fail(what) {
    print "coverage: " what >"/dev/stderr"
    bad = 1
}

# glob PATTERN STAR: converts the pattern to a regular expression for the whole text
function glob(s, star) {
    s = trim(s)
    gsub(/\[/, "\001", s)
    gsub(/\]/, "[]]", s)
    gsub(/\001/, "[[]", s)
    gsub(/\./, "[.]", s)
    gsub(/\*/, star, s)
    return "^(" s ")$"
}

# globs N WHAT LIST STAR: sets reason N's patterns for WHAT
function globs(i, what, list, star,    p, j) {
    parts[i, what] = split(list, p, /, */)
    for (j = 1; j <= parts[i, what]; j++) {
        given[i, what, j] = trim(p[j])
        want[i, what, j] = glob(p[j], star)
    }
}

# which N WHAT TEXT: index of the first matching pattern, or 0
function which(i, what, text,    j) {
    for (j = 1; j <= parts[i, what]; j++)
        if (text ~ want[i, what, j]) return j
    return 0
}

FNR == NR && (/^#/ || !NF) { next }

FNR == NR {
    where[++n] = FILENAME ":" FNR
    columns = split($0, p, / \| /)
    toggles = trim(p[2]) == "toggle"
    if (columns != 4 || (!toggles && p[2] ~ /toggle/)) {
        fail(where[n] ": not FILE,.. | KIND,.. | NAME | reason, with toggles on lines of their own")
        unread = 1
        exit 2
    }
    kind[n] = "," trim(p[2]) ","
    reason[n] = trim(p[4])
    globs(n, "file", p[1], ".*")
    if (toggles) globs(n, "name", p[3], "[A-Za-z0-9_]*")
    else {
        parts[n, "name"] = 1
        given[n, "name", 1] = trim(p[3])
        want[n, "name", 1] = "^(" given[n, "name", 1] ")$"
    }
    next
}

{
    split($0, hole, "\t")
    why = ""
    for (i = 1; i <= n && why == ""; i++) {
        if (!index(kind[i], "," hole[5] ",") || !(f = which(i, "file", hole[3])) || !(t = which(i, "name", hole[6]))) continue
        why = reason[i]
        used[i, "file", f] = used[i, "name", t] = 1
    }
    print $0 "\t" why
}

END {
    if (unread) exit 2
    for (i = 1; i <= n && all; i++)
        for (w = 1; w <= 2; w++) {
            what = w == 1 ? "file" : "name"
            for (j = 1; j <= parts[i, what]; j++)
                if (!((i, what, j) in used)) fail(where[i] " explains no hole: " given[i, what, j])
        }
    exit bad + 0
}
