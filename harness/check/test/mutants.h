/* Wrong answers made from a right one. Each mutation works on one run of one output, which holds
 * the right answer, and returns NULL, or why it cannot be made here. */
#ifndef ASSAY_TEST_MUTANTS_H
#define ASSAY_TEST_MUTANTS_H

#include "check/check.h"
#include "check/fill.h"
#include "run/inputs.h"

#include <math.h>
#include <string.h>

/* One output of one point, and what a kernel could have left in its place. */
typedef struct target {
    const assay_buffer   *buffer;
    int                   place; /* of the buffer in its shape */
    const assay_expected *expected;
    assay_tolerance       tol;
    assay_input           input;
    bool                  has_comparer;
    const void           *truth;
    const void           *stale;   /* the right answer of another seed */
    const void           *initial; /* INOUT: what it held before */
    uint64_t              random;
} target;

typedef const char *mutation_fn(const target *t, void *out, int run);

static size_t target_bytes(const target *t)
{
    return (size_t)t->buffer->count * assay_type_size(t->buffer->type);
}

static int64_t integer_at(assay_type type, const void *from, int64_t i)
{
    switch (type) {
    case ASSAY_I32:
        return ((const int32_t *)from)[i];
    case ASSAY_U32:
        return ((const uint32_t *)from)[i];
    case ASSAY_U8:
        return ((const uint8_t *)from)[i];
    default:
        return ((const int64_t *)from)[i];
    }
}

static void set_integer(assay_type type, void *to, int64_t i, int64_t value)
{
    const uint64_t bits = (uint64_t)value; /* little-endian: the low bytes come first */

    memcpy((char *)to + (size_t)i * assay_type_size(type), &bits, assay_type_size(type));
}

/* What the kernel should have written: the reference, rounded to the type. */
static void write_truth(assay_type type, const assay_expected *e, int64_t count, void *to)
{
    for (int64_t i = 0; i < count; i++) {
        if (!assay_type_is_float(type))
            set_integer(type, to, i, e->integer[i]);
        else if (e->law[i] == ASSAY_MUST_BE_NAN)
            assay_type_store(type, to, i, (double)NAN);
        else
            assay_type_store(type, to, i, isnan(e->value[i]) ? 0 : e->value[i]);
    }
}

/* A compared element with a finite value, from a random place on; -1 if there is none. */
static int64_t pick(const target *t)
{
    const int64_t n     = t->buffer->count;
    const int64_t start = (int64_t)(t->random % (uint64_t)n);

    for (int64_t k = 0; k < n; k++) {
        const int64_t i = (start + k) % n;

        if (t->expected->law[i] == ASSAY_COMPARE &&
            (!assay_type_is_float(t->buffer->type) ||
             isfinite(assay_type_load(t->buffer->type, t->truth, i))))
            return i;
    }
    return -1;
}

/* ---- nothing written, or something else ---- */

static const char *mutate_zeros(const target *t, void *out, int run)
{
    (void)run;
    memset(out, 0, target_bytes(t));
    return NULL;
}

/* As a kernel leaves them that never ran: poison, or the input of an INOUT buffer. */
static void leave_untouched(const target *t, void *out, int64_t from, int run)
{
    const size_t at = (size_t)from * assay_type_size(t->buffer->type);

    if (t->initial)
        memcpy((char *)out + at, (const char *)t->initial + at, target_bytes(t) - at);
    else
        assay_fill_poison((char *)out + at, t->buffer->type, t->buffer->count - from,
                          assay_fill_number(run, t->input, t->place));
}

static const char *mutate_unwritten(const target *t, void *out, int run)
{
    leave_untouched(t, out, 0, run);
    return NULL;
}

static const char *mutate_last_tile(const target *t, void *out, int run)
{
    leave_untouched(t, out, t->buffer->count > 32 ? t->buffer->count - 32 : 0, run);
    return NULL;
}

static const char *mutate_stale(const target *t, void *out, int run)
{
    (void)run;
    if (!t->stale)
        return "other seed, other size";
    memcpy(out, t->stale, target_bytes(t));
    return NULL;
}

static const char *mutate_shifted(const target *t, void *out, int run)
{
    const size_t size = assay_type_size(t->buffer->type);
    const size_t rest = target_bytes(t) - size;

    (void)run;
    if (t->has_comparer)
        return "comparer may ignore order";
    if (t->buffer->count < 2)
        return "one element";
    memcpy((char *)out + size, t->truth, rest);
    memcpy(out, (const char *)t->truth + rest, size);
    return NULL;
}

/* ---- one element ---- */

static const char *set_one(const target *t, void *out, double value)
{
    const int64_t i = pick(t);

    if (!assay_type_is_float(t->buffer->type))
        return "integers";
    if (i < 0)
        return "no compared element";
    assay_type_store(t->buffer->type, out, i, value);
    return NULL;
}

static const char *mutate_nan(const target *t, void *out, int run)
{
    (void)run;
    return set_one(t, out, (double)NAN);
}

static const char *mutate_inf(const target *t, void *out, int run)
{
    (void)run;
    return set_one(t, out, (double)INFINITY);
}

static double step_towards(assay_type type, double value, double end)
{
    return assay_type_at(type, assay_type_place(type, value) + (end > value ? 1 : -1));
}

/* Past what the tolerance grants: 8 times BOUND or ULP, one unit of EXACT; towards zero and beyond,
 * so that nothing overflows. */
