/* The only header that cases/ include: a case is data. Valid C17.
 *
 * A case is constant data. The harness keeps pointers into it and frees nothing. So cases can be
 * listed and planned, and their memory and work counted, without a GPU. */
#ifndef ASSAY_CASE_H
#define ASSAY_CASE_H

#include "case_corrupt.h"
#include "case_kernel.h"
#include "case_sanitizer.h"
#include "kernel.h"

#include <stdbool.h>

enum {
    ASSAY_MAX_AXES                = 8,
    ASSAY_MAX_BUFFERS             = 24,
    ASSAY_MAX_PARAMS              = 16,
    ASSAY_MAX_SCALARS             = 16,
    ASSAY_MAX_VARIANTS            = 24,
    ASSAY_MAX_OUTPUTS             = 12, /* outputs with a tolerance of their own */
    ASSAY_MAX_INVARIANTS          = 8,
    ASSAY_MAX_TUNING              = 4,   /* tuning axes of a variant */
    ASSAY_MAX_TUNING_VALUES       = 12,  /* of one axis */
    ASSAY_MAX_TUNING_COMBINATIONS = 256, /* of one variant */
    ASSAY_TUNING_SIZE       = 128, /* bytes of the text of one combination, "block=256,tile=2" */
    ASSAY_MAX_WAIVERS       = 32,  /* wrong answers that a case accepts */
    ASSAY_MAX_UNSEEN        = 32,  /* suppressions: see assay_unseen */
    ASSAY_VARIANT_WHAT_SIZE = 128, /* bytes of a variant's description */
};

/* ---- axes ---- */

/* quick: small sizes that provoke errors, checked everywhere. full: large sizes, checked and timed
 * where a device can. */
typedef enum assay_tier {
    ASSAY_QUICK,
    ASSAY_FULL
} assay_tier;

typedef enum assay_axis_kind {
    ASSAY_AXIS_INT,
    ASSAY_AXIS_GRID,
    ASSAY_AXIS_TEXT
} assay_axis_kind;

/* One value of an axis: an integer, a grid of up to three extents, or a text. */
typedef struct assay_value {
    int64_t i[3]; /* INT: i[0]; GRID: extents x, y, z; TEXT: i[0] is the index in the axis's list */
    const char *text; /* TEXT only */
    assay_tier  tier;
} assay_value;

typedef struct assay_axis {
    const char        *name; /* NULL ends the list */
    assay_axis_kind    kind;
    const assay_value *values;
    int                n_values;
    /* The range that `assay fuzz` draws from, both ends included. 0, 0: from the smallest to the
     * largest value of the quick tier.
     */
    int64_t least, most;
} assay_axis;

#define ASSAY_Q(n)                                                                                 \
    {                                                                                              \
        .i = { (n), 0, 0 }, .tier = ASSAY_QUICK                                                    \
    }
#define ASSAY_F(n)                                                                                 \
    {                                                                                              \
        .i = { (n), 0, 0 }, .tier = ASSAY_FULL                                                     \
    }
#define ASSAY_QGRID(x, y, z)                                                                       \
    {                                                                                              \
        .i = { (x), (y), (z) }, .tier = ASSAY_QUICK                                                \
    }
#define ASSAY_FGRID(x, y, z)                                                                       \
    {                                                                                              \
        .i = { (x), (y), (z) }, .tier = ASSAY_FULL                                                 \
    }
#define ASSAY_WORD(index, word)                                                                    \
    {                                                                                              \
        .i = { (index), 0, 0 }, .text = (word), .tier = ASSAY_QUICK                                \
    }
/* An axis, its values, and the range that `assay fuzz` draws from. */
#define ASSAY_AXIS_BETWEEN(axis_name, axis_kind, least_, most_, ...)                               \
    {                                                                                              \
        .name = (axis_name), .kind = (axis_kind), .values = (const assay_value[]) { __VA_ARGS__ }, \
        .n_values = (int)(sizeof((const assay_value[]) { __VA_ARGS__ }) / sizeof(assay_value)),    \
        .least = (least_), .most = (most_)                                                         \
    }
#define ASSAY_AXIS(axis_name, axis_kind, ...)                                                      \
    ASSAY_AXIS_BETWEEN(axis_name, axis_kind, 0, 0, __VA_ARGS__)

