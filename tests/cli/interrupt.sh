#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Signals, the time limit and a full disk: results up to then are written and marked incomplete, and no half-written file remains.
. tests/lib.bash

# last_complete SERIES: prints the column `complete` of the last row
last_complete() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "complete") column = i } END { print $column }' "$1"
}
# A background job of a script ignores SIGINT unless job control is on.
set -m
long=("$MEMTWIN" run -q -c pascal28 -w gemm:1024)

parts() { # prints leftover partial files
    find "$work" -name '*.part'
}
wait_for_data() { # waits until the job writes to a file without a name
    for _ in $(seq 2000); do
        [ -n "$(find -L "/proc/$!/fd" -type f -links 0 -size +16k)" ] && return
        sleep 0.01
    done
    complain "no file is being written"
}
# stopped SIGNAL COMMAND...: sends the signal once a file is being written. The exit code is in `is`.
stopped() {
    local signal=$1
    shift
    "$@" >"$work/out" 2>"$work/err" </dev/null &
    wait_for_data
    kill "-$signal" $!
    wait $! 2>/dev/null
    is=$?
}
incomplete() { # NAME END
    jq -e --arg why "$2" '.end == $why and .complete == false and .cycles > 0 and .reached.cycle == .cycles and
        .reached.launch == 1 and .reached.launches == 1 and .reached.ctas == 4096' "$work/$1.json" >/dev/null ||
        complain "$1.json: $(jq -c '[.end, .complete, .reached]' "$work/$1.json" 2>&1)"
}

# ---- One signal ----
mkfifo "$work/pipe"
for signal in INT:130 TERM:143 HUP:129; do
    name=${signal%:*}
    echo old >"$work/$name.json"
    stopped "$name" "${long[@]}" --json "$work/$name.json" --csv "$work/$name.csv" --detail \
        --sample 100 --series "$work/$name.series" --timeline "$work/$name.timeline" --record "l1d.0.mshr=$work/$name.vec"
    [ $is -eq "${signal#*:}" ] || complain "SIG$name: exit $is: $(cat "$work/err")"
    grep -qE '^memtwin run: interrupted: in SM cycle [0-9]+, kernel 1 of 1, 0 of 4096 CTAs$' "$work/err" || complain "SIG$name: $(cat "$work/err")"
    grep -q ": interrupted, " "$work/out" || complain "SIG$name: no statistics so far"
    incomplete "$name" interrupted
    grep -q '^run,0,,complete,0 or 1,0,' "$work/$name.csv" || complain "SIG$name: the CSV seems complete"
    [ "$(last_complete "$work/$name.series")" = 0 ] || complain "SIG$name: the series seems complete"
    jq -e --slurpfile run "$work/$name.json" '.otherData | .end == "interrupted" and .complete == false and .cycles == $run[0].cycles' \
        "$work/$name.timeline" >/dev/null || complain "SIG$name: the timeline"
    [ "$(tail -n 1 "$work/$name.vec")" = "end $(jq .cycles "$work/$name.json")" ] || complain "SIG$name: recording: $(tail -n 1 "$work/$name.vec")"
done
expect 0 "$MEMTWIN" replay "$work/INT.vec" --engine model
stopped INT "$MEMTWIN" cosim dl_mshr --model-only --cycles 10000000000 --record "$work/c.vec"
[ $is -eq 130 ] || complain "cosim: $(cat "$work/err")"
grep -q 'no output file is written' "$work/err" && [ ! -e "$work/c.vec" ] || complain "cosim: a file of an interrupted run: $(cat "$work/err")"
yes '0 R 0' >"$work/pipe" 2>"$work/yes" &
stopped TERM "$MEMTWIN" dram -c tiny -t "$work/pipe" --json "$work/d.json" --commands "$work/d.txt"
[ $is -eq 143 ] || complain "dram: $(cat "$work/err")"
jq -e '.complete == false and .requests > 0' "$work/d.json" >/dev/null && [ -s "$work/d.txt" ] || complain "dram: no results so far"
[ -z "$(parts)" ] || complain "left behind: $(parts)"

# ---- Two signals: the program ends immediately and keeps existing files ----
echo kept >"$work/two.csv"
"${long[@]}" --sample 100 --series "$work/two.csv" >"$work/out" 2>"$work/err" &
wait_for_data
kill -STOP $!
kill -INT $!
kill -TERM $!
kill -CONT $!
wait -f $! 2>/dev/null # with job control, plain wait returns as soon as the job stops
is=$?
[ $is -eq 130 ] || [ $is -eq 143 ] || complain "two signals: exit $is"
[ "$(cat "$work/two.csv")" = kept ] || complain "two signals: the existing file was removed"
[ -z "$(parts)" ] || complain "two signals leave $(parts)"

# ---- SIGKILL leaves nothing (test_vectors.c: nor do file systems without unnamed files for long) ----
"${long[@]}" --sample 100 --series "$work/nine.csv" --timeline "$work/nine.timeline" >"$work/out" 2>"$work/err" &
wait_for_data
kill -KILL $!
wait $! 2>/dev/null
[ -z "$(find "$work" -name 'nine*')" ] || complain "SIGKILL leaves $(find "$work" -name 'nine*')"

# ---- A signal that the caller ignores ----
set +m
(trap '' HUP && exec "${long[@]}" --max-time 2 --json "$work/hup.json") >"$work/out" 2>"$work/err" &
sleep 0.4
kill -HUP $!
wait $! || complain "an ignored SIGHUP: exit $?: $(cat "$work/err")"

