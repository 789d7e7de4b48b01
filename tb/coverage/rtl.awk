# SPDX-License-Identifier: Apache-2.0
# Sums Verilator's coverage counters by file: awk -v block=NAME -f rtl.awk MERGED. Also reads the Verilog, for the text of a line and for
# blocks that were elaborated at no parameter point (below the folder `root`, if set). Contracts (`ifdef FORMAL) and FPGA code (`ifdef
# MT_FPGA) are left out. A function without any executed line is one hole. Tab-separated output:
#   file   BLOCK FILE  lines hit  arms hit  bits hit
#   hole   BLOCK FILE LINE KIND NAME      KIND line, arm, toggle, absent; NAME the text of the line, or the signal, with its bits if other bits change
BEGIN {
    OFS = "\t"
    soh = "\001"
    stx = "\002"
}

# field KEY: value of a field of a counter's key
function field(key,    at, rest) {
    at = index($0, soh key stx)
    if (!at) return ""
    rest = substr($0, at + length(key) + 2)
    match(rest, "[" soh "']")
    return substr(rest, 1, RSTART - 1)
}

# source FILE: reads its lines, its always blocks, and for each line in a function the function's first line
function source(file,    n, line, formal, begin) {
    if (file in known) return
    known[file] = 1
    files[++n_files] = file
    while ((getline line < (root file)) > 0) {
        text[file, ++n] = line
        if (line ~ /^`ifdef (FORMAL|MT_FPGA)/) formal = 1
        if (line ~ /^`(else|endif)/) formal = 0
        if (line ~ /^ *always / && !formal) always[file, n] = 1
        if (line ~ /^ *function /) begin = n
        if (begin) function_of[file, n] = begin
        if (line ~ /^ *endfunction/) begin = 0
    }
    length_of[file] = n
    close(root file)
}

# span LINES COUNT: counts the lines in LINES, such as "17-19,22". The count of a line is that of the most frequent counter that names it
function span(file, lines, count,    parts, ends, i, l, n) {
    n = split(lines, parts, ",")
    for (i = 1; i <= n; i++) {
        if (split(parts[i], ends, "-") < 2) ends[2] = ends[1]
        for (l = ends[1] + 0; l <= ends[2] + 0; l++) {
            counted[file, l] = 1
            if (count > executed[file, l]) executed[file, l] = count
        }
    }
}

/^C / {
    file = field("f")
    line = field("l")
    name = field("o")
    kind = field("page")
    count = $NF + 0
    source(file)
    if (kind ~ /^v_toggle/) {
        bits[file]++
        width[file, line, stem(name)]++
        if (count) bits_hit[file]++
        else still[file, line] = still[file, line] " " name
    } else {
        span(file, field("S"), count)
        elaborated[file, line] = 1
        if (kind ~ /^v_branch/) {
            arms[file]++
            if (count) arms_hit[file]++
            else if (name == "else") missed[file, line] = 1
        }
    }
}

function trim(s) {
    gsub(/^[ \t]+|[ \t]+$/, "", s)
    gsub(/[ \t]+/, " ", s)
    return s
}

# stem NAME: the name without its bit
function stem(name) {
    sub(/\[[0-9]+\]$/, "", name)
    return name
}

# stills FILE LINE NAMES: prints a hole per signal that does not change, with bit ranges unless all bits are still: "a[0] a[1] a[3] b" gives
# a[1:0][3] and b
function stills(file, l, names,    parts, n, i, base, bit, from, out) {
    n = split(names, parts, " ")
    for (i = 1; i <= n; i++) numbered(parts[i])
    for (i = 1; i <= n_bases; i++) {
        out = base = bases[i]
        for (bit = 0; (base in top) && still_bits[base] < width[file, l, base] && bit <= top[base]; bit++) {
            if (!((base, bit) in here)) continue
            for (from = bit; (base, bit + 1) in here; bit++);
            out = out (bit > from ? "[" bit ":" from "]" : "[" bit "]")
        }
        print "hole", block, file, l, "toggle", out
    }
    split("", here)
    split("", top)
    split("", still_bits)
    split("", seen)
    n_bases = 0
}

# called FILE LINE: whether the line is outside functions, or in a function that was executed
function called(file, l) {
    return !((file, l) in function_of) || alive[file, function_of[file, l]]
}

function numbered(name,    base, bit) {
    base = stem(name)
    still_bits[base]++
    if (base != name) {
        bit = substr(name, length(base) + 2) + 0
        here[base, bit] = 1
        if (!(base in top) || bit > top[base]) top[base] = bit
    }
    if (!(base in seen)) {
        seen[base] = 1
        bases[++n_bases] = base
    }
}

END {
    for (i = 1; i <= n_files; i++) {
        file = files[i]
        lines = lines_hit = 0
        for (l = 1; l <= length_of[file]; l++)
            if (executed[file, l] && (file, l) in function_of) alive[file, function_of[file, l]] = 1
        for (l = 1; l <= length_of[file]; l++) {
            if ((file, l) in counted) {
                lines++
                if (executed[file, l]) lines_hit++
                else if (called(file, l) || l == function_of[file, l]) print "hole", block, file, l, "line", trim(text[file, l])
            } else if ((file, l) in always && !((file, l) in elaborated)) {
                lines++
                print "hole", block, file, l, "absent", trim(text[file, l])
            }
            if ((file, l) in missed && called(file, l)) print "hole", block, file, l, "arm", "else of: " trim(text[file, l])
            if ((file, l) in still) stills(file, l, still[file, l])
        }
        print "file", block, file, lines, lines_hit, arms[file] + 0, arms_hit[file] + 0, bits[file] + 0, bits_hit[file] + 0
    }
}
