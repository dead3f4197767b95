/* Launchers of thermo_scatter for those who deposit as part of something larger: with an argument
 * block that is numbered as scatter_case.h says. */
#ifndef ASSAY_SCATTER_LAUNCHERS_H
#define ASSAY_SCATTER_LAUNCHERS_H

#include "kernel.h"

extern "C" {
assay_launch_fn    thermo_scatter_atomic_native; /* tune: block */
assay_launch_fn    thermo_scatter_tiled;         /* tune: window, items, block */
assay_workspace_fn thermo_scatter_tiled_workspace;
}

#endif
