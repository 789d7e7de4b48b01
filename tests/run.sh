#!/bin/bash
# Runs tests, two at a time: C test programs, scripts, and make targets by name. One line each with its seconds,
# the log of each in build/test-logs/, and "N passed, N failed" at the end. Run from the root, by make.
#
#   tests/run.sh [TEST]...      JOBS=n: so many at a time     TEST_TIMEOUT=s: for each (default 900)
set -u
cd "$(dirname "$0")/.." || exit 2
export MEMTWIN_HOME=$PWD
export LOGS=build/test-logs
rm -rf "$LOGS"
mkdir -p "$LOGS"

one_test() {
    local test=$1 name log command start seconds verdict=pass
    name=${test#build/asan/tests/}
    name=${name#tests/}
    log=$LOGS/$(tr / - <<<"$name").log
    case $test in
    *.sh) command=(bash "$test") ;;
    */*) command=("./$test") ;;
    *) command=(make --no-print-directory "$test") ;;
    esac
    start=$EPOCHREALTIME
    timeout --kill-after=10 "${TEST_TIMEOUT:-900}" "${command[@]}" >"$log" 2>&1 </dev/null || verdict=FAIL
    seconds=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
    printf '%s %-40s %7s s\n' "$verdict" "$name" "$seconds"
    echo "$verdict" >>"$LOGS/verdicts"
    [ $verdict = pass ] || { tail -n 15 "$log" | sed 's/^/     | /'; echo "     log: $log"; }
}
export -f one_test
unset MAKEFLAGS MFLAGS MAKELEVEL

touch "$LOGS/verdicts"
printf '%s\0' "$@" | xargs -0 -n 1 -P "${JOBS:-2}" bash -c 'one_test "$1"' _
passed=$(grep -c pass "$LOGS/verdicts")
failed=$(($# - passed))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
