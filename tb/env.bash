# SPDX-License-Identifier: Apache-2.0
# Read at the start of every script: sets the C locale (decimal points, one order of names) and changes to the root of the checkout.
# tests/lint/env.sh checks that every script reads it.
export LC_ALL=C
unset CDPATH POSIXLY_CORRECT LANGUAGE
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

# tool PROGRAM ARGUMENT...: a signal that ends the script ends it too, and all it has started, at once. Bash itself waits for what is in the foreground, or
# leaves it running; timeout (of no time) passes the signal on. Not in a pipeline: a part of one does not end with the script.
tool() {
    setpriv --pdeathsig TERM timeout 0 "$@" <&0 &
    wait $!
}
