# Puts the reason behind each hole, or nothing: awk -f explain.awk explained.txt HOLES. HOLES: hole BLOCK FILE LINE KIND NAME, by tabs.
# Says of a line of explained.txt that fits no hole, if `all` is set; exit code 1 then.
function trim(s) {
    gsub(/^ +| +$/, "", s)
    return s
}

FNR == NR && (/^#/ || !NF) { next }

FNR == NR {
    if (split($0, p, / \| /) != 4) {
        print "coverage: " FILENAME ":" FNR ": not FILE | KIND | NAME | reason" >"/dev/stderr"
        bad = 1
        exit 1
    }
    n++
    file[n] = "^(" trim(p[1]) ")$"
    kind[n] = "," trim(p[2]) ","
    name[n] = "^(" trim(p[3]) ")$"
    reason[n] = trim(p[4])
    where[n] = FILENAME ":" FNR
    next
}

{
    split($0, hole, "\t")
    bare = hole[6]
    if (hole[5] == "toggle") sub(/(\[[0-9:]+\])+$/, "", bare)
    why = ""
    for (i = 1; i <= n && why == ""; i++)
        if (hole[3] ~ file[i] && index(kind[i], "," hole[5] ",") && bare ~ name[i]) {
            why = reason[i]
            used[i] = 1
        }
    print $0 "\t" why
}

END {
    for (i = 1; i <= n && all && !bad; i++)
        if (!(i in used)) {
            print "coverage: " where[i] " explains no hole" >"/dev/stderr"
            bad = 1
        }
    exit bad
}
