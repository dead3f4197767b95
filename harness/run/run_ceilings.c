/* The ceilings of the machine, by every clock of this process: the null kernel, bandwidths by
 * working set, the rate of fp32 multiply-adds. They are measured like all times, after the answers
 * were checked. */
#include "device/device_ceilings.h"
#include "run_internal.h"

#include "base/clock.h"
#include "base/text.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PIECE      = 4096,    /* floats that are checked at each end of a result */
    FMA_COUNT  = 1 << 20, /* threads of the multiply-add kernel */
    FMA_ROUNDS = 128,
};

static const double CEILING_BUDGET_S = 0.012; /* one kernel by one clock at one working set */
static const double CEILING_LIMIT_S  = 120;
static const double MEMORY_SHARE     = 0.5; /* of the device's free memory, for all three buffers */

static const int64_t LEAST_BYTES = 1 << 16,
                     MOST_BYTES  = 1 << 30; /* working sets, each four times the one before */

/* The value at index i of the result, for b = 1 and c = 2 (device_ceilings.h). */
static float copied(int64_t i) { return (void)i, 1; }
static float written(int64_t i) { return assay_ceiling_written((uint64_t)i); }
static float triad(int64_t i) { return (void)i, 7; }
static float counted(int64_t i) { return (void)i, assay_ceiling_counted(FMA_ROUNDS); }

typedef struct kernel {
    const char *kind, *symbol;
    int         n_arrays;         /* that a call accesses: bytes = arrays * count * 4 */
    float (*expected)(int64_t i); /* NULL: the results are sums, which are checked together */
} kernel;

static const kernel kernels[] = {
    { "copy", "assay_ceiling_copy", 2, copied },
    { "read", "assay_ceiling_read", 1, NULL },
    { "write", "assay_ceiling_write", 1, written },
    { "triad", "assay_ceiling_triad", 3, triad },
};

typedef struct bench {
    assay_runner       *runner;
    const assay_policy *policy;
    const assay_sink   *sink;
    assay_recorder      recorder;
    void               *buf[3]; /* device memory, owned */
    int64_t             count[3];
    int64_t             param[2];
    assay_args          args;
} bench;

/* ---- one kernel by one clock ---- */

static assay_status measure(bench *b, assay_launch_fn *launch, const assay_metric_name *name,
                            assay_ceiling_row *row)
{
    assay_status          st          = ASSAY_OK;
    assay_measurement_row measurement = { .n_samples = 0 };
    const assay_timer_job job         = { .api      = b->runner->module.api,
                                          .device   = b->runner->device,
                                          .launch   = launch,
                                          .args     = &b->args,
                                          .l2_bytes = b->runner->info.l2_bytes,
                                          .nvml     = b->runner->nvml,
                                          .recorder = b->runner->records ? &b->recorder : NULL };
    assay_fault           fault;

    ASSAY_CHECK(assay_timer_measure(&job, b->policy, name->regime, name->clock, CEILING_BUDGET_S,
                                    &measurement, &fault));
    ASSAY_REQUIRE(fault.kind == ASSAY_FAULT_NONE, ASSAY_E_DEVICE, "the kernel '%s' failed: %s",
                  row->kind, fault.text);
    row->regime    = name->regime;
    row->clock     = name->clock;
    row->n_samples = measurement.n_samples;
    row->median_ns = measurement.median_ns;
out:
    return st;
}

/* Measures by each clock. `amount`: bytes or flops of a call, NaN for none. */
static assay_status measure_all(bench *b, assay_launch_fn *launch, const char *kind,
                                int64_t working_set_bytes, double amount)
{
    assay_status st = ASSAY_OK;

    for (const assay_metric_name *name = assay_run_device_metrics(b->runner); name->regime;
         name++) {
        assay_ceiling_row row = { .working_set_bytes = working_set_bytes };

        (void)assay_text_set(row.kind, sizeof row.kind, "%s", kind);
        ASSAY_CHECK(b->sink->note(b->sink->context, 0, kind, CEILING_LIMIT_S));
        ASSAY_CHECK(measure(b, launch, name, &row));
        row.rate = amount / row.median_ns * 1e9;
        if (row.n_samples > 0)
            ASSAY_CHECK(b->sink->row(b->sink->context, 0, ASSAY_ROW_CEILING, &row));
    }
out:
    return st;
}

