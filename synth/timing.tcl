# SPDX-License-Identifier: Apache-2.0
# OpenSTA: every endpoint of a flat netlist, no wires. Environment: LIB, NETLIST, TOP; DRIVER: buffer that drives each input; LOAD: fF at
# each output except storage pins; RAM_TIMES: see paths.bash, ram_times; WIRES: wire load of the library, or empty.
#   setup NS START END    an endpoint and the clock period that it needs; slowest first
#   stage NS PIN CELL     a cell of the slowest path, and the arrival time at its output
#   hold NS START END     an endpoint with its hold slack; worst first
#   wires NS              the clock period that the netlist needs with the wire load
read_liberty $env(LIB)
read_verilog $env(NETLIST)
link_design $env(TOP)
set period 100
create_clock -name clk -period $period clk
# All inputs (including slot RAM outputs) arrive at the clock edge; outputs may use the whole period. Reset is not timed.
set_input_delay 0 -max -clock clk [all_inputs]
set_output_delay 0 -max -clock clk [all_outputs]
set_driving_cell -lib_cell $env(DRIVER) [all_inputs]
set_cmd_units -capacitance fF
foreach port [all_outputs] {
    if {![string match slots* [get_property $port full_name]]} { set_load -pin_load $env(LOAD) $port }
}
if {$env(RAM_TIMES) ne ""} {
    foreach read [get_ports -quiet slots*.re] {
        set ram [string range [get_property $read full_name] 0 end-3]
        set shape "[llength [get_ports $ram.rdata*]] [llength [get_ports $ram.raddr*]]"
        set times ""
        foreach {width address access setup} $env(RAM_TIMES) {
            if {$shape eq "$width $address"} { set times "$access $setup" }
        }
        if {$times eq ""} { error "no times for $ram with word and address widths $shape" }
        set_input_delay [lindex $times 0] -max -clock clk [get_ports $ram.rdata*]
        set_output_delay [lindex $times 1] -max -clock clk [get_ports "$ram.we $ram.waddr* $ram.wdata* $ram.re $ram.raddr*"]
    }
}
set_false_path -from [get_ports rst]

proc points {path} {
    return "[get_full_name [get_property $path startpoint]] [get_full_name [get_property $path endpoint]]"
}

set paths [find_timing_paths -path_delay max -group_count 1000000]
foreach path $paths { puts "setup [expr {$period - [get_property $path slack]}] [points $path]" }
foreach point [get_property [lindex $paths 0] points] {
    set pin [get_property $point pin]
    set cell [get_cells -of_objects $pin]
    if {$cell eq "" || [get_property $pin direction] ne "output"} continue
    puts "stage [get_property $point arrival] [get_full_name $pin] [get_property $cell ref_name]"
}
foreach path [find_timing_paths -path_delay min -group_count 1000000] { puts "hold [get_property $path slack] [points $path]" }
if {$env(WIRES) ne ""} {
    set_wire_load_model -name $env(WIRES)
    puts "wires [expr {$period - [get_property [lindex [find_timing_paths -path_delay max] 0] slack]}]"
}
