/* Whole histories are the same, bit for bit, in every kernel and with every schedule: compares
 * places, times, weights, flags and faces of all ends for every GPU variant at several of its
 * tunings. Also tests the case's comparer. Runs on a GPU and, with the suffix _host, on the host
 * device, which also says which kernels were launched: each must belong to a section. */
#ifndef PHOTON_TEST_HAS_GRAPHS
#include "../../testing/launched.h"
#endif
#include "../../testing/phys_device.h"
#include "../../testing/trial.h"

#include "../../../kernels/photon_propagate/photon_detector.h"
#include "../../../kernels/photon_propagate/propagate_case.h"

#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const assay_case assay_case_photon_propagate;

assay_launch_fn photon_propagate_per_step, photon_propagate_persistent,
    photon_propagate_specialised;
assay_workspace_fn photon_propagate_per_step_workspace, photon_propagate_persistent_workspace,
    photon_propagate_specialised_workspace;

typedef struct variant {
    const char         *name;
    assay_launch_fn    *launch;
    assay_workspace_fn *workspace;
    assay_setup_fn     *setup; /* or NULL */
    assay_teardown_fn  *teardown;
    int64_t             tune[ASSAY_MAX_TUNING];
} variant;

#define PER_STEP                                                                                   \
    "per_step", photon_propagate_per_step, photon_propagate_per_step_workspace, NULL, NULL
#define PERSISTENT                                                                                 \
    "persistent", photon_propagate_persistent, photon_propagate_persistent_workspace, NULL, NULL
#define SPECIALISED                                                                                \
    "persistent_specialised", photon_propagate_specialised,                                        \
        photon_propagate_specialised_workspace, NULL, NULL

#ifdef PHOTON_TEST_HAS_GRAPHS
assay_launch_fn    photon_propagate_graph;
assay_workspace_fn photon_propagate_graph_workspace;
assay_setup_fn     photon_propagate_graph_setup;
assay_teardown_fn  photon_propagate_graph_teardown;
#endif

/* All others are compared with the first. */
static const variant variants[] = {
    { PER_STEP, { 256, 512 } },
    { PER_STEP, { 64, 1 } },
    { PERSISTENT, { 256, 512, 64, 8 } },
    { PERSISTENT, { 128, 128, 1, 1 } },
    { PERSISTENT, { 64, 1, 8, 16 } },
    { SPECIALISED, { 256, 256, 4 } },
    { SPECIALISED, { 128, 128, 2 } },
    { SPECIALISED, { 512, 512, 6 } },
#ifdef PHOTON_TEST_HAS_GRAPHS
    { "graph",
      photon_propagate_graph,
      photon_propagate_graph_workspace,
      photon_propagate_graph_setup,
      photon_propagate_graph_teardown,
      { 256, 512 } },
#endif
};
enum {
    N_VARIANTS = sizeof variants / sizeof *variants,
    N_OUT      = PROPAGATE_BUF_TALLY - PROPAGATE_BUF_END_PLACE + 1
};

/* One point of the case in device memory. */
typedef struct call {
    assay_shape shape;
    void       *host[PROPAGATE_BUFFERS], *buf[PROPAGATE_BUFFERS];
    int64_t     count[PROPAGATE_BUFFERS];
    assay_args  args;
} call;

static void in_one_thread(int64_t count, int64_t size, assay_parallel_fn *fn, void *context)
{
    for (int64_t begin = 0, chunk = 0; begin < count; begin += size, chunk++)
        fn(context, chunk, begin, begin + size < count ? begin + size : count);
}

static size_t bytes_of(const call *c, int b) { return 4 * (size_t)c->count[b]; }

