# SPDX-License-Identifier: Apache-2.0
# Generates the wrapper module of a netlist, with the parameters and ports of the RTL, from the netlist's JSON by Yosys. $block; $slots: cut
# storage, one line "name width depth place" each.
def number: explode | reduce .[] as $bit (0; . * 2 + ($bit - 48)) | if . >= 2147483648 then . - 4294967296 else . end;
def range: if . == 1 then "" else "[\(. - 1):0] " end;
def bits($d): [range(1; 33) as $n | select(pow(2; $n) >= $d) | $n][0];

.modules["\($block)_netlist"]
| .ports as $ports
| (.parameter_default_values | map_values(number)) as $values
| ($slots | split("\n") | map(select(. != "") | split(" ") | {name: .[0], width: (.[1] | tonumber), depth: (.[2] | tonumber), place: .[3]})) as $cut
| "// Netlist under the name of the RTL module, for the twin harness. Written by synth/netlist.sh.",
  "`default_nettype none", "",
  "module \($block) #(",
  ([$values | to_entries[] | "    parameter \(.key) = \(.value)"] | join(",\n")),
  ") (",
  ([$ports | to_entries[] | "    \(.value.direction) wire \(.value.bits | length | range)\(.key)"] | join(",\n")),
  ");",
  "    generate if (\([$values | to_entries[] | "\(.key) != \(.value)"] | join(" || "))) begin : gen_other",
  "        ILLEGAL_this_netlist_is_of_other_parameters u_illegal ();",
  "    end endgenerate",
  ($cut[] | "    wire \(.name)_we, \(.name)_re;",
            "    wire \(bits(.depth) | range)\(.name)_waddr, \(.name)_raddr;",
            "    wire \(.width | range)\(.name)_wdata, \(.name)_rdata;"),
  "    \($block)_netlist u_netlist (",
  ([($ports | keys_unsorted[] | "        .\(.)(\(.))"),
    ($cut[] | .name as $n | ("we", "waddr", "wdata", "re", "raddr", "rdata") | "        .\\\($n).\(.) (\($n)_\(.))")] | join(",\n")),
  "    );",
  ($cut[] | .name as $n | "    mt_ram_slice_\(.width)x\(.depth) \\\(.place) (.clk(clk), "
   + ([("we", "waddr", "wdata", "re", "raddr", "rdata") | ".\(.)(\($n)_\(.))"] | join(", ")) + ");"),
  "endmodule", "",
  "`default_nettype wire"
