# For scripts, sourced from the root: which blocks there are, and the parameter points at which their lockstep tests run.

# blocks: the twinned blocks, one a line
blocks() {
    sed -n 's/^BLOCK(\(.*\))/\1/p' cmodel/blocks.def
}

# points BLOCK: the parameter points that tests/BLOCK/cosim.sh lists, one a line; those of mutants, which it runs too, are not among them
points() {
    sed -n "/<<'POINTS'/,/^POINTS/p" "tests/$1/cosim.sh" | sed '1d;$d'
}
