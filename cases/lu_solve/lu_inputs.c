/* Systems to be solved, made from random numbers from -1 to 1: a matrix, an x, and b = A x, rounded
 * to the type. So x stays near 1 whatever the condition is, and fits into fp16. */
#include "lu_inputs.h"

#include "../linalg.h"

/* One system, in double, before it is rounded. */
typedef struct linear_system {
    assay_type type;
    int64_t    n, m; /* m: the system's number */
    double     a[LU_MAX_N][LU_MAX_N], x[LU_MAX_N];
} linear_system;

/* ---- exact: A = P L U, of which every step is exact in bf16 ---- */

/* 1, 2, -1 or -2. */
static double small_power(double random)
{
    return (random < 0 ? -1 : 1) * (fabs(random) < 0.5 ? 1 : 2);
}

/* L: odd rows have up to two 1/2 in even columns, so that L * L = 2 L - 1 and its inverse is 2 - L.
 * U is the same transposed, with small powers of two, also on the diagonal. */
static void exact_factors(const linear_system *s, double (*lower)[LU_MAX_N],
                          double (*upper)[LU_MAX_N])
{
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < s->n; j++)
            lower[i][j] = upper[i][j] = i == j;
    for (int64_t i = 0; i < s->n; i++) {
        const double *random = s->a[i];

        upper[i][i] = small_power(random[i]);
        for (int64_t k = 0; k < 2 && i % 2 == 1; k++)
            lower[i][linalg_one_of((i + 1) / 2, random[k]) * 2] = random[i] < 0 ? -0.5 : 0.5;
        for (int64_t k = 0; k < 2 && i % 2 == 0 && i + 1 < s->n; k++)
            upper[i][i + 1 + linalg_one_of((s->n - i) / 2, random[k]) * 2] = small_power(random[k]);
    }
}

/* Row i of the product becomes row (5 i + 3) % n or, if 5 divides n, i shifted by 1. Every fourth
 * matrix has one pivot 0. */
static void make_exact(linear_system *s)
{
    double        lower[LU_MAX_N][LU_MAX_N], upper[LU_MAX_N][LU_MAX_N];
    const int64_t n = s->n, stride = n % 5 == 0 ? 1 : 5;

    exact_factors(s, lower, upper);
    if (s->m % 4 == 3)
        upper[s->m % n][s->m % n] = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double *const to = &s->a[(stride * i + 3) % n][j];

            *to = 0;
            for (int64_t k = 0; k < n; k++)
                *to += lower[i][k] * upper[k][j];
        }
    for (int64_t j = 0; j < n; j++)
        s->x[j] = (double)(linalg_one_of(9, s->x[j]) - 4);
}

/* ---- adversarial: what breaks solvers ---- */

/* A factor for single precision; half precision has a limit of its own. */
static double scale_of(const linear_system *s, double wide, double half)
{
    return s->type == ASSAY_F16 ? half : wide;
}

static void multiply(linear_system *s, double factor)
{
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < s->n; j++)
            s->a[i][j] *= factor;
}

/* Like Hilbert's matrix, with as much more on the diagonal as single precision needs. */
static void make_hilbert(linear_system *s)
{
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < s->n; j++)
            s->a[i][j] = 1 / (double)(i + j + 1) + (i == j ? (double)s->n * 0x1p-15 : 0);
}

static void make_equal_rows(linear_system *s)
{
    for (int64_t j = 0; j < s->n; j++)
        s->a[s->n - 1][j] = s->n > 1 ? s->a[s->n / 2 - 1][j] : 0;
}

/* What is left of the second of the two columns is a rounding error, and far above 1e-10. */
static void make_equal_columns(linear_system *s)
{
    for (int64_t i = 0; i < s->n; i++)
        s->a[i][s->n - 1] = s->n > 1 ? s->a[i][s->n / 2 - 1] : 0;
    multiply(s, scale_of(s, 1e12, 0x1p10));
}

static void make_small(linear_system *s) { multiply(s, scale_of(s, 1e-12, 0x1p-6)); }
static void make_large(linear_system *s) { multiply(s, scale_of(s, 1e12, 0x1p10)); }

/* Elimination without exchanges cannot begin here. */
static void make_zero_pivot(linear_system *s)
{
    s->a[0][0] = 0;
    if (s->n > 1)
        s->a[1][0] = 1;
}

/* After dividing by it, everything else vanishes. */
static void make_tiny_pivot(linear_system *s) { s->a[0][0] = scale_of(s, 0x1p-22, 0x1p-14); }

/* In each of the first columns the last one nearly doubles (Wilkinson's matrix, cut short). */
static void make_growth(linear_system *s)
{
    enum {
        DOUBLINGS = 10
    };

    for (int64_t j = 0; j < s->n - 1 && j < DOUBLINGS; j++)
        for (int64_t i = 0; i < s->n; i++)
            s->a[i][j] = i < j ? 0 : i == j ? 1 : -0.875;
    for (int64_t i = 0; i < s->n; i++)
        s->a[i][s->n - 1] = 1;
}

/* Column k + 1 is the one reported. */
static void make_zero_column(linear_system *s)
{
    for (int64_t i = 0; i < s->n; i++)
        s->a[i][s->n / 2] = 0;
}

/* For half precision: the difference of two such numbers is too large for it. */
static void make_near_overflow(linear_system *s)
{
    multiply(s, 60000);
    for (int64_t j = 0; j < s->n; j++)
        s->x[j] /= (double)s->n;
}

static void (*const kinds[])(linear_system *s) = {
    make_hilbert,    make_equal_rows, make_equal_columns, make_small,       make_large,
    make_zero_pivot, make_tiny_pivot, make_growth,        make_zero_column, make_near_overflow,
};

/* ---- all systems ---- */

static void read_random(linear_system *s, const assay_prepare_args *args)
{
    for (int64_t j = 0; j < s->n; j++) {
        s->x[j] = assay_type_load(s->type, args->in[LU_BUF_B], s->m * s->n + j);
        for (int64_t i = 0; i < s->n; i++)
            s->a[i][j] = assay_type_load(s->type, args->in[LU_BUF_A], (s->m * s->n + j) * s->n + i);
    }
}

/* Stores A rounded, and b of the rounded A. */
static void store(const linear_system *s, const assay_prepare_args *args)
{
    double b[LU_MAX_N] = { 0 };

    for (int64_t j = 0; j < s->n; j++)
        for (int64_t i = 0; i < s->n; i++) {
            const int64_t at = (s->m * s->n + j) * s->n + i;

            assay_type_store(s->type, args->in[LU_BUF_A], at, s->a[i][j]);
            b[i] += assay_type_load(s->type, args->in[LU_BUF_A], at) * s->x[j];
        }
    for (int64_t i = 0; i < s->n; i++)
        assay_type_store(s->type, args->in[LU_BUF_B], s->m * s->n + i, b[i]);
}

static void make_system(const assay_prepare_args *args, int64_t m)
{
    linear_system s;

    s.type = (assay_type)args->param[LU_PARAM_TYPE];
    s.n    = args->param[LU_PARAM_N];
    s.m    = m;
    read_random(&s, args);
    if (args->param[LU_PARAM_INPUT] == ASSAY_INPUT_EXACT)
        make_exact(&s);
    else if (args->param[LU_PARAM_INPUT] == ASSAY_INPUT_ADVERSARIAL)
        kinds[m % (int64_t)(sizeof kinds / sizeof *kinds)](&s);
    store(&s, args);
}

void lu_solve_prepare(const assay_prepare_args *args)
{
    linalg_make_all(args, args->param[LU_PARAM_BATCH], make_system);
}
