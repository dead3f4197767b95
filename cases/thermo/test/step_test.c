/* A point of the case thermo_step in device memory, for stand-alone programs. */
#include "step_test.h"

#include "../../testing/phys_device.h"
#include "gas_test.h"

#include <string.h>
#include <time.h>

assay_launch_fn thermo_step_host_retry, thermo_step_host_retry_tiled, thermo_step_device_retry,
    thermo_step_device_retry_enqueued, thermo_step_device_retry_tiled;
assay_workspace_fn thermo_step_workspace, thermo_step_workspace_tiled;
assay_setup_fn     thermo_step_setup, thermo_step_setup_tiled, thermo_step_setup_repeat,
    thermo_step_setup_repeat_tiled;
assay_teardown_fn thermo_step_teardown;

extern const assay_case assay_case_thermo_step;

static const struct {
    const char         *name;
    assay_launch_fn    *launch;
    assay_workspace_fn *workspace;
    assay_setup_fn     *setup;
} ways[N_WAYS] = {
    [HOST_RETRY]            = { "host_retry", thermo_step_host_retry, thermo_step_workspace,
                                thermo_step_setup },
    [HOST_RETRY_TILED]      = { "host_retry_tiled", thermo_step_host_retry_tiled,
                                thermo_step_workspace_tiled, thermo_step_setup_tiled },
    [DEVICE_RETRY]          = { "device_retry", thermo_step_device_retry, thermo_step_workspace,
                                thermo_step_setup_repeat },
    [DEVICE_RETRY_ENQUEUED] = { "device_retry_enqueued", thermo_step_device_retry_enqueued,
                                thermo_step_workspace, thermo_step_setup },
    [DEVICE_RETRY_TILED]    = { "device_retry_tiled", thermo_step_device_retry_tiled,
                                thermo_step_workspace_tiled, thermo_step_setup_repeat_tiled },
};

static size_t bytes_of(const step_run *r, int b) { return 4 * (size_t)r->count[b]; }

/* Allocates also for an empty buffer (the log, if it is off): NULL is a failure. */
static void *get_device_memory(size_t bytes)
{
    void *memory = phys_device_alloc(bytes > 0 ? bytes : 4);

    if (memory == NULL) {
        (void)printf("out of device memory\n");
        exit(1);
    }
    return memory;
}

static void fill_buffers(step_run *r)
{
    for (int b = 0; b < STEP_N_BUFS; b++) {
        const assay_fill fill = r->shape.buf[b].fill;

        r->count[b] = r->shape.buf[b].count;
        r->host[b]  = get_memory((size_t)r->count[b], 4);
        r->buf[b]   = get_device_memory(bytes_of(r, b));
        for (int64_t i = 0; fill.fn != NULL && i < r->count[b]; i++)
            step_floats(r, b)[i] = (float)fill.fn(
                (uint64_t)((noise((uint64_t)b, (uint64_t)i) + 1) * 0x1p62), i, &r->shape);
    }
}

const char *step_way_name(int way) { return ways[way].name; }

static void set_variant(step_run *r)
{
    for (const assay_variant *v = assay_case_thermo_step.variants; v->name; v++)
        if (strcmp(v->name, ways[r->way].name) == 0)
            r->variant = v;
    for (int i = 0; i < ASSAY_MAX_TUNING && r->variant->tuning[i].name; i++)
        /* The gas of the tiled way marches on grids of any size. */
        r->tune[i] =
            strcmp(r->variant->tuning[i].name, "march") == 0 ? 1 : r->variant->tuning[i].values[0];
}

