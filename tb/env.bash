# SPDX-License-Identifier: Apache-2.0
# Sourced at the start of every script: sets the C locale (decimal points, one sort order) and changes to the root of the checkout.
# tests/lint/env.sh checks that every script sources it.
export LC_ALL=C
unset CDPATH POSIXLY_CORRECT LANGUAGE
# A path of the user is relative to the folder that the user is in.
if [ -n "${MEMTWIN_RTL:-}" ]; then export MEMTWIN_RTL=$(realpath -m -- "$MEMTWIN_RTL"); fi
case $0 in /*) script_path=$0 ;; *) script_path=$PWD/$0 ;; esac
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

# show_help [ARGUMENT]...: if an argument is --help, prints the comment at the head of the script and ends it
show_help() {
    [[ " $* " == *' --help '* ]] || return 0
    awk 'NR > 2 && !/^#/ { exit } NR > 2 { sub(/^# ?/, ""); print }' "$script_path"
    exit 0
}

# tool PROGRAM ARGUMENT...: runs the program so that a signal that ends the script also ends the program and its children at once. Bash
# alone would wait for a foreground program or leave it running; timeout (with no limit) passes the signal on. Not for pipelines: their
# parts do not end with the script.
tool() {
    limited 0 "$@"
}

# limited SECONDS PROGRAM ARGUMENT...: like tool, but ends the program after SECONDS, with the exit code 124
limited() {
    setpriv --pdeathsig TERM timeout "$@" <&0 &
    wait $!
}
