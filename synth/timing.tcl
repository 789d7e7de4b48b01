# SPDX-License-Identifier: Apache-2.0
# OpenSTA: every endpoint of a flat netlist, no wires. In the environment: LIB, NETLIST, TOP; DRIVER: the buffer that drives each input;
# LOAD: of each output but the pins of storage, fF; RAM_TIMES: paths.bash, ram_times.
#   setup NS START END    an endpoint and the clock period that it needs; the slowest first
#   stage NS PIN CELL     of the slowest path: a cell, and when it has come through
#   hold NS START END     an endpoint that a register's next value can reach too early, and its slack; the worst first
read_liberty $env(LIB)
read_verilog $env(NETLIST)
link_design $env(TOP)
set period 100
create_clock -name clk -period $period clk
# All inputs (slot RAM outputs too) come with the clock edge; outputs may use the whole period. Reset is not a path.
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
        if {$times eq ""} { error "no times of $ram, bits of a word and of an address: $shape" }
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
