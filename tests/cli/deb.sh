#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 20 s; long, 150 s
# make deb gives the same bytes each time, and no lintian error. In a clean Debian (not in tier full) the package installs, runs, does a study,
# compares a twin, and uninstalls without leftovers.
# The clean Debian and its downloads are kept in build/clean.
. tests/lib.bash
unset MEMTWIN_HOME MEMTWIN_BLOCK MEMTWIN_RTL MEMTWIN_TWINS MEMTWIN_CACHE XDG_CACHE_HOME DESTDIR MAKEFLAGS
export MEMTWIN
version=$(sed -n 's/^VERSION := //p' Makefile)
package=build/memtwin_${version}_$(dpkg --print-architecture).deb
skip() {
    echo "skipped, the clean Debian: $*"
    finish
    exit $?
}

# ---- the package
expect 0 sim/deb.sh "$version"
cp "$package" "$work/memtwin.deb"
sleep 1
expect 0 sim/deb.sh "$version"
cmp "$package" "$work/memtwin.deb" || complain "made twice: other bytes"
expect_line 1 'set DEBFULLNAME and DEBEMAIL' env DEBEMAIL=someone sim/deb.sh "$version"
for field in Depends Recommends; do [ -n "$(dpkg-deb -f "$package" $field)" ] || complain "no $field"; done
dpkg-deb -f "$package" Depends | grep -q 'libsqlite3-0 (>= ' || complain "Depends: $(dpkg-deb -f "$package" Depends)"
dpkg-deb -c "$package" | awk '$2 != "root/root"' | grep . && complain 'files that are not root'
# the files of make install under Debian's names, and the documents that Debian requires
expect 0 env DESTDIR="$work/stage" sim/install.sh install /usr "$version"
{
    (cd "$work/stage" && find usr -type f) | sed -e '/share.memtwin.f\(iles\|olders\)$/d' -e '/LICENSE$/d' -e 's|site-functions|vendor-completions|' -e '/share.man/s/$/.gz/'
    printf 'usr/share/doc/memtwin/%s\n' changelog.gz CHANGELOG.md.gz copyright
} | sort >"$work/named"
dpkg-deb --fsys-tarfile "$package" | tar -t | sed -n 's|^[.]/\(.*[^/]\)$|\1|p' | sort | diff "$work/named" - >"$work/differ" || complain "other files than make install has: $(head -n 5 "$work/differ")"
if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error "$package" >"$work/lintian" 2>/dev/null || complain "lintian: $(cat "$work/lintian")"
else
    echo 'no lintian: the package was not checked by it'
fi

# ---- a clean Debian
[ "$TIER" != full ] || { finish; exit; }
[ "$(id -u)" = 0 ] || skip 'only root may make one'
command -v debootstrap >/dev/null || skip 'no debootstrap'
unshare -m true 2>/dev/null || skip 'no mount namespaces here'
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(SITE) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' | awk -v c="$codename" '$2 == c && $3 == "main" { print $1; exit }')
[ -n "$mirror" ] || skip "apt has no mirror of $codename"
clean=$PWD/build/clean root=$work/root
mkdir -p "$clean/archives" "$root"
if [ ! -s "$clean/$codename.tar" ]; then
    debootstrap --variant=minbase "$codename" "$root" "$mirror" >"$work/log" 2>&1 || skip "debootstrap: $(tail -n 1 "$work/log")"
    tar -C "$root" -cf "$work/clean.tar" . && mv "$work/clean.tar" "$clean/$codename.tar"
else
    tar -C "$root" -xf "$clean/$codename.tar"
fi
cp /etc/resolv.conf /etc/hosts "$root/etc" 2>/dev/null
cp "$package" "$root/memtwin.deb"
# in_root COMMAND...: runs COMMAND in the clean Debian, and unmounts everything that it mounted
in_root() {
    unshare -m bash -c 'mount -t proc none "$1/proc" && mount --bind "$2" "$1/var/cache/apt/archives" &&
        exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C HOME=/root TERM=dumb DEBIAN_FRONTEND=noninteractive \
            ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "${@:3}"' _ "$root" "$clean/archives" "$@" </dev/null
}
user() { in_root setpriv --reuid=1000 --regid=1000 --clear-groups env -C /home/user HOME=/home/user "$@"; }
apt() { in_root apt-get -qq -o APT::Sandbox::User=root "$@"; }
apt update >"$work/log" 2>&1 || skip "apt-get update: $(tail -n 1 "$work/log")"
expect 0 apt install --no-install-recommends man-db bash-completion
mkdir -m 777 "$root/home/user"
expect 0 apt install --no-install-recommends /memtwin.deb
[ -z "$(in_root dpkg --verify memtwin)" ] || complain "dpkg --verify: $(in_root dpkg --verify memtwin)"
expect 0 user memtwin version
grep -qF "memtwin $version " "$work/out" || complain "version: $(cat "$work/out")"
expect 0 user memtwin home
[ "$(cat "$work/out")" = /usr/share/memtwin ] || complain "home: $(cat "$work/out")"
expect 0 user memtwin run -q -c tiny -w addvect:256
printf '[study]\nconfig = tiny\nworkload = addvect:32 addvect:64\n' >"$root/home/user/mine.ini"
expect 0 user memtwin study mine.ini
expect 0 user memtwin study --list mine.db
[ "$(grep -c addvect "$work/out")" -ge 2 ] || complain "study --list: $(cat "$work/out")"
expect 0 user man memtwin-run
grep -q -- '--twin' "$work/out" || complain "man memtwin-run: $(head -n 3 "$work/out")"
expect 0 user whatis memtwin-keys
expect 0 user bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader memtwin; COMP_LINE="memtwin run -c tin" COMP_POINT=18; _memtwin memtwin tin; echo "${COMPREPLY[0]}"'
grep -qx tiny "$work/out" || complain "completion: $(cat "$work/out" "$work/err")"
[ -e "$root/usr/share/zsh/vendor-completions/_memtwin" ] || complain 'no completion for zsh'
expect 1 user memtwin cosim in_fifo -p DEPTH=3 --cycles 300
grep -q 'make' "$work/err" && [ "$(wc -l <"$work/err")" = 1 ] || complain "without the tools of a twin: $(cat "$work/err")"

# ---- a twin, with the recommended packages
expect 0 apt install --no-install-recommends $(dpkg-deb -f "$package" Recommends | tr -d ,)
expect 0 user env MEMTWIN_BRIEF=1 memtwin run -q -c tiny -w addvect:256 --twin in_fifo --check
expect 0 user env MEMTWIN_BRIEF=1 memtwin cosim in_fifo -p DEPTH=3 --cycles 300 --record x.vec
expect 0 user memtwin replay x.vec --engine icarus
[ -n "$(find "$root/home/user/.cache/memtwin" -name '*.so')" ] || complain 'no twin in the cache of the user'

expect 0 apt purge memtwin
in_root find / -xdev -path /home -prune -o -name '*memtwin*' ! -path /memtwin.deb ! -path '/var/cache/apt/archives/*' -print >"$work/left"
[ ! -s "$work/left" ] || complain "left behind: $(head -n 5 "$work/left")"
finish
