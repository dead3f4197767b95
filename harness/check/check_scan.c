/* Scans an output: chunks over threads, all runs of an element at once. */
#include "check_scan.h"

#include "base/parallel.h"
#include "fill.h"

enum {
    CHUNK = 1 << 15 /* elements: some milliseconds of all runs, so that threads end at about the
                       same time */
};

/* ---- sums of squares ---- */

static inline void squares_add(assay_squares *s, double x)
{
    const double size = fabs(x);

    if (size >= 0x1p-450 && size <= 0x1p450)
        s->middle += x * x;
    else if (size < 0x1p-450)
        s->small += (x * 0x1p700) * (x * 0x1p700);
    else if (size <= DBL_MAX)
        s->big += (x * 0x1p-700) * (x * 0x1p-700);
    else
        s->big = INFINITY;
}

static void squares_merge(assay_squares *to, const assay_squares *from)
{
    to->big += from->big;
    to->middle += from->middle;
    to->small += from->small;
}

/* root * 2^*exponent */
static double squares_root(const assay_squares *s, int *exponent)
{
    *exponent = s->big > 0 ? 700 : s->middle > 0 ? 0 : -700;
    if (s->big > 0)
        return sqrt(s->big + s->middle * 0x1p-1000 * 0x1p-400);
    if (s->middle > 0)
        return sqrt(s->middle + s->small * 0x1p-1000 * 0x1p-400);
    return sqrt(s->small);
}

double assay_squares_ratio(const assay_squares *a, const assay_squares *b)
{
    int          ea, eb;
    const double ra = squares_root(a, &ea);
    const double rb = squares_root(b, &eb);

    return ra > 0 ? ldexp(ra / rb, ea - eb) : 0;
}

/* ---- elements ---- */

static inline double load_float(assay_type type, const void *from, int64_t i)
{
    return type == ASSAY_F32   ? (double)((const float *)from)[i]
           : type == ASSAY_F64 ? ((const double *)from)[i]
           : assay_type_fields[type].size == 2
               ? assay_narrow_value(type, ((const uint16_t *)from)[i])
               : assay_narrow_value(type, ((const uint8_t *)from)[i]);
}

static inline int64_t load_integer(assay_type type, const void *from, int64_t i)
{
    switch (type) {
    case ASSAY_I32:
        return ((const int32_t *)from)[i];
    case ASSAY_U32:
        return ((const uint32_t *)from)[i];
    case ASSAY_U8:
        return ((const uint8_t *)from)[i];
    case ASSAY_I8:
        return ((const int8_t *)from)[i];
    case ASSAY_I16:
        return ((const int16_t *)from)[i];
    case ASSAY_U16:
        return ((const uint16_t *)from)[i];
    default:
        return ((const int64_t *)from)[i];
    }
}

static void raise_to(double *most, double value)
{
    if (!(value <= *most))
        *most = isnan(value) ? (double)INFINITY : value;
}

bool assay_check_is_left(const assay_scan_job *job, int64_t i, int r)
{
    return assay_is_poison(job->run[r], job->type, i,
                           assay_fill_number(r, job->input, job->buffer));
}

/* Judges one value by its law, as if it had been written. */
static assay_finding finding_of_float(const assay_scan_job *job, int64_t i, int r)
{
    const double got      = load_float(job->type, job->run[r], i);
    const double expected = job->expected->value[i];
    const double rounded  = assay_law_round(job->type, expected);
    const bool   is_nan   = isnan(got) && !assay_check_is_left(job, i, r);
    double       ratio;

    if (job->expected->law[i] == ASSAY_MUST_BE_NAN)
        return is_nan ? ASSAY_FOUND_RIGHT : ASSAY_FOUND_WRONG;
    if (job->expected->law[i] == ASSAY_MAY_BE_NAN && is_nan)
        return ASSAY_FOUND_EXEMPT;
    if (assay_law_holds(job->rule, job->type, &job->law, got, expected, rounded,
                        job->expected->magnitude[i], &ratio))
        return ASSAY_FOUND_RIGHT;
    if (isnan(got) || (isinf(got) && !isinf(rounded)))
        return ASSAY_FOUND_NOT_FINITE;
    return job->expected->law[i] == ASSAY_EXEMPT ? ASSAY_FOUND_EXEMPT : ASSAY_FOUND_WRONG;
}

static assay_finding finding_of_integer(const assay_scan_job *job, int64_t i, int r)
{
    if (load_integer(job->type, job->run[r], i) == job->expected->integer[i])
        return ASSAY_FOUND_RIGHT;
    return job->expected->law[i] == ASSAY_EXEMPT ? ASSAY_FOUND_EXEMPT : ASSAY_FOUND_WRONG;
}

static void note(assay_scan *found, assay_finding finding, int64_t i, int run)
{
    if (found->n[finding]++ == 0) {
        found->first[finding]     = i;
        found->first_run[finding] = run;
    }
}

