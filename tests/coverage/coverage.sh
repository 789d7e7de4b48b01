#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: long, 60 s
# The coverage reports can fail: a line, an arm, a bit and a block that are never reached are listed by name. An explanation covers exactly the
# bits that it names, and is an error if it explains nothing. Reached items are not listed.
. tests/lib.bash
run() { # CODE: reports in_fifo of $work/rtl
    expect "$1" env MEMTWIN_RTL="$work/rtl" OUT="$work/cov" CYCLES=2000 tb/coverage/rtl.sh in_fifo
}
hole() { # FILE KIND NAME: checks that the item is in the report without a reason
    jq -e --arg f "$1" --arg k "$2" --arg n "$3" '.holes | any(.file == $f and .kind == $k and .name == $n and .reason == "")' \
        "${report:-$work/cov/rtl.json}" >/dev/null || complain "not reported: $*"
}

cp -r rtl "$work/rtl"
run 0
jq -e '.total[0] > 5 and .total[0] == .total[1] and ([.holes[] | select(.reason == "") | .file] | unique == [])
    and (.files | any(.name == "rtl/in_fifo/in_fifo.v"))' "$work/cov/rtl.json" >/dev/null || complain "in_fifo: $(cat "$work/cov/rtl.txt")"

sed -i 's/^endmodule/    reg never, still;\n    reg [3:0] part;\n    always @(posedge clk) part <= {2'"'b0"', fill_valid, fill_valid};\n    generate if (DEPTH == 77) begin : gen_absent\n        always @(posedge clk) never <= fill_valid;\n    end endgenerate\n    always @(posedge clk)\n        if (full > drain_valid)\n            still <= 1'"'b1"';\n&/' "$work/rtl/in_fifo/in_fifo.v"
run 1
hole rtl/in_fifo/in_fifo.v absent 'always @(posedge clk) never <= fill_valid;'
hole rtl/in_fifo/in_fifo.v line "still <= 1'b1;"
hole rtl/in_fifo/in_fifo.v toggle still
hole rtl/in_fifo/in_fifo.v toggle 'part[3:2]'
! grep -q 'toggle fill_valid' "$work/cov/rtl.txt" || complain "fill_valid changes, and is reported"
grep -q 'not explained' "$work/err" || complain "no word: $(tail -n 2 "$work/err")"

# ---- C, in the same way with gcovr
cat >"$work/x.c" <<'END'
int main(int argc, char **argv) {
    (void)argv;
    if (argc > 5)
        return 7;
    return 0;
}
END
root=$PWD
(cd "$work" && gcc -O1 --coverage -o x x.c && ./x && gcovr -r . --object-directory . --json x.json . >/dev/null 2>&1) || complain "gcovr failed"
jq -r --arg block all -f tb/coverage/c.jq "$work/x.json" | (cd "$work" && awk -f "$root/tb/coverage/c.awk") >"$work/counts"
grep -qxP 'file\tall\tx.c\t\d+\t\d+' "$work/counts" || complain "no counts: $(cat "$work/counts")"
grep -qxP 'hole\tall\tx.c\t4\tline\tif \(argc > 5\) => return 7;' "$work/counts" || complain "no hole: $(cat "$work/counts")"

# tb/coverage/c.sh with one C test and one driver: many lines are not executed and not explained
counted() { # FILTER
    jq -e "$1" "$work/c/c.json" >/dev/null || complain "C coverage is not so: $1: $(head -n 30 "$work/c/c.txt")"
}
c() { # CODE TEST...
    expect "$1" env OUT="$work/c" CYCLES=3000 tb/coverage/c.sh "${@:2}"
}
c 1 in_fifo/test_in_fifo driver-in_fifo
grep -q 'not explained in tb/coverage/explained_c.txt' "$work/err" || complain "no word: $(tail -n 2 "$work/err")"
counted '.files[] | select(.name == "cmodel/in_fifo/in_fifo.c") | .counts[0] > 20 and .counts[1] >= .counts[0] - 2'
counted '.files[] | select(.name == "tb/incoming/incoming_stimulus.c") | .counts[1] > 50'
counted '.files[] | select(.name == "cmodel/hir/hir.c") | .counts[0] > 50 and .counts[1] == 0'
counted '.holes | any(.file == "cmodel/hir/hir.c" and .kind == "line")'
echo 'exit 1' >"$work/fails.sh"
c 1 "tests/../$(realpath --relative-to=. "$work/fails.sh")"
grep -q 'fails.sh failed' "$work/err" || complain "a test that fails: $(cat "$work/err")"
c 1 tests/coverage/none.sh
grep -qF 'no test tests/coverage/none.sh' "$work/err" || complain "a script that is not there: $(cat "$work/err")"
c 1 none/test_none
grep -qF 'no test none/test_none' "$work/err" || complain "a test that is not there: $(cat "$work/err")"

# ---- explanations
printf 'hole\tall\trtl/a.v\t1\ttoggle\ta[3:2]\nhole\tall\trtl/b.v\t1\ttoggle\ta\nhole\tall\trtl/a.v\t2\tline\tx = y[1];\n' >"$work/holes"
explain() { # CODE LINE..: runs with these explanations, and writes the reasons of the three holes to $work/reasons
    local code=$1
    shift
    printf '%s\n' '# why' "$@" >"$work/why"
    expect "$code" awk -v all=1 -f tb/coverage/explain.awk "$work/why" "$work/holes"
    cut -f7 "$work/out" | paste -sd, >"$work/reasons"
}
explained() { # REASONS
    [ "$(cat "$work/reasons")" = "$1" ] || complain "explained: $(cat "$work/reasons"), not $1: $(cat "$work/why")"
}
explain 0 'rtl/a.v | toggle | a[3:2] | bits' 'rtl/b.v | toggle | a | whole' 'rtl/a.v | line,arm | x = y\[1\]; | text'
explained bits,whole,text
explain 0 'rtl/a.v, rtl/b.v | toggle | a[3:2], a | list'
explained list,list,
explain 0 '* | toggle | * | any'
explained ,any,
explain 1 'rtl/a.v | toggle | a | whole' # only some bits of the signal do not change
explained ,,
grep -q 'why:2 explains no hole: rtl/a.v' "$work/err" || complain "a whole signal: $(cat "$work/err")"
explain 1 'rtl/a.v | toggle | a[3:2], gone | list'
explained list,,
grep -q 'why:2 explains no hole: gone' "$work/err" || complain "a dead name: $(cat "$work/err")"
explain 2 'rtl/a.v | toggle | a[3:2]'
explain 2 'rtl/a.v | line,toggle | a | mixed'
expect_line 1 "no block 'nosuch'" env OUT="$work/cov" tb/coverage/rtl.sh nosuch
finish