/* ---- inputs and buffers ---- */

/* X(name, text): the classes of input; each stresses another kind of mistake. */
#define ASSAY_INPUT_MAP(X)                                                                         \
    X(EXACT, "exact")     /* small integers and dyadics: sums in any order give the same bits */   \
    X(RANDOM, "random")   /* drawn by a counter-based generator from the seed */                   \
    X(INDEXED, "indexed") /* each value tells its position */                                      \
    X(ADVERSARIAL, "adversarial") /* chosen by the case: cancellation, denormals, edges */         \
    X(SMOOTH, "smooth")           /* values that change slowly with the position */

typedef enum assay_input {
#define X(name, text) ASSAY_INPUT_##name,
    ASSAY_INPUT_MAP(X)
#undef X
    ASSAY_N_INPUTS
} assay_input;
#define ASSAY_INPUT_BIT(name) (1u << ASSAY_INPUT_##name)
/* "exact", "random", ... */
const char *assay_input_text(assay_input input);

typedef enum assay_role {
    ASSAY_NO_BUFFER = 0, /* ends the list */
    ASSAY_IN,            /* input: must be unchanged after a call */
    ASSAY_OUT,           /* output: poisoned before each checked call */
    ASSAY_INOUT,         /* filled before a call, and judged after it */
    ASSAY_WORK,          /* scratch: poisoned, never judged */
} assay_role;

struct assay_shape;
/* Returns the value of one element. It must depend on nothing but its arguments: 64 random bits,
 * the element's index and the shape. */
typedef double assay_fill_fn(uint64_t random, int64_t index, const struct assay_shape *shape);

typedef enum assay_fill_kind {
    ASSAY_FILL_NONE = 0,
    ASSAY_FILL_UNIFORM, /* lo <= v < hi */
    ASSAY_FILL_INTEGER, /* an integer from lo to hi, both included, times scale */
    ASSAY_FILL_INDEX,   /* (index % period) * scale, period = hi */
    ASSAY_FILL_CUSTOM,  /* fn */
    ASSAY_FILL_FILE,    /* from the file `path` */
} assay_fill_kind;

typedef struct assay_fill {
    assay_fill_kind kind;
    double          lo, hi, scale;
    assay_fill_fn  *fn;
    const char     *path;
} assay_fill;
#define ASSAY_UNIFORM(low, high)                                                                   \
    {                                                                                              \
        .kind = ASSAY_FILL_UNIFORM, .lo = (low), .hi = (high)                                      \
    }
#define ASSAY_INTEGERS(low, high, factor)                                                          \
    {                                                                                              \
        .kind = ASSAY_FILL_INTEGER, .lo = (low), .hi = (high), .scale = (factor)                   \
    }
#define ASSAY_INDEX(period, factor)                                                                \
    {                                                                                              \
        .kind = ASSAY_FILL_INDEX, .hi = (period), .scale = (factor)                                \
    }
#define ASSAY_CUSTOM(function)                                                                     \
    {                                                                                              \
        .kind = ASSAY_FILL_CUSTOM, .fn = (function)                                                \
    }
/* Real data, of the buffer's type and count. A name that ends with .npy is a NumPy file; any other
 * file holds the bytes alone. The contents are the same for every seed. Their digest becomes a fact
 * of the point, and results on different contents are not compared. */
#define ASSAY_FROM_FILE(name)                                                                      \
    {                                                                                              \
        .kind = ASSAY_FILL_FILE, .path = (name)                                                    \
    }

typedef struct assay_buffer {
    const char *name;
    assay_role  role;
    assay_type  type;
    int64_t     count; /* elements; 0 is allowed */
    assay_fill  fill;  /* IN and INOUT */
} assay_buffer;

/* What a case needs at one choice of axis values: buffers, parameters and amounts of work. The
 * function that computes it uses no device and depends on nothing but its arguments. */
