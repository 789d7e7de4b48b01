#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes the page of `memtwin report` without its data, as one file that loads no other: sim/report/make_page.sh OUT.html [page|loads]
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
out=${1:?where to} page=${2:-page}
d=$(mktemp -d)
trap 'rm -rf "$d" "$out.$$"' EXIT

. sim/report/bundle.bash
bundle "sim/report/$page.js" "$d/page.js" --minify --format=iife
styles=(sim/report/page.css)
[ "$page" = page ] || styles+=("sim/report/$page.css")
cat "${styles[@]}" | esbuild --loader=css --minify --log-level=warning >"$d/page.css"
mkdir -p "$(dirname "$out")"
sed -e "/^@CSS@\$/{r $d/page.css" -e 'd}' -e "/^@JS@\$/{r $d/page.js" -e 'd}' "sim/report/$page.html" >"$out.$$"
mv "$out.$$" "$out"
