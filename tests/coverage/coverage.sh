#!/bin/bash
# The coverage reports can say no: a line, an arm, a bit and a block that are never reached are reported so, by name; an explanation that
# explains nothing is an error; what a test does reach is not in the list.
. tests/lib.bash
run() { # CODE: in_fifo of $work/rtl
    expect "$1" env MEMTWIN_RTL="$work/rtl" OUT="$work/cov" CYCLES=2000 tb/coverage/rtl.sh in_fifo
}
hole() { # FILE KIND NAME: is it in the report, without a reason?
    jq -e --arg f "$1" --arg k "$2" --arg n "$3" '.holes | any(.file == $f and .kind == $k and .name == $n and .reason == "")' \
        "${report:-$work/cov/rtl.json}" >/dev/null || complain "not reported: $*"
}

cp -r rtl "$work/rtl"
run 0
jq -e '.total[0] > 5 and .total[0] == .total[1] and .unexplained == 0 and (.files | any(.name == "rtl/in_fifo/in_fifo.v"))' "$work/cov/rtl.json" >/dev/null ||
    complain "in_fifo: $(cat "$work/cov/rtl.txt")"

sed -i 's/^endmodule/    reg never, still;\n    generate if (DEPTH == 77) begin : gen_absent\n        always @(posedge clk) never <= fill_valid;\n    end endgenerate\n    always @(posedge clk)\n        if (st_requests == 18'"'d99999"')\n            still <= 1'"'b1"';\n&/' "$work/rtl/in_fifo/in_fifo.v"
run 1
hole rtl/in_fifo/in_fifo.v absent 'always @(posedge clk) never <= fill_valid;'
hole rtl/in_fifo/in_fifo.v line "still <= 1'b1;"
hole rtl/in_fifo/in_fifo.v toggle still
! grep -q 'toggle fill_valid' "$work/cov/rtl.txt" || complain "fill_valid changes, and is reported"
grep -q 'not explained' "$work/err" || complain "no word: $(tail -n 2 "$work/err")"

# ---- C, by the same way through gcovr
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

# ---- explanations
printf 'hole\tall\trtl/a.v\t1\ttoggle\ta[3:2]\nhole\tall\trtl/a.v\t2\tline\tx = 1;\n' >"$work/holes"
printf '# why\nrtl/a[.]v | toggle,arm | a | because\n' >"$work/why"
expect 0 awk -v all=1 -f tb/coverage/explain.awk "$work/why" "$work/holes"
printf 'hole\tall\trtl/a.v\t1\ttoggle\ta[3:2]\tbecause\nhole\tall\trtl/a.v\t2\tline\tx = 1;\t\n' | cmp -s - "$work/out" || complain "explained: $(cat "$work/out")"
echo 'rtl/b[.]v | toggle | a | gone' >>"$work/why"
expect 1 awk -v all=1 -f tb/coverage/explain.awk "$work/why" "$work/holes"
grep -q 'why:3 explains no hole' "$work/err" || complain "a dead explanation: $(cat "$work/err")"
echo 'rtl/b[.]v | toggle | a' >"$work/why"
expect 1 awk -v all=1 -f tb/coverage/explain.awk "$work/why" "$work/holes"
finish
