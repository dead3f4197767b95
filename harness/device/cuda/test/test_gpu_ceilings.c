/* The ceiling kernels on a real GPU: what they compute at many sizes. Their rates are printed for
 * people to judge. */
#define _POSIX_C_SOURCE 200809L
#include "gpu_test.h"

#include "device/device_ceilings.h"

#include <math.h>

enum {
    MOST  = (9 << 20) + 1, /* above the size from which a thread takes several words */
    SPARE = 64,            /* floats after the last one, which must not change */
    DEPTH = 4              /* the most words a thread may have in flight */
};

static const float left = -12345;

/* a is written, b and c are read; on the device and on the host. */
static void  *memory[3];
static float *here[3];

static void begin(void)
{
    for (int i = 0; i < 3; i++) {
        here[i] = malloc((MOST + SPARE) * sizeof *here[i]);
        assert_non_null(here[i]);
        assert_ok(api->alloc(device, (MOST + SPARE) * sizeof *here[i], &memory[i]));
    }
    for (int64_t i = 0; i < MOST + SPARE; i++) {
        here[1][i] = (float)(i * 7 % 1000 - 500);
        here[2][i] = (float)(i % 251);
    }
    for (int i = 1; i < 3; i++)
        assert_ok(api->upload(device, memory[i], here[i], (MOST + SPARE) * sizeof *here[i]));
}

static void end(void)
{
    for (int i = 0; i < 3; i++) {
        api->release(device, memory[i]);
        free(here[i]);
    }
}

/* Runs a launcher, and copies the first n_reset floats of a to the host. */
static assay_fault_kind run_ceiling(assay_launch_fn *launch, int64_t n, int64_t p, size_t n_reset)
{
    const int64_t    its_count[1] = { n }, its_param[1] = { p };
    const assay_args its_args = { .buf = memory, .count = its_count, .param = its_param };

    for (size_t i = 0; i < n_reset; i++)
        here[0][i] = left;
    assert_ok(api->upload(device, memory[0], here[0], n_reset * sizeof *here[0]));
    assert_ok(api->enqueue(device, launch, &its_args, &fault));
    if (fault.kind == ASSAY_FAULT_NONE)
        assert_ok(api->wait(device, &fault));
    assert_ok(api->download(device, here[0], memory[0], n_reset * sizeof *here[0]));
    return fault.kind;
}

static float copied(int64_t i) { return here[1][i]; }
static float written(int64_t i) { return assay_ceiling_written((uint64_t)i); }
static float triad(int64_t i) { return fmaf(3, here[2][i], here[1][i]); }

static const struct {
    const char      *name;
    assay_launch_fn *launch;
    float (*expected)(int64_t i);
} maps[] = {
    { "copy", assay_ceiling_copy, copied },
    { "write", assay_ceiling_write, written },
    { "triad", assay_ceiling_triad, triad },
};

static const int64_t sizes[] = { 0, 1, 3, 4, 5, 1023, 1024, 1025, 4099, (1 << 20) + 3, MOST };

static void check_map(size_t m, int64_t n, int64_t depth)
{
    if (run_ceiling(maps[m].launch, n, depth, (size_t)n + SPARE) != ASSAY_FAULT_NONE)
        fail_msg("%s of %lld, depth %lld: %s", maps[m].name, (long long)n, (long long)depth,
                 fault.text);
    for (int64_t i = 0; i < n + SPARE; i++) {
        const float expected = i < n ? maps[m].expected(i) : left;

        if (here[0][i] != expected)
            fail_msg("%s of %lld, depth %lld: element %lld is %g, not %g", maps[m].name,
                     (long long)n, (long long)depth, (long long)i, (double)here[0][i],
                     (double)expected);
    }
}

