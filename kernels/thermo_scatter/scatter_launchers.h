/* Launchers of thermo_scatter for programs in which the deposit is a part: they take arguments that
 * are numbered as scatter_case.h says. */
#ifndef ASSAY_SCATTER_LAUNCHERS_H
#define ASSAY_SCATTER_LAUNCHERS_H

#include "kernel.h"

extern "C" {
assay_launch_fn    thermo_scatter_atomic_native; /* tune: block */
assay_launch_fn    thermo_scatter_tiled;         /* tune: window, items, block */
assay_workspace_fn thermo_scatter_tiled_workspace;
}

#endif
