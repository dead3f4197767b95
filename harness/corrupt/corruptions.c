/* Wrong answers made from a right one. */
#include "corruptions.h"

#include "check/fill.h"

#include <math.h>
#include <string.h>

enum {
    TILE = 32 /* elements: what a warp writes */
};

static size_t size_of(const assay_right *t) { return assay_type_size(t->buffer->type); }

static size_t bytes_of(const assay_right *t) { return (size_t)t->buffer->count * size_of(t); }

static bool is_float(const assay_right *t) { return assay_type_is_float(t->buffer->type); }

static bool is_unsigned(assay_type type)
{
    return type == ASSAY_U8 || type == ASSAY_U16 || type == ASSAY_U32 || type == ASSAY_U64;
}

static uint64_t bits_at(const assay_right *t, const void *from, int64_t i)
{
    uint64_t bits = 0; /* little-endian: the low bytes come first */

    memcpy(&bits, (const char *)from + (size_t)i * size_of(t), size_of(t));
    return bits;
}

static void set_bits(assay_type type, void *to, int64_t i, uint64_t bits)
{
    memcpy((char *)to + (size_t)i * assay_type_size(type), &bits, assay_type_size(type));
}

void assay_corrupt_write_truth(assay_type type, const assay_expected *e, int64_t count, void *to)
{
    for (int64_t i = 0; i < count; i++) {
        if (!assay_type_is_float(type))
            set_bits(type, to, i, (uint64_t)e->integer[i]);
        else if (e->law[i] == ASSAY_MUST_BE_NAN)
            assay_type_store(type, to, i, (double)NAN);
        else
            assay_type_store(type, to, i, isnan(e->value[i]) ? 0 : e->value[i]);
    }
}

static bool is_judged(const assay_right *t, int64_t i)
{
    return t->expected->law[i] != ASSAY_EXEMPT && t->expected->law[i] != ASSAY_ANYTHING;
}

static bool is_finite(const assay_right *t, int64_t i)
{
    return !is_float(t) || isfinite(assay_type_load(t->buffer->type, t->truth, i));
}

/* A compared element with a finite value, from a random place on; -1 if there is none. */
static int64_t pick(const assay_right *t)
{
    const int64_t n     = t->buffer->count;
    const int64_t start = (int64_t)(t->random % (uint64_t)n);

    for (int64_t k = 0; k < n; k++) {
        const int64_t i = (start + k) % n;

        if (t->expected->law[i] == ASSAY_COMPARE && is_finite(t, i))
            return i;
    }
    return -1;
}

/* ---- nothing written, or something else ---- */

static const char *make_zeros(const assay_right *t, void *out, int run)
{
    (void)run;
    memset(out, 0, bytes_of(t));
    return NULL;
}

/* As a kernel leaves elements that it never writes: poison, or the input of an INOUT buffer. */
static void leave_untouched(const assay_right *t, void *out, int64_t from, int64_t n, int run)
{
    const size_t at = (size_t)from * size_of(t);

    if (t->initial)
        memcpy((char *)out + at, (const char *)t->initial + at, (size_t)n * size_of(t));
    else
        assay_fill_poison((char *)out + at, t->buffer->type, n,
                          assay_fill_number(run, t->input, t->place));
}

static const char *make_poison(const assay_right *t, void *out, int run)
{
    leave_untouched(t, out, 0, t->buffer->count, run);
    return NULL;
}

static const char *make_stale(const assay_right *t, void *out, int run)
{
    (void)run;
    if (!t->stale)
        return "other seed, other size";
    memcpy(out, t->stale, bytes_of(t));
    return NULL;
}

/* The last one of which something is said: behind it there may be room that no kernel fills. */
static const char *make_tile(const assay_right *t, void *out, int run)
{
    const int64_t n    = t->buffer->count;
    const int64_t tile = n > 2 * TILE ? TILE : n / 2;
    int64_t       end  = n;

    if (tile == 0)
        return "one element";
    while (end > tile && !is_judged(t, end - 1))
        end--;
    leave_untouched(t, out, end - tile, tile, run);
    return NULL;
}

