# SPDX-License-Identifier: Apache-2.0
# Bundles a script with Debian's Vega (libjs-vega, node-d3-*).
bundle() { # FILE.js OUT.js OPTION...: in the root of the repository
    local vega=/usr/share/javascript/vega name module names=(--alias:topojson-client=./sim/report/none.js)
    for module in "$vega"/*.module.js; do
        name=$(basename "$module" .module.js)
        case $name in
        *.node) continue ;;
        vega-selection) name=vega-selections ;;
        esac
        names+=("--alias:${name%.browser}=$module")
    done
    NODE_PATH=/usr/share/nodejs esbuild "$1" --bundle --legal-comments=none --log-level=warning "${names[@]}" --outfile="$2" "${@:3}"
}
