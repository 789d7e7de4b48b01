#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs the built program with the files that it and a user's block (docs/use/tutorial.md) need, or removes them (make install, make uninstall):
#   sim/install.sh install|uninstall PREFIX VERSION
#   PREFIX/bin/memtwin                     the program
#   PREFIX/share/memtwin                   the folder of `memtwin home`: Verilog, headers, configurations, the harness, the scripts for mutants and proofs
#   PREFIX/share/man, PREFIX/share/bash-completion, PREFIX/share/zsh, PREFIX/share/pkgconfig/memtwin.pc
#   PREFIX/share/doc/memtwin               the documents, the block of the tutorial; examples: the studies behind docs/results
# DESTDIR=folder   is prepended to every path above
# MEMTWIN=program  default: build/memtwin
# The files are assembled in a temporary folder beside their destination and moved there when complete. PREFIX/share/memtwin/files lists the files to remove, so that
# uninstall works for other versions too.
set -euo pipefail
. "$(dirname "$0")/../tb/env.bash"
umask 022
MEMTWIN=${MEMTWIN:-build/memtwin}
what=${1:-} prefix=${2:-} version=${3:-}

die() {
    echo "$what: $*" >&2
    exit 1
}

files() {
    find cmodel -name '*.h' -o -name '*.def'
    find rtl -type f
    find tb/env.bash tb/progress.bash tb/harness tb/mutation tb/formal -type f ! -name '*.c'
    ls tb/*/*_observe.v
    echo sim/configs/*.ini
    echo sim/energy/energy.{csv,sql,sh} sim/experiments/page.sql
}

man_pages() { # FOLDER
    local command
    mkdir -p "$1/man1" "$1/man5"
    "$MEMTWIN" help --man >"$1/man1/memtwin.1"
    for command in $("$MEMTWIN" help | sed -n '/^$/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
        "$MEMTWIN" help --man "$command" >"$1/man1/memtwin-$command.1"
    done
    "$MEMTWIN" help --man keys >"$1/man5/memtwin-keys.5"
    "$MEMTWIN" help --man study-file >"$1/man5/memtwin-study.5"
}

pc_file() {
    cat <<-END
		prefix=$prefix
		home=\${prefix}/share/memtwin
		Name: memtwin
		Description: A GPU memory system, written as Verilog and as a C model; its harness for a block of your own
		Version: $version
		Cflags: -I"\${home}/cmodel" -I"\${home}/tb"
	END
}

# Assembles all files in this folder.
assemble() { # FOLDER
    local share=$1/share
    mkdir -p "$1/bin" "$share"/{memtwin,pkgconfig,doc/memtwin/examples,bash-completion/completions,zsh/site-functions}
    install -m 755 "$MEMTWIN" "$1/bin/memtwin"
    cp --parents $(files) "$share/memtwin"
    cp -r LICENSE docs/{use,understand,results,figures,tutorial,examples} "$share/doc/memtwin"
    find sim/experiments \( -name '*.ini' -o -name '*.sql' -o -name '*.csv' \) -exec cp -t "$share/doc/memtwin/examples" {} +
    pc_file >"$share/pkgconfig/memtwin.pc"
    man_pages "$share/man"
    cp sim/completion/memtwin "$share/bash-completion/completions"
    cp sim/completion/_memtwin "$share/zsh/site-functions"
    chmod -R u+w,go-w,a+rX "$share"
    (cd "$1" && echo share/memtwin && echo share/doc/memtwin && find bin share -type f ! -path 'share/memtwin/*' ! -path 'share/doc/*') >"$stage.files"
    mv "$stage.files" "$share/memtwin/files"
}

# Folders that also hold files of others, deepest first. $home/folders lists the ones that did not exist before.
folders=(share/man/man1 share/man/man5 share/man share/pkgconfig share/bash-completion/completions share/bash-completion share/zsh/site-functions share/zsh share/doc share bin .)

# made_here: the ones that this installation or an earlier one makes
made_here() {
    local folder above=..
    for folder in "${folders[@]}"; do
        [ -e "$to/$folder" ] && ! grep -qxF "$folder" "$home/folders" 2>/dev/null || echo "$folder"
    done
    while [ ! -e "$(realpath -sm "$to/$above")" ] || grep -qxF "$above" "$home/folders" 2>/dev/null; do
        echo "$above"
        above+=/..
    done
}

# A version without a list of its files
list_old() { printf '%s\n' bin/memtwin share/{memtwin,doc/memtwin,pkgconfig/memtwin.pc,man/man1/memtwin.1}; }

remove_files() {
    local list file
    [ -e "$home" ] || return 0
    mapfile -t list < <(cat "$home/files" 2>/dev/null || list_old)
    for file in "${list[@]}"; do
        [[ $file =~ ^(bin|share)/[^/] && $file != *..* ]] || die "$home/files: '$file' is no file of an installation"
    done
    for file in "${list[@]}"; do [ "$file" = share/memtwin ] || rm -rf "${to:?}/$file"; done
    rm -rf "$home"
}

remove_folders() { # FOLDER...
    local folder
    for folder; do [ ! -d "$(realpath -sm "$to/$folder")" ] || rmdir --ignore-fail-on-non-empty "$(realpath -sm "$to/$folder")"; done
}

# However it ends: print the first line of an error, and leave no half installation.
stage=''
end() {
    local code=$?
    exec 2>&3
    [ $code = 0 ] || [ $code -gt 128 ] || [ ! -s "$log" ] || echo "$what: $(head -n 1 "$log" | sed "s/^$what: //")" >&2
    rm -rf "$log" ${stage:+"$stage" "$stage.files"}
    [ $code = 0 ] || [ -e "$home" ] || remove_folders "${made[@]}" 2>/dev/null || :
    [ $code = 0 ] || [ $code -gt 128 ] || exit 1
}

[[ $what =~ ^(un)?install$ && $# = 3 ]] || { echo 'usage: sim/install.sh install|uninstall PREFIX VERSION' >&2; exit 1; }
[[ $prefix = /* ]] || die "PREFIX=$prefix: not an absolute path"
to=${DESTDIR:-}$prefix
[[ $to = /* ]] || to=$PWD/$to
home=$to/share/memtwin
[ ! "$home" -ef . ] || die "$home is this tree itself"
[ ! -e "$home" ] || [ -e "$home/folders" ] || die "$home: not made by make install: move it away"
made=()
log=$(mktemp)
exec 3>&2 2>"$log"
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

if [ "$what" = uninstall ]; then
    [ -e "$home" ] || die "$to: no MemTwin is installed there"
    mapfile -t made <"$home/folders"
    remove_files
    remove_folders "${made[@]}"
    exit 0
fi

mapfile -t made < <(made_here)
mkdir -p "$to"
stage=$(mktemp -d "$to/.memtwin.XXXXXX")
assemble "$stage"
printf '%s\n' "${made[@]}" >"$stage/share/memtwin/folders"
[ ${#made[@]} -gt 0 ] || : >"$stage/share/memtwin/folders"
for folder in "${folders[@]}"; do
    mkdir -p "$to/$folder"
    [ -w "$to/$folder" ] || die "$to/$folder: cannot write there"
done
trap '' INT TERM HUP # the rest takes little time
remove_files
while IFS= read -r file; do
    [ "$file" = share/memtwin ] || mv -fT "$stage/$file" "$to/$file"
done <"$stage/share/memtwin/files"
mv -fT "$stage/share/memtwin" "$home"
echo "installed $to/bin/memtwin and $home"
