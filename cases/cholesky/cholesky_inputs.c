/* Symmetric matrices, made from random numbers from -1 to 1: A = L D L', rounded to the type. */
#include "cholesky_inputs.h"

#include "../linalg.h"

/* The matrix before rounding, in double. `r` holds the random numbers. */
typedef struct symmetric {
    assay_type type;
    int64_t    n, m; /* m: the matrix's number */
    double     r[CHOLESKY_MAX_N][CHOLESKY_MAX_N], a[CHOLESKY_MAX_N][CHOLESKY_MAX_N];
} symmetric;

/* ---- products of triangles ---- */

/* L of exact matrices: powers of two on the diagonal, and in odd rows up to two more numbers, in
 * even columns. So every sum has few terms, and L's inverse is as simple as L. */
static void exact_triangle(const symmetric *s, double (*l)[CHOLESKY_MAX_N])
{
    for (int64_t i = 0; i < s->n; i++) {
        l[i][i] = fabs(s->r[i][i]) < 0.5 ? 1 : 2;
        for (int64_t k = 0; k < 2 && i % 2 == 1; k++)
            l[i][linalg_one_of((i + 1) / 2, s->r[i][k]) * 2] = s->r[i][i] < 0 ? -1 : 2;
    }
}

/* Well conditioned: everything off the diagonal together is about as large as this. */
static void random_triangle(const symmetric *s, double (*l)[CHOLESKY_MAX_N])
{
    for (int64_t i = 0; i < s->n; i++) {
        for (int64_t j = 0; j < i; j++)
            l[i][j] = s->r[i][j] / sqrt((double)s->n);
        l[i][i] = 1 + s->r[i][i] / 2;
    }
}

/* A = L D L', where D is 1 except for `pivot` at place `at`. */
static void multiply(symmetric *s, double (*l)[CHOLESKY_MAX_N], int64_t at, double pivot)
{
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j <= i; j++) {
            s->a[i][j] = 0;
            for (int64_t k = 0; k <= j; k++)
                s->a[i][j] += l[i][k] * l[j][k] * (k == at ? pivot : 1);
        }
}

/* Every fourth exact matrix has one pivot below 0. */
static void make_exact(symmetric *s)
{
    double l[CHOLESKY_MAX_N][CHOLESKY_MAX_N] = { { 0 } };

    exact_triangle(s, l);
    multiply(s, l, s->m % 4 == 3 ? s->m % s->n : -1, -1);
}

static void make_random(symmetric *s)
{
    double l[CHOLESKY_MAX_N][CHOLESKY_MAX_N] = { { 0 } };

    random_triangle(s, l);
    multiply(s, l, -1, 1);
}

/* ---- adversarial: what breaks factorizations ---- */

/* Its diagonal is above 0 where earlier rows contribute to it: only the pivot shows that the matrix
 * is indefinite. */
static void make_indefinite(symmetric *s)
{
    double l[CHOLESKY_MAX_N][CHOLESKY_MAX_N] = { { 0 } };

    random_triangle(s, l);
    multiply(s, l, s->n / 2, -0.25);
}

static void make_negative(symmetric *s)
{
    make_random(s);
    s->a[0][0] = -s->a[0][0];
}

static void scale(symmetric *s, double wide, double half)
{
    make_random(s);
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j <= i; j++)
            s->a[i][j] *= s->type == ASSAY_F16 ? half : wide;
}

static void make_small(symmetric *s) { scale(s, 1e-12, 0x1p-6); }
static void make_large(symmetric *s) { scale(s, 1e12, 0x1p10); }

/* Like Hilbert's matrix, with as much more on the diagonal as single precision needs. */
static void make_hilbert(symmetric *s)
{
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j <= i; j++)
            s->a[i][j] = 1 / (double)(i + j + 1) + (i == j ? (double)s->n * 0x1p-15 : 0);
}

/* Rows and columns of very different sizes, down to the last one, the smallest. */
static void make_graded(symmetric *s)
{
    make_random(s);
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j <= i; j++)
            s->a[i][j] *= exp2(-4 * (double)(i + j) / (double)s->n);
}

/* All elements are the same number, with a little more on the diagonal: every pivot after the first
 * is a small difference. */
static void make_cancelling(symmetric *s)
{
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j <= i; j++)
            s->a[i][j] = i == j ? 1.0625 : 1;
}

static void (*const kinds[])(symmetric *s) = {
    make_hilbert, make_indefinite, make_small,      make_large,
    make_graded,  make_negative,   make_cancelling,
};

/* ---- all matrices ---- */

static void read_random(symmetric *s, const assay_prepare_args *args)
{
    for (int64_t j = 0; j < s->n; j++)
        for (int64_t i = 0; i < s->n; i++)
            s->r[i][j] =
                assay_type_load(s->type, args->in[CHOLESKY_BUF_A], (s->m * s->n + j) * s->n + i);
}

static void store(const symmetric *s, const assay_prepare_args *args)
{
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < s->n; j++)
            assay_type_store(s->type, args->in[CHOLESKY_BUF_A], (s->m * s->n + j) * s->n + i,
                             j <= i ? s->a[i][j] : s->a[j][i]);
}

static void make_matrix(const assay_prepare_args *args, int64_t m)
{
    const int64_t input = args->param[CHOLESKY_PARAM_INPUT];
    symmetric     s;

    s.type = (assay_type)args->param[CHOLESKY_PARAM_TYPE];
    s.n    = args->param[CHOLESKY_PARAM_N];
    s.m    = m;
    read_random(&s, args);
    if (input == ASSAY_INPUT_EXACT)
        make_exact(&s);
    else if (input == ASSAY_INPUT_ADVERSARIAL)
        kinds[m % (int64_t)(sizeof kinds / sizeof *kinds)](&s);
    else
        make_random(&s);
    store(&s, args);
}

void cholesky_prepare(const assay_prepare_args *args)
{
    linalg_make_all(args, args->param[CHOLESKY_PARAM_BATCH], make_matrix);
}
