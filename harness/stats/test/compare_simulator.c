/* Seven kinds of noise: from samples to the blocks of a run. */
#include "compare_simulator.h"

#include "check/fill.h"
#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>

enum {
    POOL   = 4096, /* blocks of a kind; quantised: 32 places within a tick times 128 */
    PHASES = 32
};

static const double SAMPLE_NOISE = 0.02;  /* of every sample, normal */
static const double CLOCK_NOISE  = 0.001; /* of every process's clock */
static const double SHORT_NS = 2000, LONG_NS = 100000, TICK_NS = 32;

const sim_noise sim_usual  = { .process = 0.0015, .run = 0.001, .drift_run = 0.003 };
sim_noise       sim_noises = { .process = 0.0015, .run = 0.001, .drift_run = 0.003 };

const char *const sim_names[] = {
#define X(name, cases) #name,
    SIM_KINDS(X)
#undef X
};

static const int sim_cases[] = {
#define X(name, cases) cases,
    SIM_KINDS(X)
#undef X
};

static double pool[SIM_N_KINDS][POOL]; /* the middle of a block over its true time */

/* ---- random numbers ---- */

sim_random sim_seed(uint64_t seed) { return (sim_random) { assay_random(seed, 0, 0) | 1, NAN }; }

static uint64_t next_bits(sim_random *random)
{
    uint64_t x = random->state;

    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    random->state = x;
    return x * 0x2545F4914F6CDD1Du;
}

double sim_uniform(sim_random *random)
{
    return ((double)(next_bits(random) >> 12) + 0.5) * 0x1p-52;
}

double sim_normal(sim_random *random)
{
    const double spare = random->spare;
    double       radius, angle;

    if (!isnan(spare)) {
        random->spare = NAN;
        return spare;
    }
    radius        = sqrt(-2 * log(sim_uniform(random)));
    angle         = 2 * acos(-1) * sim_uniform(random);
    random->spare = radius * sin(angle);
    return radius * cos(angle);
}

/* ---- blocks ---- */

/* slow_share: share of samples in the slow mode of a block of kind two_modes. */
static double one_sample(sim_random *random, sim_kind kind, double slow_share, double *last)
{
    double x = SAMPLE_NOISE * sim_normal(random);

    if (kind == SIM_correlated) /* lag 1: 0.8 */
        x = *last = 0.8 * *last + 0.6 * x;
    if (kind == SIM_outliers && sim_uniform(random) < 0.05)
        x += 0.1 + 0.9 * sim_uniform(random);
    if (kind == SIM_two_modes && sim_uniform(random) < slow_share)
        x += 0.03;
    return 1 + x;
}

static double one_block(sim_random *random, sim_kind kind, double phase)
{
    const double slow_share = 0.2 + 0.6 * sim_uniform(random);
    double       samples[SIM_SAMPLES], middle = NAN, last = SAMPLE_NOISE * sim_normal(random);
    const double true_ns = kind == SIM_quantised ? SHORT_NS + phase * TICK_NS : LONG_NS;

    for (int i = 0; i < SIM_SAMPLES; i++) {
        samples[i] = true_ns * one_sample(random, kind, slow_share, &last);
        if (kind == SIM_quantised)
            samples[i] = TICK_NS * round(samples[i] / TICK_NS);
    }
    if (assay_stats_middle(samples, SIM_SAMPLES, 2, &middle) != ASSAY_OK)
        abort();
    return middle / true_ns;
}

void sim_prepare(void)
{
    sim_random random = sim_seed(1);

    for (int kind = 0; kind < SIM_N_KINDS; kind++)
        for (int i = 0; i < POOL; i++)
            pool[kind][i] = one_block(&random, (sim_kind)kind, (double)(i % PHASES) / PHASES);
}

static double draw_block(sim_random *random, sim_kind kind, double true_ns)
{
    const int any = (int)(next_bits(random) >> 32) & (POOL - 1);
    double    tick;

    if (kind != SIM_quantised)
        return pool[kind][any];
    tick = (true_ns - SHORT_NS) / TICK_NS;
    return pool[kind][(any & ~(PHASES - 1)) | (int)((tick - floor(tick)) * PHASES)];
}

/* ---- a run ---- */

sim_kind sim_kind_of(int i)
{
    int kind = 0;

    while (i >= sim_cases[kind])
        i -= sim_cases[kind++];
    return (sim_kind)kind;
}

double sim_shift(int k, int i)
{
    if (i == k % SIM_CASES)
        return 0.03;
    if (i == (k + 7) % SIM_CASES)
        return 0.005;
    return i == (k + 13) % SIM_CASES ? -0.005 : 0;
}

double sim_share(const int counts[4], assay_compare_verdict verdict)
{
    const int n = counts[0] + counts[1] + counts[2] + counts[3];

    return n > 0 ? 100.0 * counts[verdict] / n : (double)NAN;
}

void sim_run(sim_random *random, sim_kind kind, int n_processes, double shift, double clock,
             sim_side *side)
{
    const double run =
        (kind == SIM_drift ? sim_noises.drift_run : sim_noises.run) * sim_normal(random);
    const double slope = kind == SIM_drift ? 0.005 * (2 * sim_uniform(random) - 1) : 0;
    const double ns    = kind == SIM_quantised ? SHORT_NS : LONG_NS;

    for (int i = 0; i < n_processes; i++) {
        const double moved = kind == SIM_moved_process && sim_uniform(random) < 0.2 ? 0.015 : 0;
        const double mhz   = 1.98 * (1 + clock + CLOCK_NOISE * sim_normal(random)); /* per ns */
        const double offset =
            run + moved + sim_noises.process * sim_normal(random) + slope * i / (n_processes - 1);
        const double cycles = 1.98 * ns * (1 + shift) * (1 + offset);

        for (int k = 0; k < SIM_BLOCKS; k++) {
            const double time_ns = cycles / mhz * draw_block(random, kind, cycles / mhz);

            side->blocks[i * SIM_BLOCKS + k] = (assay_compare_block) { i, time_ns, time_ns * mhz };
        }
    }
    /* 90 % of samples with 2 % of noise around 2000 ns spread over 130 ns. */
    side->side = (assay_compare_side) {
        side->blocks, n_processes * SIM_BLOCKS,
        kind == SIM_quantised ? assay_compare_step(TICK_NS, SHORT_NS - 65, SHORT_NS + 65) : 0
    };
}
