/* Pairs the points of two sides, and compares them. */
#include "store_compare.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static const struct {
    const char *word, *words;
} kinds[] = {
#define X(name, word, words) [ASSAY_CHANGE_##name] = { word, words },
    ASSAY_CHANGE_MAP(X)
#undef X
};

const char *assay_change_kind_name(assay_change_kind kind) { return kinds[kind].word; }
const char *assay_change_kind_words(assay_change_kind kind) { return kinds[kind].words; }

const assay_side_point *assay_change_point(const assay_change *change)
{
    return change->point_b ? change->point_b : change->point_a;
}

assay_regime assay_change_regime(const assay_change *change)
{
    const assay_side_time *time = change->time_b ? change->time_b : change->time_a;

    return time ? time->regime : ASSAY_REGIME_NONE;
}

assay_clock assay_change_clock(const assay_change *change)
{
    if (change->time_a && change->time_b && change->time_a->clock != change->time_b->clock)
        return ASSAY_CLOCK_NONE;
    return change->time_b   ? change->time_b->clock
           : change->time_a ? change->time_a->clock
                            : ASSAY_CLOCK_NONE;
}

/* ---- pairs ---- */

/* Walks along both sides, in the order of their keys. */
typedef struct pairing {
    const assay_side   *a, *b;
    const char         *across;
    int64_t             at_a, at_b;           /* points */
    int64_t             at_time_a, at_time_b; /* times */
    assay_change_table *table;
    int64_t             capacity;
} pairing;

static assay_change *add(pairing *p, assay_change_kind kind, const assay_side_point *a,
                         const assay_side_point *b)
{
    assay_change_table *t = p->table;
    assay_change       *row;

    if (!assay_grow((void **)&t->rows, t->n, &p->capacity, sizeof *t->rows))
        return NULL;
    row  = &t->rows[t->n++];
    *row = (assay_change) { .kind = kind, .point_a = a, .point_b = b };
    return row;
}

static bool has_failed(const assay_side_point *point)
{
    return point && strcmp(point->outcome, "failed") == 0;
}

/* Returns how many times, from *at on, belong to the point's key; moves *at after them. */
static int64_t times_of(const assay_side *side, const assay_side_point *point, int64_t *at,
                        const assay_side_time **first)
{
    int64_t n = 0;

    *first = NULL;
    if (!point)
        return 0;
    while (*at < side->n_times && strcmp(side->times[*at].key, point->key) < 0)
        ++*at;
    *first = side->times + *at;
    while (*at < side->n_times && strcmp(side->times[*at].key, point->key) == 0) {
        ++*at;
        n++;
    }
    return n;
}

/* Says why a side has no number for a point. */
static void say_state(const assay_side_point *point, char *to, size_t size)
{
    if (!point)
        (void)assay_text_set(to, size, "not there");
    else if (point->reason[0])
        (void)assay_text_set(to, size, "%s (%.200s)", point->verdict, point->reason);
    else
        (void)assay_text_set(to, size, "%s", point->verdict);
}

static void say_states(assay_change *row)
{
    char a[256], b[256];

    say_state(row->point_a, a, sizeof a);
    say_state(row->point_b, b, sizeof b);
    (void)assay_text_set(row->why, sizeof row->why, "A: %s; B: %s", a, b);
}

static bool has_passed(const assay_side_point *point)
{
    return strcmp(point->verdict, "PASS") == 0;
}

/* Both sides have the regime: may they be compared? */
static void judge_pair(const char *across, assay_change *row)
{
    const assay_side_time *a = row->time_a, *b = row->time_b;
    char                   text[ASSAY_REASON_SIZE];

    if (!a->clock || !b->clock) {
        row->kind = ASSAY_CHANGE_UNDECIDED;
        (void)assay_text_set(row->why, sizeof row->why, "A: %.180s; B: %.180s",
                             a->clock ? assay_clock_text(a->clock) : a->undecided,
                             b->clock ? assay_clock_text(b->clock) : b->undecided);
    } else if (a->mixed[0] || b->mixed[0]) {
        row->kind = ASSAY_CHANGE_DIFFERENT;
        (void)assay_text_set(row->why, sizeof row->why, "the runs of %s differ: %.400s",
                             a->mixed[0] ? "A" : "B", a->mixed[0] ? a->mixed : b->mixed);
    } else if (a->clock != b->clock) {
        row->kind = ASSAY_CHANGE_DIFFERENT;
        (void)assay_text_set(row->why, sizeof row->why, "clock %s / %s", assay_clock_text(a->clock),
                             assay_clock_text(b->clock));
    } else if (assay_conditions_differ(&a->conditions, &b->conditions, across, text, sizeof text)) {
        row->kind = ASSAY_CHANGE_DIFFERENT;
        (void)assay_text_set(row->why, sizeof row->why, "%s", text);
    } else if (assay_conditions_differ(&a->conditions, &b->conditions, NULL, text, sizeof text)) {
        (void)assay_text_set(row->why, sizeof row->why, "across %s", text);
    }
}

