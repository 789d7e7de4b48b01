#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs the program that is built, and what it and a block of your own (docs/tutorial.md) need of this tree; or removes all of it (make install, make uninstall):
#   sim/install.sh install|uninstall PREFIX VERSION
#   PREFIX/bin/memtwin                     the program
#   PREFIX/share/memtwin                   what `memtwin home` prints: Verilog, headers, configurations, the harness, the scripts for mutants and proofs
#   PREFIX/share/pkgconfig/memtwin.pc, PREFIX/share/man/man1/memtwin.1, PREFIX/share/doc/memtwin
# DESTDIR=folder   goes before all of these paths
set -euo pipefail
. "$(dirname "$0")/../tb/env.bash"
MEMTWIN=build/memtwin
what=${1:-} prefix=${2:-} version=${3:-}

die() {
    echo "$what: $*" >&2
    exit 1
}

files() {
    find cmodel -name '*.h' -o -name '*.def'
    find rtl -type f
    find tb/env.bash tb/harness tb/mutation tb/formal -type f ! -name '*.c'
    echo sim/configs/*.ini
}

# The pages of `memtwin help`.
man_page() {
    local command
    printf '.TH MEMTWIN 1 "" "memtwin %s"\n.SH NAME\nmemtwin \\- a GPU memory system, written as Verilog and as a C model\n' "$version"
    for command in '' $("$MEMTWIN" help | sed -n '/^$/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
        echo ".SH ${command:-memtwin}"
        echo .nf
        "$MEMTWIN" help $command | sed 's/\\/\\e/g; s/-/\\-/g; s/^\([.'\'']\)/\\\&\1/'
        echo .fi
    done
}

pc_file() {
    cat <<-END
		prefix=$prefix
		home=\${prefix}/share/memtwin
		Name: memtwin
		Description: A GPU memory system, written as Verilog and as a C model; its harness for a block of your own
		Version: $version
		Cflags: -I\${home}/cmodel -I\${home}/tb
	END
}

# The folders that others have files in too, the deepest first. Those that were not there before are in $home/folders.
folders=(share/man/man1 share/man share/pkgconfig share/doc share bin .)

# missing: which of them are not there
missing() {
    local folder
    for folder in "${folders[@]}"; do [ -e "$to/$folder" ] || echo "$folder"; done
}

remove() {
    local made=() folder
    [ ! -e "$home/folders" ] || mapfile -t made <"$home/folders"
    rm -rf "$home" "$to/share/doc/memtwin"
    rm -f "$to/bin/memtwin" "$to/share/pkgconfig/memtwin.pc" "$to/share/man/man1/memtwin.1"
    for folder in "${made[@]}"; do [ ! -d "$to/$folder" ] || rmdir --ignore-fail-on-non-empty "$(realpath -s "$to/$folder")"; done
}

[[ $what =~ ^(un)?install$ && $# = 3 ]] || { echo 'usage: sim/install.sh install|uninstall PREFIX VERSION' >&2; exit 1; }
[[ $prefix = /* ]] || die "PREFIX=$prefix: not an absolute path"
to=${DESTDIR:-}$prefix
home=$to/share/memtwin
[ ! "$home" -ef . ] || die "$home is this tree itself"
remove
[ $what = install ] || exit 0
made=$(missing)
mkdir -p "$home" "$to"/bin "$to"/share/{pkgconfig,man/man1,doc/memtwin}
echo -n "${made:+$made$'\n'}" >"$home/folders"
cp --parents $(files) "$home"
cp -r LICENSE docs/tutorial.md docs/tutorial "$to/share/doc/memtwin"
install -m 755 "$MEMTWIN" "$to/bin"
pc_file >"$to/share/pkgconfig/memtwin.pc"
man_page >"$to/share/man/man1/memtwin.1"
chmod -R u+w,a+rX "$home" "$to/share/doc/memtwin"
echo "installed $to/bin/memtwin and $home"