/* ---- is the answer right? ---- */

static assay_status launch_once(bench *b, assay_launch_fn *launch, const char *kind)
{
    const assay_device_api *api = b->runner->module.api;
    assay_status            st  = ASSAY_OK;
    assay_fault             fault;

    ASSAY_CHECK(assay_run_device_status(b->runner,
                                        api->enqueue(b->runner->device, launch, &b->args, &fault)));
    if (fault.kind == ASSAY_FAULT_NONE)
        ASSAY_CHECK(assay_run_device_status(b->runner, api->wait(b->runner->device, &fault)));
    ASSAY_REQUIRE(fault.kind == ASSAY_FAULT_NONE, ASSAY_E_DEVICE, "the kernel '%s' failed: %s",
                  kind, fault.text);
out:
    return st;
}

/* The sums of all blocks, modulo 2^32, give the sum of all words: n times the bits of 1. */
static assay_status look_at_sums(bench *b)
{
    const assay_device_api *api   = b->runner->module.api;
    const int64_t           n     = assay_ceiling_read_words(b->count[0]);
    uint32_t               *sums  = calloc((size_t)n, sizeof *sums);
    const uint32_t          one   = 0x3f800000u;
    uint32_t                total = 0;
    assay_status            st    = ASSAY_OK;

    ASSAY_REQUIRE(sums, ASSAY_E_MEMORY, "no memory for %lld sums", (long long)n);
    ASSAY_CHECK(assay_run_device_status(
        b->runner, api->download(b->runner->device, sums, b->buf[0], (size_t)n * sizeof *sums)));
    for (int64_t i = 0; i < n; i++)
        total += sums[i];
    ASSAY_REQUIRE(total == (uint32_t)b->count[0] * one, ASSAY_E_DEVICE,
                  "the kernel 'read' did not read every word");
out:
    free(sums);
    return st;
}

/* Checks both ends of the result; the same code writes what is between. */
static assay_status look_at_result(bench *b, const kernel *k)
{
    const assay_device_api *api = b->runner->module.api;
    const int64_t n = b->count[0] < PIECE ? b->count[0] : PIECE, starts[] = { 0, b->count[0] - n };
    float         found[PIECE];
    assay_status  st = ASSAY_OK;

    if (!k->expected)
        return look_at_sums(b);
    for (int end = 0; end < 2; end++) {
        ASSAY_CHECK(
            assay_run_device_status(b->runner, api->download(b->runner->device, found,
                                                             (const float *)b->buf[0] + starts[end],
                                                             (size_t)n * sizeof *found)));
        for (int64_t i = 0; i < n; i++)
            ASSAY_REQUIRE(found[i] == k->expected(starts[end] + i), ASSAY_E_DEVICE,
                          "the kernel '%s' wrote %g at %lld where %g was expected", k->kind,
                          (double)found[i], (long long)(starts[end] + i),
                          (double)k->expected(starts[end] + i));
    }
out:
    return st;
}

/* Constant contents: values do not matter for the time, and the answer is known. */
static assay_status set_floats(bench *b, int which, float value)
{
    const assay_device_api *api   = b->runner->module.api;
    const size_t            bytes = (size_t)b->count[which] * sizeof value;
    float                   piece[PIECE];
    size_t                  done = bytes < sizeof piece ? bytes : sizeof piece;
    assay_status            st   = ASSAY_OK;

    for (int i = 0; i < PIECE; i++)
        piece[i] = value;
    ASSAY_CHECK(assay_run_device_status(
        b->runner, api->upload(b->runner->device, b->buf[which], piece, done)));
    while (done < bytes) {
        const size_t next = bytes - done < done ? bytes - done : done;

        ASSAY_CHECK(assay_run_device_status(
            b->runner,
            api->copy(b->runner->device, (char *)b->buf[which] + done, b->buf[which], next)));
        done += next;
    }
out:
    return st;
}

/* ---- everything ---- */

