# SPDX-License-Identifier: Apache-2.0
# Sourced at the start of every script: sets the C locale (decimal points, one sort order) and changes to the root of the checkout.
# tests/lint/env.sh checks that every script sources it.
export LC_ALL=C
unset CDPATH POSIXLY_CORRECT LANGUAGE
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

# tool PROGRAM ARGUMENT...: runs the program so that a signal that ends the script also ends the program and its children at once. Bash
# alone would wait for a foreground program or leave it running; timeout (with no limit) passes the signal on. Not for pipelines: their
# parts do not end with the script.
tool() {
    setpriv --pdeathsig TERM timeout 0 "$@" <&0 &
    wait $!
}