/* Aborts if there is no memory. */
static void call_make(call *c, int geometry, int material, int64_t photons)
{
    const assay_value axis[4] = {
        { .i = { 1 } }, { .i = { geometry } }, { .i = { material } }, { .i = { photons } }
    };

    memset(c, 0, sizeof *c);
    assay_case_photon_propagate.shape(axis, ASSAY_INPUT_RANDOM, &c->shape);
    for (int b = 0; b < PROPAGATE_BUFFERS; b++) {
        c->count[b] = c->shape.buf[b].count;
        c->host[b]  = calloc(bytes_of(c, b) + 1, 1);
        c->buf[b]   = phys_device_alloc(bytes_of(c, b));
        if (!c->host[b] || !c->buf[b])
            abort();
    }
    *(uint32_t *)c->host[PROPAGATE_BUF_EVENT] = 20;
    assay_case_photon_propagate.prepare(&(assay_prepare_args) { c->host, c->count, c->shape.param,
                                                                c->shape.scalar, in_one_thread });
    for (int b = 0; b < PROPAGATE_BUF_REAL; b++)
        if (!phys_device_upload(c->buf[b], c->host[b], bytes_of(c, b)))
            abort();
    c->args = (assay_args) {
        .buf = c->buf, .count = c->count, .param = c->shape.param, .scalar = c->shape.scalar
    };
}

static void call_free(call *c)
{
    for (int b = 0; b < PROPAGATE_BUFFERS; b++) {
        free(c->host[b]);
        phys_device_release(c->buf[b]);
    }
}

/* Runs a variant; its outputs are then in c->host. Clears what an earlier run left. */
static bool run(call *c, const variant *v)
{
    int error;

    c->args.tune            = v->tune;
    c->args.workspace_bytes = v->workspace(&c->args);
    c->args.workspace       = phys_device_alloc(c->args.workspace_bytes);
    c->args.state           = NULL;
    if (!c->args.workspace)
        abort();
    for (int b = PROPAGATE_BUF_REAL; b < PROPAGATE_BUFFERS; b++) {
        memset(c->host[b], 0xa5, bytes_of(c, b));
        if (!phys_device_upload(c->buf[b], c->host[b], bytes_of(c, b)))
            abort();
    }
    error = v->setup ? v->setup(&c->args, &c->args.state) : 0;
    if (error == 0)
        error = v->launch(&c->args, NULL);
    trial_expect(error == 0 && phys_device_wait(), "%s: error %d", v->name, error);
    for (int b = PROPAGATE_BUF_END_PLACE; b < PROPAGATE_BUFFERS; b++)
        if (!phys_device_download(c->host[b], c->buf[b], bytes_of(c, b)))
            abort();
    if (v->teardown)
        v->teardown(c->args.state);
    phys_device_release(c->args.workspace);
    return error == 0;
}

static void expect_same(call *c, void *const first[N_OUT], const variant *v, int k)
{
    for (int o = 0; o < N_OUT; o++) {
        const int b = PROPAGATE_BUF_END_PLACE + o;

        trial_expect(memcmp(first[o], c->host[b], bytes_of(c, b)) == 0,
                     "%s (row %d): '%s' is not what %s makes", v->name, k, c->shape.buf[b].name,
                     variants[0].name);
    }
}

/* Checks the kernels that the variant has launched since the last call. */
static void expect_sections(const variant *v)
{
#ifndef PHOTON_TEST_HAS_GRAPHS
    const assay_variant *of = assay_case_photon_propagate.variants;

    while (of->name && strcmp(of->name, v->name) != 0)
        of++;
    if (trial_expect(of->name != NULL, "%s is no variant of the case", v->name))
        launched_expect_sections(of);
    launched_forget();
#else
    (void)v;
#endif
}

static void test_point(int geometry, int material, int64_t photons)
{
    void *first[N_OUT] = { NULL };
    call  c;

    call_make(&c, geometry, material, photons);
    for (int k = 0; k < N_VARIANTS; k++) {
        if (!run(&c, &variants[k]))
            continue;
        expect_sections(&variants[k]);
        for (int o = 0; k == 0 && o < N_OUT; o++) {
            const size_t bytes = bytes_of(&c, PROPAGATE_BUF_END_PLACE + o);

            first[o] = malloc(bytes + 1);
            if (!first[o])
                abort();
            memcpy(first[o], c.host[PROPAGATE_BUF_END_PLACE + o], bytes);
        }
        if (first[0])
            expect_same(&c, first, &variants[k], k);
    }
    for (int o = 0; o < N_OUT; o++)
        free(first[o]);
    call_free(&c);
}