static assay_change *add_time(pairing *p, const assay_side_point *a, const assay_side_point *b,
                              const assay_side_time *time_a, const assay_side_time *time_b)
{
    const assay_change_kind kind = time_a && time_b ? ASSAY_CHANGE_COMPARED
                                   : time_a         ? ASSAY_CHANGE_ONLY_A
                                                    : ASSAY_CHANGE_ONLY_B;
    assay_change           *row  = add(p, kind, a, b);

    if (!row)
        return NULL;
    row->time_a = time_a;
    row->time_b = time_b;
    if (kind == ASSAY_CHANGE_COMPARED) {
        judge_pair(p->across, row);
    } else {
        const assay_side_point *other = time_a ? b : a;

        if (other && !has_passed(other))
            row->kind = ASSAY_CHANGE_NO_NUMBER;
        if (other && has_passed(other))
            (void)assay_text_set(row->why, sizeof row->why, "passed, but not timed, in %s",
                                 time_a ? "B" : "A");
        else
            say_states(row);
    }
    return row;
}

/* Adds a point that fails on a side once, as a whole. */
static assay_change *add_failure(pairing *p, const assay_side_point *a, const assay_side_point *b)
{
    assay_change *row = add(p, ASSAY_CHANGE_NO_NUMBER, a, b);

    if (!row)
        return NULL;
    row->is_new_failure = has_failed(b) && !has_failed(a);
    p->table->n_new_failures += row->is_new_failure;
    say_states(row);
    return row;
}

/* Pairs the regimes of one point, in the order of each side. */
static bool pair_regimes(pairing *p, const assay_side_point *a, const assay_side_point *b)
{
    const assay_side_time *ta, *tb;
    int64_t                na = times_of(p->a, a, &p->at_time_a, &ta);
    int64_t                nb = times_of(p->b, b, &p->at_time_b, &tb);
    bool                   ok = true;

    if (has_failed(a) || has_failed(b))
        return add_failure(p, a, b) != NULL;
    while (ok && (na > 0 || nb > 0)) {
        const int  order  = na == 0 ? 1 : nb == 0 ? -1 : (int)ta->regime - (int)tb->regime;
        const bool from_a = order <= 0, from_b = order >= 0;

        ok = add_time(p, a, b, from_a ? ta : NULL, from_b ? tb : NULL) != NULL;
        ta += from_a;
        na -= from_a;
        tb += from_b;
        nb -= from_b;
    }
    return ok;
}

static assay_status pair_points(pairing *p)
{
    const assay_side *a = p->a, *b = p->b;
    assay_status      st = ASSAY_OK;

    while (p->at_a < a->n_points || p->at_b < b->n_points) {
        const int  order  = p->at_a == a->n_points ? 1
                            : p->at_b == b->n_points
                                ? -1
                                : strcmp(a->points[p->at_a].key, b->points[p->at_b].key);
        const bool from_a = order <= 0, from_b = order >= 0;

        ASSAY_REQUIRE(pair_regimes(p, from_a ? &a->points[p->at_a] : NULL,
                                   from_b ? &b->points[p->at_b] : NULL),
                      ASSAY_E_MEMORY, "out of memory for a comparison");
        p->at_a += from_a;
        p->at_b += from_b;
    }
out:
    return st;
}

/* ---- verdicts ---- */

static assay_compare_side as_input(const assay_side_time *time)
{
    return (assay_compare_side) { time->blocks, time->n_blocks, time->step_ns };
}

