/* Input values, poison and guard zones. Each value depends only on its position and numbers that
 * are given. */
#include "fill.h"

#include "base/parallel.h"
#include "fill_file.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum {
    CHUNK = 1 << 16
}; /* elements; the caller's thread fills a buffer of one chunk */

/* ---- random bits ---- */

void assay_random_block(const uint32_t counter[4], const uint32_t key[2], uint32_t block[4])
{
    uint32_t a = counter[0], b = counter[1], c = counter[2], d = counter[3];
    uint32_t k0 = key[0], k1 = key[1];

    for (int round = 0; round < 10; round++) {
        const uint64_t even = (uint64_t)0xD2511F53u * a;
        const uint64_t odd  = (uint64_t)0xCD9E8D57u * c;

        a = (uint32_t)(odd >> 32) ^ b ^ k0;
        b = (uint32_t)odd;
        c = (uint32_t)(even >> 32) ^ d ^ k1;
        d = (uint32_t)even;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    memcpy(block, (const uint32_t[]) { a, b, c, d }, 4 * sizeof *block);
}

uint64_t assay_random(uint64_t seed, uint64_t stream, uint64_t index)
{
    const uint32_t counter[4] = { (uint32_t)index, (uint32_t)(index >> 32), (uint32_t)stream,
                                  (uint32_t)(stream >> 32) };
    const uint32_t key[2]     = { (uint32_t)seed, (uint32_t)(seed >> 32) };
    uint32_t       block[4];

    assay_random_block(counter, key, block);
    return block[0] | (uint64_t)block[1] << 32;
}

/* ---- values ---- */

/* The range of an integer type: least <= v < end. */
static const struct {
    double least, end;
} range_of[] = {
    [ASSAY_I32] = { -0x1p31, 0x1p31 }, [ASSAY_U32] = { 0, 0x1p32 },
    [ASSAY_I64] = { -0x1p63, 0x1p63 }, [ASSAY_U64] = { 0, 0x1p64 },
    [ASSAY_U8] = { 0, 256 },           [ASSAY_I8] = { -128, 128 },
    [ASSAY_I16] = { -0x1p15, 0x1p15 }, [ASSAY_U16] = { 0, 0x1p16 },
};

typedef struct fill_job {
    const assay_shape  *shape;
    const assay_buffer *buffer;
    uint64_t            seed, stream;
    double              least, most; /* UNIFORM: the values of the type at the ends of lo..hi */
    uint64_t            n_integers;  /* INTEGER */
    int64_t             period;      /* INDEX */
    void               *to;
    _Atomic int64_t     first_bad; /* an element that the type cannot hold */
} fill_job;

/* The smallest value of the type at or above x, and the largest one below x. */
static double type_ceil(assay_type type, double x)
{
    const double near = assay_type_round(type, x);

    if (!assay_type_is_float(type))
        return ceil(x);
    /* Also true for NaN, which E4M3 has beyond its largest value. */
    return !(near >= x) ? assay_type_at(type, assay_type_place(type, near) + 1) : near;
}

static double type_below(assay_type type, double x)
{
    const double near = assay_type_round(type, x);

    if (!assay_type_is_float(type))
        return ceil(x) - 1;
    return !(near < x) ? assay_type_at(type, assay_type_place(type, near) - 1) : near;
}

/* Unbiased up to 2^-64 of the number of integers: takes the high half of a 64 by 64 bit product. */
static uint64_t scale_down(uint64_t random, uint64_t n)
{
    const uint64_t low  = (random & UINT32_MAX) * (n & UINT32_MAX);
    const uint64_t mid1 = (random >> 32) * (n & UINT32_MAX) + (low >> 32);
    const uint64_t mid2 = (random & UINT32_MAX) * (n >> 32) + (mid1 & UINT32_MAX);

    return (random >> 32) * (n >> 32) + (mid1 >> 32) + (mid2 >> 32);
}

static double uniform(const fill_job *job, uint64_t random)
{
    const assay_fill *f = &job->buffer->fill;
    const double      v = f->lo + (f->hi - f->lo) * ((double)(random >> 11) * 0x1p-53);

    return v < job->least ? job->least : v > job->most ? job->most : v;
}

static double value_of(const fill_job *job, int64_t i)
{
    const assay_fill *f = &job->buffer->fill;
    const uint64_t    random =
        f->kind == ASSAY_FILL_INDEX ? 0 : assay_random(job->seed, job->stream, (uint64_t)i);

    switch (f->kind) {
    case ASSAY_FILL_UNIFORM:
        return uniform(job, random);
    case ASSAY_FILL_INTEGER:
        return (f->lo + (double)scale_down(random, job->n_integers)) * f->scale;
    case ASSAY_FILL_INDEX:
        return (double)(i % job->period) * f->scale;
    case ASSAY_FILL_CUSTOM:
        return f->fn(random, i, job->shape);
    case ASSAY_FILL_NONE:
    case ASSAY_FILL_FILE:
        break;
    }
    return 0;
}

/* Refuses whole numbers that a narrow type would round: the case calls this input exact. */
static bool is_rounded(const assay_buffer *b, double v)
{
    const bool is_whole = b->fill.kind == ASSAY_FILL_INTEGER || b->fill.kind == ASSAY_FILL_INDEX;

    return is_whole && assay_type_size(b->type) <= 2 && assay_type_round(b->type, v) != v;
}

/* Stores v rounded to the type; false if the type cannot hold it. */
static bool store_value(void *to, const assay_buffer *b, int64_t i, double v)
{
    const double whole    = floor(v);
    const bool   is_float = assay_type_is_float(b->type);

    if (is_float ? is_rounded(b, v)
                 : !(whole >= range_of[b->type].least && whole < range_of[b->type].end))
        return false;
    assay_type_store(b->type, to, i, is_float ? v : whole);
    return true;
}

static void note_bad(fill_job *job, int64_t i)
{
    int64_t first = atomic_load(&job->first_bad);

    while (i < first && !atomic_compare_exchange_weak(&job->first_bad, &first, i))
        ;
}

static void fill_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    fill_job *job = context;

    (void)chunk;
    for (int64_t i = begin; i < end; i++) {
        if (!store_value(job->to, job->buffer, i, value_of(job, i))) {
            note_bad(job, i);
            return;
        }
    }
}

