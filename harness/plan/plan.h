/* Turns a selection of a person into a list of points. Pure functions: no device, no database. */
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
    ASSAY_TUNING_EXTREMES, /* the default, and the smallest and largest values */
    ASSAY_TUNING_ALL
} assay_tuning_choice;

/* What a person selected; arrays hold borrowed strings. */
typedef struct assay_selection {
    const char *cases[ASSAY_MAX_WORDS]; /* names or groups; none: all but the selftest group */
    int         n_cases;
    const char *variants[ASSAY_MAX_WORDS];
    int         n_variants;
    const char *axes[ASSAY_MAX_WORDS]; /* "n=64,128" */
    int         n_axes;
    bool        peers;                   /* also all peers; else only those that are named */
    const char *points[ASSAY_MAX_WORDS]; /* keys, instead of everything above */
    int         n_points;
    bool        tiers[2];       /* selected tiers, indexed by assay_tier */
    assay_tuning_choice tuning; /* not with --point, whose key names them */
    uint64_t            seed;
} assay_selection;

typedef struct assay_point {
    const assay_case *definition;
    int               variant; /* index in definition->variants */
    assay_value       axis[ASSAY_MAX_AXES];
    int64_t           tune[ASSAY_MAX_TUNING]; /* values of the variant's tuning axes, 0 beyond */
    bool              names_tuning; /* its key names some of them, so no others are tried */
    bool              is_tuned;     /* it is run with the values `tuned`, under its own key */
    int64_t           tuned[ASSAY_MAX_TUNING]; /* what an earlier search has chosen */
    assay_tier        tier;                    /* FULL if any axis value is FULL */
    uint64_t          seed;
    bool              is_timed;
} assay_point;

/* Points in the order in which they run: by case, then axis values, then variant, so that inputs
 * and references are computed once for each combination of axis values. */
typedef struct assay_plan {
    assay_point *points;
    int64_t      n, capacity;
    char         left_out[512]; /* a sentence about cases that --axis leaves out, or "" */
    char         excluded[256]; /* why the last excluded combination is not a point, or "" */
} assay_plan;
void assay_plan_free(assay_plan *plan); /* accepts NULL; zeroes *plan */

/* Expands a selection. If no case is named, only cases that have every axis of --axis take part.
 * ASSAY_E_USAGE names an unknown case, variant, axis or value and the nearest valid one;
 * ASSAY_E_NOTHING if all names are known but no point is left. The caller frees. */
assay_status assay_plan_build(assay_case_table cases, const assay_selection *selection,
                              assay_plan *plan);

/* Adds a point after those of its axis values, or of its case; nothing if it is there already. */
assay_status assay_plan_insert(assay_plan *plan, const assay_point *point);

/* One of several runs that share a plan: index 1 to count. Count 0: the whole plan. */
typedef struct assay_shard {
    int index, count;
} assay_shard;

/* Keeps the points of one shard, in their order; maybe none. Variants at the same axis values stay
 * together. On every machine, and for every order of options, the shards of a plan have no common
 * point and together are the whole plan. Each has about the same work: groups are sorted by the
 * bytes that their points move, and each goes to the shard with the least work so far, the largest
 * first. */
assay_status assay_plan_shard(assay_plan *plan, const assay_shard *shard);

/* Keeps the n points of each variant that need most device memory, in their order. Unsupported
 * points are kept only if it has too few others. */
assay_status assay_plan_keep_each(assay_plan *plan, int n);

/* Are these points of one case at the same axis values? Such points are adjacent, and are compared
 * with one another. */
bool assay_point_is_beside(const assay_point *a, const assay_point *b);

/* ASSAY_E_USAGE if the sizes together exceed what shapes can count without overflow: 2^48 elements,
 * unless the case itself says what it cannot count. */
assay_status assay_point_countable(const assay_case *c, const assay_value *axis);

/* Writes the key of a point, "case/variant/axis=value/...", and reads it back. Tuning values follow
 * if they are not the default. Parsing accepts what printing writes. */
const char  *assay_point_key(const assay_point *point, char *key, size_t size);
assay_status assay_point_parse(assay_case_table cases, const char *key, assay_point *point);
/* Returns the one of n values that has the same number or extents; NULL: there is none. */
const assay_value *assay_value_find(const assay_value *values, int n, const assay_value *value);
/* A value that a person gave becomes the listed value of the axis if it is the same, else a value
 * of the full tier. */
void assay_value_settle(const assay_axis *axis, assay_value *value);
/* Reads one value of an axis: a listed one or, for numeric axes, any size (as assay_number_read
 * reads it). */
assay_status assay_value_parse(const assay_case *c, int axis, const char *word, assay_value *value);
const char  *assay_value_text(const assay_axis *axis, const assay_value *value, char *text,
                              size_t size);

/* Returns the number of combinations of tuning values; 1 without tuning axes. */
int64_t assay_point_tuning_count(const assay_variant *variant);
/* Is combination i selected? */
bool assay_point_tuning_is_chosen(const assay_variant *variant, int64_t i,
                                  assay_tuning_choice choice);
/* Gives the point combination i; 0 is the default, and the last axis changes fastest. */
void assay_point_tune(assay_point *point, int64_t i);
/* All tuning values, "block=256,tile=2"; "" without tuning axes. ASSAY_TUNING_SIZE is enough. */
char *assay_point_tuning_text(const assay_point *point, char *text, size_t size);
/* The part of a key after the axes: values that are not the default, "/block=128/tile=1", or "". */
char *assay_point_tuning_key(const assay_point *point, char *text, size_t size);
/* Sets the tuning axis that "block=128" names. *given has a bit for each axis set so far. */
assay_status assay_point_tuning_parse(assay_point *point, const char *part, unsigned *given);
/* Takes values that a search has chosen, as assay_point_tuning_text writes them. False, with the
 * point unchanged: the variant no longer has exactly these axes with these values. */
bool assay_point_tuning_take(assay_point *point, const char *tuning);
/* Returns the point with the values that it is run with as its own. */
assay_point assay_point_as_run(const assay_point *point);

/* An index of a plan's points by key. */
typedef struct assay_plan_index {
    struct assay_plan_key *keys; /* owned, sorted */
    int64_t                n;
} assay_plan_index;
assay_status assay_plan_index_make(const assay_point *points, int64_t n, assay_plan_index *index);
int64_t      assay_plan_index_find(const assay_plan_index *index, const char *key); /* -1: none */
void         assay_plan_index_free(assay_plan_index *index); /* accepts NULL; zeroes *index */

/* Computes the shape for an input class. */
void assay_point_shape(const assay_point *point, assay_input input, assay_shape *shape);

/* Is it checked with this input class? A point of the full tier is checked with exact and with
 * timed inputs, one of the quick tier with every class. */
bool assay_point_wants_input(const assay_point *point, assay_input input);

/* Returns why this point cannot be run on any device (the variant's own limits); NULL if it can. */
const char *assay_point_unsupported(const assay_point *point);

/* Returns the bytes of buffers with guard zones and restore copies on the device, without
 * workspace. */
int64_t assay_point_device_bytes(const assay_point *point);
/* Returns the host bytes of inputs, expectation and downloaded outputs of one input class. */
int64_t assay_point_host_bytes(const assay_point *point, int n_runs);

/* Fills in the row to store; `lane` selects the expected verdicts. */
void assay_point_row_fill(const assay_point *point, assay_lane lane, assay_point_row *row);

/* Returns the verdicts that a point may get under this tool, which may see what any lane sees. */
unsigned assay_point_expect_under(const assay_point *point, assay_gpu_tool tool);

#endif
