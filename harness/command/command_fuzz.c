/* assay fuzz: rounds of points drawn at random until the time is over; each round is an ordinary
 * run of `check`. A failing point is reduced to the simplest one that still fails, printed with its
 * replay, and kept. */
#include "cli.h"
#include "command_run.h"

#include "base/clock.h"
#include "base/text.h"
#include "check/fill.h"
#include "fuzz/draw.h"
#include "fuzz/failing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DRAWS       = 12, /* combinations of axis values in a round */
    MOST_KEYS   = 512,
    MOST_TRIALS = 60, /* to find a simpler point that still fails */
    KEPT        = 32  /* failures that are reduced; more would say nothing new */
};

static const double   DEFAULT_S  = 60;
static const int64_t  MOST_BYTES = 1 << 19; /* of a point's buffers: many points, not large ones */
static const uint64_t ROUND      = 0xF700;  /* random stream for the seeds of rounds */

/* The first failure of a variant; later ones are not kept. */
typedef struct failure {
    char     key[ASSAY_KEY_SIZE];
    uint64_t seed;
    char     verdict[32], reason[ASSAY_REASON_SIZE];
} failure;

typedef struct fuzz {
    const assay_cli  *cli;
    assay_run_request request;
    const assay_case *cases[ASSAY_MAX_WORDS];
    int               n_cases;
    double            end_s;
    uint64_t          next; /* number of the next draw */
    int64_t           n_points, n_rounds;
    failure           failures[KEPT];
    int               n_failures;
    char             *keys[MOST_KEYS]; /* owned; the keys of the round, each once */
    int               n_keys;
    bool              has_run; /* a point was run, not skipped */
    int               exit_status;
} fuzz;

/* ---- a round's points ---- */

static bool is_wanted(const fuzz *f, const assay_variant *variant)
{
    const assay_selection *s = &f->cli->selection;

    for (int lane = 0; lane < ASSAY_N_LANES; lane++)
        if (variant->expect[lane]) /* broken on purpose */
            return false;
    if (assay_variant_is_peer(variant) || (variant->flags & ASSAY_IS_REFERENCE))
        return false;
    for (int i = 0; i < s->n_variants; i++)
        if (strcmp(s->variants[i], variant->name) == 0)
            return true;
    return s->n_variants == 0;
}

/* Has the variant of this key failed before? Another failing point of it says nothing new. */
static bool has_failed(const fuzz *f, const char *key)
{
    const char  *variant = strchr(key, '/');
    const char  *end     = variant ? strchr(variant + 1, '/') : NULL;
    const size_t length  = end ? (size_t)(end - key) + 1 : strlen(key);

    for (int i = 0; i < f->n_failures; i++)
        if (strncmp(f->failures[i].key, key, length) == 0)
            return true;
    return false;
}

static bool has_key(const fuzz *f, const char *key)
{
    for (int i = 0; i < f->n_keys; i++)
        if (strcmp(f->keys[i], key) == 0)
            return true;
    return false;
}

static assay_status add_key(fuzz *f, const assay_point *point)
{
    assay_status st = ASSAY_OK;
    char         key[ASSAY_KEY_SIZE];

    (void)assay_point_key(point, key, sizeof key);
    if (f->n_keys == MOST_KEYS || has_failed(f, key) || has_key(f, key))
        return ASSAY_OK;
    f->keys[f->n_keys] = strdup(key);
    ASSAY_REQUIRE(f->keys[f->n_keys], ASSAY_E_MEMORY, "no memory for a point");
    f->n_keys++;
out:
    return st;
}

static assay_status draw_one(fuzz *f, const assay_case *c)
{
    assay_status st = ASSAY_OK;
    assay_point  point;

    if (!assay_draw_point(c, f->cli->selection.seed, f->next++, MOST_BYTES, &point))
        return ASSAY_OK;
    for (point.variant = 0; point.variant < assay_case_variant_count(c); point.variant++) {
        if (!is_wanted(f, &c->variants[point.variant]))
            continue;
        assay_draw_tuning(f->cli->selection.seed, f->next, &point);
        ASSAY_CHECK(add_key(f, &point));
    }
out:
    return st;
}

