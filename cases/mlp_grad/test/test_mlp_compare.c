/* Compares gradients of a small MLP, CPU with CUDA: the largest difference of each tensor, for each
 * method and for cuBLAS if it is installed. Exit status 0: all within the bounds of fp32; 1: not;
 * 77: no GPU. */
#include "../../../reference/mlp_grad/mlp_grad.h"
#include "../../physics_loss/test/phys_test.h"
#include "../../testing/phys_device.h"
#include "mlp_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* After the methods of the C API. */
enum {
    WITH_CUBLAS = MLP_N_METHODS,
    N_WAYS
};
static const char *const WAYS[] = { "naive", "tiled", "fused", "cublas" };

static mlp_cublas *cublas; /* NULL: not installed */

/* Odd, thin, at and past the edges of tiles, deep. The last ones are for a GPU. */
static const struct {
    mlp_spec spec;
    bool     is_large;
} NETWORKS[] = {
    { { 1, 1, 1, 1, 1, 0, 1.5 }, false },        { { 33, 3, 31, 2, 2, 0, 1.5 }, false },
    { { 40, 5, 7, 3, 4, 0, 1.5 }, false },       { { 96, 64, 64, 64, 2, 0, 1.5 }, false },
    { { 129, 65, 66, 130, 2, 0, 1.5 }, false },  { { 140, 132, 36, 8, 1, 0, 1.5 }, false },
    { { 4096, 64, 64, 64, 2, 0, 1.5 }, true },   { { 2048, 256, 256, 256, 2, 0, 1.5 }, true },
    { { 1000, 300, 500, 77, 3, 0, 1.5 }, true },
};

/* ---- what is right: the reference in double, with how far fp32 may be off ---- */

typedef struct expectation {
    double *memory; /* owned */
    double *value[MLP_N_TENSORS], *deviation[MLP_N_TENSORS], loss[2];
} expectation;

static bool expect_tensors(const mlp_spec *spec, const mlp_tensors *t, expectation *e)
{
    double *rest;
    int64_t n = 0;

    for (int i = 0; i < MLP_N_TENSORS; i++)
        n += 2 * t->count[i];
    e->memory = rest = malloc((size_t)n * sizeof(double));
    if (e->memory == NULL)
        return false;
    for (int i = 0; i < MLP_N_TENSORS; i++) {
        e->value[i]     = rest;
        e->deviation[i] = rest + t->count[i];
        rest += 2 * t->count[i];
        for (int64_t k = 0; i < MLP_FIRST_OUTPUT && k < t->count[i]; k++)
            e->value[i][k] = (double)t->of[i][k];
    }
    const mlp_grad_inputs  in  = { e->value[MLP_X], e->value[MLP_TARGET], e->value[MLP_WEIGHTS],
                                   e->value[MLP_BIASES] };
    const mlp_grad_results out = {
        .y         = { e->value[MLP_Y], e->deviation[MLP_Y] },
        .d_x       = { e->value[MLP_D_X], e->deviation[MLP_D_X] },
        .d_weights = { e->value[MLP_D_WEIGHTS], e->deviation[MLP_D_WEIGHTS] },
        .d_biases  = { e->value[MLP_D_BIASES], e->deviation[MLP_D_BIASES] },
        .loss      = { &e->loss[0], &e->loss[1] },
    };

    return mlp_grad_in_double(spec, &in, &out, mlp_grad_serial_for) == MLP_OK;
}

/* ---- the device ---- */

typedef struct on_device {
    float  *of[MLP_N_TENSORS];
    double *loss;
    void   *workspace;
    size_t  workspace_bytes;
} on_device;

static size_t workspace_of(const mlp_spec *spec, int way)
{
    return way == WITH_CUBLAS ? cublas_mlp_workspace(spec)
                              : cuda_mlp_workspace(spec, (mlp_method)way);
}

static int call(const mlp_spec *spec, const mlp_buf *buf, int way, void *workspace, size_t bytes)
{
    if (way == WITH_CUBLAS)
        return cublas_mlp_grad(cublas, spec, buf, workspace, bytes, NULL);
    return cuda_mlp_grad(spec, buf, (mlp_method)way, workspace, bytes, NULL);
}

