#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes a Debian package of the built program (make deb), with the files of make install: build/memtwin_VERSION_ARCHITECTURE.deb.
#   sim/deb.sh VERSION
# The same commit gives the same bytes: times are those of SOURCE_DATE_EPOCH, or of the commit.
# DEBFULLNAME, DEBEMAIL     maintainer; by default the author of the commit
# MEMTWIN=program           default: build/memtwin
set -euo pipefail
. "$(dirname "$0")/../tb/env.bash"
umask 022
MEMTWIN=$(realpath "${MEMTWIN:-build/memtwin}")
version=${1:?usage: sim/deb.sh VERSION}

die() {
    echo "deb: $*" >&2
    exit 1
}

# g++, make and verilator build twins, zlib1g-dev those that write FST waves; memtwin replay --engine icarus needs iverilog.
recommends='g++, iverilog, make, verilator, zlib1g-dev'
# Programs for the database of studies, completion, and mutants and proofs of a user's block
suggests='bash-completion, git, sqlite3, yosys'

for tool in dpkg-deb dpkg-shlibdeps strip; do command -v $tool >/dev/null || die "$tool is not installed (Debian: dpkg, dpkg-dev, binutils)"; done
from_git() { git log -1 --format="$1" 2>/dev/null || true; }
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(from_git %ct)}
[ -n "$SOURCE_DATE_EPOCH" ] || die 'no commit to take the date of: set SOURCE_DATE_EPOCH'
maintainer="${DEBFULLNAME:-$(from_git %an)} <${DEBEMAIL:-$(from_git %ae)}>"
[[ $maintainer =~ ^[^\<]+\ \<[^\ ]+@[^\ ]+\>$ ]] || die "maintainer '$maintainer': set DEBFULLNAME and DEBEMAIL"
architecture=$(dpkg --print-architecture)
package=build/memtwin_${version}_$architecture.deb

stage=$(mktemp -d)
trap 'rm -rf "$stage" "$package.$$"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
root=$stage/root usr=$stage/root/usr doc=$stage/root/usr/share/doc/memtwin

# ---- Files in Debian's layout
DESTDIR=$root MEMTWIN=$MEMTWIN sim/install.sh install /usr "$version" >/dev/null
rm "$usr"/share/memtwin/{files,folders} "$doc/LICENSE"
# The build ID also hashes debug information, which names temporary files.
strip --strip-unneeded --remove-section={.comment,.note,.note.gnu.build-id} "$usr/bin/memtwin"
mv "$usr/share/zsh/site-functions" "$usr/share/zsh/vendor-completions"
find "$usr/share/man" -type f -exec gzip -9n {} +
cat >"$doc/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: MemTwin
Upstream-Contact: $maintainer

Files: *
Copyright: $(date -u -d "@$SOURCE_DATE_EPOCH" +%Y) the authors of MemTwin
License: Apache-2.0

License: Apache-2.0
 On Debian systems the text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
END
cat <<END | gzip -9n >"$doc/changelog.gz"
memtwin ($version) unstable; urgency=medium

  * What has changed is in CHANGELOG.md, beside this file.

 -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
END
gzip -9nc CHANGELOG.md >"$doc/CHANGELOG.md.gz"

# ---- Metadata of the package
mkdir -p "$stage/debian" "$root/DEBIAN"
printf 'Source: memtwin\n\nPackage: memtwin\nArchitecture: any\n' >"$stage/debian/control"
libraries=$(cd "$stage" && dpkg-shlibdeps -O -e"$usr/bin/memtwin" 2>"$stage/log") || die "dpkg-shlibdeps: $(tail -n 1 "$stage/log")"
size=$(find "$usr" -type f -printf '%s\n' | awk '{ kib += int(($1 + 1023) / 1024) } END { print kib }')
cat >"$root/DEBIAN/control" <<END
Package: memtwin
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $size
Depends: ${libraries#shlibs:Depends=}
Recommends: $recommends
Suggests: $suggests
Section: electronics
Priority: optional
Description: GPU memory system, written as Verilog and as a C model
 MemTwin simulates the memory system of a GPU cycle by cycle, from the warp
 schedulers to DRAM, with workloads of its own and with Accel-Sim traces.
 .
 Each of its hardware blocks is there as a C model and as synthesizable
 Verilog. The Verilog of any block can be attached to a running system, and
 every output is compared in every cycle. Verilator builds these twins when
 they are first asked for.
END
(cd "$root" && find usr -type f -exec md5sum {} + | sort -k 2) >"$root/DEBIAN/md5sums"
find "$root" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz --build "$root" "$package.$$" >/dev/null
mv "$package.$$" "$package"
echo "made $package"