/* Judges an element that may be wrong in some run. Poison that is left in every run but is the
 * right value counts as written (one run, integers). */
static void classify(const assay_scan_job *job, int64_t i, assay_scan *found)
{
    const bool    is_float  = assay_type_is_float(job->type);
    bool          unwritten = job->is_poisoned;
    assay_finding worst     = ASSAY_FOUND_RIGHT;
    int           run       = 0;

    for (int r = 0; r < job->n_runs; r++) {
        const assay_finding f =
            is_float ? finding_of_float(job, i, r) : finding_of_integer(job, i, r);

        unwritten = unwritten && assay_check_is_left(job, i, r);
        if (f > worst) {
            worst = f;
            run   = r;
        }
    }
    if (worst == ASSAY_FOUND_RIGHT)
        return;
    if (unwritten)
        note(found, ASSAY_FOUND_UNWRITTEN, i, 0);
    else
        note(found, worst, i, run);
}

/* ---- loops ---- */

static void note_bad_reference(assay_scan *found, int64_t i)
{
    if (found->bad_reference < 0)
        found->bad_reference = i;
}

/* Has the reference a usable value for element i, and is it compared? */
static inline bool is_compared(const assay_expected *e, int64_t i)
{
    return e->law[i] == ASSAY_COMPARE && e->value[i] == e->value[i] && e->magnitude[i] >= 0 &&
           e->magnitude[i] <= DBL_MAX;
}

static void scan_masked(const assay_scan_job *job, int64_t i, assay_scan *found)
{
    const uint8_t law = job->expected->law[i];

    if (law == ASSAY_MUST_BE_NAN || law == ASSAY_EXEMPT || law == ASSAY_MAY_BE_NAN)
        classify(job, i, found);
    else if (law != ASSAY_ANYTHING)
        note_bad_reference(found, i);
}

/* One value of one run. `rounded` is the reference as it is judged: rounded for ULP and EXACT. */
static inline bool measure(const assay_scan_job *job, assay_type type, assay_rule rule, double got,
                           double expected, double magnitude, assay_squares *error,
                           assay_scan *found)
{
    const double rounded = assay_law_round(type, expected);
    const double judged = rule == ASSAY_RULE_BOUND && fabs(rounded) <= DBL_MAX ? expected : rounded;
    const bool   is_same = got == judged || (isnan(got) && isnan(judged)); /* overflow of E4M3 */
    const double err     = is_same ? 0 : fabs(got - judged);
    double       ratio;
    const bool   holds =
        assay_law_holds(rule, type, &job->law, got, expected, rounded, magnitude, &ratio);

    raise_to(&found->worst_ratio, ratio);
    raise_to(&found->max_abs_error, err);
    raise_to(&found->max_ulp_error, is_same ? 0 : assay_law_ulp(type, got, rounded));
    squares_add(error, err);
    return holds;
}

/* Type and rule are constants wherever this is called, so each call compiles to its own loop. */
__attribute__((always_inline)) static inline void scan_floats(const assay_scan_job *job,
                                                              int64_t begin, int64_t end,
                                                              assay_scan *found, assay_type type,
                                                              assay_rule rule)
{
    const assay_expected *e = job->expected;

    for (int64_t i = begin; i < end; i++) {
        bool all_hold = true;

        if (!is_compared(e, i)) {
            scan_masked(job, i, found);
            continue;
        }
        found->n_compared++;
        for (int r = 0; r < job->n_runs; r++)
            all_hold &= measure(job, type, rule, load_float(type, job->run[r], i), e->value[i],
                                e->magnitude[i], &found->error[r], found);
        if (fabs(e->value[i]) <= DBL_MAX) {
            raise_to(&found->max_abs_expected, fabs(e->value[i]));
            squares_add(&found->expected, e->value[i]);
        }
        if (!all_hold)
            classify(job, i, found);
    }
}

/* The distance in ULPs without overflow: bit patterns are in the order of the values. */
static double integer_distance(assay_type type, int64_t a, int64_t b)
{
    const bool a_is_more = type == ASSAY_U64 ? (uint64_t)a > (uint64_t)b : a > b;

    return (double)(a_is_more ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a);
}

static bool measure_integer(const assay_scan_job *job, int64_t i, assay_scan *found)
{
    const int64_t expected = job->expected->integer[i];
    const double  size     = integer_distance(job->type, expected, 0);
    bool          is_right = true;

    found->n_compared++;
    raise_to(&found->max_abs_expected, size);
    squares_add(&found->expected, size);
    for (int r = 0; r < job->n_runs; r++) {
        const double err =
            integer_distance(job->type, load_integer(job->type, job->run[r], i), expected);

        raise_to(&found->worst_ratio, err == 0 ? 0 : (double)INFINITY);
        raise_to(&found->max_abs_error, err);
        squares_add(&found->error[r], err);
        is_right = is_right && err == 0;
    }
    return is_right;
}