static void forget_keys(fuzz *f)
{
    for (int i = 0; i < f->n_keys; i++)
        free(f->keys[i]);
    f->n_keys = 0;
}

/* ---- running them ---- */

/* *run_id is 0 if nothing was run. */
static int run_keys(const fuzz *f, char *const *keys, int n, uint64_t seed, int64_t *run_id)
{
    assay_run_request request = f->request;
    assay_run_outcome outcome;
    assay_status      st;

    request.keys           = (const char *const *)keys;
    request.n_keys         = n;
    request.selection.seed = seed;
    st                     = assay_run_execute(&request, &outcome);
    if (st != ASSAY_OK)
        (void)assay_cli_failed(st);
    *run_id = outcome.run_id;
    return outcome.exit_status;
}

static void follow(fuzz *f, assay_cursor *row)
{
    failure *to = &f->failures[f->n_failures++];

    (void)assay_text_set(to->key, sizeof to->key, "%s", assay_row_text(row, "key"));
    (void)assay_text_set(to->verdict, sizeof to->verdict, "%s", assay_row_text(row, "verdict"));
    (void)assay_text_set(to->reason, sizeof to->reason, "%s", assay_row_text(row, "reason"));
}

/* Reads the failures of a run, the first one of each variant. */
static assay_status read_failures(fuzz *f, int64_t run_id, uint64_t seed)
{
    assay_status  st    = ASSAY_OK;
    assay_store  *store = NULL;
    assay_cursor *row   = NULL;

    ASSAY_CHECK(assay_store_open(f->request.outputs.database, ASSAY_STORE_READ, &store));
    ASSAY_CHECK(assay_store_query(store, "failures", run_id, &row));
    while (assay_cursor_next(row, &st))
        if (f->n_failures < KEPT && !has_failed(f, assay_row_text(row, "key"))) {
            follow(f, row);
            f->failures[f->n_failures - 1].seed = seed;
        }
out:
    assay_cursor_close(row);
    assay_store_close(store);
    return st;
}

/* ---- simpler ---- */

static bool still_fails(const fuzz *f, const assay_point *point, uint64_t seed)
{
    char    key[ASSAY_KEY_SIZE];
    char   *keys[1] = { key };
    int64_t run_id;

    (void)assay_point_key(point, key, sizeof key);
    return run_keys(f, keys, 1, seed, &run_id) == ASSAY_EXIT_WRONG;
}

/* Repeats each simplification while it helps. Ends at a point that no single simplification can
 * reduce further. */
static assay_status shrink(const fuzz *f, failure *found)
{
    assay_status st = ASSAY_OK;
    assay_point  point, simpler;
    int          n_ways = 0, n_trials = 0, n_vain = 0;

    ASSAY_CHECK(assay_point_parse(f->cli->cases, found->key, &point));
    while (assay_draw_simpler(&point, n_ways, &simpler))
        n_ways++;
    for (int way = 0; n_vain < n_ways && n_trials < MOST_TRIALS; n_vain++) {
        (void)assay_draw_simpler(&point, way, &simpler);
        if (memcmp(&point, &simpler, sizeof point) == 0 ||
            (n_trials++, !still_fails(f, &simpler, found->seed))) {
            way = (way + 1) % n_ways;
            continue;
        }
        point  = simpler;
        n_vain = -1;
    }
    (void)assay_point_key(&point, found->key, sizeof found->key);
out:
    return st;
}

