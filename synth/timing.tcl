# OpenSTA: the slowest path of a flat netlist, no wires. In the environment: LIB, NETLIST, TOP.
read_liberty $env(LIB)
read_verilog $env(NETLIST)
link_design $env(TOP)
create_clock -name clk -period 100 clk
# All inputs (slot RAM outputs too) come with the clock edge; outputs may use the whole period. Reset is not a path.
set_input_delay 0 -clock clk [all_inputs]
set_output_delay 0 -clock clk [all_outputs]
set_false_path -from [get_ports rst]
report_checks -path_delay max -digits 3
