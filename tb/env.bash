# SPDX-License-Identifier: Apache-2.0
# Every script begins here, whatever the user's settings are and wherever it is called from: numbers with a decimal point, names in one
# order, and the root of the checkout as current folder. tests/lint/env.sh checks that none forgets it.
export LC_ALL=C
unset CDPATH POSIXLY_CORRECT LANGUAGE
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

# tool PROGRAM ARGUMENT...: a signal that ends the script ends it too, and all it has started, at once. Bash itself waits for what is in the foreground, or
# leaves it running; timeout (of no time) passes the signal on. Not in a pipeline: a part of one does not end with the script.
tool() {
    setpriv --pdeathsig TERM timeout 0 "$@" <&0 &
    wait $!
}
