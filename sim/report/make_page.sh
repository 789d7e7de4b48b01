#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes a page of `memtwin report` or `memtwin compare` without its data, as one file that loads no other: sim/report/make_page.sh OUT.html
# [page|loads|compare]. The page is frame.html with PAGE.html as its body, PAGE.js, page.css and PAGE.css; its title is the heading.
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
sed 1d "sim/report/$page.html" >"$d/body.html" # without its license
title=$(sed -n 's/^<h1>\(.*\)<\/h1>$/\1/p' "$d/body.html")
sed -e "s/@TITLE@/$title/" -e "/^@CSS@\$/{r $d/page.css" -e 'd}' -e "/^@BODY@\$/{r $d/body.html" -e 'd}' -e "/^@JS@\$/{r $d/page.js" -e 'd}' sim/report/frame.html >"$out.$$"
mv "$out.$$" "$out"
