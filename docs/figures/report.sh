#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Draws docs/figures/report.png: the top of the report of docs/examples/mshrs.ini, in headless Chromium.
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
rm -f build/mshrs.db
build/memtwin study docs/examples/mshrs.ini -q -o build/mshrs.db
build/memtwin report build/mshrs.db -o build/mshrs.html
HOME=$PWD/build chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size="1000,625" --blink-settings=preferredColorScheme=1 \
    --virtual-time-budget=5000 --screenshot=docs/figures/report.png "file://$PWD/build/mshrs.html" 2>/dev/null
