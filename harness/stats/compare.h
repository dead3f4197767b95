/* Is B slower than A? Four verdicts from measurements that were taken at different times, with the
 * reason and what to do next. Pure functions of arrays: no database, no device. The rules in plain
 * words, and how often they are wrong: docs/comparing.md.
 *
 * The unit is the process: blocks and samples of one process share where code and data came to lie,
 * so that more of them do not make a comparison surer. x = ln(time of a block), averaged over the
 * blocks of a process. With at least ASSAY_COMPARE_TRIM_FROM processes on a side the lowest and
 * highest fifth are trimmed, and the variance is the winsorized one (Yuen 1974, Biometrika 61:165);
 * one bad process then moves nothing. With fewer, a bad process widens the interval.
 *
 *   effect   e = m_b - m_a                        (means of x; reported as exp(e) - 1)
 *   SE^2     = v_a / n_a + v_b / n_b + (q_a^2 + q_b^2) / 12
 *   df       = SE^4 / sum(term^2 / df of term)    (Welch 1947, Satterthwaite 1946)
 *   interval = e +- t(0.975, df) * SE             95 %
 *   p        = P(|t(df)| >= |e| / SE)             two-sided, of "no difference at all"
 *   p_corrected: Holm (1979, Scand. J. Stat. 6:65) over all comparisons of a table
 *
 * v is the variance of the processes of a side. q is the clock's step over the time: what one tick
 * hides does not average out, so that it is a term of its own, with infinite df. v is never below
 * (0.05 %)^2, the least spread that a GPU was seen to have between processes. Where the point's own
 * spread v_0 with df_0 is known from calibration, v becomes (df_0 v_0 + df v) / (df_0 + df), unless
 * v / v_0 is so large that F(df, df_0) exceeds it in one of 1000 only: then this side is believed
 * (a moderated variance: Smyth 2004, SAGMB 3:3). What of SE^2 rests on v_0 is then one term with
 * df_0, since both sides rest on the same v_0, and what rests on v one a side. */
#ifndef ASSAY_COMPARE_H
#define ASSAY_COMPARE_H

#include "status.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ASSAY_COMPARE_MIN_PROCESSES = 3, /* on each side; below is CANNOT_TELL */
    ASSAY_COMPARE_TRIM_FROM     = 7, /* processes on a side: trimmed from here on */
    ASSAY_MAX_PROCESSES =
        32, /* that time a point; where more would be needed, others are advised */
    ASSAY_COMPARE_TEXT = 256,
};

/* X(name): the verdicts, as printed and stored. Of B as seen from A. */
#define ASSAY_COMPARE_MAP(X)                                                                       \
    X(SAME)                                                                                        \
    X(FASTER)                                                                                      \
    X(SLOWER)                                                                                      \
    X(CANNOT_TELL)

typedef enum assay_compare_verdict {
#define X(name) ASSAY_COMPARE_##name,
    ASSAY_COMPARE_MAP(X)
#undef X
} assay_compare_verdict;

/* "SAME", ...; "?" for a value outside the table. */
const char *assay_compare_verdict_name(assay_compare_verdict verdict);

/* Why a verdict is what it is. */
typedef enum assay_compare_cause {
    ASSAY_COMPARE_DECIDED,   /* by the rules: SAME, FASTER, SLOWER */
    ASSAY_COMPARE_IDENTICAL, /* both sides hold the same measurements: SAME */
    ASSAY_COMPARE_FEW,       /* fewer than 3 processes on a side */
    ASSAY_COMPARE_WIDE,      /* the interval holds both sides of a limit */
    ASSAY_COMPARE_IN_BAND,   /* beyond the threshold, but repeating the same build moves as far */
    ASSAY_COMPARE_NOT_SIGNIFICANT, /* beyond all limits, but not after correction over the table */
    ASSAY_COMPARE_CLOCK,           /* the time changed, the cycles did not: another clock */
    ASSAY_COMPARE_CYCLES_OPEN,     /* the time changed, and cycles neither confirm nor deny it */
} assay_compare_cause;

/* Middle of one block. Blocks without a time (not finite, or not above 0) are left out. Cycles:
 * NaN where unknown. Blocks of one process need not lie together; when runs are pooled, each
 * process needs a number of its own. */
typedef struct assay_compare_block {
    int64_t process;
    double  time_ns, cycles;
} assay_compare_block;

typedef struct assay_compare_side {
    const assay_compare_block *blocks;
    int64_t                    n_blocks;
    double                     step_ns; /* what a tick hides (assay_compare_step); 0: nothing */
} assay_compare_side;

/* What a clock that ticks every step_ns hides of the middles of blocks (assay_stats_middle), given
 * the 5 % and 95 % quantiles of their samples. The full step where samples lie on few ticks; an
 * eighth of it where 90 % of them spread over at least 3 steps (simulated with normal noise: the
 * middle is then off by an eighth of what rounding to one tick costs, or less). */
double assay_compare_step(double step_ns, double p05_ns, double p95_ns);

/* What is known of a point from comparing its case with itself (assay_calibrate). */
typedef struct assay_compare_known {
    double  band;       /* relative; 0 or NaN: not known */
    double  case_band;  /* of all points of its case, for want of `band`; 0 or NaN: not known */
    double  process_sd; /* of ln(time) between processes of one run; 0 or NaN: not known */
    int64_t process_df;
} assay_compare_known;

typedef struct assay_compare_input {
    assay_compare_side  a, b; /* before, after */
    assay_compare_known known;
} assay_compare_input;

