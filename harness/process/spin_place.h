/* Where a process spins: the lines of a kernel module that its busiest thread is seen at. */
#ifndef ASSAY_SPIN_PLACE_H
#define ASSAY_SPIN_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Stops the thread that uses the CPU most a few times, and lets it go on: "a.cu:12, a.cu:14", the
 * most frequent first. `pid` is a child of this process, or of its children. False, and "": none of
 * its threads is busy, it may not be looked at, it is not in the module, or the module has no line
 * numbers, or addr2line (binutils) is not here. */
bool assay_spin_place(pid_t pid, const char *module_path, char *text, size_t size);

#endif
