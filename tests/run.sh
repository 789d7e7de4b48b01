#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs tests in parallel, longest first: C test programs, scripts, and make targets by name. The exit code of a test is its verdict. Prints
# one line per test with its processor and wall seconds. At the end it prints the ten tests with the most processor seconds, and "N passed, N
# failed". make runs it from the root.
#
#   tests/run.sh [TEST]...      TIERS="test full": tiers to run (default test)        JOBS=n: tests in parallel (default: one per processor)
#                               TEST_TIMEOUT=s: for each test (default 900)
#
# Near its top, a test states its tiers and its approximate processor seconds in each. Without a statement it is in tier test, or in tier long if
# it is in tests/long:
#   # tier: full, 40 s                    not in `make test`
#   # tier: test, 15 s; full, 90 s        in both, at two depths, selected by TIER. TIERS="test full" runs it once, at the greater depth
# Each run has a log folder, build/test-logs/DATE-PID; the last ten are kept. build/test-seconds has the last duration of each test.
set -u
. "$(dirname "$0")/../tb/env.bash"
export MEMTWIN_HOME=$PWD
LAST=build/test-seconds
die() {
    echo "tests/run.sh: $*" >&2
    exit 2
}
case ${1:-} in -h | --help) sed -n '3,/^set/{s/^# \{0,1\}//p}' "$0" && exit ;; esac
for test in "$@"; do
    [[ -f $test || $test =~ ^(cosim-[a-z0-9_]+|lint-[a-z0-9_]+)$ ]] || die "$test: no test"
done
[[ ${JOBS:-1} =~ ^[1-9][0-9]*$ ]] || die "JOBS=$JOBS: not a number of tests at a time"
for tier in ${TIERS:-test}; do [[ $tier =~ ^(test|full|long)$ ]] || die "TIERS: no tier $tier (test, full, long)"; done
LOGS=build/test-logs/$(date +%Y%m%d-%H%M%S)-$$
mkdir -p "$LOGS"
export LOGS
ls -dt build/test-logs/*/ 2>/dev/null | tail -n +11 | xargs -r rm -rf

# source_of TEST: prints the file that states the test's tier, or nothing for a make target
source_of() {
    case $1 in
    build/asan/*) echo "${1#build/asan/}.c" ;;
    *.sh) echo "$1" ;;
    cosim-*) echo tests/cosim.sh ;;
    esac
}

# tiers_of TEST: prints a line "TIER SECONDS" for each tier in which the test runs
tiers_of() {
    local file line default='test, 1 s'
    [[ $1 != tests/long/* ]] || default='long, 600 s'
    file=$(source_of "$1")
    line=$([ -z "$file" ] || sed -n '1,15s|^[/# *]*tier: \(.*\)|\1|p' "$file" | head -n 1)
    [ -n "$line" ] || [ -z "$file" ] || ! awk '!/^([#\/]| \*)/ { exit } 1' "$file" | grep -qE 'tier: (test|full|long), [0-9]' || line='within a line'
    tr ';' '\n' <<<"${line:-$default}" | sed -E 's/^ *(test|full|long), ([0-9]+) s.*/\1 \2/; t; s/.*/wrong/' |
        awk -v tiers=" $TIERS " '{ line[$1] = $0 } END { if (tiers ~ / test / && tiers ~ / full / && "full" in line) delete line["test"]; for (t in line) print line[t] }'
}

# plan TEST...: prints a line "SECONDS TIER TEST" for each test and tier to run; the seconds are those of the last run, if any
plan() {
    local test tier seconds said
    for test in "$@"; do
        said=$(tiers_of "$test")
        [[ $said != *wrong* ]] || { echo "tests/run.sh: $test: its tier must be on a line of its own, as in 'tier: full, 40 s'" >&2; return 1; }
        while read -r tier seconds; do
            [[ " $TIERS " != *" $tier "* ]] || echo "$(last_seconds "$test" "$tier" || echo "$seconds") $tier $test"
        done <<<"$said"
    done
}

last_seconds() {
    [ -f "$LAST" ] && awk -v tier="$2" -v test="$1" '$2 == tier && $3 == test { s = $1 } END { print s; exit s == "" }' "$LAST"
}

# one_test TIER TEST
one_test() {
    export TIER=$1
    local test=$2 name log command verdict=pass wall processor
    name=${test#build/asan/tests/}
    name=${name#tests/}
    log=$LOGS/$(tr / - <<<"$name")-$TIER.log
    case $test in
    *.sh) command=(bash "$test") ;;
    */*) command=("./$test") ;;
    *) command=(make --no-print-directory "$test") ;;
    esac
    TIMEFORMAT='%R %U %S'
    { time timeout --kill-after=10 "${TEST_TIMEOUT:-900}" "${command[@]}" >"$log" 2>&1 </dev/null; } 2>"$log.time" || verdict=FAIL
    read -r wall processor < <(awk '{ printf "%.1f %.1f\n", $1, $2 + $3 }' "$log.time")
    rm "$log.time"
    printf '%s %-40s %-4s %7s s of a processor %7s s\n' "$verdict" "$name" "$TIER" "$processor" "$wall"
    echo "$verdict $processor $TIER $test" >>"$LOGS/verdicts"
    [ $verdict = pass ] || { tail -n 15 "$log" | sed 's/^/     | /'; echo "     log: $log"; }
}
export -f one_test
unset MAKEFLAGS MFLAGS MAKELEVEL
TIERS=${TIERS:-test}

planned=$(plan "$@") || exit 2
planned=$(sort -k 1,1nr <<<"$planned" | sed '/^$/d')
touch "$LOGS/verdicts"
awk 'NF { print $2; print $3 }' <<<"$planned" | xargs -d '\n' -r -n 2 -P "${JOBS:-$(nproc)}" bash -c 'one_test "$1" "$2"' _

echo "ten slowest, in seconds of a processor:"
sort -k 2,2nr "$LOGS/verdicts" | head -n 10 | awk '{ printf "  %7.1f  %s (%s)\n", $2, $4, $3 }'
awk '{ sum += $2 } END { printf "all together: %.0f s of a processor, logs in %s\n", sum, logs }' logs="$LOGS" "$LOGS/verdicts"

# Saves the seconds of each test for the order of the next run. A test's last line counts.
{ cat "$LAST" 2>/dev/null; sed 's/^[a-zA-Z]* //' "$LOGS/verdicts"; } | awk '{ last[$2 " " $3] = $1 } END { for (t in last) print last[t], t }' >"$LAST.$$" &&
    mv "$LAST.$$" "$LAST"
all=$(grep -c . <<<"$planned")
passed=$(grep -c '^pass ' "$LOGS/verdicts")
echo "$passed passed, $((all - passed)) failed"
[ "$passed" -eq "$all" ] && [ "$passed" -gt 0 ]