# ---- The time limit ----
incomplete hup time_limit
grep -q "cut off by --max-time, results not verified: in SM cycle" "$work/err" || complain "time limit: $(cat "$work/err")"
jq -e '.host.seconds > 0.2 and .host.seconds < 3' "$work/hup.json" >/dev/null || complain "time limit: $(jq .host "$work/hup.json")"
start=$SECONDS
expect 0 "$MEMTWIN" run -q -c hpe15 -w mvt:2048 -s uvm.mode=paged -s uvm.memory_percent=75 -s uvm.evict=ideal --max-time 1s --json "$work/first.json"
[ $((SECONDS - start)) -le 3 ] && jq -e '.end == "time_limit" and (.complete | not)' "$work/first.json" >/dev/null || complain "time limit in a first pass"
for time in 0 x 1x -1 1.5 m 10001h 99999999999999999999h; do
    expect_line 1 "--max-time $time: not a time: 90, 90s, 10m or 2h" "${long[@]}" --max-time "$time"
done

# ---- In the first of two passes: all files are written, as with the time limit ----
paged=(run -q -c hpe15 -w mvt:2048 -s uvm.mode=paged -s uvm.memory_percent=75 -s uvm.evict=ideal)
expect 143 timeout --foreground --preserve-status -k 9 0.7 "$MEMTWIN" "${paged[@]}" --json "$work/pass.json" --csv "$work/pass.csv" \
    --sample 100 --series "$work/pass.series"
grep -q '^memtwin run: first pass: interrupted: in SM cycle' "$work/err" || complain "first pass: $(cat "$work/err")"
jq -e '.end == "interrupted" and (.complete | not)' "$work/pass.json" >/dev/null && grep -q '^run,0,,complete,0 or 1,0,' "$work/pass.csv" &&
    [ -e "$work/pass.series" ] || complain "a signal in a first pass: not all files"

# ---- While input is read: an idle pipe and a long file ----
mkfifo "$work/idle"
exec 8<>"$work/idle"
"$MEMTWIN" trace make vecadd -o "$work/long" --warps 8 -q
truncate -s 64G "$work/long/kernel-1.traceg"
mkfifo "$work/unopened"
unread() { # EXIT WHY COMMAND...: SIGTERM after a second
    expect "$1" timeout --preserve-status -k 3 1 bash -c 'exec "$@" <"$0"' "$work/idle" "${@:3}"
    grep -q "$2" "$work/err" || complain "$2: $(cat "$work/err")"
}
unread 143 '^memtwin run: -: interrupted$' "$MEMTWIN" run -q -c tiny -t -
unread 143 "^memtwin run: $work/idle: interrupted$" "$MEMTWIN" run -q -c tiny -t "$work/idle"
expect_line 1 "$work/idle: --max-time expired before the end of the input" timeout -k 1 4 "$MEMTWIN" run -q -c tiny -t "$work/idle" --max-time 1
for source in - "$work/unopened"; do # an idle standard input, and a pipe without a writer
    unread 143 '^memtwin dram: interrupted before the first request; no file is written$' "$MEMTWIN" dram -c tiny -t "$source" --json "$work/idle.json" --commands "$work/idle.txt"
    [ ! -s "$work/out" ] && [ ! -e "$work/idle.json" ] && [ ! -e "$work/idle.txt" ] || complain "dram: results without a request: $(cat "$work/out")"
done
unread 143 '/kernel-1.traceg: interrupted$' "$MEMTWIN" run -q -c tiny -t "$work/long" --json "$work/long.json"
unread 143 '^memtwin replay: -: interrupted$' "$MEMTWIN" replay - --engine model
mkfifo "$work/closed"
expect 130 timeout --foreground --preserve-status -s INT -k 3 1 "$MEMTWIN" replay "$work/closed" --engine model
grep -qx "memtwin replay: $work/closed: interrupted" "$work/err" || complain "replay of a pipe without a writer: $(cat "$work/err")"
exec 8>&-

# ---- A full disk: each file that cannot be written is named, and all others are complete ----
full=("$MEMTWIN" run -q -c tiny -w atax:64 --json "$work/full.json" --csv "$work/full.csv"
    --sample 200 --series "$work/full.series" --record "l1d.0.mshr=$work/full.vec")
(ulimit -f 64 && exec "${full[@]}") >"$work/out" 2>"$work/err" </dev/null
is=$?
[ $is -eq 1 ] || complain "a full disk: exit $is"
for name in series vec; do
    grep -qx "memtwin run: cannot write $work/full.$name: File too large" "$work/err" || complain "full.$name: $(cat "$work/err")"
    [ ! -e "$work/full.$name" ] || complain "full.$name exists"
done
[ "$(wc -l <"$work/err")" -eq 2 ] || complain "a full disk: $(cat "$work/err")"
jq -e '.complete' "$work/full.json" >/dev/null && grep -q '^run,0,,complete,0 or 1,1,' "$work/full.csv" || complain "a full disk costs the other files"
[ -z "$(parts)" ] || complain "a full disk leaves $(parts)"
# if standard output fails, files are still complete
expect_line 1 "cannot write to standard output" bash -c "exec $MEMTWIN run -q -c tiny -w atax:64 --json $work/a.json >/dev/full"
expect_line 1 "cannot write to standard output" bash -c "exec $MEMTWIN run -q -c tiny -w atax:64 --json $work/b.json --sample 1000 --series $work/b.series >&-"
! grep -q IPC "$work/b.series" || complain "printed output is in a file"
expect 141 bash -c "exec $MEMTWIN run -c tiny -w atax:64 --json $work/c.json > >(exec true)"
[ ! -s "$work/err" ] || complain "a message when the reader of stdout has gone: $(cat "$work/err")"
for name in a b c; do jq -e .complete "$work/$name.json" >/dev/null || complain "$name.json is lost or broken"; done
finish
