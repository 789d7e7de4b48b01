#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 10 s
# The commands of docs/examples/README.md run and print what the page shows. plot.py prints the values of `study --list`, and draws a bar for
# each. The Dockerfile has the commands of README.md, and is built where a Docker daemon runs. Installs pandas and matplotlib if they are missing:
# they are too large for `make deps`.
. tests/lib.bash
page=docs/examples/README.md
/usr/bin/python3 -c 'import pandas, matplotlib' 2>/dev/null || {
    root=
    [ "$(id -u)" = 0 ] || root=sudo
    $root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends python3-pandas python3-matplotlib >"$work/log" 2>&1 ||
        { tail -n 3 "$work/log"; echo "FAIL: no pandas, and it cannot be installed"; exit 1; }
}
export MPLCONFIGDIR=$work
blocks sh $page | sed "s#build/mshrs#$work/mshrs#g; s#^build/memtwin#$MEMTWIN#; s#^python3#/usr/bin/python3#" >"$work/page.sh"
bash -e "$work/page.sh" >"$work/page.out" 2>&1 || complain "the page's commands failed: $(tail -n 3 "$work/page.out")"
shown=0
while read -r line; do
    grep -qF -- "$line" "$work/page.out" || complain "$page: not printed: $line"
    shown=$((shown + 1))
done < <(blocks text $page)
[ $shown -ge 7 ] || complain "only $shown lines of output were found"
[ -s "$work/mshrs.html" ] || complain "no report was written"
"$MEMTWIN" study --list "$work/mshrs.db" | awk '$2 == "pascal28" && $4 != "static" { print $3, $4, $8 }' | sort >"$work/want"
awk -F, '/^workload,/ { split($0, scheme) ; next } /^(bfs|bicg|kmeans|addvect)[^ ]*,/ { for (i = 2; i <= NF; i++) printf "%s %s %.3f\n", $1, scheme[i], $i }' "$work/page.out" | sort >"$work/got"
[ "$(wc -l <"$work/want")" -eq 8 ] || complain "study --list: $(cat "$work/want")"
diff "$work/want" "$work/got" >"$work/differ" || complain "plot.py: $(cat "$work/differ")"
[ "$(grep -c '<g id="patch_' "$work/mshrs.svg")" -ge 10 ] || complain "plot.py: no ten bars in mshrs.svg"
echo 'raise ImportError(name="matplotlib")' >"$work/matplotlib.py"
expect_line 1 "plot.py: no module matplotlib: install Debian's python3-matplotlib" env PYTHONPATH="$work" PYTHONDONTWRITEBYTECODE=1 python3 docs/examples/plot.py x y
lines=$(wc -l <docs/examples/plot.py)
[ "$lines" -le 32 ] || complain "plot.py: $lines lines"

# The Dockerfile: the Debian and the first command of README.md
debian=$(sed -n 's/^On Debian \([0-9]*\).*/\1/p' README.md)
grep -qx "FROM debian:$debian" Dockerfile || complain "Dockerfile: not Debian $debian, as README.md"
grep -qx 'CMD \["make", "run"\]' Dockerfile && blocks sh README.md | grep -q '^make run' || complain "Dockerfile: README.md begins with another command"
if docker info >"$work/docker" 2>&1; then
    expect 0 docker build -q .
else
    echo "not tested: the Dockerfile (no Docker)"
fi
finish