int step_run_create(step_run *r, int way, step_point at, const char **why)
{
    const assay_value axis[ASSAY_MAX_AXES] = { { .i = { at.side, at.side, at.side } },
                                               { .i = { at.per_cell } },
                                               { .i = { at.start } },
                                               { .i = { at.gravity } },
                                               { .i = { at.rule } },
                                               { .i = { at.log } } };
    int               error;

    memset(r, 0, sizeof *r);
    r->way = way;
    set_variant(r);
    assay_case_thermo_step.shape(axis, ASSAY_INPUT_RANDOM, &r->shape);
    fill_buffers(r);
    r->args = (assay_args) {
        .count = r->count, .param = r->shape.param, .scalar = r->shape.scalar, .tune = r->tune
    };
    r->args.workspace_bytes = ways[way].workspace(&r->args);
    r->args.workspace = r->workspace = get_device_memory(r->args.workspace_bytes);
    r->args.buf                      = r->buf;
    error                            = ways[way].setup(&r->args, &r->state);
    if (error == ASSAY_NOT_HERE) {
        *why     = r->state;
        r->state = NULL;
    }
    r->args.state = r->state;
    return error;
}

void step_run_free(step_run *r)
{
    thermo_step_teardown(r->state);
    for (int b = 0; b < STEP_N_BUFS; b++) {
        free(r->host[b]);
        phys_device_release(r->buf[b]);
    }
    phys_device_release(r->workspace);
}

bool step_run_make(step_run *r, int way, step_point at)
{
    const char *why   = "";
    const int   error = step_run_create(r, way, at, &why);

    if (trial_expect(error == 0, "%s: the set-up failed with %d %s", r->variant->name, error, why))
        return true;
    step_run_free(r);
    return false;
}

static double now_ns(void)
{
    struct timespec now = { 0, 0 };

    (void)timespec_get(&now, TIME_UTC); /* nothing is asserted about it */
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

bool step_run_time(const step_run *r, double *wall_ns)
{
    bool   works = true;
    int    error;
    double begun_ns;

    for (int b = 0; works && b < STEP_N_BUFS; b++)
        if (r->shape.buf[b].role == ASSAY_IN || r->shape.buf[b].role == ASSAY_INOUT)
            works = phys_device_upload(r->buf[b], r->host[b], bytes_of(r, b));
    begun_ns = now_ns();
    error    = ways[r->way].launch(&r->args, NULL);
    works    = phys_device_wait() && works;
    *wall_ns = now_ns() - begun_ns;
    for (int b = 0; works && b < STEP_N_BUFS; b++)
        if (r->shape.buf[b].role == ASSAY_OUT || r->shape.buf[b].role == ASSAY_INOUT)
            works = phys_device_download(r->host[b], r->buf[b], bytes_of(r, b));
    return trial_expect(error == 0 && works, "%s: the launch failed with %d: %s", r->variant->name,
                        error, phys_device_message());
}

bool step_run_launch(const step_run *r)
{
    double ignored;

    return step_run_time(r, &ignored);
}

void step_run_adopt(const step_run *r)
{
    static const int from[] = { STEP_BUF_NEW_POS, STEP_BUF_NEW_VEL, STEP_BUF_NEW_HEAT,
                                STEP_BUF_NEW_ENERGY };
    static const int to[]   = { STEP_BUF_POS, STEP_BUF_VEL, STEP_BUF_HEAT, STEP_BUF_ENERGY };

    for (int i = 0; i < 4; i++)
        memcpy(r->host[to[i]], r->host[from[i]], bytes_of(r, to[i]));
}

float *step_floats(const step_run *r, int b) { return r->host[b]; }
int    step_halvings(const step_run *r) { return *(const int32_t *)r->host[STEP_BUF_HALVINGS]; }
float  step_dt(const step_run *r) { return *step_floats(r, STEP_BUF_DT); }

bool step_is_finite(const step_run *r)
{
    for (int b = STEP_BUF_RHO; b <= STEP_BUF_NEW_ENERGY; b++)
        for (int64_t i = 0; i < r->count[b]; i++)
            if (!isfinite(step_floats(r, b)[i]))
                return false;
    return true;
}

double step_apart(const step_run *a, const step_run *b)
{
    double most = 0;

    for (int64_t i = 0; i < a->count[STEP_BUF_NEW_POS]; i++) {
        const double d = fabs((double)step_floats(a, STEP_BUF_NEW_POS)[i] -
                              (double)step_floats(b, STEP_BUF_NEW_POS)[i]);

        most = isfinite(d) ? fmax(most, fmin(d, 1 - d)) : (double)INFINITY;
    }
    return most;
}
