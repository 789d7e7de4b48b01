# SPDX-License-Identifier: Apache-2.0
# Formats a coverage report as a part of build/report/coverage.md: tables, and each hole under its reason. $part: blocks, files or holes
def percent(hit; all): if all == 0 then "-" else (hit * 1000 / all | floor | . / 10 | tostring) + " %" end;
def cells: .counts as $c | [range(0; $c | length; 2) | "\($c[. + 1]) of \($c[.]) | \(percent($c[. + 1]; $c[.]))"] | join(" | ");
def table(rows): "| | \(.counted | split(",") | map(. + " | ") | join("| "))|", "|---|\([range(0; (.total | length))] | map("---|") | join(""))", rows;
if $part == "blocks" then table((.blocks[] | "| \(.name) | \(cells) |"), "| **all** | \({counts: .total} | cells) |")
elif $part == "files" then table(.files[] | "| `\(.name)` | \(cells) |")
else
    "| reason | holes | where |", "|---|---|---|",
    (.holes | group_by(.reason) | sort_by(-length)[]
        | "| \(.[0].reason) | \(length) | \(group_by(.file) | map("`\(.[0].file)`: " + (map(if .kind == "toggle" then "`\(.name)`" else .line end) | join(", "))) | join("; ")) |")
end