static void gpu_maps(void **state)
{
    (void)state;
    begin();
    for (size_t m = 0; m < sizeof maps / sizeof maps[0]; m++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            for (int64_t depth = 0; depth <= DEPTH; depth++)
                check_map(m, sizes[s], depth);
    end();
}

static uint32_t sum_of_words(const float *values, int64_t n)
{
    uint32_t sum = 0, word;

    for (int64_t i = 0; i < n; i++) {
        memcpy(&word, &values[i], sizeof word);
        sum += word;
    }
    return sum;
}

static void check_read(int64_t n, int64_t depth)
{
    const int64_t n_words = assay_ceiling_read_words(n);
    uint32_t      found, expected = sum_of_words(here[1], n);

    /* `left` is not zero, so a word that was not written changes the sum. */
    if (run_ceiling(assay_ceiling_read, n, depth, (size_t)n_words + SPARE) != ASSAY_FAULT_NONE)
        fail_msg("read of %lld, depth %lld: %s", (long long)n, (long long)depth, fault.text);
    for (int64_t i = n_words; i < n_words + SPARE; i++)
        if (here[0][i] != left)
            fail_msg("read of %lld, depth %lld: word %lld is written", (long long)n,
                     (long long)depth, (long long)i);
    for (int64_t i = 0; i < n_words; i++)
        if (here[0][i] == left)
            here[0][i] = 0;
    found = sum_of_words(here[0], n_words);
    if (found != expected)
        fail_msg("read of %lld, depth %lld: sum %08x, not %08x", (long long)n, (long long)depth,
                 (unsigned)found, (unsigned)expected);
}

static void gpu_read(void **state)
{
    (void)state;
    begin();
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (int64_t depth = 0; depth <= DEPTH; depth++)
            check_read(sizes[s], depth);
    end();
}

static void gpu_fma(void **state)
{
    static const int64_t counts[] = { 0, 1, 255, 256, 257, 4099 };
    static const int64_t rounds[] = { 0, 1, 7, ASSAY_CEILING_MAX_ROUNDS };

    (void)state;
    begin();
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
        for (size_t r = 0; r < sizeof rounds / sizeof rounds[0]; r++) {
            const int64_t n = counts[c];

            if (run_ceiling(assay_ceiling_fma, n, rounds[r], (size_t)n + SPARE) != ASSAY_FAULT_NONE)
                fail_msg("fma of %lld, %lld rounds: %s", (long long)n, (long long)rounds[r],
                         fault.text);
            for (int64_t i = 0; i < n + SPARE; i++) {
                const float expected = i < n ? assay_ceiling_counted(rounds[r]) : left;

                if (here[0][i] != expected)
                    fail_msg("fma of %lld, %lld rounds: element %lld is %.9g, not %.9g",
                             (long long)n, (long long)rounds[r], (long long)i, (double)here[0][i],
                             (double)expected);
            }
        }
    end();
}

static void gpu_wrong_parameters(void **state)
{
    static const struct {
        const char      *name;
        assay_launch_fn *launch;
        int64_t          n, param;
    } wrong[] = {
        { "copy", assay_ceiling_copy, 1, -1 },
        { "copy", assay_ceiling_copy, 1, DEPTH + 1 },
        { "copy", assay_ceiling_copy, -1, 1 },
        { "read", assay_ceiling_read, 1, DEPTH + 1 },
        { "write", assay_ceiling_write, 1, -1 },
        { "triad", assay_ceiling_triad, -1, 0 },
        { "fma", assay_ceiling_fma, 1, -1 },
        { "fma", assay_ceiling_fma, -1, 1 },
        { "fma", assay_ceiling_fma, 1, ASSAY_CEILING_MAX_ROUNDS + 1 },
    };

    (void)state;
    begin();
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (run_ceiling(wrong[i].launch, wrong[i].n, wrong[i].param, SPARE) != ASSAY_FAULT_LAUNCH)
            fail_msg("%s of %lld with %lld: fault %d", wrong[i].name, (long long)wrong[i].n,
                     (long long)wrong[i].param, (int)fault.kind);
        for (int k = 0; k < SPARE; k++)
            if (here[0][k] != left)
                fail_msg("%s of %lld with %lld ran", wrong[i].name, (long long)wrong[i].n,
                         (long long)wrong[i].param);
    }
    end();
}

/* ---- rates: printed, never judged ---- */

/* The least of several gated event times. */
static double time_of(assay_launch_fn *launch, const assay_args *its_args, bool is_cold)
{
    double least_ns = INFINITY;

    assert_ok(api->enqueue(device, launch, its_args, &fault));
    assert_ok(api->wait(device, &fault));
    for (int i = 0; i < 10; i++) {
        bool   was_adequate = false;
        double time_ns      = 0;

        if (is_cold)
            assert_ok(api->flush_cache(device, ASSAY_FLUSH_WRITE));
        assert_ok(api->gate_close(device));
        assert_ok(api->mark(device, 0));
        assert_ok(api->enqueue(device, launch, its_args, &fault));
        assert_ok(api->mark(device, 1));
        assert_ok(api->gate_open(device, &was_adequate));
        assert_ok(api->wait(device, &fault));
        assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
        assert_ok(api->elapsed(device, &time_ns));
        least_ns = fmin(least_ns, time_ns);
    }
    return least_ns;
}

