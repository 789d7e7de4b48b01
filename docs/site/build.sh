#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `make docs`: the documents as a site that works offline, in build/site, from the same Markdown. A broken link is an error.
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
source=build/site-src
rm -rf "$source"
mkdir -p "$source"
pages=(README.md CONTRIBUTING.md CHANGELOG.md docs/{use,understand,results,examples}/*.md)
# The pages, and all that they link to, where they are in the tree.
for page in "${pages[@]}"; do
    grep -oE '\]\([^)#]+' "$page" | cut -c3- | grep -v '^http' | sed "s,^,$(dirname "$page")/," || true
done | xargs realpath -m --relative-to=. | sort -u | cat - <(printf '%s\n' "${pages[@]}") | sort -u | xargs cp --parents -t "$source"
cp docs/results/data/*.svg "$source/docs/results/data"
# Python-Markdown takes one word after a fence, no \ before | in the code of a table, and needs a blank line before a list.
while IFS= read -r -d '' page; do
    perl -pe 's/^(```[a-z]+) .*/$1/; s/`[^`]*`/$& =~ s,\\\|,|,gr/ge if /^\|/' "$page" |
        awk '/^```/ { code = !code } !code && /^([*-]|1\.) / && last != "" && last !~ /^( |[*-] |[0-9]+\. )/ { print "" } { print; last = $0 }' >"$page.new"
    mv "$page.new" "$page"
done < <(find "$source" -name '*.md' -print0)
cp docs/site/site.css "$source"
mkdocs build --quiet --strict --clean -f docs/site/mkdocs.yml
# A page at file:// may not read a file, so a script holds the index and the worker of the search. The recorded tables are found by their titles.
index=build/site/search/search_index.json
jq -c '(.docs[] | select(.location | startswith("docs/results/data/")).text) = ""' $index >$index.new
mv $index.new $index
{
    echo -n 'var __search = { index: Promise.resolve('
    cat $index
    echo -n '), worker: URL.createObjectURL(new Blob(['
    jq -Rs . build/site/assets/javascripts/workers/search.*.min.js
    echo '], { type: "text/javascript" })) };'
} >build/site/search/offline.js
echo build/site/index.html
