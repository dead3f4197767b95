/* Fourier transforms, line by line: by the definition, or by FFTW. FFTW is loaded at run time and
 * called through prototypes of our own: neither the build nor the program needs it. */
#include "thermo_transform.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>

/* ---- the library ---- */

/* Flags by their numbers in the library's interface: any alignment, and no timing trials. */
enum {
    FFTW_FLAGS = (1 << 1) | (1 << 6)
};

typedef void *fftw_plan_fn(int n, complex_number *in, complex_number *out, int sign,
                           unsigned flags);
typedef void  fftw_execute_fn(const void *plan, complex_number *in, complex_number *out);
typedef void  fftw_destroy_fn(void *plan);

typedef struct fftw_functions {
    fftw_plan_fn    *plan;
    fftw_execute_fn *execute;
    fftw_destroy_fn *destroy;
} fftw_functions;

/* POSIX promises that a function's address keeps its bits when it is copied this way. */
static bool resolve(void *library, const char *symbol, void *member)
{
    void *const address = dlsym(library, symbol);

    memcpy(member, &address, sizeof address);
    return address != NULL;
}

/* NULL without the library. The library stays loaded. */
static const fftw_functions *fftw(void)
{
    static fftw_functions  functions;
    static fftw_functions *found;
    void                  *library;

    if (found != NULL)
        return found;
    library = dlopen("libfftw3.so.3", RTLD_NOW | RTLD_LOCAL);
    if (library != NULL && resolve(library, "fftw_plan_dft_1d", &functions.plan) &&
        resolve(library, "fftw_execute_dft", &functions.execute) &&
        resolve(library, "fftw_destroy_plan", &functions.destroy))
        found = &functions;
    return found;
}

bool transform_has_fast(void) { return fftw() != NULL; }

/* ---- one line ---- */

typedef struct axis_pass {
    const transform_grid *grid;
    complex_number       *a;
    int64_t               n, stride;
    complex_number       *roots; /* exp(sign 2 pi i m / n), without a plan */
    void                 *plan;
} axis_pass;

static void sum_line(const axis_pass *p, const complex_number *from, complex_number *to)
{
    for (int64_t k = 0; k < p->n; k++) {
        complex_number sum = { 0, 0 };

        for (int64_t j = 0, m = 0; j < p->n; j++) {
            const complex_number v = from[j], w = p->roots[m];

            sum.re += v.re * w.re - v.im * w.im;
            sum.im += v.re * w.im + v.im * w.re;
            m = m + k < p->n ? m + k : m + k - p->n;
        }
        to[k] = sum;
    }
}

static void transform_lines(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const axis_pass *p    = context;
    complex_number  *from = allocate(2 * p->n, sizeof *from), *to = from + p->n;

    (void)chunk;
    for (int64_t line = begin; line < end; line++) {
        complex_number *const at = p->a + line / p->stride * p->stride * p->n + line % p->stride;

        for (int64_t j = 0; j < p->n; j++)
            from[j] = at[j * p->stride];
        if (p->plan != NULL)
            fftw()->execute(p->plan, from, to);
        else
            sum_line(p, from, to);
        for (int64_t j = 0; j < p->n; j++)
            at[j * p->stride] = to[j];
    }
    free(from);
}

/* ---- all lines along an axis ---- */

static void fill_roots(axis_pass *p, int sign)
{
    const double two_pi = 6.283185307179586476925;

    p->roots = allocate(p->n, sizeof *p->roots);
    for (int64_t m = 0; m < p->n; m++)
        p->roots[m] = (complex_number) { cos(two_pi * (double)m / (double)p->n),
                                         sign * sin(two_pi * (double)m / (double)p->n) };
}

static void make_plan(axis_pass *p, int sign)
{
    complex_number *line = allocate(2 * p->n, sizeof *line);

    p->plan = fftw()->plan((int)p->n, line, line + p->n, sign, FFTW_FLAGS);
    if (p->plan == NULL)
        abort();
    free(line);
}

void transform(const transform_grid *g, int sign, complex_number *a)
{
    axis_pass p = { .grid = g, .a = a, .stride = g->cells };

    for (int d = 0; d < 3; d++) {
        p.n = g->extent[d];
        p.stride /= p.n;
        if (g->is_fast)
            make_plan(&p, sign);
        else
            fill_roots(&p, sign);
        g->parallel_for(g->cells / p.n, g->cells / p.n / 64 + 1, transform_lines, &p);
        if (g->is_fast)
            fftw()->destroy(p.plan);
        free(p.roots);
        p.roots = NULL;
    }
}
