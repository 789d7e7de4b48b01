#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Ctrl-C: a clean stop, exit 130, no JSON, whole or half; a result that was there before stays.
. tests/lib.bash

interrupted() { # COMMAND...
    timeout --foreground --preserve-status -s INT 3 "$@" >"$work/out" 2>"$work/err" </dev/null
    local got=$?
    [ $got -eq 130 ] || complain "exit $got instead of 130: $*: $(head -n 3 "$work/err")"
}

echo kept >"$work/old.json"
interrupted "$MEMTWIN" run -c pascal28 -w gemm:1024 --json "$work/x.json"
grep -q "interrupted" "$work/err" || complain "no word of it: $(cat "$work/err")"
grep -q "on pascal28: interrupted" "$work/out" || complain "no statistics so far"
interrupted "$MEMTWIN" run -c pascal28 -w gemm:1024 --check -q --json "$work/old.json"
interrupted "$MEMTWIN" cosim dl_mshr --model-only --cycles 10000000000
[ "$(cat "$work/old.json")" = kept ] || complain "the old result is gone"
[ -z "$(find "$work" -name 'x.json*' -o -name '*.part')" ] || complain "left behind: $(ls "$work")"
finish
