/* Can the tolerances of the cases still say no? For every case, at quick sizes and all classes of
 * input: the rounded reference passes, and each wrong answer made from it is rejected. */
#include "testing/testing.h"

#include "mutants.h"

#include <stdio.h>
#include <stdlib.h>

extern const assay_case *const assay_cases[];

#ifdef __SANITIZE_ADDRESS__
#define N_LOOKED_AT                                                                                \
    3 /* the release build asks whether tolerances say no, this one how that is done */
#else
#define N_LOOKED_AT 10
#endif

enum {
    MAX_CASES    = 256,
    MAX_POINTS   = N_LOOKED_AT, /* axis combinations looked at per case */
    N_RUNS       = 2,
    SEED         = 20,
    ANOTHER_SEED = 21
};

/* A mutant that a case is known and allowed to accept. NULL and 0 stand for any. */
static const struct waiver {
    const char *case_name, *output, *mutant;
    unsigned    inputs; /* ASSAY_INPUT_BIT of each class */
    const char *reason;
} waivers[] = {
    { "photon_queue", "stats", "one_off", ASSAY_INPUT_BIT(EXACT),
      "how often a thread looked or tried is a matter of the schedule" },
    { "thermo_step", "new_vel", "precision", ASSAY_INPUT_BIT(RANDOM),
      "velocities that a short dt makes are small differences of pressures: of the hot start their "
      "bound is more than 2^-12 of them, and less than 2^-10" },
    { NULL, NULL, NULL, 0, NULL }, /* ends the list */
};

static const char *waiver_for(const char *case_name, const char *output, const char *mutant,
                              assay_input input)
{
    for (const struct waiver *w = waivers; w->reason; w++)
        if ((!w->case_name || strcmp(w->case_name, case_name) == 0) &&
            (!w->output || strcmp(w->output, output) == 0) &&
            (!w->mutant || strcmp(w->mutant, mutant) == 0) &&
            (!w->inputs || (w->inputs & 1u << input)))
            return w->reason;
    return NULL;
}

/* ---- counts ---- */

static struct tally {
    int n_points, n_rejected, n_accepted, n_waived;
    struct {
        const char *why;
        int         n;
    } skipped[16];
} tally;

static void count_skipped(const char *why)
{
    for (size_t s = 0; s < sizeof tally.skipped / sizeof *tally.skipped; s++) {
        if (!tally.skipped[s].why || strcmp(tally.skipped[s].why, why) == 0) {
            tally.skipped[s].why = why;
            tally.skipped[s].n++;
            return;
        }
    }
    fail_msg("too many different reasons to skip a mutant");
}

static void print_tally(const assay_case *c)
{
    print_message("%s: %d points and classes, %d mutants rejected, %d accepted, %d waived", c->name,
                  tally.n_points, tally.n_rejected, tally.n_accepted, tally.n_waived);
    for (size_t s = 0; s < sizeof tally.skipped / sizeof *tally.skipped && tally.skipped[s].why;
         s++)
        print_message("%s %d %s", s ? "," : "; skipped:", tally.skipped[s].n, tally.skipped[s].why);
    print_message("\n");
}

/* ---- one point under one class of input ---- */

typedef struct subject {
    const assay_case *definition;
    assay_inputs      now, other; /* of another seed */
    void             *truth[ASSAY_MAX_BUFFERS], *stale[ASSAY_MAX_BUFFERS];
    void             *run[N_RUNS][ASSAY_MAX_BUFFERS];
    char              key[ASSAY_KEY_SIZE];
} subject;

static void require_ok(const subject *s, assay_status st)
{
    if (st != ASSAY_OK)
        fail_msg("%s: %s", s->key, assay_status_message());
}

static bool is_output(const assay_buffer *buffer)
{
    return buffer->role == ASSAY_OUT || buffer->role == ASSAY_INOUT;
}

static void *truth_of(const assay_inputs *inputs, int b)
{
    const assay_buffer *buffer = &inputs->shape.buf[b];
    void               *to     = calloc((size_t)buffer->count + 1, assay_type_size(buffer->type));

    assert_non_null(to);
    write_truth(buffer->type, &inputs->expected[b], buffer->count, to);
    return to;
}

static void subject_make(subject *s, const assay_point *point, assay_input input)
{
    assay_point other = *point;

    memset(s, 0, sizeof *s);
    s->definition = point->definition;
    (void)assay_point_key(point, s->key, sizeof s->key);
    other.seed = ANOTHER_SEED;
    assay_status_reset();
    require_ok(s, assay_inputs_make(&s->now, point, input, 0));
    require_ok(s, assay_inputs_expect(&s->now));
    require_ok(s, assay_inputs_make(&s->other, &other, input, 0));
    require_ok(s, assay_inputs_expect(&s->other));
    for (int b = 0; b < s->now.n_buffers; b++) {
        if (!is_output(&s->now.shape.buf[b]))
            continue;
        s->truth[b] = truth_of(&s->now, b);
        if (s->other.count[b] == s->now.count[b])
            s->stale[b] = truth_of(&s->other, b);
        for (int r = 0; r < N_RUNS; r++)
            s->run[r][b] = truth_of(&s->now, b);
    }
}