static double past_tolerance(const target *t, int64_t i)
{
    const assay_expected *e     = t->expected;
    const assay_type      type  = t->buffer->type;
    const double          sign  = e->value[i] > 0 ? 1 : -1;
    const double          end   = -sign * (double)INFINITY;
    double                value = assay_type_load(type, t->truth, i);
    double                ratio, bound;

    if (t->has_comparer)
        return -value - sign;
    if (t->tol.rule == ASSAY_RULE_BOUND) {
        /* Far enough away that err / bound gives the bound itself. */
        const double far = e->value[i] - sign * (fabs(e->value[i]) + 1);

        (void)assay_check_element(&t->tol, type, far, e->value[i], e->magnitude[i], e->terms,
                                  &ratio);
        bound = fabs(far - e->value[i]) / ratio;
        value = e->value[i] - 8 * sign * bound;
        value = assay_type_round(type, value);
    }
    for (int64_t k = 0; t->tol.rule == ASSAY_RULE_ULP && k < 8 * t->tol.max_ulp; k++)
        value = step_towards(type, value, end);
    while (
        assay_check_element(&t->tol, type, value, e->value[i], e->magnitude[i], e->terms, &ratio))
        value = step_towards(type, value, end);
    return value;
}

static const char *mutate_off(const target *t, void *out, int run)
{
    const int64_t i = pick(t);

    (void)run;
    if (i < 0)
        return "no compared element";
    if (assay_type_is_float(t->buffer->type))
        assay_type_store(t->buffer->type, out, i, past_tolerance(t, i));
    else
        set_integer(t->buffer->type, out, i, integer_at(t->buffer->type, t->truth, i) ^ 1);
    return NULL;
}

static bool is_unsigned(assay_type type)
{
    return type == ASSAY_U8 || type == ASSAY_U32 || type == ASSAY_U64;
}

/* The largest compared element by absolute value. */
static int64_t largest(const target *t)
{
    const assay_type type = t->buffer->type;
    double           most = 0;
    int64_t          at   = -1;

    for (int64_t i = 0; i < t->buffer->count; i++) {
        const double size = fabs(assay_type_is_float(type) ? assay_type_load(type, t->truth, i)
                                                           : (double)integer_at(type, t->truth, i));

        if (t->expected->law[i] == ASSAY_COMPARE && size > most) {
            most = size;
            at   = i;
        }
    }
    return at;
}

static const char *mutate_sign(const target *t, void *out, int run)
{
    const assay_type type = t->buffer->type;
    const int64_t    i    = largest(t);

    (void)run;
    if (is_unsigned(type))
        return "unsigned";
    if (i < 0)
        return "all zero";
    if (assay_type_is_float(type))
        assay_type_store(type, out, i, -assay_type_load(type, t->truth, i));
    else
        set_integer(type, out, i, (int64_t)(0 - (uint64_t)integer_at(type, t->truth, i)));
    return NULL;
}

/* ---- precision ---- */

/* To 11 significant bits, half away from zero, as half precision has in its range. */
static double to_11_bits(double value)
{
    int          exponent;
    const double fraction = frexp(value, &exponent);

    return isfinite(value) ? ldexp(round(ldexp(fraction, 11)), exponent - 11) : value;
}

/* The precision that the case declares its worst operation to have: a sum of fp32 terms held in
 * fp64 is an fp32 answer. The mutant is one step below it. */
static bool is_single(const target *t)
{
    const double single = ASSAY_U32_ROUNDOFF;

    return t->buffer->type == ASSAY_F32 ||
           (t->tol.rule == ASSAY_RULE_BOUND && (t->tol.u_out >= single || t->tol.u_acc >= single));
}

static const char *mutate_precision(const target *t, void *out, int run)
{
    const assay_type type = t->buffer->type;

    (void)run;
    if (t->input != ASSAY_INPUT_RANDOM)
        return "random class only";
    if (!assay_type_is_float(type))
        return "integers";
    for (int64_t i = 0; i < t->buffer->count; i++) {
        const double value = assay_type_load(type, t->truth, i);

        assay_type_store(type, out, i, is_single(t) ? to_11_bits(value) : (double)(float)value);
    }
    return NULL;
}

static const struct {
    const char  *name;
    mutation_fn *mutate;
} mutations[] = {
    { "zeros", mutate_zeros },         { "unwritten", mutate_unwritten },
    { "stale", mutate_stale },         { "one_nan", mutate_nan },
    { "one_inf", mutate_inf },         { "one_off", mutate_off },
    { "sign", mutate_sign },           { "shifted", mutate_shifted },
    { "last_tile", mutate_last_tile }, { "precision", mutate_precision },
};
enum {
    N_MUTATIONS = sizeof mutations / sizeof *mutations
};

/* Does the mutant differ from the truth where the checker looks? Zeros of either sign are equal. */
static bool is_changed(const target *t, const void *out)
{
    const size_t size = assay_type_size(t->buffer->type);

    for (int64_t i = 0; i < t->buffer->count; i++) {
        const char *a = (const char *)t->truth + (size_t)i * size;
        const char *b = (const char *)out + (size_t)i * size;

        if (t->expected->law[i] == ASSAY_EXEMPT || t->expected->law[i] == ASSAY_ANYTHING ||
            memcmp(a, b, size) == 0)
            continue;
        if (!assay_type_is_float(t->buffer->type) ||
            assay_type_load(t->buffer->type, a, 0) != assay_type_load(t->buffer->type, b, 0))
            return true;
    }
    return false;
}

#endif