typedef struct assay_shape {
    assay_buffer buf[ASSAY_MAX_BUFFERS];
    int64_t      param[ASSAY_MAX_PARAMS];
    double       scalar[ASSAY_MAX_SCALARS];
    /* The names of params and scalars in declared launches (case_kernel.h); NULL: none. */
    const char *param_name[ASSAY_MAX_PARAMS], *scalar_name[ASSAY_MAX_SCALARS];
    int64_t     cells;         /* problem size for rates and plots: elements, particles, ... */
    double      flops;         /* floating-point operations that the mathematics needs, per call */
    int64_t     bytes_read;    /* bytes per call if each input is read once */
    int64_t     bytes_written; /* bytes per call if each output is written once */
} assay_shape;

/* Fills `s`, which is zeroed on entry. axis[a]: the chosen value of axis a. */
typedef void assay_shape_fn(const assay_value *axis, assay_input input, assay_shape *s);

/* ---- verdicts ---- */

/* X(name, text): what is true of a kernel, the gravest last. Of several findings, the one listed
 * last becomes the verdict. All but NOT_RUN, SKIPPED, UNSUPPORTED and PASS are failures. */
#define ASSAY_VERDICT_MAP(X)                                                                       \
    X(NOT_RUN, "NOT_RUN")                                                                          \
    X(SKIPPED, "SKIPPED")                                                                          \
    X(UNSUPPORTED, "UNSUPPORTED")                                                                  \
    X(PASS, "PASS")                                                                                \
    X(SUSPECT, "SUSPECT")                                                                          \
    X(NONDETERMINISTIC, "NONDETERMINISTIC")                                                        \
    X(WRONG_VALUE, "WRONG_VALUE")                                                                  \
    X(NOT_FINITE, "NOT_FINITE")                                                                    \
    X(UNWRITTEN, "UNWRITTEN")                                                                      \
    X(INPUT_CHANGED, "INPUT_CHANGED")                                                              \
    X(OUT_OF_BOUNDS, "OUT_OF_BOUNDS")                                                              \
    X(RACE, "RACE")                                                                                \
    X(MISUSE, "MISUSE")                                                                            \
    X(DEADLOCK, "DEADLOCK")                                                                        \
    X(LAUNCH_FAILED, "LAUNCH_FAILED")                                                              \
    X(CRASHED, "CRASHED")                                                                          \
    X(TIMED_OUT, "TIMED_OUT")

typedef enum assay_verdict {
#define X(name, text) ASSAY_##name,
    ASSAY_VERDICT_MAP(X)
#undef X
    ASSAY_N_VERDICTS
} assay_verdict;
const char *assay_verdict_text(assay_verdict verdict);
#define ASSAY_BIT(verdict) (1u << ASSAY_##verdict)

/* The host device fills shared memory with these 16 bits before ASCENDING launches. Repeated, they
 * are a NaN in fp16, fp32 and fp64. */
#define ASSAY_SHARED_NAN 0xfff5u

/* ---- tolerance ---- */

typedef enum assay_rule {
    ASSAY_RULE_BOUND, /* c * (u_out*|ref| + u_acc*g(terms)*magnitude) */
    ASSAY_RULE_ULP,   /* at most max_ulp units in the last place (ULP) of the output's type */
    ASSAY_RULE_EXACT, /* the bits of the reference rounded to the output's type (+0 equals -0) */
    ASSAY_RULE_OWN,   /* the case's comparer or an invariant decides */
} assay_rule;
const char *assay_rule_text(assay_rule rule);

typedef enum assay_growth {
    ASSAY_G_ONE,
    ASSAY_G_LOG2,
    ASSAY_G_SQRT,
    ASSAY_G_LINEAR
} assay_growth;
const char *assay_growth_text(assay_growth growth);

#define ASSAY_U32_ROUNDOFF 0x1p-24 /* unit roundoff of fp32 */
#define ASSAY_U64_ROUNDOFF 0x1p-53
/* As u_out: the roundoff of the output's type. For cases where an axis chooses the type. */
#define ASSAY_U_OF_TYPE (-1.0)

typedef struct assay_tolerance {
    assay_rule   rule;
    double       c;     /* at most 4: a larger factor needs another error model */
    double       u_out; /* roundoff of the output's type */
    double       u_acc; /* unit roundoff of the accumulation */
    assay_growth growth;
    int64_t      max_ulp;
    const char  *why;         /* the reason; required; printed and stored */
    const char  *inexact_why; /* NULL: exact inputs are judged by EXACT. Else the reason why this
                                 rule holds for them too */
} assay_tolerance;