static void subject_free(subject *s)
{
    for (int b = 0; b < ASSAY_MAX_BUFFERS; b++) {
        free(s->truth[b]);
        free(s->stale[b]);
        for (int r = 0; r < N_RUNS; r++)
            free(s->run[r][b]);
    }
    assay_inputs_free(&s->now);
    assay_inputs_free(&s->other);
}

static void take_worst(const assay_check_row *row, assay_check_row *worst)
{
    if (row->verdict > worst->verdict)
        *worst = *row;
}

/* The worst row of everything a check of this point would judge. */
static assay_check_row judge(const subject *s)
{
    static const assay_variant variant = { .name = "mutant" };
    const assay_case          *c       = s->definition;
    const void                *in[ASSAY_MAX_BUFFERS], *out[N_RUNS][ASSAY_MAX_BUFFERS];
    assay_check_row            row, worst = { .verdict = ASSAY_PASS };
    assay_check_data           data = { c,  &variant,        &s->now.shape, s->now.input,      SEED,
                                        in, s->now.expected, N_RUNS,        { out[0], out[1] } };

    for (int b = 0; b < ASSAY_MAX_BUFFERS; b++) {
        in[b] = s->now.initial[b];
        for (int r = 0; r < N_RUNS; r++)
            out[r][b] = s->run[r][b];
    }
    assay_status_reset();
    if (c->compare) {
        require_ok(s, assay_check_compare(&data, &row));
        take_worst(&row, &worst);
    }
    for (int b = 0; b < s->now.n_buffers; b++) {
        if (!s->truth[b] || assay_check_is_compared(c, s->now.shape.buf[b].name))
            continue;
        require_ok(s, assay_check_output(&data, b, &row));
        take_worst(&row, &worst);
    }
    for (int i = 0; c->invariants[i].name; i++) {
        require_ok(s, assay_check_invariant(&data, i, &row));
        take_worst(&row, &worst);
    }
    return worst;
}

static void restore(subject *s, int b)
{
    const assay_buffer *buffer = &s->now.shape.buf[b];

    for (int r = 0; r < N_RUNS; r++)
        memcpy(s->run[r][b], s->truth[b], (size_t)buffer->count * assay_type_size(buffer->type));
}

static void expect_truth_passes(const subject *s)
{
    const assay_check_row row = judge(s);

    if (row.verdict == ASSAY_PASS)
        return;
    if (waiver_for(s->definition->name, row.output, "truth", s->now.input))
        tally.n_waived++;
    else
        fail_msg("%s, %s input: the rounded reference itself is %s in '%s': %s", s->key,
                 assay_input_text(s->now.input), assay_verdict_text(row.verdict), row.output,
                 row.reason);
}

/* One mutant of output t->buffer, in every run; the output is right again afterwards. */
static void try_mutant(subject *s, int b, int m, const target *t)
{
    const char     *skip = NULL;
    assay_check_row row;

    for (int r = 0; r < N_RUNS && !skip; r++)
        skip = mutations[m].mutate(t, s->run[r][b], r);
    if (!skip && !is_changed(t, s->run[0][b]) && !is_changed(t, s->run[1][b]))
        skip = "change nothing";
    if (skip) {
        count_skipped(skip);
    } else if ((row = judge(s)).verdict != ASSAY_PASS) {
        tally.n_rejected++;
    } else if (waiver_for(s->definition->name, t->buffer->name, mutations[m].name, t->input)) {
        tally.n_waived++;
    } else {
        tally.n_accepted++;
        print_message("%s, %s input: mutant '%s' of output '%s' is accepted\n", s->key,
                      assay_input_text(t->input), mutations[m].name, t->buffer->name);
    }
    restore(s, b);
}

static void try_all_mutants(subject *s)
{
    for (int b = 0; b < s->now.n_buffers; b++) {
        const assay_buffer *buffer = &s->now.shape.buf[b];
        target              t      = { .buffer       = buffer,
                                       .place        = b,
                                       .expected     = &s->now.expected[b],
                                       .input        = s->now.input,
                                       .has_comparer = assay_check_is_compared(s->definition, buffer->name),
                                       .truth        = s->truth[b],
                                       .stale        = s->stale[b],
                                       .initial      = s->now.initial[b] };

        if (!s->truth[b] || buffer->count == 0)
            continue;
        t.tol    = assay_check_tolerance(s->definition, buffer->name, buffer->type, s->now.input);
        t.random = assay_random(SEED, (uint64_t)b, (uint64_t)tally.n_points);
        for (int m = 0; m < N_MUTATIONS; m++)
            try_mutant(s, b, m, &t);
    }
}

