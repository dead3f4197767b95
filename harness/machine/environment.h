/* Facts about this host, this build and this command, for the row of a run. */
#ifndef ASSAY_ENVIRONMENT_H
#define ASSAY_ENVIRONMENT_H

#include "device.h"
#include "rows/rows_stored.h"
#include "status.h"

/* Fills everything except verb, options, seed and lane; the device's settings become unknown.
 * Unknown facts are "". `sqlite_version` is that of the library that stores the row. */
assay_status assay_environment_fill(int argc, char **argv, const char *sqlite_version,
                                    assay_run_row *row);

/* Fills in the settings of the device (row->device). */
void assay_environment_fill_device(const assay_device_info *info, assay_run_row *row);

/* Sets the reason of the run: nightly, pr or local. ASSAY_E_USAGE for anything else. */
assay_status assay_environment_set_reason(assay_run_row *row, const char *reason);

/* Returns the NUMA node of a card, from its entry in the folder `devices` (/sys/bus/pci/devices);
 * -1: none or unknown. */
int assay_environment_numa_node(const char *pci_bus_id, const char *devices);

/* Finds the first container id in a text: 64 hexadecimal digits. False: there is none. */
bool assay_environment_find_container(const char *text, char *id, size_t size);

/* Writes "0.1.0 (commit ...)" of this build, and whether it had uncommitted changes; returns
 * `text`. */
const char *assay_environment_version(char *text, size_t size);
/* Returns when its commit was made, "2026-11-30T..."; "" for a tree without git. */
const char *assay_environment_date(void);
/* The same for any build; commit "": unknown. */
const char *assay_environment_describe_build(const char *version, const char *commit, bool is_dirty,
                                             char *text, size_t size);

/* Quotes one word for a POSIX shell, appending to `line`. */
void assay_environment_quote(const char *word, char *line, size_t size);

/* Returns the host memory that a process can still get: the kernel's estimate or, if that is less,
 * what the memory limit of its control group leaves; 0: unknown. */
int64_t assay_environment_free_bytes(void);

/* Returns the bytes left by the limits of the control groups named in the file `groups`
 * (/proc/self/cgroup) and of those above them, under the folder `root` (/sys/fs/cgroup), for
 * versions 1 and 2. At least 1 if there is a limit; 0 if there is none. */
int64_t assay_environment_group_bytes(const char *groups, const char *root);

#endif
