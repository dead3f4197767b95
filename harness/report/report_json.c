/* The JSON report, full shape: the run and what its numbers depend on, every point with all that
 * belongs to it, and the history of its times. A row is an object whose members have the names of
 * the columns. */
#include "report_json.h"

#include "report_fits.h"
#include "report_history_internal.h"

#include "base/stream.h"
#include "store/series/store_cells.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_CHILDREN = 12
};

/* How much of a run is written. */
typedef struct detail {
    /* The most and the least buckets for the samples of one measurement, and the most for those of
     * the whole report, unless each measurement already has the least. */
    int64_t most, least, all;
    int     digits;     /* of a sample; 0: exact */
    bool    has_checks; /* has the check of each output: nine tenths of the JSON of a large run */
    const char *blocks; /* query of the blocks */
} detail;

static const detail everything = {
    .most = 400, .least = 32, .all = 60000, .has_checks = true, .blocks = "json_blocks"
};
/* The part that a page draws and people see. */
static const detail of_page = {
    .most = 400, .least = 16, .all = 12000, .digits = 5, .blocks = "page_blocks"
};

/* Rows of a query under a name. Rows of a child name their owner in the first column and are sorted
 * by owner, so that one pass over all queries is enough. */
typedef struct node {
    const char  *member, *query;
    bool         is_object;              /* a single row: an object, not a list */
    const char  *id;                     /* column with the id by which children name their owner */
    struct node *children[MAX_CHILDREN]; /* up to the first NULL */
    bool is_measured; /* a measurement: write its samples, and whether its time can be trusted */
    bool has_marks;   /* a series: write segments and steps */
    bool has_replay;  /* a point: write the command line that repeats it */
    bool is_owned;    /* set for children */
    assay_cursor *row;
    bool          has_row;
} node;

typedef struct writer {
    const assay_report *report;
    const detail       *detail;
    int64_t             max_buckets;
    assay_history       history; /* of the whole file, for steps and segments */
    assay_replay        replay;
} writer;

static assay_status advance(node *n)
{
    assay_status st;

    n->has_row = assay_cursor_next(n->row, &st);
    return st;
}

static assay_status open_node(const writer *w, node *n)
{
    assay_status st;

    ASSAY_CHECK(assay_store_query(w->report->store, n->query, w->report->run_id, &n->row));
    ASSAY_CHECK(advance(n));
    for (int i = 0; i < MAX_CHILDREN && n->children[i]; i++) {
        n->children[i]->is_owned = true;
        ASSAY_CHECK(open_node(w, n->children[i]));
    }
out:
    return st;
}

static void close_node(node *n)
{
    for (int i = 0; i < MAX_CHILDREN && n->children[i]; i++)
        close_node(n->children[i]);
    assay_cursor_close(n->row);
    n->row = NULL;
}

static assay_status write_rows(const writer *w, node *n, int64_t owner);

/* Writes segments and steps of the series that has a value of this run. */
static assay_status write_marks(const writer *w, assay_cursor *row)
{
    assay_regime regime;
    assay_clock  clock;
    assay_status st;

    ASSAY_CHECK(assay_cell_metric(row, &regime, &clock));
    for (int64_t i = 0; i < w->history.n_series; i++) {
        const assay_history_series *s = &w->history.series[i];

        if (strcmp(s->key, assay_row_text(row, "key")) == 0 && s->regime == regime &&
            s->clock == clock && assay_history_has_run(s, w->report->run_id)) {
            assay_report_history_marks(s, w->report->run_id, w->report->out);
            goto out;
        }
    }
    (void)fputs(",\"segments\":[],\"steps\":[]", w->report->out);
out:
    return st;
}