/* NULL: this module lacks the kernel, since it is for another device. */
static assay_launch_fn *find(const bench *b, const char *symbol)
{
    assay_launch_fn *launch = NULL;
    void            *found  = dlsym(b->runner->module.handle, symbol);

    memcpy(&launch, &found, sizeof launch);
    return launch;
}

static assay_status measure_bandwidths(bench *b, int64_t bytes)
{
    assay_status st = ASSAY_OK;

    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        const kernel    *k      = &kernels[i];
        assay_launch_fn *launch = find(b, k->symbol);

        ASSAY_REQUIRE(launch, ASSAY_E_CASE, "the kernel module has no '%s'", k->symbol);
        for (int which = 0; which < 3; which++)
            b->count[which] = bytes / k->n_arrays / 64 * 16; /* whole 64-byte pieces */
        b->param[0] = 0;
        ASSAY_CHECK(set_floats(b, 0, 0));
        ASSAY_CHECK(set_floats(b, 1, 1));
        ASSAY_CHECK(set_floats(b, 2, 2));
        ASSAY_CHECK(launch_once(b, launch, k->kind));
        ASSAY_CHECK(look_at_result(b, k));
        ASSAY_CHECK(measure_all(b, launch, k->kind, bytes,
                                (double)(b->count[0] * k->n_arrays) * sizeof(float)));
    }
out:
    return st;
}

static assay_status allocate(bench *b, int64_t bytes)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < 3; i++)
        ASSAY_CHECK(assay_run_device_status(
            b->runner, b->runner->module.api->alloc(b->runner->device, (size_t)bytes, &b->buf[i])));
out:
    return st;
}

static assay_status measure_fma(bench *b)
{
    static const kernel fma    = { "fma", NULL, 1, counted };
    assay_launch_fn    *launch = find(b, "assay_ceiling_fma");
    assay_status        st     = ASSAY_OK;

    ASSAY_REQUIRE(launch, ASSAY_E_CASE, "the kernel module has no 'assay_ceiling_fma'");
    b->count[0] = FMA_COUNT;
    b->param[0] = FMA_ROUNDS;
    ASSAY_CHECK(launch_once(b, launch, fma.kind));
    ASSAY_CHECK(look_at_result(b, &fma));
    ASSAY_CHECK(measure_all(b, launch, fma.kind, 0, assay_ceiling_flops(FMA_COUNT, FMA_ROUNDS)));
out:
    return st;
}

static assay_status measure_floor(bench *b)
{
    assay_launch_fn *launch = find(b, "assay_device_null");
    assay_status     st     = ASSAY_OK;

    ASSAY_REQUIRE(launch, ASSAY_E_CASE, "the kernel module has no 'assay_device_null'");
    ASSAY_CHECK(measure_all(b, launch, "null", 0, NAN));
out:
    return st;
}

assay_status assay_run_ceilings(assay_runner *runner, const assay_policy *policy, double wall_s,
                                const assay_sink *sink)
{
    const double  began_s = assay_clock_s();
    assay_status  st      = ASSAY_OK;
    int64_t       most    = MOST_BYTES;
    const int64_t room    = (int64_t)(MEMORY_SHARE * (double)runner->info.memory_free_bytes / 3);
    bench         b       = { .runner   = runner,
                              .policy   = policy,
                              .sink     = sink,
                              .recorder = { runner->records, assay_record_collect } };

    b.args = (assay_args) { .buf = b.buf, .count = b.count, .param = b.param };
    while (most > room && most > LEAST_BYTES)
        most /= 4;
    ASSAY_CHECK(allocate(
        &b, most < FMA_COUNT * (int64_t)sizeof(float) ? FMA_COUNT * (int64_t)sizeof(float) : most));
    ASSAY_CHECK(measure_floor(&b));
    ASSAY_CHECK(measure_fma(&b));
    /* From the smallest on, without gaps. Points above the last working set are then compared with
     * a higher bandwidth than their own, so that no point is SUSPECT because a ceiling is missing.
     */
    for (int64_t bytes = LEAST_BYTES; bytes <= most && assay_clock_s() - began_s < wall_s;
         bytes *= 4)
        ASSAY_CHECK(measure_bandwidths(&b, bytes));
out:
    for (int i = 0; i < 3; i++)
        runner->module.api->release(runner->device, b.buf[i]);
    return st;
}
