# SPDX-License-Identifier: Apache-2.0
# Prints nets that a Verilog file uses above their declaration: FILE:LINE: NAME. The language forbids it, but not every tool here reports it.
FNR == 1 { split("", used); split("", declared); body = contract = 0 }
/^`ifdef FORMAL/ { contract = 1 }
/^`endif/ { contract = 0 }
/^\);/ { body = 1; next }
!body || contract { next }
{ sub(/\/\/.*/, ""); gsub(/\.[A-Za-z_][A-Za-z_0-9]*/, "") }
/^ *(wire|reg)[ \[]/ {
    names = $0
    sub(/=.*/, "", names); sub(/^ *(wire|reg)( +signed)?/, "", names); gsub(/\[[^]]*\]|[;,]/, " ", names)
    n = split(names, name, " ")
    for (i = 1; i <= n; i++) {
        if (name[i] in used && !(name[i] in declared)) print FILENAME ":" used[name[i]] ": " name[i]
        declared[name[i]]
    }
}
{ n = split($0, word, /[^A-Za-z_0-9$]+/); for (i = 1; i <= n; i++) if (!(word[i] in used)) used[word[i]] = FNR }