/* Writes the command line for a point that failed, null for any other. */
static assay_status write_replay(const writer *w, assay_cursor *point)
{
    const bool   has_failed = strcmp(assay_row_text(point, "outcome"), "failed") == 0;
    char        *line       = NULL;
    size_t       size       = 0;
    FILE        *text       = NULL;
    assay_status st         = ASSAY_OK;

    (void)fputs(",\"replay\":", w->report->out);
    if (!has_failed) {
        (void)fputs("null", w->report->out);
        return ASSAY_OK;
    }
    text = assay_stream_open(&line, &size);
    ASSAY_REQUIRE(text, ASSAY_E_MEMORY, "no memory for a line");
    assay_replay_write(text, &w->replay, point);
    ASSAY_REQUIRE(fclose(text) == 0, ASSAY_E_MEMORY, "no memory for a line");
    assay_json_text(w->report->out, line);
out:
    free(line);
    return st;
}

/* Writes how far the median can be off, why it cannot be trusted (null: it can), and the
 * samples. */
static assay_status write_measured(const writer *w, assay_cursor *row, int64_t id)
{
    FILE *out = w->report->out;
    char  text[ASSAY_CELL_SIZE];

    (void)fputs(",\"uncertainty\":", out);
    assay_json_number(out, assay_cell_uncertainty(row));
    (void)fputs(",\"doubt\":", out);
    if (strcmp(assay_format_doubt(text, row), "-") == 0)
        (void)fputs("null", out);
    else
        assay_json_text(out, text);
    return assay_json_samples(w->report, id, w->max_buckets, w->detail->digits);
}

static assay_status write_object(const writer *w, node *n)
{
    FILE         *out     = w->report->out;
    const int     columns = assay_cursor_columns(n->row);
    const int64_t id      = n->id ? assay_row_count(n->row, n->id) : 0;
    assay_status  st      = ASSAY_OK;

    (void)fputc('{', out);
    for (int c = n->is_owned; c < columns; c++) {
        (void)fprintf(out, "%s\"%s\":", c > n->is_owned ? "," : "", assay_cursor_name(n->row, c));
        assay_json_value(out, n->row, c);
    }
    if (n->is_measured)
        ASSAY_CHECK(write_measured(w, n->row, id));
    if (n->has_marks)
        ASSAY_CHECK(write_marks(w, n->row));
    if (n->has_replay)
        ASSAY_CHECK(write_replay(w, n->row));
    for (int i = 0; i < MAX_CHILDREN && n->children[i]; i++)
        ASSAY_CHECK(write_rows(w, n->children[i], id));
    (void)fputc('}', out);
out:
    return st;
}

static bool is_next(const node *n, int64_t owner)
{
    double found = 0;

    return n->has_row &&
           (!n->is_owned || (assay_cursor_number(n->row, 0, &found) && (int64_t)found == owner));
}

/* ,"member":[rows of this owner] */
static assay_status write_rows(const writer *w, node *n, int64_t owner)
{
    FILE        *out   = w->report->out;
    bool         first = true;
    assay_status st    = ASSAY_OK;

    (void)fprintf(out, ",\n\"%s\":%s", n->member, n->is_object ? "" : "[");
    for (; is_next(n, owner); first = false) {
        (void)fputs(first ? "" : ",\n", out);
        ASSAY_CHECK(write_object(w, n));
        ASSAY_CHECK(advance(n));
    }
    if (n->is_object)
        (void)fputs(first ? "null" : "", out);
    else
        (void)fputc(']', out);
out:
    return st;
}

/* Rows of children that are left over would be lost in silence: their owner has no row. */
static assay_status require_all_written(const node *n)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(
        !n->has_row, ASSAY_E_DATABASE,
        "the file is damaged: '%s' has a row that belongs to none (assay doctor says more)",
        n->member);
    for (int i = 0; i < MAX_CHILDREN && n->children[i]; i++)
        ASSAY_CHECK(require_all_written(n->children[i]));
out:
    return st;
}

static assay_status write_root(const writer *w, node *n)
{
    assay_status st;

    ASSAY_CHECK(open_node(w, n));
    ASSAY_CHECK(write_rows(w, n, 0));
    ASSAY_CHECK(require_all_written(n));
out:
    close_node(n);
    return st;
}

