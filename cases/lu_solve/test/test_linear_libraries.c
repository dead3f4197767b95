/* Runs the variants of lu_solve, cholesky, qr, eigen and svd that call a library through the cases'
 * own judges, with plain loops in the library's place: are matrices passed and taken back
 * rightly? */
#include "../../testing/phys_device.h"
#include "../../testing/trial.h"
#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const assay_case assay_case_lu_solve, assay_case_cholesky, assay_case_qr, assay_case_eigen,
    assay_case_svd;

assay_setup_fn lu_solve_cublas_setup, cholesky_cusolver_setup, qr_cublas_setup,
    eigen_cusolver_setup, svd_cusolver_setup;
assay_teardown_fn lu_solve_cublas_teardown, cholesky_cusolver_teardown, qr_cublas_teardown,
    eigen_cusolver_teardown, svd_cusolver_teardown;
assay_workspace_fn lu_solve_cublas_workspace, cholesky_cusolver_workspace, qr_cublas_workspace,
    eigen_cusolver_workspace, svd_cusolver_workspace;
assay_launch_fn lu_solve_cublas, cholesky_cusolver, qr_cublas, eigen_cusolver, svd_cusolver;

typedef struct library_variant {
    const assay_case   *definition;
    const char         *variable, *library;
    assay_setup_fn     *setup;
    assay_teardown_fn  *teardown;
    assay_workspace_fn *workspace;
    assay_launch_fn    *launch;
    assay_value         size;
} library_variant;

static const library_variant variants[] = {
    { &assay_case_lu_solve, "ASSAY_CUBLAS_LIBRARY", "cuBLAS", lu_solve_cublas_setup,
      lu_solve_cublas_teardown, lu_solve_cublas_workspace, lu_solve_cublas, ASSAY_Q(33) },
    { &assay_case_cholesky, "ASSAY_CUSOLVER_LIBRARY", "cuSOLVER", cholesky_cusolver_setup,
      cholesky_cusolver_teardown, cholesky_cusolver_workspace, cholesky_cusolver, ASSAY_Q(33) },
    { &assay_case_qr, "ASSAY_CUBLAS_LIBRARY", "cuBLAS", qr_cublas_setup, qr_cublas_teardown,
      qr_cublas_workspace, qr_cublas, ASSAY_QGRID(33, 9, 1) },
    { &assay_case_eigen, "ASSAY_CUSOLVER_LIBRARY", "cuSOLVER", eigen_cusolver_setup,
      eigen_cusolver_teardown, eigen_cusolver_workspace, eigen_cusolver, ASSAY_Q(9) },
    { &assay_case_svd, "ASSAY_CUSOLVER_LIBRARY", "cuSOLVER", svd_cusolver_setup,
      svd_cusolver_teardown, svd_cusolver_workspace, svd_cusolver, ASSAY_QGRID(13, 9, 1) },
};

/* ---- one call ---- */

typedef struct run {
    const library_variant *variant;
    assay_shape            shape;
    assay_input            input;
    int                    n_bufs;
    void                  *in[ASSAY_MAX_BUFFERS], *out[ASSAY_MAX_BUFFERS]; /* on the host */
    void                  *buf[ASSAY_MAX_BUFFERS], *workspace;             /* on the device */
    int64_t                count[ASSAY_MAX_BUFFERS];
    assay_expected         expected[ASSAY_MAX_BUFFERS];
} run;

static void serial_for(int64_t count, int64_t size, assay_parallel_fn *fn, void *context)
{
    for (int64_t k = 0; k * size < count; k++)
        fn(context, k, k * size, (k + 1) * size < count ? (k + 1) * size : count);
}

