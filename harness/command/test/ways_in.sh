# shellcheck shell=bash
# Functions for the scripts that build the example with an assay from anywhere. Sourced after cli.sh.

unset ASSAY_PEERS ASSAY_PYTHON
make=()
command -v ninja >/dev/null && make=(-G Ninja)

# The beginning of doctor's line if assay_cupti.so was built and is not found.
cupti_is_lost='^cupti .*assay_cupti\.so) that was built with'

# launchers BUILD: the compiler launchers of a build tree, for builds of the same sources.
launchers() { sed -nE 's/^(CMAKE_[A-Z]+_COMPILER_LAUNCHER):[A-Z]+=(.+)/-D\1=\2/p' "$1/CMakeCache.txt"; }

# finds_everything PROGRAM: its kernels work, and doctor finds every file that assay was installed with.
finds_everything() {
    local program=$1
    ends 0 "dot_product: sum of x[i] * y[i]" "$program" list
    rm -f found.db*
    ends 0 "" "$program" check --device host --db found.db
    holds "    all PASS" is "$(ask found.db "SELECT group_concat(DISTINCT verdict) FROM latest")" PASS
    "$program" doctor >said 2>&1
    holds "    its own kernels are here" grep -qE '^host +ok' said
    holds "    and assay_cupti.so, if it was built" is "$(grep -c "$cupti_is_lost" said)" 0
    holds "    and the scripts of peers" is "$(grep -c "^peers.*the peer's script" said)" 0
    holds "    of which it has some" is "$(grep -c '^peers.*no case of this program' said)" 0
}

# copy_example SOURCE FOLDER: copies the example, and adds a variant that a script of assay computes, which must be found.
copy_example() {
    cp -R "$1/examples/dot_product" "$2"
    sed -i 's/^ *\.variants *= {$/&\n{ .name = "torch", .peer = { "physics_loss.py", "eager" } },/' "$2/cases/dot_product.c"
    holds "the example has a peer" grep -q physics_loss.py "$2/cases/dot_product.c"
}
