/* Where a process spins: the source lines of a kernel module at which its busiest thread is seen.
 */
#ifndef ASSAY_SPIN_PLACE_H
#define ASSAY_SPIN_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Stops the thread that uses most CPU time a few times, and lets it continue. Writes "a.cu:12,
 * a.cu:14", the most frequent first. `pid` is a child or grandchild of this process. False, and "":
 * no thread is busy, it may not be traced, it is not in the module, the module has no line numbers,
 * or addr2line (binutils) is missing. */
bool assay_spin_place(pid_t pid, const char *module_path, char *text, size_t size);

#endif
