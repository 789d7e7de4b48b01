# What is wrong with a core, as FuseSoC's schema of CAPI2 has it (as far as our cores use it, and nothing else is let through): a line each.
def unknown(known; where): (keys_unsorted - known)[] | "\(where): unknown key \(.)";
def must(kind; where): select(type != kind) | "\(where): \(type), not \(kind)";
def strings(where): must("array"; where), (arrays | .[] | must("string"; where));

def file_entry(where):
    if type == "string" then empty
    elif type != "object" or length != 1 then "\(where): a file that is no name and no name with attributes"
    else to_entries[] | .key as $name | .value |
        unknown(["is_include_file", "file_type", "copyto"]; "\(where) \($name)"),
        (.is_include_file | values | must("boolean"; "\(where) \($name)")),
        (.file_type, .copyto | values | must("string"; "\(where) \($name)")) end;

def fileset(where):
    unknown(["files", "file_type", "depend"]; where),
    (.file_type | must("string"; "\(where).file_type")),
    (.depend | values | strings("\(where).depend")),
    (.files | must("array"; "\(where).files")),
    (.files[] | file_entry(where));

def parameter(where):
    unknown(["datatype", "default", "description", "paramtype"]; where),
    (select(.datatype != "int") | "\(where): datatype \(.datatype)"),
    (select(.paramtype != "vlogparam") | "\(where): paramtype \(.paramtype)"),
    (.description | must("string"; "\(where).description")),
    (select(has("default")) | .default | must("number"; "\(where).default"));

def target(where; $core):
    unknown(["description", "flow", "flow_options", "filesets", "toplevel", "parameters"]; where),
    (.filesets | strings("\(where).filesets")),
    (.filesets[] | select(in($core.filesets) | not) | "\(where): no fileset \(.)"),
    (.parameters | values | strings("\(where).parameters")),
    (.parameters // [] | .[] | select(in($core.parameters // {}) | not) | "\(where): no parameter \(.)"),
    (.toplevel | values | must("string"; "\(where).toplevel")),
    (.flow_options | values | must("object"; "\(where).flow_options")),
    (select(has("flow")) | select((.flow_options.tool // "") == "") | "\(where): a flow without its tool"),
    (select(has("flow")) | select(has("toplevel") | not) | "\(where): a flow without a toplevel");

. as $core
| unknown(["name", "description", "license", "filesets", "parameters", "targets"] + ["CAPI=2"]; "core"),
  (.name // "" | select(test("^[A-Za-z0-9_]+(:[A-Za-z0-9_]+){2}:[0-9]+([.][0-9]+)*$") | not) | "name: \(.) is no vendor:library:name:version"),
  (.description, .license | must("string"; "description or license")),
  (.filesets | to_entries[] | .key as $name | .value | fileset("filesets.\($name)")),
  (.parameters // {} | to_entries[] | .key as $name | .value | parameter("parameters.\($name)")),
  (.targets | to_entries[] | .key as $name | .value | target("targets.\($name)"; $core)),
  (select(.targets | has("default") | not) | "targets: no default")
