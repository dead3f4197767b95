/* Values of inputs, poison and guard zones: each a pure function of (seed, place), so that any run
 * can be replayed and both devices get the same bits. */
#ifndef ASSAY_FILL_H
#define ASSAY_FILL_H

#include "case.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ASSAY_GUARD_BYTES = 4096
}; /* on both sides of every buffer */

/* One block of Philox4x32-10: 128 random bits from a 128-bit counter and a 64-bit key (Salmon et
 * al. 2011). */
void assay_random_block(const uint32_t counter[4], const uint32_t key[2], uint32_t block[4]);

/* 64 random bits of counter `index` in stream `stream` under `seed`: the first half of the
 * Philox block at counter (index, stream) under key seed. Streams 0..ASSAY_MAX_BUFFERS-1 belong to
 * the fills. */
uint64_t assay_random(uint64_t seed, uint64_t stream, uint64_t index);

/* Fills buffer `b` of the shape (count elements of its type at `to`); zeros for a buffer without a
 * fill. Fills of different buffers are independent streams. Uses several threads for large buffers;
 * the values do not depend on how many. ASSAY_E_CASE where the fill makes no sense for the type: an
 * empty range, a period below 1, a factor of 0, a value that an integer type cannot hold, a whole
 * number that a floating-point type of 8 or 16 bits would round. For integer types values are
 * rounded down. */
assay_status assay_fill_buffer(const assay_shape *shape, int b, uint64_t seed, void *to);

/* The number of a poison or guard zone: it follows from the launch (0..7), the class of input and
 * the buffer (ASSAY_MAX_BUFFERS: the workspace). A number is a kind of value and a pattern of that
 * kind: a signalling NaN with a payload (arithmetic never gives it back; of integers an unlikely
 * pattern), the largest or the smallest of the type, or a plausible value. The launches of a
 * class go through the kinds, so that what one kind leaves unseen (a maximum ignores NaN) another
 * shows. */
int assay_fill_number(int launch, assay_input input, int buffer);

/* Poison for outputs of this type, the same in every element. Two launches differ for the same
 * class and buffer, so a right answer can equal one poison but not two. */
void assay_fill_poison(void *to, assay_type type, int64_t count, int number);
/* Does element `index` still hold that poison, bit for bit? */
bool assay_is_poison(const void *from, assay_type type, int64_t index, int number);

/* Guard zone bytes. The value also depends on its place (modulo ASSAY_GUARD_BYTES) and the buffer,
 * but for the smallest of unsigned types: a copy within the zone, or from the zone of another
 * buffer, shows in each two launches. Two launches differ at every place. */
void assay_fill_guard(void *to, size_t bytes, assay_type type, int number);

/* What the harness wrote where the NaN of element `index` was read from. */
typedef struct assay_nan_origin {
    bool        is_shared; /* shared memory of the host device: the rest is not known */
    bool        is_guard;  /* else poison */
    int         launch;
    assay_input input;
    int         buffer;
} assay_nan_origin;
/* False if the element is no NaN, or one of somebody else's. A quiet NaN counts: that is what
 * arithmetic makes of a signalling one, also of fp32 in fp64. */
bool assay_fill_nan_origin(const void *from, assay_type type, int64_t index,
                           assay_nan_origin *origin);

#ifdef __cplusplus
}
#endif
#endif