/* threshold: relative, what is too small to matter. unknown_band: the least band of a point that
 * was not compared with itself often enough to have its own. alpha: chance that a table without any
 * difference contains a FASTER or a SLOWER (familywise, two-sided). */
typedef struct assay_compare_rule {
    double threshold, unknown_band, alpha;
} assay_compare_rule;

/* Threshold 1 %: beyond how far medians of the same kernel moved between runs (0.03 % for long
 * kernels, 0.4 % for short ones by events), and well below the 3 % that is to be found. Unknown
 * band 1.5 %: nearly four times that 0.4 %, since two runs on two days differ by more than the
 * processes of each show. Alpha 0.015, half of it on each side: fewer than one table in
 * 100 holds a false SLOWER, however far processes lie apart. */
assay_compare_rule assay_compare_rule_default(void);

/* In one unit, time or cycles. Relative: B over A, minus 1. NaN: unknown. */
typedef struct assay_effect {
    int64_t n_a, n_b;           /* processes */
    double  middle_a, middle_b; /* exp(m_a), exp(m_b): the two times that the effect is between */
    double  log_ratio;          /* e */
    double  relative, lo, hi;
    double  se, df, p;
    double  spread_a, spread_b; /* of the processes (square root of v), before it is moderated */
} assay_effect;

typedef struct assay_compared {
    assay_compare_verdict verdict;
    assay_compare_cause   cause;
    assay_effect          time, cycles;
    bool                  has_cycles; /* false: time alone decided, and `reason` says so */
    double                p_corrected;
    double                margin;    /* relative: the larger of threshold and band */
    int64_t               n_needed;  /* processes a side that would decide if the effect and the
                                        spread stay as they are; 0: none up to ASSAY_MAX_PROCESSES */
    char reason[ASSAY_COMPARE_TEXT]; /* what was found: a sentence, never empty */
    int  n_effect;                   /* of CANNOT_TELL: bytes of `reason` that tell the effect */
    char next[ASSAY_COMPARE_TEXT];   /* what to do: a sentence, never empty */
} assay_compared;

/* Compares a whole table, which is what p is corrected over; n = 0 is allowed. The rules, in this
 * order, with limits T = ln(1 + threshold) and M = ln(1 + margin):
 *   identical measurements on both sides                                             SAME
 *   fewer than 3 processes on a side                                                 CANNOT_TELL
 *   the whole interval within +-T                                                    SAME
 *   |e| > M, the whole interval beyond M, p_corrected <= alpha, and in cycles, if
 *     known, the whole interval beyond M on the same side                            SLOWER, FASTER
 *   anything else                                                                    CANNOT_TELL
 * ASSAY_E_USAGE: a threshold or alpha not in (0, 1), a negative step, band or spread. */
assay_status assay_compare_table(const assay_compare_input *inputs, int64_t n,
                                 const assay_compare_rule *rule, assay_compared *rows);

/* Would more processes decide, as far as the cause goes? */
bool assay_compare_needs_more(assay_compare_cause cause);

/* Of a comparison and its repetition with new measurements of both sides: a verdict stands if both
 * say it, else CANNOT_TELL. A regression is SLOWER twice. */
assay_compare_verdict assay_compare_confirm(assay_compare_verdict first,
                                            assay_compare_verdict second);

/* Chance that `n_slower` or `n_faster` of this many findings, or a more lopsided pair, come about
 * if both are as likely (sign test, two-sided); 1 without findings. Findings that are nearly all on
 * one side in a table of many unrelated cases come from the machine, not from the kernels. */
double assay_compare_sidedness(int64_t n_slower, int64_t n_faster);

/* ---- a case, or a point of it, against itself ---- */

enum {
    ASSAY_CALIBRATE_MIN = 5 /* comparisons; with fewer there is no band */
};

/* A record of comparisons that are known to hold no difference, of one point or of all points of a
 * case.
 *
 * The band is what 99 % of such comparisons stay within, by an upper 95 % bound on it, since the
 * record is short: from 299 comparisons on an order statistic (Wilks 1941: 1 - 0.99^n >= 0.95);
 * below that the larger of the largest |e| seen and 2.576 * r * sqrt(n / chi2(0.05, n)), r the root
 * of the mean of e^2, which is right for normal effects around 0 (chi2 by Wilson and Hilferty
 * 1931). */
typedef struct assay_calibration {
    int64_t n; /* comparisons with an effect */
    int64_t n_same, n_faster, n_slower, n_cannot_tell;
    double  slower_rate, faster_rate, cannot_tell_rate;
    double  slower_upper;         /* 95 % upper bound of its true rate (Clopper and Pearson 1934) */
    double  median_effect;        /* relative, signed */
    double  largest_effect, band; /* relative, of |e|; band: NaN below ASSAY_CALIBRATE_MIN */
    double  process_sd;           /* pooled over all sides: of like points alone; NaN unknown */
    int64_t process_df;
    double  sidedness;    /* p of the signs of the effects, by assay_compare_sidedness */
    bool    is_one_sided; /* sidedness < 0.01: the second side is not measured as the first is */
    char    reason[ASSAY_COMPARE_TEXT]; /* a sentence on what it is worth */
} assay_calibration;

/* Effects of all rows that have one. Give rows from disjoint pairs of runs: neighbours that share a
 * run are not independent, and the band is then surer of itself than it should be. ASSAY_E_MEMORY.
 */
assay_status assay_calibrate(const assay_compared *rows, int64_t n, assay_calibration *calibration);

#ifdef __cplusplus
}
#endif
#endif
