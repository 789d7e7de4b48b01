# SPDX-License-Identifier: Apache-2.0
# Puts the reason behind each hole, or nothing: awk -f explain.awk REASONS HOLES. HOLES: hole BLOCK FILE LINE KIND NAME, by tabs.
# REASONS: FILE,.. | KIND,.. | NAME | reason, a line each; the first that fits is taken.
#   FILE   a * stands for anything
#   NAME   of toggles: signals with their bits as the hole has them, by commas; a * stands for letters, digits and _, so never for bits.
#          Of other kinds: an extended regular expression of the whole text
# If `all` is set, a FILE or a NAME that fits no hole is an error: exit code 1. Exit code 2: REASONS cannot be read.
function trim(s) {
    gsub(/^ +| +$/, "", s)
    return s
}

# fail WHAT
function fail(what) {
    print "coverage: " what >"/dev/stderr"
    bad = 1
}

# glob PATTERN STAR: the regular expression of the whole
function glob(s, star) {
    s = trim(s)
    gsub(/\[/, "\001", s)
    gsub(/\]/, "[]]", s)
    gsub(/\001/, "[[]", s)
    gsub(/\./, "[.]", s)
    gsub(/\*/, star, s)
    return "^(" s ")$"
}

# globs N WHAT LIST STAR: reason N's patterns for WHAT
function globs(i, what, list, star,    p, j) {
    parts[i, what] = split(list, p, /, */)
    for (j = 1; j <= parts[i, what]; j++) {
        given[i, what, j] = trim(p[j])
        want[i, what, j] = glob(p[j], star)
    }
}

# which N WHAT TEXT: the first pattern that fits, or 0
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