typedef struct assay_output_tolerance {
    const char     *output; /* buffer name; NULL ends the list */
    assay_tolerance tol;
} assay_output_tolerance;

/* ---- evidence: invariants and comparers of the case ---- */

typedef struct assay_evidence {
    const assay_shape     *shape;
    assay_input            input;
    const void *const     *in;           /* initial contents of IN and INOUT, else NULL */
    const void *const     *out;          /* final contents of OUT and INOUT, else NULL */
    const assay_expected  *expected;     /* by buffer */
    assay_parallel_for_fn *parallel_for; /* spreads work over threads; never NULL */
} assay_evidence;

typedef struct assay_invariant_result {
    double value, expected, bound; /* holds if |value - expected| <= bound; NaN fails */
} assay_invariant_result;

typedef struct assay_invariant {
    const char *name; /* NULL ends the list */
    const char *why;
    assay_invariant_result (*measure)(const assay_evidence *evidence);
    /* NULL: the invariant holds at all points. Else: does it hold at this one? */
    bool (*applies)(const assay_shape *shape, assay_input input);
} assay_invariant;

/* Judges outputs that cannot be compared element by element (a multiset, results in any order). It
 * judges those to which .tol_for gives ASSAY_RULE_OWN, or all of them if none has that rule. Writes
 * a reason of at most `size` bytes unless it returns ASSAY_PASS.
 */
typedef assay_verdict assay_compare_fn(const assay_evidence *evidence, char *reason, size_t size);

/* A number that outputs hold besides the results: how often a kernel tried again, how long it
 * waited. It is read after the last checked call with inputs of the class .facts_input, if that
 * call passed. It is stored under its name with the point's counters. No verdict depends on it. A
 * name with a dot ("wait_ns.2e10") is part of a distribution, which reports for people leave out.
 */
typedef struct assay_fact {
    const char *name;                                              /* NULL ends the list */
    double (*read)(const assay_evidence *evidence, int64_t which); /* NaN: no value here */
    int64_t which; /* passed to .read: tells facts with one function apart */
} assay_fact;

/* ---- variants and cases ---- */

/* Where a verdict comes from: the sanitizer of the build or, without one, the device. */
typedef enum assay_lane {
    ASSAY_LANE_CUDA,
    ASSAY_LANE_HOST,
    ASSAY_LANE_ASAN,
    ASSAY_LANE_TSAN,
    ASSAY_N_LANES
} assay_lane;
const char *assay_lane_text(assay_lane lane);

enum {
    ASSAY_DETERMINISTIC = 1u << 0, /* gives the same bits in every schedule: this is verified */
    ASSAY_HOST_SYNC     = 1u << 1, /* the launcher waits for the stream: timed only end to end */
    ASSAY_IS_REFERENCE  = 1u << 2, /* the reference as a variant: its PASS is no check */
    ASSAY_THREADED      = 1u << 3, /* CPU variant with OpenMP: left out under ThreadSanitizer */
    ASSAY_REPEATABLE    = 1u << 4, /* called on its own results, it takes the same time again */
};

/* A free choice of a variant that changes its speed and never its answer: threads per block,
 * extents of a tile. A point takes the default value, unless a search (assay bench --tune) or its
 * key names another one. Launchers read the values from args->tune[0], [1], ... */
typedef struct assay_tuning {
    const char    *name;   /* NULL ends the list */
    const int64_t *values; /* > 0; the first is the default */
    int            n_values;
} assay_tuning;
#define ASSAY_TUNING(axis_name, ...)                                                               \
    {                                                                                              \
        .name = (axis_name), .values = (const int64_t[]) { __VA_ARGS__ },                          \
        .n_values = (int)(sizeof((const int64_t[]) { __VA_ARGS__ }) / sizeof(int64_t))             \
    }

/* Puts a kernel, or a range of a peer, into a section: a named part of a call. A timeline adds up
 * the times of each section. */
typedef struct assay_section_name {
    const char *kernel; /* its name without scope and template arguments, or the range's name; NULL
                           ends the list */
    const char *section;
} assay_section_name;

/* A variant that another program computes (docs/peers.md), such as PyTorch. */
typedef struct assay_peer_script {
    const char *script; /* a file of reference/torch; NULL: the variant is no peer */
    const char *word;   /* argument of the script: the implementation to run */
    const char *file;   /* NULL, or the user's file that the script runs (--script) */
} assay_peer_script;