static bool create(const mlp_spec *spec, const mlp_tensors *t, int way, on_device *on)
{
    bool works = true;

    memset(on, 0, sizeof *on);
    for (int i = 0; i < MLP_N_TENSORS && works; i++) {
        const size_t bytes = (size_t)t->count[i] * sizeof(float);

        on->of[i] = phys_device_alloc(bytes);
        works     = on->of[i] != NULL && phys_device_upload(on->of[i], t->of[i], bytes);
    }
    on->workspace_bytes = workspace_of(spec, way);
    on->workspace       = phys_device_alloc(on->workspace_bytes);
    on->loss            = phys_device_alloc(sizeof(double));
    return works && on->workspace != NULL && on->loss != NULL &&
           phys_device_upload(on->loss, &t->loss, sizeof(double));
}

static void release(on_device *on)
{
    for (int i = 0; i < MLP_N_TENSORS; i++)
        phys_device_release(on->of[i]);
    phys_device_release(on->workspace);
    phys_device_release(on->loss);
}

static bool download(const on_device *on, mlp_tensors *t)
{
    bool works = phys_device_download(&t->loss, on->loss, sizeof(double));

    for (int i = MLP_FIRST_OUTPUT; i < MLP_N_TENSORS; i++)
        works =
            works && phys_device_download(t->of[i], on->of[i], (size_t)t->count[i] * sizeof(float));
    return works;
}

static bool run(const mlp_spec *spec, mlp_tensors *t, int way)
{
    on_device on;
    bool      works = trial_expect(create(spec, t, way, &on), "%s: no memory: %s", WAYS[way],
                                   phys_device_message());

    if (works) {
        const mlp_buf buf   = mlp_buf_of(on.of, on.loss);
        const int     error = call(spec, &buf, way, on.workspace, on.workspace_bytes);

        works = trial_expect(error == MLP_OK, "%s: error number %d", WAYS[way], error) &&
                trial_expect(phys_device_wait() && download(&on, t), "%s: %s", WAYS[way],
                             phys_device_message());
    }
    release(&on);
    return works;
}

/* ---- comparing ---- */

static const double UNIT = 0x1p-24, FACTOR = 4; /* as in cases/mlp_grad/mlp_grad.c */

static void compare_tensor(const mlp_tensors *t, const expectation *e, int i, int way)
{
    double worst = 0, difference = 0, largest = 0;

    for (int64_t k = 0; k < t->count[i]; k++) {
        const double expected = e->value[i][k];
        const double off      = fabs((double)t->of[i][k] - expected);
        const double bound    = FACTOR * UNIT * (fabs(expected) + e->deviation[i][k]) + 0x1p-149;

        difference = !(off <= difference) ? off : difference;
        worst      = !(off / bound <= worst) ? off / bound : worst;
        largest    = fmax(largest, fabs(expected));
    }
    printf("  %-7s %-10s max difference %-10.3g of at most %-10.3g (%.3f of its bound)\n",
           WAYS[way], mlp_tensor_name((mlp_tensor)i), difference, largest, worst);
    trial_expect(worst <= 1, "%s: %s is off by %g", WAYS[way], mlp_tensor_name((mlp_tensor)i),
                 difference);
}

static void compare(const mlp_spec *spec, const expectation *e, int way)
{
    mlp_tensors t;

    if (trial_expect(mlp_tensors_create(spec, 1, &t), "out of memory") && run(spec, &t, way)) {
        const double off = fabs(t.loss - e->loss[0]);

        for (int i = MLP_FIRST_OUTPUT; i < MLP_N_TENSORS; i++)
            compare_tensor(&t, e, i, way);
        printf("  %-7s %-10s difference %.3g of %.3g\n", WAYS[way], "loss", off, e->loss[0]);
        trial_expect(off <= FACTOR * UNIT * (e->loss[0] + e->loss[1]), "%s: the loss is off by %g",
                     WAYS[way], off);
    }
    mlp_tensors_free(&t);
}

static bool is_possible(const mlp_spec *spec, int way)
{
    return way == WITH_CUBLAS ? cublas != NULL : cuda_mlp_supports(spec, (mlp_method)way);
}

