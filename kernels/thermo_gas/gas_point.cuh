/* The rates of a cell, by a thread that reads its seven cells and derives their primitives
 * itself. */
#ifndef ASSAY_GAS_POINT_CUH
#define ASSAY_GAS_POINT_CUH

#include "gas_device.cuh"

__device__ inline gas_side gas_side_at(const gas_args &a, int cell, int d)
{
    return gas_side_of(gas_cell_of(thermo_load(a.from, cell)), d);
}

/* Fills `here` and the rates of a cell; false if a neighbour is inadmissible. */
__device__ inline bool gas_rates_at(const gas_args &a, int cell, gas_cell *here, gas_rates *r)
{
    const int k = cell % a.gz, j = cell / a.gz % a.gy, i = cell / a.gz / a.gy;
    const int row = cell - k, column = cell - j * a.gz, line = cell - i * a.gy * a.gz;
    const int plane = a.gy * a.gz;
    bool      are;

    *here = gas_cell_of(thermo_load(a.from, cell));
    are = gas_add_direction<0>(r, gas_side_at(a, line + thermo_previous(i, a.gx) * plane, 0), *here,
                               gas_side_at(a, line + thermo_next(i, a.gx) * plane, 0));
    are &= gas_add_direction<1>(r, gas_side_at(a, column + thermo_previous(j, a.gy) * a.gz, 1),
                                *here, gas_side_at(a, column + thermo_next(j, a.gy) * a.gz, 1));
    are &= gas_add_direction<2>(r, gas_side_at(a, row + thermo_previous(k, a.gz), 2), *here,
                                gas_side_at(a, row + thermo_next(k, a.gz), 2));
    return are;
}

#endif