typedef struct assay_variant {
    const char         *name;             /* NULL ends the list */
    const char         *what;             /* NULL, or a description for people, in one line */
    const char         *launch;           /* what runs: symbol of an ASSAY_LAUNCHER, or */
    const assay_kernel *kernels;          /* kernels, launched one after the other, or */
    assay_launch_fn    *cpu;              /* a function on host memory (its stream is NULL), or */
    assay_peer_script   peer;             /* a script; only in runs that ask for peers */
    const char         *workspace;        /* symbol of an ASSAY_WORKSPACE; NULL: none */
    const char         *setup, *teardown; /* symbols; NULL: none */
    const char         *baseline;         /* the variant that its speed-up is given against */
    assay_tuning tuning[ASSAY_MAX_TUNING + 1]; /* of variants that are launched on the device */
    unsigned     flags;
    const char  *gpu_only; /* NULL, or the instruction that the host device lacks */
    /* NULL, or the sections that its kernels belong to. A kernel not listed is a section of its
     * own. */
    const assay_section_name *sections;
    /* NULL, or a function: NULL, or the reason why the variant does not support these axis values.
     */
    const char *(*unsupported)(const assay_shape *shape);
    /* NULL, or a function: the bytes that one call moves by the variant's design, with intermediate
     * results. */
    int64_t (*bytes_moved)(const assay_shape *shape);
    double   time_limit_s;          /* for one call, in seconds; 0: the default */
    unsigned expect[ASSAY_N_LANES]; /* of a broken variant: ASSAY_BIT of each verdict it may get, by
                                       lane */
} assay_variant;
/* Number of its tuning axes. */
int assay_variant_tuning_axes(const assay_variant *variant);
/* Is it launched on the device (.launch or .kernels)? Otherwise it runs on the CPU or in a peer. */
bool assay_variant_is_launched(const assay_variant *variant);
bool assay_variant_is_peer(const assay_variant *variant);

typedef struct assay_case {
    const char *name;
    const char *group; /* selects all cases that have it; those of "selftest" run only if named */
    const char *what;
    int         version; /* to be raised when results are no longer comparable with older ones */
    assay_axis  axes[ASSAY_MAX_AXES + 1];
    unsigned    inputs; /* ASSAY_INPUT_BIT of each class that is checked */
    assay_input timed_input;
    assay_shape_fn        *shape;
    assay_reference_fn    *reference;
    assay_prepare_fn      *prepare; /* NULL: the filled inputs as they are */
    assay_compare_fn      *compare; /* NULL: element by element */
    assay_tolerance        tol;     /* for every output that .tol_for does not list */
    assay_output_tolerance tol_for[ASSAY_MAX_OUTPUTS + 1];
    assay_invariant        invariants[ASSAY_MAX_INVARIANTS + 1];
    const assay_waiver    *waivers;     /* NULL: none */
    const assay_unseen    *unseen;      /* NULL: none */
    const assay_fact      *facts;       /* NULL: none */
    assay_input            facts_input; /* the input class whose check they are read from */
    /* NULL, or a fact that rates are multiplied by: the share of the work that counts. A rate is
     * the shape's cells divided by the time. */
    const char *rate_fact;
    /* NULL, or a fact that plots of rates use as a further horizontal axis. It has the same value
     * for all variants. */
    const char *rate_along;
    /* NULL, or a fact that tells inputs with the same key apart, such as files of the user. It has
     * the same value for all variants. Results in which it differs are not compared. */
    const char *input_fact;
    /* NULL: the product of all numbers on the axes must stay below 2^48. Or a function: NULL, or
     * the reason why .shape would overflow 64 bits for these numbers of the user. */
    const char *(*uncountable)(const assay_value *axis);
    /* NULL, or a function: NULL, or the reason why the case has no point at these axis values. */
    const char *(*excluded)(const assay_value *axis);
    /* NULL, or a function: NULL, or the reason why this input class proves nothing at these axis
     * values. */
    const char *(*input_excluded)(const assay_value *axis, assay_input input);
    assay_variant variants[ASSAY_MAX_VARIANTS + 1];
} assay_case;

#endif
