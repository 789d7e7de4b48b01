# OpenSTA: the slowest path of a flat netlist, no wires. In the environment: LIB, NETLIST, TOP; RAM_TIMES: flow.bash, ram_times.
read_liberty $env(LIB)
read_verilog $env(NETLIST)
link_design $env(TOP)
create_clock -name clk -period 100 clk
# All inputs (slot RAM outputs too) come with the clock edge; outputs may use the whole period. Reset is not a path.
set_input_delay 0 -clock clk [all_inputs]
set_output_delay 0 -clock clk [all_outputs]
foreach {width address access setup} $env(RAM_TIMES) {
    foreach read [get_ports -quiet slots*.re] {
        set ram [string range [get_property $read full_name] 0 end-3]
        if {[llength [get_ports $ram.rdata*]] != $width || [llength [get_ports $ram.raddr*]] != $address} continue
        set_input_delay $access -clock clk [get_ports $ram.rdata*]
        set_output_delay $setup -clock clk [get_ports "$ram.we $ram.waddr* $ram.wdata* $ram.re $ram.raddr*"]
    }
}
set_false_path -from [get_ports rst]
report_checks -path_delay max -digits 3
