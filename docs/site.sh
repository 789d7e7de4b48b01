#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `make docs`: the documents as a site that works offline, in build/site, from the same Markdown. A broken link is an error.
set -euo pipefail
. "$(dirname "$0")/../tb/env.bash"
source=build/site-src
rm -rf "$source"
mkdir -p "$source"
pages=(README.md CONTRIBUTING.md CHANGELOG.md docs/{use,understand,results}/*.md)
# The pages, and all that they link to, where they are in the tree.
for page in "${pages[@]}"; do
    grep -oE '\]\([^)#]+' "$page" | cut -c3- | grep -v '^http' | sed "s,^,$(dirname "$page")/," || true
done | xargs realpath -m --relative-to=. | sort -u | cat - <(printf '%s\n' "${pages[@]}") | sort -u | xargs cp --parents -t "$source"
cp docs/results/data/*.svg "$source/docs/results/data"
# Python-Markdown takes one word after a fence, and needs a blank line before a list.
find "$source" -name '*.md' -print0 | xargs -0 sed -i -E 's/^(```[a-z]+) .*/\1/'
while IFS= read -r -d '' page; do
    awk '/^```/ { code = !code } !code && /^([*-]|1\.) / && last != "" && last !~ /^( |[*-] |[0-9]+\. )/ { print "" } { print; last = $0 }' "$page" >"$page.new"
    mv "$page.new" "$page"
done < <(find "$source" -name '*.md' -print0)
mkdocs build --quiet --strict --clean -f docs/mkdocs.yml
echo "build/site/index.html   (its search needs a server: python3 -m http.server -d build/site)"