static assay_status choose_buckets(writer *w)
{
    const detail *d   = w->detail;
    assay_cursor *row = NULL;
    int64_t       n   = 0;
    assay_status  st;

    ASSAY_CHECK(assay_store_query(w->report->store, "json_measured", w->report->run_id, &row));
    if (assay_cursor_next(row, &st))
        n = assay_row_count(row, "n_measurements");
    w->max_buckets = n > 0 ? d->all / n : d->most;
    if (w->max_buckets > d->most)
        w->max_buckets = d->most;
    if (w->max_buckets < d->least)
        w->max_buckets = d->least;
out:
    assay_cursor_close(row);
    return st;
}

static assay_status write_points(const writer *w)
{
    node axes         = { .member = "axis_values", .query = "json_axis_values" };
    node checks       = { .member = "checks", .query = "json_checks" };
    node blocks       = { .member = "blocks", .query = w->detail->blocks };
    node measurements = { .member      = "measurements",
                          .query       = "json_measurements",
                          .id          = "measurement_id",
                          .is_measured = true,
                          .children    = { &blocks } };
    node undecided    = { .member = "cannot_tell", .query = "json_undecided" };
    node comparisons  = { .member = "comparisons", .query = "json_comparisons" };
    node launches     = { .member = "launches", .query = "json_launches" };
    node sections     = { .member = "sections", .query = "json_sections" };
    node counters     = { .member = "counters", .query = "json_counters" };
    node counted      = { .member = "counted", .query = "json_counted", .is_object = true };
    node trials       = { .member = "tuning_trials", .query = "json_trials" };
    node points       = { .member     = "points",
                          .query      = "json_points",
                          .id         = "point_id",
                          .has_replay = true,
                          .children   = { &axes, &measurements, &undecided, &comparisons, &launches,
                                          &sections, &counters, &counted, &trials } };

    if (w->detail->has_checks)
        points.children[9] = &checks;
    return write_root(w, &points);
}

/* Steps and segments come from all runs of the file, also those on other cards. */
static assay_status write_history(writer *w)
{
    const assay_side_filter all    = { .n_cases = 0 };
    node                    values = { .member = "values", .query = "json_history_values" };
    node                    series = { .member    = "history",
                                       .query     = "json_history",
                                       .id        = "series",
                                       .children  = { &values },
                                       .has_marks = true };
    assay_status            st     = assay_history_find(w->report->store, &all,
                                                        assay_compare_rule_default().threshold, &w->history);

    if (st == ASSAY_E_NOTHING) { /* no time and no error in the whole file */
        assay_status_reset();
        st = ASSAY_OK;
    }
    ASSAY_CHECK(st);
    ASSAY_CHECK(write_root(w, &series));
out:
    assay_history_free(&w->history);
    return st;
}

static assay_status write_report(const assay_report *report, const detail *d)
{
    static const struct {
        const char *member, *query;
        bool        is_object;
    } heads[] = {
        { "run", "json_run", true },
        { "build", "json_build", true },
        { "device", "json_device", true },
        { "summary", "summary", false },
        { "policies", "json_policies", false },
        { "ceilings", "json_ceilings", false },
        { "cases", "cases", false },
        { "changes", "json_changes", false },
        { "history_runs", "json_history_runs", false },
    };
    writer       w = { .report = report, .detail = d };
    assay_status st;

    ASSAY_CHECK(choose_buckets(&w));
    ASSAY_CHECK(assay_replay_read(report, &w.replay));
    (void)fputs("{\"format\":\"assay report\",\n\"format_version\":1", report->out);
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        node head = { .member    = heads[i].member,
                      .query     = heads[i].query,
                      .is_object = heads[i].is_object };

        ASSAY_CHECK(write_root(&w, &head));
    }
    ASSAY_CHECK(write_points(&w));
    ASSAY_CHECK(assay_json_fits(report));
    ASSAY_CHECK(write_history(&w));
    (void)fputs("}\n", report->out);
out:
    return st;
}

assay_status assay_report_json(const assay_report *report)
{
    return write_report(report, &everything);
}

assay_status assay_report_json_for_page(const assay_report *report)
{
    return write_report(report, &of_page);
}
