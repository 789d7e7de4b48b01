#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 2 s
# Names in the C code: each tag and each enumerator is defined in one file; no static function that several files have has a name of a single word; no name is
# a preposition, participle or pronoun of the list below. Prints each wrong name. A kernel's registers and arrays (enumerators of sim/workloads and of the
# synthetic traces), steps of kernels and static functions of tests are local to their file. The constants of one test program may be in other test programs.
# Names in the Verilog: x_next and x_r, the value of x after the clock edge and in the previous cycle, are only in a file that has x.
. tests/lib.bash

forbidden='beside|told|come|gone|become|lazy|promised|planted|undrawn|moved|knows|of_[a-z0-9_]+'

# names FILE...: prints the wrong names in the files
names() {
    awk -v forbidden="^($forbidden)\$" '
        function define(kind, name) {
            if (!((kind, name) in file)) file[kind, name] = current
            else if (file[kind, name] != current) print kind " " name ": " file[kind, name] ", " current
        }
        function finish_file(    rest, body, n, i, part, name) {
            rest = text
            while (match(rest, /(struct|enum|union) +[A-Za-z_0-9]+ *\{/)) {
                split(substr(rest, RSTART, RLENGTH), part, /[ {]+/)
                define("tag", part[2])
                rest = substr(rest, RSTART + RLENGTH)
            }
            rest = text
            while (!local_enums && match(rest, /enum *[A-Za-z_0-9]* *\{[^}]*\}/)) {
                body = substr(rest, RSTART, RLENGTH)
                rest = substr(rest, RSTART + RLENGTH)
                sub(/^[^{]*\{/, "", body)
                while (gsub(/\([^()]*\)/, "", body)) continue
                n = split(body, part, /[,}]/)
                for (i = 1; i <= n; i++)
                    if (match(part[i], /^ *[A-Za-z_][A-Za-z_0-9]* *(=|$)/)) {
                        match(part[i], /[A-Za-z_][A-Za-z_0-9]*/)
                        name = substr(part[i], RSTART, RLENGTH)
                        if (is_test) test_has[name] = current
                        else define("enumerator", name)
                    }
            }
        }
        FNR == 1 {
            if (current) finish_file()
            current = FILENAME
            text = ""; comment = directive = 0
            local_enums = FILENAME ~ /sim\/(workloads\/|trace\/synth\.c)/
            is_test = FILENAME ~ /tests\/.*\/test_[^\/]*\.c$/
            local_functions = FILENAME ~ /(sim\/workloads|tests)\//
        }
        {
            line = $0
            gsub(/\\["\\]/, "", line)
            gsub(/"[^"]*"/, "", line)
            gsub(/\047[^\047]*\047/, "", line)
            while (1) {
                if (comment) {
                    if (!(i = index(line, "*/"))) { line = ""; break }
                    line = substr(line, i + 2); comment = 0
                }
                if (!(i = index(line, "/*"))) break
                if ((end = index(substr(line, i + 2), "*/"))) line = substr(line, 1, i - 1) " " substr(line, i + end + 3)
                else { line = substr(line, 1, i - 1); comment = 1; break }
            }
            sub(/\/\/.*/, "", line)
            n = split(line, word, /[^A-Za-z_0-9]+/)
            for (i = 1; i <= n; i++) if (word[i] ~ forbidden) print FILENAME ":" FNR ": " word[i]
            if (!local_functions && match(line, /^static .*[ *][a-z0-9]+\([^;]*$/)) {
                sub(/\(.*/, "", line)
                sub(/.*[ *]/, "", line)
                if (line ~ /^[a-z0-9]+$/) define("static function", line)
            }
            if (directive || line ~ /^ *#/) { directive = $0 ~ /\\$/; next }
            text = text " " line
        }
        END {
            finish_file()
            for (name in test_has)
                if (("enumerator", name) in file) print "enumerator " name ": " file["enumerator", name] ", " test_has[name]
        }' "$@"
}

{ git ls-files -co --exclude-standard 2>/dev/null || find . -path ./build -prune -o -type f -print | sed 's|^\./||'; } | grep -E '^(cmodel|sim|tb|tests)/.*\.[ch]$' >"$work/files"
[ "$(wc -l <"$work/files")" -gt 500 ] || complain "only $(wc -l <"$work/files") files of C"
names $(cat "$work/files") >"$work/out"
[ ! -s "$work/out" ] || complain "names: $(cat "$work/out")"

# Each kind is found, but not in comments, strings and uses.
mkdir -p "$work/cmodel/a" "$work/cmodel/b" "$work/tests/a"
printf 'struct one {\n    int x;\n};\nenum { A_RED = 1 << (2 + 1), /* B_RED */\n    A_BLUE };\nstatic void find(int x) {\n}\n' >"$work/cmodel/a/a.c"
printf '/* enum { A_RED };\n * told */\nstruct two {\n    struct one *x; // struct one {\n};\nenum b { B_RED = A_RED };\nstatic void find_two(void) {\n    find("told");\n}\n' >"$work/cmodel/b/b.c"
[ -z "$(names "$work"/cmodel/*/*.c)" ] || complain "right names are refused: $(names "$work"/cmodel/*/*.c)"
while read -r line; do
    printf '%b\n' "$line" >"$work/cmodel/b/b.c"
    names "$work"/cmodel/*/*.c | grep -q "${line##* }" || complain "not found: $line"
done <<'LINES'
union one { int y; }; // one
enum { B_BLUE, A_BLUE }; // A_BLUE
static int *find(void) {\n} // find
int y = s->told; // told
int of_all; // of_all
LINES
echo 'enum { A_RED };' >"$work/tests/a/test_a.c"
names "$work/cmodel/a/a.c" "$work/tests/a/test_a.c" | grep -q A_RED || complain "an enumerator of a test that the model has is not found"

# edge_names FILE...: prints each x_next and x_r whose file has no x; names of instances, blocks and contracts do not count
edge_names() {
    awk 'function finish_file(    x, base) {
            for (x in line) {
                base = x
                if (x !~ /^(gen|unused|u)_/ && sub(/_(next|r)$/, "", base) && !(base in line)) print file ":" line[x] ": " x
            }
            delete line
        }
        FNR == 1 { finish_file(); file = FILENAME }
        { sub(/\/\/.*/, ""); n = split($0, word, /[^A-Za-z0-9_]+/); for (i = 1; i <= n; i++) if (word[i] && !(word[i] in line)) line[word[i]] = FNR }
        END { finish_file() }' "$@"
}
edge_names rtl/*/*.v docs/examples/*.v >"$work/out"
[ ! -s "$work/out" ] || complain "names in the Verilog: $(cat "$work/out")"
printf 'reg a, a_r; wire a_next; gen_x_next u_x_r; // b_next\n' >"$work/good.v"
[ -z "$(edge_names "$work/good.v")" ] || complain "right names in Verilog are refused: $(edge_names "$work/good.v")"
printf 'wire b_next;\nreg c_r;\n' >"$work/bad.v"
[ "$(edge_names "$work/good.v" "$work/bad.v" | sed 's/.* //' | sort | xargs)" = 'b_next c_r' ] || complain "wrong names in Verilog are not found"
finish
