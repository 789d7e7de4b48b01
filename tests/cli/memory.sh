#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 1 s
# Too little memory gives exit code 2 and one line. Files keep their contents, and no half-written file remains.
. tests/lib.bash
[[ $MEMTWIN != *asan* ]] || finish # the sanitizers map terabytes of address space
MEMTWIN=$(realpath "$MEMTWIN")
cd "$work" || exit

# short KIB ARGUMENT...: runs the program with this much address space. Existing *.csv and *.json files must not change.
short() {
    local file
    for file in run.json run.csv series.csv; do
        echo "old $file" >"$file"
    done
    expect_line 2 "memtwin: out of memory" bash -c 'ulimit -v "$1"; exec "$0" "${@:2}"' "$MEMTWIN" "$@"
    for file in run.json run.csv series.csv; do
        [ "$(cat "$file")" = "old $file" ] || complain "$1 KiB: $file has changed"
    done
    [ -z "$(find . -name '*.part')" ] || complain "$1 KiB: left: $(find . -name '*.part')"
}

to=(--json run.json --csv run.csv --sample 100 --series series.csv)
# Memory runs out for the pool of requests, or for parts of the machine.
for kib in 90000 140000 160000; do
    short $kib run -q -c titanx -w addvect:1000 --check "${to[@]}"
done

# A trace: its half-written folder is removed.
short 15000 trace export -q -w gemm:32 --xz -o trace # xz needs 9 MB
[ -z "$(find . -name 'trace*')" ] || complain "trace export: left: $(find . -name 'trace*')"

# A study records the run's exit code and continues. With enough memory it repeats the run.
printf '[study]\nconfig = titanx\nworkload = addvect:64\n' >study.ini
expect 2 bash -c 'ulimit -v 140000; exec "$0" study study.ini' "$MEMTWIN"
grep -q 'run 0 failed (2): .*: out of memory' "$work/err" || complain "study: $(cat "$work/err")"
[ -z "$(find . -name '*.part')" ] || complain "study: left: $(find . -name '*.part')"
expect 0 "$MEMTWIN" study study.ini --retry
finish
