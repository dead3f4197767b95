/* Hashes of the machine code in a cubin, by kernel. Pure functions, which know no CUPTI and trust
 * nothing in the bytes. */
#ifndef ASSAY_CUPTI_CODE_H
#define ASSAY_CUPTI_CODE_H

#include <stddef.h>
#include <stdint.h>

/* Calls `visit` with the mangled name of each function of a cubin (an ELF64 file in memory; its
 * sections ".text.<name>") and the hash of the section's bytes. The bytes need no alignment.
 * Returns the number of functions; -1, without a call of `visit`, if this is not a readable ELF64
 * file. */
int assay_code_visit(const void *cubin, size_t                                            size,
                     void (*visit)(void *context, const char *name, uint64_t hash), void *context);

/* 64-bit FNV-1a. */
uint64_t assay_code_hash(const void *bytes, size_t size);

#endif
