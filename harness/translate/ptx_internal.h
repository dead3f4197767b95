/* One asm statement, between reading and writing it. */
#ifndef ASSAY_PTX_INTERNAL_H
#define ASSAY_PTX_INTERNAL_H

#include "translate_internal.h"

enum {
    PTX_MAX_OPERANDS = 64
};

typedef struct ptx_operand {
    char *name;       /* of `%[name]`, or NULL */
    char  constraint; /* r, l, h, f, d, n, C */
    bool  is_output, is_input;
    char *expression;
} ptx_operand;

typedef struct ptx_block {
    char       *code;
    ptx_operand operand[PTX_MAX_OPERANDS];
    int         n_operands;
} ptx_block;

/* Writes C++ that does what the block says. */
void ptx_write_block(const ptx_block *block, FILE *out);

/* Gives the call for the instruction with this opcode, "ld.global.nc.v4.f32": a function's name and
 * template arguments, "ld<float>". False: the host device has none; *reason is NULL, or why. */
bool ptx_find(const char *opcode, char *call, size_t size, const char **reason);

/* Returns the name of instruction `i` of the table; NULL after the last. */
const char *ptx_row(int i);

#endif
