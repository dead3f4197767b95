/* Values of inputs, poison and guard zones. Each depends only on seed and position, so that a run
 * can be repeated and both devices get the same bits. */
#ifndef ASSAY_FILL_H
#define ASSAY_FILL_H

#include "case.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ASSAY_GUARD_BYTES = 4096
}; /* on each side of every buffer */

/* One block of Philox4x32-10: 128 random bits from a 128-bit counter and a 64-bit key (Salmon et
 * al. 2011). */
void assay_random_block(const uint32_t counter[4], const uint32_t key[2], uint32_t block[4]);

/* Returns 64 random bits of counter `index` in stream `stream` under `seed`: the first half of the
 * Philox block with counter (index, stream) and key seed. Streams 0..ASSAY_MAX_BUFFERS-1 belong to
 * the fills. */
uint64_t assay_random(uint64_t seed, uint64_t stream, uint64_t index);

/* Fills buffer `b` of the shape: count elements of its type, at `to`; zeros for a buffer without a
 * fill. Fills of different buffers are independent streams. Large buffers are filled by several
 * threads; the values do not depend on their number. For integer types values are rounded down.
 * Fails with ASSAY_E_CASE if the fill makes no sense for the type: an empty range, a period below
 * 1, a factor of 0, a value that an integer type cannot hold, a whole number that a floating-point
 * type of 8 or 16 bits would round. */
assay_status assay_fill_buffer(const assay_shape *shape, int b, uint64_t seed, void *to);

/* Returns the number of a poison or guard zone, which follows from the launch (0..7), the input
 * class and the buffer (ASSAY_MAX_BUFFERS: the workspace). A number stands for a kind of value and
 * a pattern of that kind: a signalling NaN with a payload (arithmetic never returns it; for
 * integers an unlikely pattern), the largest or the smallest value of the type, or a plausible
 * value. The launches of a class use all kinds in turn: what one kind does not show (a maximum
 * ignores NaN), another does. */
int assay_fill_number(int launch, assay_input input, int buffer);

/* Writes poison for outputs of this type, the same in every element. It differs between two
 * launches with the same class and buffer, so a right answer can equal one poison but not two. */
void assay_fill_poison(void *to, assay_type type, int64_t count, int number);
/* Does element `index` still hold that poison, bit for bit? */
bool assay_is_poison(const void *from, assay_type type, int64_t index, int number);

/* Writes a guard zone. The value depends on its position (modulo ASSAY_GUARD_BYTES) and the buffer,
 * except for the smallest value of unsigned types. So a copy within the zone, or from the zone of
 * another buffer, shows in one of any two launches. Two launches differ at every position. */
void assay_fill_guard(void *to, size_t bytes, assay_type type, int number);

/* What the harness had written where the NaN of element `index` was read. */
typedef struct assay_nan_origin {
    bool        is_shared; /* shared memory of the host device; the other fields are unknown */
    bool        is_guard;  /* false: poison */
    int         launch;
    assay_input input;
    int         buffer;
} assay_nan_origin;
/* Returns false if the element is not NaN, or is a NaN that the harness did not write. A quiet NaN
 * counts, since arithmetic makes a signalling one quiet; so does an fp64 that was converted from
 * fp32. */
bool assay_fill_nan_origin(const void *from, assay_type type, int64_t index,
                           assay_nan_origin *origin);

#ifdef __cplusplus
}
#endif
#endif