/* ---- the comparer: it accepts what a kernel wrote, and refuses every change of it */

static assay_verdict judge(const call *c, char *reason, size_t size)
{
    const assay_evidence e = { .shape = &c->shape,
                               .input = ASSAY_INPUT_RANDOM,
                               .in    = (const void *const *)c->host,
                               .out   = (const void *const *)c->host };

    reason[0] = '\0';
    return assay_case_photon_propagate.compare(&e, reason, size);
}

/* Changes a word of the records, and restores it. */
static void expect_rejected(const call *c, int b, int64_t at, uint32_t word, const char *words)
{
    uint32_t *const     of   = c->host[b];
    const uint32_t      kept = of[at];
    char                reason[256];
    const assay_verdict verdict = (of[at] = word, judge(c, reason, sizeof reason));

    of[at] = kept;
    trial_expect(word != kept && verdict == ASSAY_WRONG_VALUE && strstr(reason, words),
                 "'%s', element %lld: verdict %d, '%s'", c->shape.buf[b].name, (long long)at,
                 (int)verdict, reason);
}

static int64_t row_without_end(const call *c)
{
    const uint32_t *flags = c->host[PROPAGATE_BUF_END_FLAGS];
    int64_t         row   = c->count[PROPAGATE_BUF_END_FLAGS] - 1;

    while (row > 0 && flags[row] != 0)
        row--;
    return row;
}

static void test_comparer(void)
{
    char            reason[256];
    call            c;
    const uint32_t *weight, *flags;
    int64_t         vacant;

    call_make(&c, PHOTON_BOX, PHOTON_SCINTILLATOR, 701);
    weight = c.host[PROPAGATE_BUF_END_WEIGHT];
    flags  = c.host[PROPAGATE_BUF_END_FLAGS];
    if (run(&c, &variants[0])) {
        vacant = row_without_end(&c);
        trial_expect(judge(&c, reason, sizeof reason) == ASSAY_PASS, "%s", reason);
        expect_rejected(&c, PROPAGATE_BUF_END_WEIGHT, 17, weight[17] + 1, "weight");
        expect_rejected(&c, PROPAGATE_BUF_END_WEIGHT, 17, weight[16], "weight");
        expect_rejected(&c, PROPAGATE_BUF_END_WEIGHT, 17, 0x3f800000u, "weight"); /* 1 */
        expect_rejected(&c, PROPAGATE_BUF_END_WEIGHT, 17, 0, "weight");
        expect_rejected(&c, PROPAGATE_BUF_END_WEIGHT, vacant, weight[17], "weight");
        expect_rejected(&c, PROPAGATE_BUF_END_FLAGS, 17, 0, "has not ended");
        expect_rejected(&c, PROPAGATE_BUF_END_FLAGS, 17, flags[17] | PHOTON_ENDED, "in one way");
        expect_rejected(&c, PROPAGATE_BUF_END_FLAGS, vacant, PHOTON_NO_HIT, "ended twice");
        expect_rejected(&c, PROPAGATE_BUF_TALLY, 1, 1u << 20, "tally");
    }
    call_free(&c);
}

/* Long histories and short ones, a tree of many levels, and a detector that does not close. */
static const struct {
    int geometry, material;
} points[] = {
    { PHOTON_BOX, PHOTON_SCINTILLATOR },   { PHOTON_BOX, PHOTON_WATER },
    { PHOTON_SPHERE, PHOTON_WATER },       { PHOTON_SPHERE, PHOTON_WHITE },
    { PHOTON_LARGE, PHOTON_SCINTILLATOR }, { PHOTON_LARGE, PHOTON_WATER },
    { PHOTON_OBJ, PHOTON_WHITE },
};

int main(void)
{
    char          why[256];
    const int64_t photons =
        phys_device_open(why, sizeof why) && phys_device_can_time() ? 100003 : 421;

    if (!phys_device_open(why, sizeof why)) {
        (void)printf("skipped: %s\n", why);
        return 77;
    }
    for (size_t k = 0; k < sizeof points / sizeof *points; k++)
        test_point(points[k].geometry, points[k].material, photons);
    test_comparer();
    return trial_finish("test_photon_histories");
}
