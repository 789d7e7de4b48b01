#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/run.sh in a separate tree: a test's exit code is its verdict; tiers; the order; one folder of logs per run.
. tests/lib.bash
mkdir -p "$work/tree/tests/room" "$work/tree/tb" && cp tests/run.sh "$work/tree/tests" && cp tb/env.bash "$work/tree/tb"
script() { # NAME TIERS COMMAND
    printf '#!/bin/bash\n%s\n%s\n' "$2" "$3" >"$work/tree/tests/room/$1.sh"
}
script good '' 'echo "1 failed"; exit 0'
script bad '# tier: test, 3 s' 'echo "all is well"; exit 7'
script deep '# tier: test, 2 s; full, 50 s' 'echo "depth $TIER"; [ "$TIER" = full ]'
script rest '# tier: full, 90 s' 'true'
run() { # CODE TIERS TEST...
    local code=$1 tiers=$2
    shift 2
    expect "$code" env JOBS=1 TIERS="$tiers" "$work/tree/tests/run.sh" "${@/#/tests/room/}"
}
ends_with() {
    [ "$(tail -n 1 "$work/out")" = "$1" ] || complain "not '$1' at the end: $(tail -n 3 "$work/out")"
}

run 1 test good.sh bad.sh deep.sh rest.sh
ends_with '1 passed, 2 failed'
[ "$(awk '/^(pass|FAIL)/ { print $2 }' "$work/out" | xargs)" = "room/bad.sh room/deep.sh room/good.sh" ] || complain "not the longest first: $(cat "$work/out")"
grep -q '^     | depth test$' "$work/out" || complain "no log of the failed test: $(cat "$work/out")"
run 0 "test full" good.sh rest.sh deep.sh # runs once, in tier full
ends_with '3 passed, 0 failed'
run 0 full deep.sh rest.sh
ends_with '2 passed, 0 failed'
grep -q '^ten slowest' "$work/out" || complain "the slowest are not named"
[ "$(find "$work/tree/build/test-logs" -mindepth 1 -maxdepth 1 | wc -l)" -eq 3 ] || complain "not a folder of logs a run"
run 1 full good.sh
ends_with '0 passed, 0 failed'
for line in 'some, 1 s' 'test, 1 s; full 50 s' 'test, 1 s; ful, 50 s'; do
    script odd "# tier: $line" true
    run 2 test odd.sh
done
# A test that takes too long fails, and the times of the last run decide the order.
script slow '# tier: test, 1 s' 'sleep 30'
TEST_TIMEOUT=1 run 1 test slow.sh
ends_with '0 passed, 1 failed'
script busy '# tier: test, 1 s' 'for ((i = 0; i < 300000; i++)); do :; done'
run 1 test good.sh busy.sh bad.sh
run 1 test good.sh busy.sh bad.sh
[ "$(awk '/^(pass|FAIL)/ { print $2; exit }' "$work/out")" = room/busy.sh ] || complain "the order does not follow the last run: $(cat "$work/out")"
[ "$(sed -n '/^ten slowest/,$p' "$work/out" | grep -c '^  ')" -eq 3 ] || complain "the slowest are not listed"

# Runs that share a checkout have independent verdicts.
script late '' 'sleep 0.3; exit 1'
for n in 1 2 3; do TIERS=test "$work/tree/tests/run.sh" tests/room/{late,bad}.sh >"$work/failing$n" & done
for n in 1 2 3; do TIERS=test "$work/tree/tests/run.sh" tests/room/good.sh >"$work/passing$n" & done
wait
for n in 1 2 3; do
    [ "$(tail -qn 1 "$work/failing$n" "$work/passing$n" | xargs)" = "0 passed, 2 failed 1 passed, 0 failed" ] ||
        complain "runs side by side: $(tail -qn 1 "$work/failing$n" "$work/passing$n" | xargs)"
done


# docs/results/verification.md names every test that `make test` leaves out or shortens, by file or by folder.
sed -n '/^## What only `make test-full` finds/,/^## Proofs/p' docs/results/verification.md >"$work/named"
grep -rlE '^[/# *]*tier: .*full, [0-9]+ s' tests --include='*.sh' --include='test_*.c' | grep -vx -e tests/run.sh -e "tests/integration/runner.sh" >"$work/tests"
[ "$(wc -l <"$work/tests")" -gt 5 ] || complain "no test of tier full: $(cat "$work/tests")"
while read -r test; do
    grep -qF -e "\`$test\`" -e "\`$(dirname "$test")/\`" "$work/named" || complain "docs/results/verification.md does not say what only $test finds in tier full"
done <"$work/tests"
finish
