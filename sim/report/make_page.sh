#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes the page of `memtwin report` without its data, as one file that loads no other: sim/report/make_page.sh OUT.html [page|loads]
# Uses Debian's Vega (libjs-vega, node-d3-*). esbuild bundles its modules and ours into one script.
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
vega=/usr/share/javascript/vega
out=${1:?where to} page=${2:-page}
d=$(mktemp -d)
trap 'rm -rf "$d" "$out.$$"' EXIT

names=(--alias:topojson-client=./sim/report/none.js)
for module in "$vega"/*.module.js; do
    name=$(basename "$module" .module.js)
    case $name in
    *.node) continue ;;
    vega-selection) name=vega-selections ;;
    esac
    names+=("--alias:${name%.browser}=$module")
done
NODE_PATH=/usr/share/nodejs esbuild "sim/report/$page.js" --bundle --minify --format=iife --legal-comments=none --log-level=warning \
    "${names[@]}" --outfile="$d/page.js"
styles=(sim/report/page.css)
[ "$page" = page ] || styles+=("sim/report/$page.css")
cat "${styles[@]}" | esbuild --loader=css --minify --log-level=warning >"$d/page.css"
mkdir -p "$(dirname "$out")"
sed -e "/^@CSS@\$/{r $d/page.css" -e 'd}' -e "/^@JS@\$/{r $d/page.js" -e 'd}' "sim/report/$page.html" >"$out.$$"
mv "$out.$$" "$out"