/* ---- in another place ---- */

static const char *make_shifted(const assay_right *t, void *out, int run)
{
    const size_t rest = bytes_of(t) - size_of(t);

    (void)run;
    if (t->buffer->count < 2)
        return "one element";
    memcpy((char *)out + size_of(t), t->truth, rest);
    memcpy(out, (const char *)t->truth + rest, size_of(t));
    return NULL;
}

static const char *make_transposed(const assay_right *t, void *out, int run)
{
    const int64_t rows = t->n_rows;

    (void)run;
    if (rows == 0)
        return "less than 4 elements";
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = 0, columns = t->buffer->count / rows; k < columns; k++)
            set_bits(t->buffer->type, out, k * rows + i, bits_at(t, t->truth, i * columns + k));
    return NULL;
}

/* ---- one element ---- */

static const char *set_one(const assay_right *t, void *out, double value)
{
    const int64_t i = pick(t);

    if (!is_float(t))
        return "integers";
    if (i < 0)
        return "no compared element";
    assay_type_store(t->buffer->type, out, i, value);
    return NULL;
}

static const char *make_nan(const assay_right *t, void *out, int run)
{
    (void)run;
    return set_one(t, out, (double)NAN);
}

static const char *make_inf(const assay_right *t, void *out, int run)
{
    (void)run;
    return set_one(t, out, (double)INFINITY);
}

/* The largest compared element by absolute value; -1: all are 0. */
static int64_t largest(const assay_right *t)
{
    double  most = 0;
    int64_t at   = -1;

    for (int64_t i = 0; i < t->buffer->count; i++) {
        const double size = fabs(assay_type_load(t->buffer->type, t->truth, i));

        if (t->expected->law[i] == ASSAY_COMPARE && size > most) {
            most = size;
            at   = i;
        }
    }
    return at;
}

static const char *make_sign(const assay_right *t, void *out, int run)
{
    const assay_type type = t->buffer->type;
    const int64_t    i    = largest(t);

    (void)run;
    if (is_unsigned(type))
        return "unsigned";
    if (i < 0)
        return "all zero";
    if (is_float(t))
        assay_type_store(type, out, i, -assay_type_load(type, t->truth, i));
    else
        set_bits(type, out, i, 0 - bits_at(t, t->truth, i));
    return NULL;
}

static double step_towards(assay_type type, double value, double end)
{
    const int64_t step = end > value ? 1 : end < value ? -1 : 0;

    return assay_type_at(type, assay_type_place(type, value) + step);
}

static bool holds(const assay_right *t, int64_t i, double value)
{
    const assay_expected *e = t->expected;
    double                ratio;

    return assay_check_element(&t->tol, t->buffer->type, value, e->value[i], e->magnitude[i],
                               e->terms, &ratio);
}

/* What BOUND grants element i. */
static double bound_of(const assay_right *t, int64_t i)
{
    const assay_expected *e = t->expected;
    /* Far enough away that err / bound gives the bound itself. */
    const double far = e->value[i] + (e->value[i] > 0 ? -1 : 1) * (fabs(e->value[i]) + 1);
    double       ratio;

    (void)assay_check_element(&t->tol, t->buffer->type, far, e->value[i], e->magnitude[i], e->terms,
                              &ratio);
    return fabs(far - e->value[i]) / ratio;
}

/* The first value of the type that the tolerance does not grant; towards zero and beyond, so that
 * nothing overflows. A comparer has no bound that is known here: quite off. */
static double past_bound(const assay_right *t, int64_t i)
{
    const assay_type type     = t->buffer->type;
    const double     expected = t->expected->value[i];
    const double     sign     = expected > 0 ? 1 : -1;
    const double     truth    = assay_type_load(type, t->truth, i);
    double           value    = truth;

    if (t->is_compared)
        return -truth - sign;
    if (t->tol.rule == ASSAY_RULE_BOUND)
        value = step_towards(type, assay_type_round(type, expected - sign * bound_of(t, i)), truth);
    while (holds(t, i, value))
        value = step_towards(type, value, -sign * (double)INFINITY);
    return value;
}

