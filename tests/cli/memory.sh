#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 1 s
# Too little memory: exit code 2 and one line; files keep what they had, and no half-written one is left.
. tests/lib.bash
[[ $MEMTWIN != *asan* ]] || finish # the sanitizers take terabytes of addresses
MEMTWIN=$(realpath "$MEMTWIN")
cd "$work" || exit

# short KIB ARGUMENT...: the program with so much address space. Every *.csv and *.json of before has to stay as it is.
short() {
    local file
    for file in run.json run.csv series.csv; do
        echo "old $file" >"$file"
    done
    expect_line 2 "memtwin: out of memory: no room for " bash -c 'ulimit -v "$1"; exec "$0" "${@:2}"' "$MEMTWIN" "$@"
    for file in run.json run.csv series.csv; do
        [ "$(cat "$file")" = "old $file" ] || complain "$1 KiB: $file has changed"
    done
    [ -z "$(find . -name '*.part')" ] || complain "$1 KiB: left: $(find . -name '*.part')"
}

to=(--json run.json --csv run.csv --sample 100 --series series.csv)
# The pool of requests; parts of the machine.
for kib in 90000 140000 160000; do
    short $kib run -q -c titanx -w addvect:1000 --check "${to[@]}"
done
short 400000 run -q -c titanx -w addvect:64 "${to[@]}" --threads 2 # the pools of the threads

# A study notes the exit code of the run and goes on; with memory, it does the run.
printf '[study]\nconfig = titanx\nworkload = addvect:64\n' >study.ini
expect 2 bash -c 'ulimit -v 140000; exec "$0" study study.ini' "$MEMTWIN"
grep -q 'exit code 2' "$work/err" || complain "study: $(cat "$work/err")"
[ -z "$(find . -name '*.part')" ] || complain "study: left: $(find . -name '*.part')"
expect 0 "$MEMTWIN" study study.ini --retry
finish