static assay_status tell(const fuzz *f, failure *found)
{
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(shrink(f, found));
    (void)printf("%s %s\n  %s\n  replay: assay check --point %s --seed %" PRIu64 "\n",
                 found->verdict, found->key, found->reason, found->key, found->seed);
    (void)fflush(stdout);
    ASSAY_CHECK(assay_failing_add(ASSAY_FAILING_FILE, found->key, found->seed));
out:
    return st;
}

/* ---- the whole of it ---- */

static void note_status(fuzz *f, int status)
{
    if (status == ASSAY_EXIT_SKIPPED)
        return;
    f->exit_status = f->has_run ? assay_exit_worse(f->exit_status, status) : status;
    f->has_run     = true;
}

/* A round has points of one case, since the points of a case have to be consecutive. */
static assay_status run_round(fuzz *f)
{
    assay_status   st     = ASSAY_OK;
    const uint64_t seed   = assay_random(f->cli->selection.seed, ROUND, (uint64_t)f->n_rounds) >> 1;
    const int      before = f->n_failures;
    int64_t        run_id = 0;
    int            status = ASSAY_EXIT_SKIPPED;

    for (int i = 0; i < DRAWS; i++)
        ASSAY_CHECK(draw_one(f, f->cases[f->n_rounds % f->n_cases]));
    f->n_rounds++;
    f->n_points += f->n_keys;
    if (f->n_keys > 0)
        status = run_keys(f, f->keys, f->n_keys, seed, &run_id);
    note_status(f, status);
    if (status == ASSAY_EXIT_WRONG && run_id > 0)
        ASSAY_CHECK(read_failures(f, run_id, seed));
    for (int i = before; i < f->n_failures; i++)
        ASSAY_CHECK(tell(f, &f->failures[i]));
out:
    forget_keys(f);
    return st;
}

static assay_status choose_cases(fuzz *f)
{
    assay_status           st = ASSAY_OK;
    const assay_selection *s  = &f->cli->selection;

    ASSAY_REQUIRE(s->n_cases > 0, ASSAY_E_USAGE, "which cases? assay fuzz CASE..., or a group");
    for (int i = 0; i < s->n_cases; i++)
        ASSAY_CHECK(assay_registry_require(f->cli->cases, s->cases[i]));
    for (assay_case_table c = f->cli->cases; *c; c++)
        for (int i = 0; i < s->n_cases && f->n_cases < ASSAY_MAX_WORDS; i++)
            if (assay_registry_matches(*c, s->cases[i])) {
                f->cases[f->n_cases++] = *c;
                break;
            }
out:
    return st;
}

static assay_status begin(fuzz *f)
{
    assay_status st = ASSAY_OK;

    assay_cli_request(f->cli, ASSAY_RUN_CHECK, &f->request);
    f->request.outputs.is_quiet = true;
    f->request.outputs.is_part  = true;
    if (!f->cli->has_database)
        f->request.outputs.database = "results/fuzz.db";
    f->end_s = assay_clock_s() + (f->cli->fuzz.for_s > 0 ? f->cli->fuzz.for_s : DEFAULT_S);
    ASSAY_CHECK(choose_cases(f));
out:
    return st;
}

/* If nothing can be run here, the next round cannot be run either. */
static bool is_stopped(const fuzz *f)
{
    return f->exit_status == ASSAY_EXIT_USAGE || assay_clock_s() >= f->end_s;
}

int assay_command_fuzz(const assay_cli *cli)
{
    fuzz         f  = { .cli = cli, .exit_status = ASSAY_EXIT_SKIPPED };
    assay_status st = begin(&f);

    do {
        if (st == ASSAY_OK)
            st = run_round(&f);
    } while (st == ASSAY_OK && !is_stopped(&f));
    if (st != ASSAY_OK)
        return assay_exit_worse(f.exit_status, assay_cli_failed(st));
    (void)printf("%" PRId64 " points in %" PRId64 " rounds, seed %" PRIu64 ": %d variants failed\n",
                 f.n_points, f.n_rounds, cli->selection.seed, f.n_failures);
    return f.exit_status;
}