/* ---- is the fill well defined? ---- */

static bool is_integer(double x) { return x == floor(x) && fabs(x) <= 0x1p53; }

/* Each returns what is wrong or, with derived fields of the job set, NULL. */
static const char *prepare_uniform(fill_job *job)
{
    const assay_fill *f = &job->buffer->fill;

    if (!(f->lo < f->hi) || !isfinite(f->hi - f->lo))
        return "needs lo < hi, both finite";
    job->least = type_ceil(job->buffer->type, f->lo);
    job->most  = type_below(job->buffer->type, f->hi);
    if (!(job->least <= job->most) || !isfinite(job->least) || !isfinite(job->most))
        return "has no value of the type in lo..hi";
    return NULL;
}

static const char *prepare_integer(fill_job *job)
{
    const assay_fill *f = &job->buffer->fill;

    if (!is_integer(f->lo) || !is_integer(f->hi) || !(f->lo <= f->hi))
        return "needs integers lo <= hi of at most 2^53";
    job->n_integers = (uint64_t)(f->hi - f->lo) + 1;
    return f->scale != 0 && isfinite(f->scale) ? NULL : "needs a factor other than 0";
}

static const char *prepare_index(fill_job *job)
{
    const assay_fill *f = &job->buffer->fill;

    if (!is_integer(f->hi) || !(f->hi >= 1))
        return "needs a period of at least 1";
    job->period = (int64_t)f->hi;
    return f->scale != 0 && isfinite(f->scale) ? NULL : "needs a factor other than 0";
}

static const char *prepare_custom(fill_job *job)
{
    return job->buffer->fill.fn ? NULL : "has no function";
}

static const struct {
    const char *name;
    const char *(*prepare)(fill_job *job);
} kinds[] = {
    [ASSAY_FILL_NONE]    = { "none", NULL },
    [ASSAY_FILL_UNIFORM] = { "uniform", prepare_uniform },
    [ASSAY_FILL_INTEGER] = { "integer", prepare_integer },
    [ASSAY_FILL_INDEX]   = { "index", prepare_index },
    [ASSAY_FILL_CUSTOM]  = { "custom", prepare_custom },
    [ASSAY_FILL_FILE]    = { "file", NULL },
};

assay_status assay_fill_buffer(const assay_shape *shape, int b, uint64_t seed, void *to)
{
    assay_status        st     = ASSAY_OK;
    const assay_buffer *buffer = &shape->buf[b];
    const size_t        kind   = (size_t)buffer->fill.kind;
    const char         *wrong  = NULL;
    fill_job            job    = { .shape     = shape,
                                   .buffer    = buffer,
                                   .seed      = seed,
                                   .stream    = (uint64_t)b,
                                   .to        = to,
                                   .first_bad = INT64_MAX };

    ASSAY_REQUIRE(buffer->count >= 0 && assay_type_size(buffer->type) > 0 &&
                      kind < sizeof kinds / sizeof *kinds,
                  ASSAY_E_CASE, "buffer '%s' has a count below 0, or no known type or fill",
                  buffer->name);
    if (kind == ASSAY_FILL_FILE)
        return assay_fill_file(buffer, to);
    if (kinds[kind].prepare)
        wrong = kinds[kind].prepare(&job);
    ASSAY_REQUIRE(!wrong, ASSAY_E_CASE, "buffer '%s': its %s fill (lo %g, hi %g) %s", buffer->name,
                  kinds[kind].name, buffer->fill.lo, buffer->fill.hi, wrong);
    assay_parallel_for(buffer->count, CHUNK, fill_chunk, &job);
    ASSAY_REQUIRE(job.first_bad == INT64_MAX, ASSAY_E_CASE,
                  "buffer '%s': its %s fill gives element %lld the value %g, which %s cannot hold",
                  buffer->name, kinds[kind].name, (long long)job.first_bad,
                  value_of(&job, job.first_bad), assay_type_text(buffer->type));
out:
    return st;
}
