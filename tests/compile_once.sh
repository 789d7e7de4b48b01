#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Serves as OBJCACHE of Verilator's makefiles (tests/lib.bash). Compiles Verilator's own sources, which all programs share, once per set of
# flags, and caches the objects in build/verilated. Runs other commands unchanged.
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
