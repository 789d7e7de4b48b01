# SPDX-License-Identifier: Apache-2.0
# Formats the report as text, from its JSON (report.jq). $what: names of the counters, separated by commas.
def percent(hit; all): if all == 0 then "-" else (hit * 1000 / all | floor | . / 10 | tostring) + " %" end;
def pairs: . as $c | [range(0; length; 2) | "\($c[. + 1]) of \($c[.])\t\(percent($c[. + 1]; $c[.]))"];
def row(name): [name] + (.counts | pairs) | join("\t");
def reasons: .holes | group_by(.reason)[] | "\(.[0].reason | if . == "" then "NOT EXPLAINED" else . end): \(length)",
    (.[] | "    \(.file):\(.line) \(.kind) \(.name)");
($what | split(",") | map(. + "\t") | join("\t")) as $head
| if $part == "table" then
    ([""] + [$head] | join("\t")),
    (.blocks[] | row(.name)), ({counts: .total} | row("all")), (.files[] | row(.name))
  else "", "holes, by reason:", reasons end