static void *zeroed(size_t count, size_t size)
{
    void *const memory = calloc(count + 1, size);

    if (memory == NULL) {
        (void)fputs("out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return memory;
}

static size_t bytes_of(const assay_buffer *buffer)
{
    return (size_t)buffer->count * assay_type_size(buffer->type);
}

/* Numbers from -1 to 1; any generator would do. */
static void fill(const assay_buffer *buffer, void *to)
{
    uint64_t state = 1;

    for (int64_t i = 0; i < buffer->count; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        assay_type_store(buffer->type, to, i, (double)(state >> 11) * 0x1p-52 - 1);
    }
}

static void make_buffer(run *r, int b)
{
    const assay_buffer *buffer = &r->shape.buf[b];
    const size_t        count  = (size_t)buffer->count;

    r->count[b] = buffer->count;
    r->buf[b]   = phys_device_alloc(bytes_of(buffer));
    if (buffer->role == ASSAY_IN) {
        r->in[b] = zeroed(bytes_of(buffer), 1);
        fill(buffer, r->in[b]);
        return;
    }
    r->out[b]      = zeroed(bytes_of(buffer), 1);
    r->expected[b] = (assay_expected) { .value     = zeroed(count, sizeof(double)),
                                        .integer   = zeroed(count, sizeof(int64_t)),
                                        .magnitude = zeroed(count, sizeof(double)),
                                        .law       = zeroed(count, 1),
                                        .terms     = 1 };
}

static void run_make(run *r, const library_variant *variant, int type, assay_input input)
{
    const assay_value axis[] = { variant->size, ASSAY_Q(11), ASSAY_Q(type) };

    memset(r, 0, sizeof *r);
    r->variant = variant;
    r->input   = input;
    variant->definition->shape(axis, input, &r->shape);
    while (r->shape.buf[r->n_bufs].role != ASSAY_NO_BUFFER)
        make_buffer(r, r->n_bufs++);

    const assay_prepare_args prepare = { r->in, r->count, r->shape.param, r->shape.scalar,
                                         serial_for };

    variant->definition->prepare(&prepare);
    for (int b = 0; b < r->n_bufs; b++)
        if (r->in[b] != NULL)
            (void)phys_device_upload(r->buf[b], r->in[b], bytes_of(&r->shape.buf[b]));

    const assay_reference_args reference = {
        (const void *const *)r->in,
        r->expected,
        r->count,
        r->shape.param,
        r->shape.scalar,
        serial_for,
    };

    variant->definition->reference(&reference);
}

static void run_free(run *r)
{
    for (int b = 0; b < r->n_bufs; b++) {
        phys_device_release(r->buf[b]);
        free(r->in[b]);
        free(r->out[b]);
        free(r->expected[b].value);
        free(r->expected[b].integer);
        free(r->expected[b].magnitude);
        free(r->expected[b].law);
    }
    phys_device_release(r->workspace);
}

static void launch(run *r)
{
    assay_args args = {
        .buf = r->buf, .count = r->count, .param = r->shape.param, .scalar = r->shape.scalar
    };

    args.workspace_bytes = r->variant->workspace(&args);
    args.workspace = r->workspace = phys_device_alloc(args.workspace_bytes);
    if (trial_expect(r->variant->setup(&args, &args.state) == 0, "%s: the library starts",
                     r->variant->definition->name))
        (void)trial_expect(r->variant->launch(&args, NULL) == 0 && phys_device_wait(),
                           "%s: launched", r->variant->definition->name);
    r->variant->teardown(args.state);
    for (int b = 0; b < r->n_bufs; b++)
        if (r->out[b] != NULL)
            (void)phys_device_download(r->out[b], r->buf[b], bytes_of(&r->shape.buf[b]));
}

static void judge(const run *r)
{
    const assay_case    *c           = r->variant->definition;
    char                 reason[256] = "";
    const assay_evidence e           = {
                  &r->shape,   r->input,  (const void *const *)r->in, (const void *const *)r->out,
                  r->expected, serial_for
    };

    (void)trial_expect(c->compare(&e, reason, sizeof reason) == ASSAY_PASS, "%s, %s: %s", c->name,
                       assay_input_text(r->input), reason);
    for (const assay_invariant *i = c->invariants; i->name != NULL; i++) {
        const assay_invariant_result m = i->measure(&e);

        (void)trial_expect(m.value <= m.bound, "%s, %s: %s is %g", c->name,
                           assay_input_text(r->input), i->name, m.value);
    }
}

/* ---- the tests ---- */

static void test_answers(const library_variant *variant)
{
    for (int type = 0; type < 3; type++)
        for (unsigned input = 0; input < ASSAY_N_INPUTS; input++) {
            run r;

            if (!(variant->definition->inputs & 1u << input))
                continue;
            run_make(&r, variant, type, (assay_input)input);
            launch(&r);
            judge(&r);
            run_free(&r);
        }
}

static void test_missing(const library_variant *variant)
{
    void *state = NULL;

    (void)setenv(variant->variable, "/no/such/library", 1);
    if (trial_expect(variant->setup(NULL, &state) == ASSAY_NOT_HERE, "%s: not here",
                     variant->definition->name))
        (void)trial_expect(strstr(state, variant->library) != NULL, "'%s' names %s",
                           (const char *)state, variant->library);
}

/* A library, but the wrong one. */
static void test_other(const library_variant *variant)
{
    void *state = NULL;

    (void)setenv(variant->variable, "libm.so.6", 1);
    if (trial_expect(variant->setup(NULL, &state) == ASSAY_NOT_HERE, "%s: another library",
                     variant->definition->name))
        (void)trial_expect(strstr(state, "has no ") != NULL, "'%s' names a function",
                           (const char *)state);
}

int main(void)
{
    char why[256];

    if (!trial_expect(phys_device_open(why, sizeof why), "%s", why))
        return trial_finish("test_linear_libraries");
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        test_answers(&variants[v]);
        variants[v].teardown(NULL);
    }
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        test_missing(&variants[v]);
        test_other(&variants[v]);
    }
    return trial_finish("test_linear_libraries");
}
