/* From what a person asked for to a list of points. Pure: no device, no database. */
#ifndef ASSAY_PLAN_H
#define ASSAY_PLAN_H

#include "registry.h"
#include "rows/rows_stored.h"

enum {
    ASSAY_MAX_WORDS = 64
};

/* Which combinations of a variant's tuning values are points. */
typedef enum assay_tuning_choice {
    ASSAY_TUNING_DEFAULT,
    ASSAY_TUNING_EXTREMES, /* the default, and those of least and greatest values alone */
    ASSAY_TUNING_ALL
} assay_tuning_choice;

/* What a person asked for; arrays hold borrowed strings. */
typedef struct assay_selection {
    const char *cases[ASSAY_MAX_WORDS]; /* names or groups; none: all but the selftest group */
    int         n_cases;
    const char *variants[ASSAY_MAX_WORDS];
    int         n_variants;
    const char *axes[ASSAY_MAX_WORDS]; /* "n=64,128" */
    int         n_axes;
    bool        peers;                   /* all peers as well; else only those that are named */
    const char *points[ASSAY_MAX_WORDS]; /* keys, instead of everything above */
    int         n_points;
    bool        tiers[2];       /* indexed by assay_tier: which points are wanted */
    assay_tuning_choice tuning; /* --point names its own */
    uint64_t            seed;
} assay_selection;

typedef struct assay_point {
    const assay_case *definition;
    int               variant; /* place in definition->variants */
    assay_value       axis[ASSAY_MAX_AXES];
    int64_t           tune[ASSAY_MAX_TUNING]; /* values of the variant's tuning axes, 0 beyond */
    bool              names_tuning; /* its key was given with some of them: no others stand in */
    bool              is_tuned;     /* it is run with `tuned`, under its key as it is */
    int64_t           tuned[ASSAY_MAX_TUNING]; /* what an earlier search has chosen for it */
    assay_tier        tier;                    /* FULL if any axis value is */
    uint64_t          seed;
    bool              is_timed;
} assay_point;

/* Points in the order they run: by case, then axis values, then variant, so that inputs and
 * references are computed once per axis values. */
typedef struct assay_plan {
    assay_point *points;
    int64_t      n, capacity;
    char         left_out[512]; /* a sentence about cases that --axis has left out, or "" */
    char         excluded[256]; /* why the last combination that is no point is none, or "" */
} assay_plan;
void assay_plan_free(assay_plan *plan); /* accepts NULL; zeroes */

/* Expands a selection. Where no case is named, only those take part that have every axis of --axis.
 * ASSAY_E_USAGE names an unknown case, variant, axis or value and the nearest
 * valid one; ASSAY_E_NOTHING if all is known and nothing is left. Caller frees. */
assay_status assay_plan_build(assay_case_table cases, const assay_selection *selection,
                              assay_plan *plan);

/* Adds a point beside those of its axis values, or of its case; nothing if it is there. */
assay_status assay_plan_insert(assay_plan *plan, const assay_point *point);

/* One of several runs that share a plan: index 1 to count. Count 0: the whole plan. */
typedef struct assay_shard {
    int index, count;
} assay_shard;

/* Keeps the points of one shard, in their order; maybe none. Variants at the same axis values stay
 * together. Whatever the machine and the order of options, the shards of a plan have no point in
 * common and hold the plan together; each has about as much to do: groups are dealt out by the
 * bytes that their points move, the largest first, to the shard with the least so far. */
assay_status assay_plan_shard(assay_plan *plan, const assay_shard *shard);

/* Keeps of each variant the n points that need most device memory, in their order; of those that it
 * cannot run only where it has too few others. */
assay_status assay_plan_keep_each(assay_plan *plan, int n);

/* Points of one case at the same axis values: they lie together, and are compared with one another.
 */
bool assay_point_is_beside(const assay_point *a, const assay_point *b);

