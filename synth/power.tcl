# SPDX-License-Identifier: Apache-2.0
# OpenSTA: power of a netlist without wires. Environment: LIB, NETLIST, TOP, PERIOD in ns, ACTIVITY: output of activity.awk, SLEW:
# transition time in ns.
# Prints "power MODULE CELLS CLOCK INTERNAL SWITCHING LEAKAGE" in W for each module, where CLOCK is the power when only the clock switches,
# and "activity MEAN OUTPUTS CYCLES".
# OpenSTA 2.0.17 overwrites activities set at pins by propagated ones, except with -global. So the script reads each cell's power at zero
# and at one change per cycle, and interpolates by the cell's number of changes.
read_liberty $env(LIB)
read_verilog $env(NETLIST)
link_design $env(TOP)
create_clock -name clk -period $env(PERIOD) clk
set file [open $env(ACTIVITY)]
while {[gets $file line] >= 0} {
    if {[lindex $line 0] eq "cycles"} { set cycles [lindex $line 1] } else { set seen([lindex $line 0]) [lindex $line 1] }
}
close $file
if {$cycles == 0} { error "no cycle in $env(ACTIVITY)" }

# changes NAME CELL: changes of the cell's outputs over all cycles. Only flip-flops have two outputs, which change together.
proc changes {name cell} {
    global seen
    foreach pin [get_pins -of_objects $cell] {
        if {[get_property $pin direction] ne "output"} continue
        set pin_name [get_property $pin full_name]
        if {![info exists seen($pin_name)]} { error "no activity of $pin_name" }
        lappend n $seen($pin_name)
    }
    if {[llength [lsort -unique $n]] != 1} { error "$name has outputs of different activity" }
    return [lindex $n 0]
}

foreach cell [get_cells -hierarchical *] {
    if {[get_property $cell liberty_cell] ne "NULL"} { lappend cells $cell [get_property $cell full_name] }
}
# A gate that drives hundreds of pins would have a transition time far outside the library's tables, and extrapolated energies; a layout would buffer the net.
foreach port [all_inputs] { set_assigned_transition $env(SLEW) $port }
foreach {cell name} $cells {
    foreach pin [get_pins -of_objects $cell] {
        if {[get_property $pin direction] eq "output"} { set_assigned_transition $env(SLEW) $pin }
    }
}
set corner [sta::cmd_corner]
foreach activity {0 1} {
    set_power_activity -global -activity $activity -duty 0.5
    foreach {cell name} $cells { set at($activity,$name) [sta::instance_power $cell $corner] }
}
set module() $env(TOP)
set all 0
foreach {cell name} $cells {
    set parent [string range $name 0 [expr {[string last / $name] - 1}]]
    if {![info exists module($parent)]} { set module($parent) [get_property [get_cells $parent] ref_name] }
    set of $module($parent)
    lassign $at(0,$name) internal0 switching0 leakage
    lassign $at(1,$name) internal1 switching1
    set n [changes $name $cell]
    incr all $n
    set often [expr {double($n) / $cycles}]
    if {![info exists sum($of)]} { set sum($of) {0 0 0 0 0} }
    lassign $sum($of) count c i s l
    set sum($of) [list [expr {$count + 1}] [expr {$c + $internal0 + $switching0}] [expr {$i + $often * ($internal1 - $internal0)}] \
        [expr {$s + $often * ($switching1 - $switching0)}] [expr {$l + $leakage}]]
}
foreach of [lsort [array names sum]] { puts "power $of $sum($of)" }
set count [expr {[llength $cells] / 2}]
puts "activity [expr {double($all) / $count / $cycles}] $count $cycles"