static void count(assay_change_table *t)
{
    for (int64_t i = 0; i < t->n; i++) {
        const assay_change *row      = &t->rows[i];
        int64_t *const      counts[] = {
                 [ASSAY_COMPARE_SAME]        = &t->n_same,
                 [ASSAY_COMPARE_FASTER]      = &t->n_faster,
                 [ASSAY_COMPARE_SLOWER]      = &t->n_slower,
                 [ASSAY_COMPARE_CANNOT_TELL] = &t->n_cannot_tell,
        };

        t->n_of_kind[row->kind]++;
        if (row->kind == ASSAY_CHANGE_COMPARED)
            ++*counts[row->result.verdict];
    }
    t->sidedness = assay_compare_sidedness(t->n_slower, t->n_faster);
}

static assay_status decide(const assay_side *a, const assay_side *b, assay_change_table *t)
{
    assay_compare_input *inputs  = malloc(((size_t)t->n + 1) * sizeof *inputs);
    assay_compared      *results = malloc(((size_t)t->n + 1) * sizeof *results);
    int64_t              n       = 0;
    assay_status         st      = ASSAY_OK;

    ASSAY_REQUIRE(inputs && results, ASSAY_E_MEMORY, "out of memory for %lld comparisons",
                  (long long)t->n);
    for (int64_t i = 0; i < t->n; i++) {
        assay_change *row = &t->rows[i];

        if (row->kind != ASSAY_CHANGE_COMPARED)
            continue;
        row->known = assay_side_find_known(a, b, row->point_b, row->time_a, row->time_b);
        inputs[n++] =
            (assay_compare_input) { as_input(row->time_a), as_input(row->time_b), row->known };
    }
    ASSAY_CHECK(assay_compare_table(inputs, n, &t->rule, results));
    n = 0;
    for (int64_t i = 0; i < t->n; i++)
        if (t->rows[i].kind == ASSAY_CHANGE_COMPARED)
            t->rows[i].result = results[n++];
out:
    free(results);
    free(inputs);
    return st;
}

/* ---- order ---- */

static int severity(const assay_change *row)
{
    static const int of_verdict[] = {
        [ASSAY_COMPARE_SLOWER]      = 1,
        [ASSAY_COMPARE_CANNOT_TELL] = 2,
        [ASSAY_COMPARE_FASTER]      = 3,
        [ASSAY_COMPARE_SAME]        = 4,
    };

    if (row->is_new_failure)
        return 0;
    return row->kind == ASSAY_CHANGE_COMPARED ? of_verdict[row->result.verdict]
                                              : 4 + (int)row->kind;
}

static double size_of(const assay_change *row)
{
    const double e = row->kind == ASSAY_CHANGE_COMPARED ? row->result.time.log_ratio : 0;

    return isfinite(e) ? fabs(e) : 0;
}

static int worst_first(const void *a, const void *b)
{
    const assay_change *x = a, *y = b;
    int                 order = severity(x) - severity(y);

    if (order == 0)
        order = (size_of(x) < size_of(y)) - (size_of(x) > size_of(y));
    if (order == 0)
        order = strcmp(assay_change_point(x)->key, assay_change_point(y)->key);
    return order ? order : (int)assay_change_regime(x) - (int)assay_change_regime(y);
}

static bool is_same_run(const assay_side *a, const assay_side *b)
{
    bool is_same = a->n_runs == b->n_runs;

    for (int64_t i = 0; is_same && i < a->n_runs; i++)
        is_same = strcmp(a->runs[i].uuid, b->runs[i].uuid) == 0;
    return is_same;
}

assay_status assay_change_find(const assay_side *a, const assay_side *b,
                               const assay_compare_rule *rule, const char *across,
                               assay_change_table *table)
{
    pairing      p  = { .a = a, .b = b, .across = across, .table = table };
    assay_status st = ASSAY_OK;

    *table = (assay_change_table) { .rule = *rule, .is_same_run = is_same_run(a, b) };
    ASSAY_CHECK(pair_points(&p));
    ASSAY_REQUIRE(table->n > 0, ASSAY_E_NOTHING,
                  "neither side has a time of what is asked for, nor a failure");
    ASSAY_CHECK(decide(a, b, table));
    count(table);
    if (table->n > 1)
        qsort(table->rows, (size_t)table->n, sizeof *table->rows, worst_first);
out:
    return st;
}

void assay_change_free(assay_change_table *table)
{
    if (!table)
        return;
    free(table->rows);
    *table = (assay_change_table) { .n = 0 };
}