static void compare_network(mlp_spec spec, int activation)
{
    mlp_tensors t;
    expectation e = { .memory = NULL };

    spec.activation = activation;
    printf("%s\n", mlp_describe(&spec));
    if (trial_expect(mlp_tensors_create(&spec, 1, &t) && expect_tensors(&spec, &t, &e),
                     "out of memory")) {
        trial_expect(mlp_count_weights(&spec) == t.count[MLP_WEIGHTS] &&
                         mlp_count_biases(&spec) == t.count[MLP_BIASES],
                     "%lld weights, %lld biases", (long long)mlp_count_weights(&spec),
                     (long long)mlp_count_biases(&spec));
        for (int way = 0; way < N_WAYS; way++)
            if (is_possible(&spec, way))
                compare(&spec, &e, way);
    }
    free(e.memory);
    mlp_tensors_free(&t);
}

/* ---- hostile arguments ---- */

static void check_refused(const char *what, const mlp_spec *spec, const mlp_buf *buf, void *context)
{
    for (int way = 0; way < N_WAYS; way++)
        trial_expect(call(spec, buf, way, context, (size_t)64 << 20) == MLP_INVALID_VALUE,
                     "%s: invalid %s is accepted", WAYS[way], what);
}

static void check_workspaces(const mlp_spec *spec, const mlp_buf *buf, unsigned char *memory)
{
    for (int way = 0; way < N_WAYS; way++) {
        const size_t bytes = workspace_of(spec, way);

        if (!is_possible(spec, way))
            continue;
        trial_expect(bytes > 0, "%s wants no workspace", WAYS[way]);
        trial_expect(call(spec, buf, way, NULL, bytes) == MLP_INVALID_WORKSPACE &&
                         call(spec, buf, way, memory, bytes - 1) == MLP_INVALID_WORKSPACE &&
                         call(spec, buf, way, memory + 4, bytes) == MLP_INVALID_WORKSPACE,
                     "%s: a workspace that is none is accepted", WAYS[way]);
    }
}

static void test_hostile(void)
{
    const mlp_spec spec = { 3, 2, 4, 2, 2, MLP_TANH, 1 };
    mlp_spec       wide = spec;
    on_device      on;
    mlp_tensors    t;
    void          *memory = phys_device_alloc((size_t)64 << 20);

    if (trial_expect(mlp_tensors_create(&spec, 3, &t) && create(&spec, &t, MLP_NAIVE, &on) &&
                         memory != NULL,
                     "out of memory")) {
        const mlp_buf buf = mlp_buf_of(on.of, on.loss);

        mlp_for_each_invalid(&spec, &buf, check_refused, memory);
        check_workspaces(&spec, &buf, memory);
        wide.width = 65;
        trial_expect(call(&wide, &buf, MLP_FUSED, memory, (size_t)64 << 20) == MLP_INVALID_VALUE &&
                         call(&spec, &buf, -1, memory, (size_t)64 << 20) == MLP_INVALID_VALUE,
                     "a method that cannot do it is taken");
        trial_expect(phys_device_wait() && download(&on, &t) && isnan(t.of[MLP_Y][0]) &&
                         isnan(t.loss),
                     "something is written in spite of an invalid argument");
    }
    release(&on);
    phys_device_release(memory);
    mlp_tensors_free(&t);
}

/* ---- */

/* On the host device only a library that was named: the real one would take host memory for a
 * GPU's. A named library must be there. */
static void open_cublas(void)
{
    char       why[256] = "the host device has none";
    const bool is_named = getenv("ASSAY_CUBLAS_LIBRARY") != NULL;

    if (phys_device_can_time() || is_named)
        cublas = mlp_cublas_create(why, sizeof why);
    trial_expect(cublas != NULL || !is_named, "%s", why);
    if (cublas == NULL)
        printf("without cuBLAS: %s\n", why);
}

int main(void)
{
    char why[256];

    if (!phys_device_open(why, sizeof why)) {
        printf("skipped: %s\n", why);
        return 77;
    }
    printf("CPU in double against %s\n", phys_device_name());
    open_cublas();
    for (size_t i = 0; i < sizeof NETWORKS / sizeof NETWORKS[0]; i++)
        for (int activation = 0; activation < MLP_N_ACTIVATIONS; activation++)
            if ((!NETWORKS[i].is_large || phys_device_can_time()) &&
                (!TRIAL_IS_SANITIZED || (int)(i % MLP_N_ACTIVATIONS) == activation))
                compare_network(NETWORKS[i].spec, activation);
    test_hostile();
    mlp_cublas_destroy(cublas);
    return trial_finish("test_mlp_compare");
}