static const char *make_past_bound(const assay_right *t, void *out, int run)
{
    const int64_t i = pick(t);

    (void)run;
    if (i < 0)
        return "no compared element";
    if (is_float(t))
        assay_type_store(t->buffer->type, out, i, past_bound(t, i));
    else
        set_bits(t->buffer->type, out, i,
                 t->is_compared ? ~bits_at(t, t->truth, i) : bits_at(t, t->truth, i) ^ 1);
    return NULL;
}

/* ---- precision ---- */

/* To so many significant bits, half away from zero, as a narrower type has in its range. */
static double to_bits(double value, int bits)
{
    int          exponent;
    const double fraction = frexp(value, &exponent);

    return isfinite(value) ? ldexp(round(ldexp(fraction, bits)), exponent - bits) : value;
}

/* The precision that the case declares its worst operation to have: a sum of fp32 terms held in
 * fp64 is an fp32 answer. */
static assay_type type_of_answer(const assay_right *t)
{
    const double single = ASSAY_U32_ROUNDOFF;

    if (t->buffer->type == ASSAY_F64 && t->tol.rule == ASSAY_RULE_BOUND &&
        (t->tol.u_out >= single || t->tol.u_acc >= single))
        return ASSAY_F32;
    return t->buffer->type;
}

static const char *make_precision(const assay_right *t, void *out, int run)
{
    /* Of the next narrower type: fp32, fp16, bf16, e4m3. */
    static const int bits[ASSAY_N_TYPES] = {
        [ASSAY_F64] = 24, [ASSAY_F32] = 11, [ASSAY_F16] = 8, [ASSAY_BF16] = 4
    };
    const assay_type type   = t->buffer->type;
    const int        narrow = bits[type_of_answer(t)];

    (void)run;
    if (!is_float(t))
        return "integers";
    if (narrow == 0)
        return "no narrower type";
    for (int64_t i = 0; i < t->buffer->count; i++)
        assay_type_store(type, out, i, to_bits(assay_type_load(type, t->truth, i), narrow));
    return NULL;
}

/* ---- all of them ---- */

assay_corrupt_fn *const assay_corruptions[ASSAY_N_CORRUPTIONS] = {
    [ASSAY_CORRUPT_ZEROS] = make_zeros,           [ASSAY_CORRUPT_POISON] = make_poison,
    [ASSAY_CORRUPT_STALE] = make_stale,           [ASSAY_CORRUPT_ONE_NAN] = make_nan,
    [ASSAY_CORRUPT_ONE_INF] = make_inf,           [ASSAY_CORRUPT_SIGN] = make_sign,
    [ASSAY_CORRUPT_SHIFTED] = make_shifted,       [ASSAY_CORRUPT_TILE] = make_tile,
    [ASSAY_CORRUPT_TRANSPOSED] = make_transposed, [ASSAY_CORRUPT_PAST_BOUND] = make_past_bound,
    [ASSAY_CORRUPT_PRECISION] = make_precision,
};

int64_t assay_corrupt_count_judged(const assay_right *t)
{
    int64_t n = 0;

    for (int64_t i = 0; i < t->buffer->count; i++)
        n += is_judged(t, i);
    return n;
}

bool assay_corrupt_is_changed(const assay_right *t, const void *out)
{
    for (int64_t i = 0; i < t->buffer->count; i++) {
        if (!is_judged(t, i) || bits_at(t, t->truth, i) == bits_at(t, out, i))
            continue;
        if (!is_float(t) || assay_type_load(t->buffer->type, t->truth, i) !=
                                assay_type_load(t->buffer->type, out, i))
            return true;
    }
    return false;
}