static void scan_integers(const assay_scan_job *job, int64_t begin, int64_t end, assay_scan *found)
{
    for (int64_t i = begin; i < end; i++) {
        const uint8_t law = job->expected->law[i];

        if (law == ASSAY_COMPARE ? !measure_integer(job, i, found) : law == ASSAY_EXEMPT)
            classify(job, i, found);
        else if (law != ASSAY_COMPARE && law != ASSAY_ANYTHING)
            note_bad_reference(found, i);
    }
}

#define SCAN_LOOP(name, type, rule)                                                                \
    static void name(const assay_scan_job *job, int64_t begin, int64_t end, assay_scan *found)     \
    {                                                                                              \
        scan_floats(job, begin, end, found, (type), (rule));                                       \
    }
#define SCAN_LOOPS(name, type)                                                                     \
    SCAN_LOOP(scan_##name##_bound, type, ASSAY_RULE_BOUND)                                         \
    SCAN_LOOP(scan_##name##_ulp, type, ASSAY_RULE_ULP)                                             \
    SCAN_LOOP(scan_##name##_exact, type, ASSAY_RULE_EXACT)
SCAN_LOOPS(f32, ASSAY_F32)
SCAN_LOOPS(f64, ASSAY_F64)
SCAN_LOOPS(f16, ASSAY_F16)
SCAN_LOOPS(bf16, ASSAY_BF16)
SCAN_LOOPS(f8e4m3, ASSAY_F8E4M3)
SCAN_LOOPS(f8e5m2, ASSAY_F8E5M2)

typedef void scan_loop(const assay_scan_job *job, int64_t begin, int64_t end, assay_scan *found);

static scan_loop *loop_for(const assay_scan_job *job)
{
#define LOOPS_OF(name)                                                                             \
    {                                                                                              \
        scan_##name##_bound, scan_##name##_ulp, scan_##name##_exact                                \
    }
    static scan_loop *const loops[ASSAY_N_TYPES][3] = {
        [ASSAY_F32] = LOOPS_OF(f32),       [ASSAY_F64] = LOOPS_OF(f64),
        [ASSAY_F16] = LOOPS_OF(f16),       [ASSAY_BF16] = LOOPS_OF(bf16),
        [ASSAY_F8E4M3] = LOOPS_OF(f8e4m3), [ASSAY_F8E5M2] = LOOPS_OF(f8e5m2),
    };

    return assay_type_is_float(job->type) ? loops[job->type][job->rule] : scan_integers;
}

/* ---- all chunks ---- */

static void scan_merge(assay_scan *to, const assay_scan *from)
{
    for (int f = 0; f < ASSAY_N_FINDINGS; f++) {
        if (to->n[f] == 0) {
            to->first[f]     = from->first[f];
            to->first_run[f] = from->first_run[f];
        }
        to->n[f] += from->n[f];
    }
    to->n_compared += from->n_compared;
    if (to->bad_reference < 0)
        to->bad_reference = from->bad_reference;
    raise_to(&to->worst_ratio, from->worst_ratio);
    raise_to(&to->max_abs_error, from->max_abs_error);
    raise_to(&to->max_abs_expected, from->max_abs_expected);
    raise_to(&to->max_ulp_error, from->max_ulp_error);
    squares_merge(&to->expected, &from->expected);
    for (int r = 0; r < ASSAY_MAX_RUNS; r++)
        squares_merge(&to->error[r], &from->error[r]);
}

typedef struct scan_work {
    const assay_scan_job *job;
    scan_loop            *loop;
    assay_scan           *of_chunk;
} scan_work;

static void scan_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const scan_work *work  = context;
    assay_scan       found = { .bad_reference =
                                   -1 }; /* on the stack, so that chunks share no cache line */

    work->loop(work->job, begin, end, &found);
    work->of_chunk[chunk] = found;
}

assay_status assay_check_scan(const assay_scan_job *job, assay_scan *found)
{
    assay_status  st       = ASSAY_OK;
    const int64_t n_chunks = assay_parallel_chunks(job->count, CHUNK);
    scan_work     work     = { .job = job, .loop = loop_for(job) };

    *found        = (assay_scan) { .bad_reference = -1 };
    work.of_chunk = calloc((size_t)n_chunks + 1, sizeof *work.of_chunk);
    ASSAY_REQUIRE(work.of_chunk, ASSAY_E_MEMORY, "no memory to check %lld elements",
                  (long long)job->count);
    assay_parallel_for(job->count, CHUNK, scan_chunk, &work);
    for (int64_t c = 0; c < n_chunks; c++)
        scan_merge(found, &work.of_chunk[c]);
out:
    free(work.of_chunk);
    return st;
}
