/* The only header that cases/ include: a case is data. Valid C17.
 *
 * Everything here is constant: listing, planning, memory needs and work counts are known without a
 * GPU. */
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
    ASSAY_TUNING_SIZE             = 128, /* of the text of one combination, "block=256,tile=2" */
    ASSAY_MAX_WAIVERS             = 32,  /* wrong answers that a case accepts */
    ASSAY_MAX_UNSEEN              = 32,  /* idioms that a tool does not see */
    ASSAY_VARIANT_WHAT_SIZE       = 128, /* of what a variant is, in words */
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

/* One value: an integer, a grid of up to three extents, or a word. */
typedef struct assay_value {
    int64_t i[3]; /* INT: i[0]; GRID: extents x, y, z; TEXT: i[0] is the place in the axis's list */
    const char *text; /* TEXT only */
    assay_tier  tier;
} assay_value;

typedef struct assay_axis {
    const char        *name; /* NULL ends the list */
    assay_axis_kind    kind;
    const assay_value *values;
    int                n_values;
    /* Numbers that `assay fuzz` draws from; 0, 0: from the least to the largest of the quick tier.
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
#define ASSAY_WORD(place, word)                                                                    \
    {                                                                                              \
        .i = { (place), 0, 0 }, .text = (word), .tier = ASSAY_QUICK                                \
    }
/* An axis with its values, and the range that `assay fuzz` draws from. */
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
    X(EXACT, "exact")     /* small integers and dyadics: every order gives the same bits */        \
    X(RANDOM, "random")   /* counter-based, seeded */                                              \
    X(INDEXED, "indexed") /* the value encodes the position */                                     \
    X(ADVERSARIAL, "adversarial") /* cancellation, denormals, edges: the case's own choice */      \
    X(SMOOTH, "smooth")           /* manufactured fields */

typedef enum assay_input {
#define X(name, text) ASSAY_INPUT_##name,
    ASSAY_INPUT_MAP(X)
#undef X
    ASSAY_N_INPUTS
} assay_input;
#define ASSAY_INPUT_BIT(name) (1u << ASSAY_INPUT_##name)
const char *assay_input_text(assay_input input);

typedef enum assay_role {
    ASSAY_NO_BUFFER = 0, /* ends the list */
    ASSAY_IN,            /* must be unchanged afterwards */
    ASSAY_OUT,           /* poisoned before each run */
    ASSAY_INOUT,         /* filled, and judged afterwards */
    ASSAY_WORK,          /* poisoned scratch, never judged */
} assay_role;

struct assay_shape;
/* A value for one element, a pure function of 64 random bits and the index. */
typedef double assay_fill_fn(uint64_t random, int64_t index, const struct assay_shape *shape);

typedef enum assay_fill_kind {
    ASSAY_FILL_NONE = 0,
    ASSAY_FILL_UNIFORM, /* lo <= v < hi */
    ASSAY_FILL_INTEGER, /* an integer lo..hi, times scale */
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
/* Real data: NumPy's .npy, or under any other name the bytes alone; of the buffer's type and count.
 * Contents are the same for every seed, and their digest becomes a fact of the point: numbers on
 * other contents are not compared. */
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

/* What the axis values of a point mean. Pure: computed anywhere, no device. */
typedef struct assay_shape {
    assay_buffer buf[ASSAY_MAX_BUFFERS];
    int64_t      param[ASSAY_MAX_PARAMS];
    double       scalar[ASSAY_MAX_SCALARS];
    /* NULL, or what the texts of declared launches (case_kernel.h) call them. */
    const char *param_name[ASSAY_MAX_PARAMS], *scalar_name[ASSAY_MAX_SCALARS];
    int64_t     cells;         /* problem size for rates and plots: elements, cells, particles */
    double      flops;         /* arithmetic the mathematics needs */
    int64_t     bytes_read;    /* compulsory traffic: each input once */
    int64_t     bytes_written; /* each output once */
} assay_shape;

/* axis[a]: the chosen value of axis a. `s` is zeroed on entry. */
typedef void assay_shape_fn(const assay_value *axis, assay_input input, assay_shape *s);

/* ---- verdicts ---- */

/* X(name, text): what is true of a kernel. Order is rank: of several findings the last listed wins.
 * PASS, SKIPPED and UNSUPPORTED aside, each one is a failure. */
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

/* What the host device fills shared memory with in ASCENDING launches: these 16 bits, repeated, are
 * a NaN in fp16, fp32 and fp64. */
#define ASSAY_SHARED_NAN 0xfff5u

/* ---- tolerance ---- */

typedef enum assay_rule {
    ASSAY_RULE_BOUND, /* c * (u_out*|ref| + u_acc*g(terms)*magnitude) */
    ASSAY_RULE_ULP,   /* at most max_ulp units in the last place of the output's type */
    ASSAY_RULE_EXACT, /* the reference rounded to the output's type, bit for bit (+0 equals -0) */
    ASSAY_RULE_OWN,   /* the case's own comparer or invariant decides */
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
/* As u_out: that of the output's type, where an axis chooses the type. */
#define ASSAY_U_OF_TYPE (-1.0)

typedef struct assay_tolerance {
    assay_rule   rule;
    double       c;     /* <= 4: a larger factor needs another model */
    double       u_out; /* roundoff of the output's type */
    double       u_acc; /* roundoff of the accumulation */
    assay_growth growth;
    int64_t      max_ulp;
    const char  *why;         /* the reason; required, printed and stored */
    const char  *inexact_why; /* set: the exact input class keeps this rule, for this reason */
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
    assay_parallel_for_fn *parallel_for; /* for those who have much to do; never NULL */
} assay_evidence;

typedef struct assay_invariant_result {
    double value, expected, bound; /* holds iff |value - expected| <= bound; NaN does not hold */
} assay_invariant_result;

typedef struct assay_invariant {
    const char *name; /* NULL ends the list */
    const char *why;
    assay_invariant_result (*measure)(const assay_evidence *evidence);
    /* NULL: always. Else whether the invariant says something of this point. */
    bool (*applies)(const assay_shape *shape, assay_input input);
} assay_invariant;

/* Replaces the element rule (a multiset, exactly once), of the outputs to which .tol_for gives
 * ASSAY_RULE_OWN, or of all if it gives that to none. Writes a reason unless it returns ASSAY_PASS.
 */
typedef assay_verdict assay_compare_fn(const assay_evidence *evidence, char *reason, size_t size);

/* A number that outputs hold in addition to the results: how often a kernel tried again, how long
 * it waited. Read from the last launch of the check of one class of input, if nothing was found
 * wrong with it; stored with the point's counters under its name. No verdict depends on it. A name
 * with a dot
 * ("wait_ns.2e10") is a part of a distribution: reports for people leave it out. */
typedef struct assay_fact {
    const char *name;                                              /* NULL ends the list */
    double (*read)(const assay_evidence *evidence, int64_t which); /* NaN: nothing to say here */
    int64_t which; /* for a function that reads several */
} assay_fact;

/* ---- variants and cases ---- */

/* Where a verdict was found: the sanitizer of the build, else the device. */
typedef enum assay_lane {
    ASSAY_LANE_CUDA,
    ASSAY_LANE_HOST,
    ASSAY_LANE_ASAN,
    ASSAY_LANE_TSAN,
    ASSAY_N_LANES
} assay_lane;
const char *assay_lane_text(assay_lane lane);

enum {
    ASSAY_DETERMINISTIC = 1u << 0, /* bit-identical whatever the schedule: this is verified */
    ASSAY_HOST_SYNC     = 1u << 1, /* the launcher waits for the stream; timed end to end only */
    ASSAY_IS_REFERENCE  = 1u << 2, /* the reference itself as a variant: its PASS is no check */
    ASSAY_THREADED      = 1u << 3, /* CPU variant with OpenMP: left out under ThreadSanitizer */
    ASSAY_REPEATABLE    = 1u << 4, /* launched again on its own results it takes the same time */
};

/* Something a kernel is free to choose, which changes its speed and never its answer: threads of a
 * block, extents of a tile. Every run takes the default, unless a search (assay bench --tune) or a
 * point's key says otherwise. Kernels get the values as args->tune[0], [1], ... */
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

/* The part of a step that a kernel, or a peer's range, is: a timeline sums them under its name. */
typedef struct assay_section_name {
    const char *kernel; /* short name: no scope, no template arguments; range; NULL: the end */
    const char *section;
} assay_section_name;

/* A variant that a program of its own computes (docs/peers.md): what people would use instead. */
typedef struct assay_peer_script {
    const char *script; /* a file of reference/torch; NULL: the variant is no peer */
    const char *word;   /* argument of the script: which implementation to run */
    const char
        *file; /* NULL, or what the script is to serve: a file of a person's own (--script) */
} assay_peer_script;

typedef struct assay_variant {
    const char         *name;             /* NULL ends the list */
    const char         *what;             /* NULL, or what it is, in one line for people */
    const char         *launch;           /* symbol of an ASSAY_LAUNCHER in the kernel module, or */
    const assay_kernel *kernels;          /* of the module, launched one after the other, or */
    assay_launch_fn    *cpu;              /* a function on host memory (stream is NULL), or */
    assay_peer_script   peer;             /* a script; left out of runs that do not ask for peers */
    const char         *workspace;        /* symbol of an ASSAY_WORKSPACE, NULL: none */
    const char         *setup, *teardown; /* symbols, NULL: none */
    const char         *baseline;         /* the variant that speed-up is given against */
    assay_tuning        tuning[ASSAY_MAX_TUNING + 1]; /* of launchers alone */
    unsigned            flags;
    const char         *gpu_only; /* the instruction the host device has not */
    /* NULL, or the parts of a step that its kernels are; those not named keep their own name. */
    const assay_section_name *sections;
    /* NULL, or a reason why these axis values are outside the variant. */
    const char *(*unsupported)(const assay_shape *shape);
    /* NULL, or the bytes this variant moves by its own design (intermediates included). */
    int64_t (*bytes_moved)(const assay_shape *shape);
    double time_limit_s; /* 0: the default */
    unsigned
        expect[ASSAY_N_LANES]; /* broken variants: ASSAY_BIT of each verdict allowed, per lane */
} assay_variant;
/* Number of its tuning axes. */
int assay_variant_tuning_axes(const assay_variant *variant);
/* Is it launched on the device, by a symbol of the kernel module? Else it runs on the CPU or in a
 * peer. */
bool assay_variant_is_launched(const assay_variant *variant);
bool assay_variant_is_peer(const assay_variant *variant);

typedef struct assay_case {
    const char *name;
    const char *group; /* cases of a group are selected by the group's name too; "selftest"
                          is left out unless named */
    const char         *what;
    int                 version; /* raised whenever numbers stop being comparable */
    assay_axis          axes[ASSAY_MAX_AXES + 1];
    unsigned            inputs; /* ASSAY_INPUT_BIT of each class checked; the timed one is below */
    assay_input         timed_input;
    assay_shape_fn     *shape;
    assay_reference_fn *reference;
    assay_prepare_fn   *prepare; /* NULL: the filled inputs as they are */
    assay_compare_fn   *compare; /* NULL: element by element */
    assay_tolerance     tol;     /* every output without its own below */
    assay_output_tolerance tol_for[ASSAY_MAX_OUTPUTS + 1];
    assay_invariant        invariants[ASSAY_MAX_INVARIANTS + 1];
    const assay_waiver    *waivers;     /* NULL: none */
    const assay_unseen    *unseen;      /* NULL: none */
    const assay_fact      *facts;       /* NULL: none */
    assay_input            facts_input; /* the class of input whose check they are read from */
    /* A rate is the shape's cells over the time. NULL, or a fact that it is multiplied by: the
     * share of the work that counts. */
    const char *rate_fact;
    /* NULL, or a fact, the same for all variants, that rates are drawn along beside the axes. */
    const char *rate_along;
    /* NULL, or a fact, the same for all variants, that distinguishes inputs with the same key (a
     * file of the user): numbers in which it differs are not compared. */
    const char *input_fact;
    /* NULL: the product of all numbers on the axes must stay below 2^48. Otherwise: returns
     * NULL, or the reason why .shape would overflow 64 bits for these user-given numbers. */
    const char *(*uncountable)(const assay_value *axis);
    /* NULL, or a reason why this combination of axis values is no point at all. */
    const char *(*excluded)(const assay_value *axis);
    /* NULL, or a reason why this input class says nothing at these axis values. */
    const char *(*input_excluded)(const assay_value *axis, assay_input input);
    assay_variant variants[ASSAY_MAX_VARIANTS + 1];
} assay_case;

#endif
