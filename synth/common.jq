# SPDX-License-Identifier: Apache-2.0
# Functions shared by the jq scripts of the reports.
# Formats a figure in a table: rounded, with a comma at each thousand, or unchanged; "-" if null.
def thousands: if length > 3 then (.[:-3] | thousands) + "," + .[-3:] else . end;
def i: if . == null then "-" else round | tostring | thousands end;
def r: if . == null then "-" else tostring end;
def total(f): map(f) | add // 0;
# um2 of stored shapes (storage.bash: shape): in flip-flops, and as macros; null if no macro area is known
def in_flops: total(.n * .area);
def as_macros: if any(.macro == null) then null else total(.n * .macro) end;
# with n decimals
def fixed(n): . * pow(10; n) | round | tostring
    | (if startswith("-") then ["-", .[1:]] else ["", .] end) as [$sign, $digits]
    | ("0" * ([n + 1 - ($digits | length), 0] | max) // "") + $digits
    | $sign + .[:-n] + "." + .[-n:];
