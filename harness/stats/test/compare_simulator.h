/* Simulated measurements for the decision rules: seeded, so that every run gives the same rates.
 *
 * A block's middle is drawn from blocks that were simulated sample by sample (200 samples, then
 * assay_stats_middle, as the timer does); to it come an offset of its process, of its run and of
 * the clock. Time is cycles over the clock, as of a kernel that computes. */
#ifndef ASSAY_COMPARE_SIMULATOR_H
#define ASSAY_COMPARE_SIMULATOR_H

#include "stats/compare.h"

enum {
    SIM_SAMPLES       = 200, /* in a block */
    SIM_BLOCKS        = 2,   /* in a process */
    SIM_MAX_PROCESSES = 16,
    SIM_CASES         = 20, /* in a suite */
};

/* X(name, cases of a suite) */
#define SIM_KINDS(X)                                                                               \
    X(steady, 6)                                                                                   \
    X(correlated, 3)                                                                               \
    X(outliers, 3)                                                                                 \
    X(drift, 3)                                                                                    \
    X(quantised, 3)                                                                                \
    X(two_modes, 1)                                                                                \
    X(moved_process, 1)

typedef enum sim_kind {
#define X(name, cases) SIM_##name,
    SIM_KINDS(X)
#undef X
    SIM_N_KINDS
} sim_kind;

extern const char *const sim_names[SIM_N_KINDS];

/* Random numbers: xorshift64* (Vigna 2016), seeded by assay_random. */
typedef struct sim_random {
    uint64_t state;
    double   spare; /* second normal of a pair; NaN: none */
} sim_random;

sim_random sim_seed(uint64_t seed);
double     sim_uniform(sim_random *random); /* (0, 1) */
double     sim_normal(sim_random *random);

/* Standard deviations of the offsets, relative. By default 0.15 % between processes and 0.1 %
 * between runs (0.3 % for drift); a test may set others. */
typedef struct sim_noise {
    double process, run, drift_run;
} sim_noise;
extern const sim_noise sim_usual;
extern sim_noise       sim_noises; /* the current ones */

/* Simulates the pools of blocks; once, before anything else. */
void sim_prepare(void);

sim_kind sim_kind_of(int i); /* of case i of a suite */

/* The change planted into case i of suite k: 3 %, 0.5 % and -0.5 % slower in one case each,
 * otherwise 0. */
double sim_shift(int k, int i);

/* The share of a verdict among those counted, in percent; NaN if none was counted. */
double sim_share(const int counts[4], assay_compare_verdict verdict);

/* The measurements of one side. */
typedef struct sim_side {
    assay_compare_block blocks[SIM_MAX_PROCESSES * SIM_BLOCKS];
    assay_compare_side  side;
} sim_side;

/* One run of a case of a kind that is `shift` slower (0.03: 3 %) than it was before; clock: the
 * part by which the whole run's clock is higher. Fills side->side, too. */
void sim_run(sim_random *random, sim_kind kind, int n_processes, double shift, double clock,
             sim_side *side);

#endif
