/* Finds files that came with this program: modules that it loads, scripts that it starts. */
#ifndef ASSAY_PLACES_H
#define ASSAY_PLACES_H

#include <stdbool.h>
#include <stddef.h>

typedef enum assay_file_kind {
    ASSAY_FILE_KERNELS, /* kernel modules: never from the loader's folders
                         */
    ASSAY_FILE_CUPTI,   /* assay_cupti.so */
    ASSAY_FILE_PEERS    /* scripts of peers */
} assay_file_kind;

/* Searches for a readable file `name` of a kind. True: its path is in `path`. The order is as
 * follows; docs/installing.md#what-is-found-where says how each folder gets its contents.
 *
 *   1. Folders relative to this program: for modules, its own and ../lib/assay; for scripts, peers
 *      and ../share/assay/peers.
 *   2. Not for kernel modules, since another program's may have the same name: folders relative to
 *      each folder in which the loader looks for this program's libraries. Those are
 *      LD_LIBRARY_PATH, then the RUNPATH, in which assay's CMake targets and assay.pc put the
 * folder of the installation or build tree that the program was linked from. There assay_cupti.so
 * is in the folder itself, and scripts are in peers and ../../share/assay/peers. */
bool assay_places_find(assay_file_kind kind, const char *name, char *path, size_t size);

/* The same order in words, to follow "looked for". */
const char *assay_places_text(assay_file_kind kind);

/* The path of this program's file, also if a build has replaced the file since. False and "" if it
 * is not known or does not fit. */
bool assay_places_self(char *path, size_t size);

/* Writes the folder of this program, without a slash at its end, into `folder`. Returns the
 * program's name, which points into the same buffer; NULL if the path is not known. */
const char *assay_places_program(char *folder, size_t size);

#endif