/* Numbers without a pattern, since constant data can be compressed on its way to memory. */
static void fill_at_random(void *to, size_t bytes)
{
    static uint32_t words[1 << 20];
    uint32_t        x = 1;

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        words[i] = x;
    }
    for (size_t at = 0; at < bytes; at += sizeof words)
        assert_ok(api->upload(device, (char *)to + at, words,
                              bytes - at < sizeof words ? bytes - at : sizeof words));
}

static void gpu_bandwidths(void **state)
{
    static const struct {
        const char      *name;
        assay_launch_fn *launch;
        int              bytes; /* of an element */
    } kernels[] = {
        { "copy", assay_ceiling_copy, 8 },
        { "read", assay_ceiling_read, 4 },
        { "write", assay_ceiling_write, 4 },
        { "triad", assay_ceiling_triad, 12 },
    };
    static const int64_t counts[] = { 1 << 16, 1 << 20, 1 << 22, 1 << 24, 1 << 28 };
    int64_t              n[1], p[1];
    const assay_args     its_args = { .buf = memory, .count = n, .param = p };

    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_ok(api->alloc(device, sizeof(float) << 28, &memory[i]));
        fill_at_random(memory[i], sizeof(float) << 28);
    }
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
            for (p[0] = 0; p[0] <= DEPTH; p[0]++) {
                double time_ns[2];

                n[0] = counts[c];
                for (int is_cold = 0; is_cold < 2; is_cold++)
                    time_ns[is_cold] = time_of(kernels[k].launch, &its_args, is_cold);
                print_message("%-5s of 2^%2.0f floats, depth %lld: cold %9.2f us %7.1f GB/s, hot "
                              "%9.2f us %7.1f GB/s\n",
                              kernels[k].name, log2((double)n[0]), (long long)p[0],
                              time_ns[1] * 1e-3, (double)(kernels[k].bytes * n[0]) / time_ns[1],
                              time_ns[0] * 1e-3, (double)(kernels[k].bytes * n[0]) / time_ns[0]);
            }
    for (int i = 0; i < 3; i++)
        api->release(device, memory[i]);
}

static void gpu_fma_rate(void **state)
{
    int64_t          n[1]     = { (int64_t)info.sm_count * 2048 }, p[1];
    const assay_args its_args = { .buf = memory, .count = n, .param = p };

    (void)state;
    assert_ok(api->alloc(device, (size_t)n[0] * sizeof(float), &memory[0]));
    for (p[0] = 10; p[0] <= 10000; p[0] *= 10) {
        const double time_ns = time_of(assay_ceiling_fma, &its_args, false);

        print_message("fma, %5lld rounds: %9.2f us, %.2f Tflop/s\n", (long long)p[0],
                      time_ns * 1e-3, assay_ceiling_flops(n[0], p[0]) / time_ns * 1e-3);
    }
    api->release(device, memory[0]);
}

/* Measured on the host's clock, since a digest waits. */
static void gpu_digest_rate(void **state)
{
    const size_t    bytes = (size_t)1 << 30;
    struct timespec began, ended;
    uint64_t        sum = 0;

    (void)state;
    assert_ok(api->alloc(device, bytes, &memory[0]));
    fill_at_random(memory[0], bytes);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &began), 0);
        assert_ok(api->digest(device, memory[0], bytes, &sum));
        assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &ended), 0);
        print_message("digest of 1 GiB: %.1f us\n",
                      (double)(ended.tv_sec - began.tv_sec) * 1e6 +
                          (double)(ended.tv_nsec - began.tv_nsec) * 1e-3);
    }
    api->release(device, memory[0]);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        GPU_TEST(gpu_maps),        GPU_TEST(gpu_read),
        GPU_TEST(gpu_fma),         GPU_TEST(gpu_wrong_parameters),
        GPU_TEST(gpu_bandwidths),  GPU_TEST(gpu_fma_rate),
        GPU_TEST(gpu_digest_rate),
    };

    return run_gpu_tests(tests, sizeof tests / sizeof tests[0], argc, argv);
}
