/* Where what came with this program lies: modules that it loads, scripts that it starts. */
#ifndef ASSAY_PLACES_H
#define ASSAY_PLACES_H

#include <stdbool.h>
#include <stddef.h>

typedef enum assay_place {
    ASSAY_PLACE_KERNELS, /* kernel modules: the program's own, so never by the loader's folders */
    ASSAY_PLACE_CUPTI,   /* assay_cupti.so */
    ASSAY_PLACE_PEERS    /* scripts of peers */
} assay_place;

/* A readable file `name` of a kind, into `path`; false if there is none. It is looked for in this
 * order (docs/installing.md#what-is-found-where says how each folder gets its contents):
 *
 *   1. relative to this program: modules beside it and in ../lib/assay, scripts in peers and
 *      ../share/assay/peers;
 *   2. but for kernel modules, which may be another program's of that name: relative to each
 *      folder in which the loader looks for this program's libraries:
 *      LD_LIBRARY_PATH, then the RUNPATH in which assay's CMake targets and assay.pc leave the
 *      folder of the installation or the build tree that the program was linked from.
 *      assay_cupti.so lies in it, scripts in peers and ../../share/assay/peers. */
bool assay_places_find(assay_place place, const char *name, char *path, size_t size);

/* The same in words, to follow "looked for". */
const char *assay_places_text(assay_place place);

/* Where the file of this program lies, even if a build replaces it later; false and "" if that
 * cannot be told, or does not fit. */
bool assay_places_self(char *path, size_t size);

/* Folder of this program, without a slash at its end, into `folder`; returns its name, which lies
 * in the same text. NULL if that cannot be told. */
const char *assay_places_program(char *folder, size_t size);

#endif