static void test_point(const assay_point *point)
{
    const assay_case *c = point->definition;

    for (unsigned input = 0; input < ASSAY_N_INPUTS; input++) {
        subject s;

        if (!(c->inputs & (1u << input)) ||
            (c->input_excluded && c->input_excluded(point->axis, (assay_input)input)))
            continue;
        subject_make(&s, point, (assay_input)input);
        tally.n_points++;
        expect_truth_passes(&s);
        try_all_mutants(&s);
        subject_free(&s);
    }
}

/* ---- the points of a case ---- */

/* Elements of all outputs; 0 where the point does not count: excluded, not quick, nothing to judge.
 */
static int64_t output_count(const assay_point *point)
{
    const assay_case *c     = point->definition;
    int64_t           count = 0;
    assay_shape       shape;

    if (point->tier != ASSAY_QUICK || (c->excluded && c->excluded(point->axis)))
        return 0;
    assay_point_shape(point, c->timed_input, &shape);
    for (int b = 0; b < ASSAY_MAX_BUFFERS && shape.buf[b].role != ASSAY_NO_BUFFER; b++)
        if (is_output(&shape.buf[b]))
            count += shape.buf[b].count;
    return count;
}

/* Combination number k of the axis values; false past the last. */
static bool point_at(const assay_case *c, int64_t k, assay_point *point)
{
    *point = (assay_point) { .definition = c, .tier = ASSAY_QUICK, .seed = SEED };
    for (int a = 0; a < ASSAY_MAX_AXES && c->axes[a].name; a++) {
        const assay_axis *axis = &c->axes[a];

        point->axis[a] = axis->values[k % axis->n_values];
        k /= axis->n_values;
        if (point->axis[a].tier == ASSAY_FULL)
            point->tier = ASSAY_FULL;
    }
    return k == 0;
}

/* The largest point, and a seeded choice of others: each point gets a random rank, the lowest win.
 */
static int choose_points(const assay_case *c, assay_point chosen[MAX_POINTS])
{
    uint64_t    rank[MAX_POINTS];
    int64_t     most = 0;
    int         n    = 1; /* place 0 is for the largest */
    assay_point point;

    for (int64_t k = 0; point_at(c, k, &point); k++) {
        const int64_t  count = output_count(&point);
        const uint64_t mine  = assay_random(SEED, ASSAY_MAX_BUFFERS, (uint64_t)k);
        int            worst = 1;

        if (count > most) {
            most      = count;
            chosen[0] = point;
        }
        for (int i = 2; i < n; i++)
            worst = rank[i] > rank[worst] ? i : worst;
        if (count == 0 || (n == MAX_POINTS && mine > rank[worst]))
            continue;
        worst         = n < MAX_POINTS ? n++ : worst;
        rank[worst]   = mine;
        chosen[worst] = point;
    }
    return most > 0 ? n : 0;
}

static void test_case_rejects_mutants(void **state)
{
    const assay_case *c = *state;
    assay_point       chosen[MAX_POINTS];
    const int         n = choose_points(c, chosen);

    memset(&tally, 0, sizeof tally);
    for (int i = 0; i < n; i++)
        test_point(&chosen[i]);
    print_tally(c);
    if (tally.n_accepted > 0)
        fail_msg("%s accepts %d wrong answers", c->name, tally.n_accepted);
    if (tally.n_rejected == 0)
        fail_msg("%s: no mutant could be tried, so nothing shows that it can fail", c->name);
}

static void test_case_is_sound(void **state)
{
    assay_status_reset();
    if (assay_check_definition(*state) != ASSAY_OK)
        fail_msg("%s", assay_status_message());
}

int main(void)
{
    static struct CMUnitTest tests[2 * MAX_CASES];
    static char              names[2 * MAX_CASES][ASSAY_NAME_SIZE + 16];
    size_t                   n = 0;

    for (int i = 0; assay_cases[i] && n + 2 <= sizeof tests / sizeof *tests; i++) {
        const assay_case *c       = assay_cases[i];
        const bool        is_self = c->group && strcmp(c->group, "selftest") == 0;
        void             *state   = (void *)(uintptr_t)c;

        (void)snprintf(names[n], sizeof names[n], "%.60s is sound", c->name);
        tests[n] = (struct CMUnitTest) { names[n], test_case_is_sound, NULL, NULL, state };
        n++;
        if (is_self)
            continue;
        (void)snprintf(names[n], sizeof names[n], "%.60s rejects", c->name);
        tests[n] = (struct CMUnitTest) { names[n], test_case_rejects_mutants, NULL, NULL, state };
        n++;
    }
    if (n == 0) {
        (void)fprintf(stderr, "the case table is empty\n");
        return 1;
    }
    return _cmocka_run_group_tests("mutants", tests, n, NULL, NULL);
}
