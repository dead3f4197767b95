/* Inputs of attention_row. Only its definition includes this. */
#ifndef ATTENTION_INPUTS_H
#define ATTENTION_INPUTS_H

#include "../ops.h"

#include "../../kernels/attention_row/attention_case.h"

#include <math.h>

static inline double one_to_one(uint64_t random) { return 2 * ops_unit(random) - 1; }

/* Which of its head's vectors element i of a buffer belongs to, and the head. */
static inline int64_t place_of(const assay_shape *s, int64_t i, int64_t length)
{
    return i / s->param[ATTN_PARAM_SIZE] % length;
}
static inline int64_t head_of(const assay_shape *s, int64_t i, int64_t length)
{
    return i / s->param[ATTN_PARAM_SIZE] / length;
}

/* Indexed: a vector is the number of a place in ones and minus ones. It is so long that a query
 * sees only the key with its own number, and the value of a key tells its place. */
static inline double code(int64_t place, int64_t i, const assay_shape *s)
{
    const double length = sqrt(64 / s->scalar[ATTN_SCALAR_SCALE] / 8);

    return (place >> i % s->param[ATTN_PARAM_SIZE] % 8 & 1 ? 1 : -1) * round(length);
}
static inline double coded_query(uint64_t random, int64_t i, const assay_shape *s)
{
    const int64_t keys = s->param[ATTN_PARAM_KEYS];

    (void)random;
    return code(keys == 0 ? 0 : 5 * place_of(s, i, s->param[ATTN_PARAM_QUERIES]) % keys, i, s);
}
static inline double coded_key(uint64_t random, int64_t i, const assay_shape *s)
{
    (void)random;
    return code(place_of(s, i, s->param[ATTN_PARAM_KEYS]), i, s);
}

/* Adversarial: heads in turn have scores of about -1e4, of both signs, ordinary, and about 1e4. The
 * common part of all keys of a head is `rise` of the query times that of the key. */
static inline double rise(const assay_shape *s)
{
    return sqrt(1e4 / ((double)s->param[ATTN_PARAM_SIZE] * s->scalar[ATTN_SCALAR_SCALE]));
}
static inline double steep(uint64_t random, int64_t head, double sign, const assay_shape *s)
{
    const double noise = one_to_one(random);

    return head % 4 == 2   ? noise
           : head % 4 == 1 ? (noise < 0 ? -1 : 1) * rise(s)
                           : (head % 4 == 0 ? sign : 1) * rise(s) * (1 + noise / 256);
}
static inline double steep_query(uint64_t random, int64_t i, const assay_shape *s)
{
    return steep(random, head_of(s, i, s->param[ATTN_PARAM_QUERIES]), -1, s);
}
static inline double steep_key(uint64_t random, int64_t i, const assay_shape *s)
{
    return steep(random, head_of(s, i, s->param[ATTN_PARAM_KEYS]), 1, s);
}

/* The last of several batch entries has no key; the others have none in their first third.
 * Elsewhere the bias is finite. */
static inline double key_bias(uint64_t random, int64_t i, const assay_shape *s)
{
    const int64_t batch = s->param[ATTN_PARAM_BATCH], keys = s->param[ATTN_PARAM_KEYS];
    const bool    is_empty = batch > 1 && i / keys == batch - 1;

    return is_empty || i % keys < keys / 3 ? (double)-INFINITY : 2 * one_to_one(random);
}

typedef struct fills {
    assay_fill q, k, v, d_out;
} fills;

static inline fills fills_of(assay_input input)
{
    const fills indexed     = { .q     = ASSAY_CUSTOM(coded_query),
                                .k     = ASSAY_CUSTOM(coded_key),
                                .v     = ASSAY_INDEX(251, 1),
                                .d_out = ASSAY_INDEX(127, 0.125) };
    const fills adversarial = { .q     = ASSAY_CUSTOM(steep_query),
                                .k     = ASSAY_CUSTOM(steep_key),
                                .v     = ASSAY_UNIFORM(-4, 4),
                                .d_out = ASSAY_UNIFORM(-1, 1) };
    const fills random      = { .q     = ASSAY_UNIFORM(-2, 2),
                                .k     = ASSAY_UNIFORM(-2, 2),
                                .v     = ASSAY_UNIFORM(-1, 1),
                                .d_out = ASSAY_UNIFORM(-1, 1) };

    return input == ASSAY_INPUT_INDEXED       ? indexed
           : input == ASSAY_INPUT_ADVERSARIAL ? adversarial
                                              : random;
}

#endif
