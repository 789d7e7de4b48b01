#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# OBJCACHE of Verilator's makefiles (tests/lib.bash): its own sources, of which each program has the same, are compiled once with the same flags and kept
# in build/verilated. Any other command is run as it stands.
#   tests/compile_once.sh g++ FLAG... -c -o OBJECT SOURCE
set -eu
called_from=$PWD
. "$(dirname "$0")/../tb/env.bash"
folder=$PWD/build/verilated
cd "$called_from"
source=${*: -1} object=${*: -2:1}
[[ $source == */include/verilated*.cpp ]] || exec "$@"
kept=$folder/$({ echo "$*"; "$1" --version; stat -c %y "$source"; } | sha256sum | cut -c 1-32).o
if [ ! -e "$kept" ]; then
    "$@"
    mkdir -p "$folder"
    cp "$object" "$kept.$$" && mv "$kept.$$" "$kept"
else
    cp "$kept" "$object"
fi
