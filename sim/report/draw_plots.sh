#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Draws plots of the documents: sim/report/draw_plots.sh PLOTS.json FOLDER. FOLDER has the data and gets the SVG files (draw_plots.js).
set -euo pipefail
plots=$(realpath "${1:?which plots}") folder=$(realpath "${2:?which folder}")
. "$(dirname "$0")/../../tb/env.bash"
d=$(mktemp -d)
trap 'rm -rf "$d"' EXIT
. sim/report/bundle.bash
bundle sim/report/draw_plots.js "$d/draw_plots.mjs" --platform=node --format=esm
cd "$folder"
node "$d/draw_plots.mjs" "$plots"
