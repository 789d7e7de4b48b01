# SPDX-License-Identifier: Apache-2.0
# Lists the errors of a core, one per line. Keys, types and values are those of FuseSoC's CAPI2 reference, options of flows and tools those
# of Edalize; only those that our cores use are accepted.
def unknown(known; where): (keys_unsorted - known)[] | "\(where): unknown key \(.)";
def must(kind; where): select(type != kind) | "\(where): \(type), not \(kind)";
def strings(where): must("array"; where), (arrays | .[] | must("string"; where));

# reports a value that is not in `known`
def among(known; where): select(. as $v | known | index($v) | not) | "\(where): \(.) is not known";

def file_type(where): must("string"; where), (strings | among(["verilogSource-2005", "systemVerilogSource", "user"]; where));

def file_entry(where):
    if type == "string" then empty
    elif type != "object" or length != 1 then "\(where): a file that is no name and no name with attributes"
    else to_entries[] | .key as $name | .value |
        unknown(["is_include_file", "file_type", "copyto"]; "\(where) \($name)"),
        (.is_include_file | values | must("boolean"; "\(where) \($name)")),
        (.file_type | values | file_type("\(where) \($name)")),
        (.copyto | values | must("string"; "\(where) \($name)")) end;

def fileset(where):
    unknown(["files", "file_type", "depend"]; where),
    (.file_type | file_type("\(where).file_type")),
    (.depend | values | strings("\(where).depend")),
    (.files | must("array"; "\(where).files")),
    (.files[] | file_entry(where));

def parameter(where):
    unknown(["datatype", "default", "description", "paramtype"]; where),
    (select(.datatype != "int") | "\(where): datatype \(.datatype)"),
    (select(.paramtype != "vlogparam") | "\(where): paramtype \(.paramtype)"),
    (.description | must("string"; "\(where).description")),
    (select(has("default")) | .default | must("number"; "\(where).default"));

# for a target with a flow: that flow with this tool, and the tool's options
def flow(where):
    {verilator: ["lint", "verilator_options"], icarus: ["sim", "iverilog_options"], yosys: ["generic", "arch", "output_format"]} as $known
    | (.flow_options | objects | .tool // "") as $tool
    | if $tool == "" then "\(where): a flow without its tool"
      elif $known[$tool] == null then "\(where): \($tool) is not known"
      else
        (select(.flow != $known[$tool][0]) | "\(where): flow \(.flow) with \($tool)"),
        (.flow_options
            | unknown(["tool"] + $known[$tool][1:]; "\(where).flow_options"),
              (.verilator_options, .iverilog_options | values | strings("\(where).flow_options")),
              (.arch | values | among(["xilinx", "ice40", "ecp5"]; "\(where).arch")),
              (.output_format | values | among(["json", "edif", "blif", "verilog"]; "\(where).output_format"))) end;

def target(where; $core):
    unknown(["description", "flow", "flow_options", "filesets", "toplevel", "parameters"]; where),
    (.filesets | strings("\(where).filesets")),
    (.filesets[] | select(in($core.filesets) | not) | "\(where): no fileset \(.)"),
    (.parameters | values | strings("\(where).parameters")),
    (.parameters // [] | .[] | select(in($core.parameters // {}) | not) | "\(where): no parameter \(.)"),
    (.toplevel | values | must("string"; "\(where).toplevel")),
    (.flow_options | values | must("object"; "\(where).flow_options")),
    (select(has("flow")) | flow(where)),
    (select(has("flow_options") and (has("flow") | not)) | "\(where): flow_options without a flow"),
    (select(has("flow")) | select(has("toplevel") | not) | "\(where): a flow without a toplevel");

. as $core
| unknown(["name", "description", "license", "filesets", "parameters", "targets"] + ["CAPI=2"]; "core"),
  (.name // "" | select(test("^[A-Za-z0-9_]+(:[A-Za-z0-9_]+){2}:[0-9]+([.][0-9]+)*$") | not) | "name: \(.) is no vendor:library:name:version"),
  (.description, .license | must("string"; "description or license")),
  (.filesets | to_entries[] | .key as $name | .value | fileset("filesets.\($name)")),
  (.parameters // {} | to_entries[] | .key as $name | .value | parameter("parameters.\($name)")),
  (.targets | to_entries[] | .key as $name | .value | target("targets.\($name)"; $core)),
  (select(.targets | has("default") | not) | "targets: no default")
