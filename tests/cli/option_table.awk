# SPDX-License-Identifier: Apache-2.0
# Prints the tables of options in docs/use/accelsim.md from cmodel/import/options.def. KIND: mapped, lost or inert
function code(text) { return text == "" ? "none" : "`" text "`" }
function keys(text) { gsub(/, /, "`, `", text); return code(text) }
BEGIN {
    print KIND == "mapped" ? "| option | default | keys |" : KIND == "lost" ? "| option | default | without loss | lost |" : "| option | reason |"
    print KIND == "mapped" ? "|---|---|---|" : KIND == "lost" ? "|---|---|---|---|" : "|---|---|"
}
/^(MAPPED|LOST|INERT)\(/ {
    null = /, NULL, /
    n = split($0, part, "\"")
    if (KIND == "mapped" && /^MAPPED/) print "| " code(part[2]) " | " code(part[4]) " | " keys(part[6]) " |"
    if (KIND == "lost" && /^LOST/) print "| " code(part[2]) " | " code(part[4]) " | " (null ? "never" : code(part[6])) " | " part[null ? 6 : 8] " |"
    if (KIND == "inert" && /^INERT/) print "| " code(part[2]) " | " part[4] " |"
}