/* ASSAY_E_USAGE if the sizes together go beyond what shapes can count without overflow (2^48
 * elements, unless the case says by itself what it cannot count). */
assay_status assay_point_countable(const assay_case *c, const assay_value *axis);

/* Key of a point, "case/variant/axis=value/...", and back. Values of tuning axes follow where they
 * are not the default. Parsing accepts what printing gives. */
const char  *assay_point_key(const assay_point *point, char *key, size_t size);
assay_status assay_point_parse(assay_case_table cases, const char *key, assay_point *point);
/* The one of n values that is the same number or extents; NULL: none is. */
const assay_value *assay_value_find(const assay_value *values, int n, const assay_value *value);
/* A value of one's own: the listed one of the axis if it is the same, else a real size. */
void assay_value_settle(const assay_axis *axis, assay_value *value);
/* One value of an axis from a word: a listed one, or a size of one's own for numeric axes (as
 * assay_number_read takes them). */
assay_status assay_value_parse(const assay_case *c, int axis, const char *word, assay_value *value);
const char  *assay_value_text(const assay_axis *axis, const assay_value *value, char *text,
                              size_t size);

/* How many combinations of tuning values a variant has; 1 without tuning axes. */
int64_t assay_point_tuning_count(const assay_variant *variant);
/* Is combination i one of those? */
bool assay_point_tuning_is_chosen(const assay_variant *variant, int64_t i,
                                  assay_tuning_choice choice);
/* Gives the point combination i; 0 is the defaults, and the last axis turns fastest. */
void assay_point_tune(assay_point *point, int64_t i);
/* All tuning values, "block=256,tile=2"; "" without tuning axes. ASSAY_TUNING_SIZE is enough. */
char *assay_point_tuning_text(const assay_point *point, char *text, size_t size);
/* What of a key follows the axes: values that are not the default, "/block=128/tile=1", or "". */
char *assay_point_tuning_key(const assay_point *point, char *text, size_t size);
/* Sets the tuning axis that "block=128" names. *given has a bit for each axis set so far. */
assay_status assay_point_tuning_parse(assay_point *point, const char *part, unsigned *given);
/* Takes what a search has chosen, in the words of assay_point_tuning_text. False, and the point as
 * it was: the variant does not have just these axes with these values any more. */
bool assay_point_tuning_take(assay_point *point, const char *tuning);
/* The point with the values that it is run with as its own. */
assay_point assay_point_as_run(const assay_point *point);

/* Points of a plan by their keys. */
typedef struct assay_plan_index {
    struct assay_plan_key *keys; /* owned, sorted */
    int64_t                n;
} assay_plan_index;
assay_status assay_plan_index_make(const assay_point *points, int64_t n, assay_plan_index *index);
int64_t      assay_plan_index_find(const assay_plan_index *index, const char *key); /* -1: none */
void         assay_plan_index_free(assay_plan_index *index); /* accepts NULL; zeroes */

/* The shape under an input class. */
void assay_point_shape(const assay_point *point, assay_input input, assay_shape *shape);

/* Is it checked under this class of input? A real size is with exact and with timed inputs; edge
 * sizes with every class. */
bool assay_point_wants_input(const assay_point *point, assay_input input);

/* Why this point cannot be run whatever the device (the variant's own limits); NULL if it can. */
const char *assay_point_unsupported(const assay_point *point);

/* Bytes of buffers with their guard zones and restore copies, as the device needs them (no
 * workspace). */
int64_t assay_point_device_bytes(const assay_point *point);
/* Host bytes of inputs, expectation and downloaded outputs of one input class. */
int64_t assay_point_host_bytes(const assay_point *point, int n_runs);

/* The row to store; `lane` picks the expected verdicts. */
void assay_point_row_fill(const assay_point *point, assay_lane lane, assay_point_row *row);

/* The verdicts that a point may get where a tool looks on that may see what any lane sees. */
unsigned assay_point_expect_under(const assay_point *point, assay_gpu_tool tool);

#endif
