/* Writes plans: the case, its configurations and the points. */
#include "store_internal.h"

#include <inttypes.h>
#include <string.h>

enum {
    /* every character of every name and value escaped, with = and ; */
    ASSAY_AXES_SIZE = ASSAY_MAX_AXES * (4 * ASSAY_NAME_SIZE + 2) + 1
};

/* What all points of one call share. */
typedef struct {
    assay_store *store;
    int64_t      run_id, case_version_id, ordinal;
} plan_context;

/* ---- axes as text ---- */

static char *append_escaped(char *to, const char *text, size_t size)
{
    for (size_t i = 0; i < size && text[i]; i++) {
        if (strchr("\\;=", text[i]))
            *to++ = '\\';
        *to++ = text[i];
    }
    return to;
}

/* Writes name=value;name=value, which is unambiguous for all names and values. */
static void write_axes(const assay_point_row *point, char text[ASSAY_AXES_SIZE])
{
    char *to = text;

    for (int a = 0; a < point->n_axes; a++) {
        if (a > 0)
            *to++ = ';';
        to    = append_escaped(to, point->axis[a].name, sizeof point->axis[a].name);
        *to++ = '=';
        to    = append_escaped(to, point->axis[a].text, sizeof point->axis[a].text);
    }
    *to = '\0';
}

/* ---- shared rows ---- */

static assay_status share_case(assay_store *store, const char *name, size_t name_size, int version,
                               const char *what, int64_t *id)
{
    assay_binder b;
    bool         found = false;
    assay_status st;

    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_FIND_CASE, &b));
    assay_bind_text(&b, name, name_size);
    assay_bind_int(&b, version);
    ASSAY_CHECK(assay_store_find(&b, id, &found));
    if (found)
        goto out;
    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_ADD_CASE, &b));
    assay_bind_text(&b, name, name_size);
    assay_bind_int(&b, version);
    ASSAY_BIND_TEXT(&b, what);
    ASSAY_CHECK(assay_store_run(&b, id));
out:
    return st;
}

static assay_status add_axis(assay_store *store, int64_t config_id, const assay_point_row *point,
                             int a)
{
    static const struct {
        const char *text;
        int         n_values;
    } kinds[] = {
        [ASSAY_AXIS_INT]  = { "int", 1 },
        [ASSAY_AXIS_GRID] = { "grid", 3 },
        [ASSAY_AXIS_TEXT] = { "text", 0 },
    };
    const assay_axis_kind kind = point->axis[a].kind;
    assay_binder          b;
    assay_status          st;

    ASSAY_REQUIRE((size_t)kind < sizeof kinds / sizeof kinds[0], ASSAY_E_INTERNAL,
                  "axis %d of a planned point has no kind", a);
    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_ADD_AXIS, &b));
    assay_bind_int(&b, config_id);
    assay_bind_int(&b, a);
    ASSAY_BIND_ARRAY(&b, point->axis[a].name);
    ASSAY_BIND_TEXT(&b, kinds[kind].text);
    for (int i = 0; i < 3; i++) {
        if (i < kinds[kind].n_values)
            assay_bind_int(&b, point->axis[a].i[i]);
        else
            assay_bind_null(&b);
    }
    ASSAY_BIND_ARRAY(&b, point->axis[a].text);
    ASSAY_CHECK(assay_store_run(&b, NULL));
out:
    return st;
}

static assay_status share_config(const plan_context *plan, const assay_point_row *point,
                                 int64_t *id)
{
    char         axes[ASSAY_AXES_SIZE];
    assay_binder b;
    bool         found = false;
    assay_status st;

    write_axes(point, axes);
    ASSAY_CHECK(assay_store_prepare(plan->store, ASSAY_SQL_FIND_CONFIG, &b));
    assay_bind_int(&b, plan->case_version_id);
    ASSAY_BIND_ARRAY(&b, axes);
    ASSAY_CHECK(assay_store_find(&b, id, &found));
    if (found)
        goto out;
    ASSAY_CHECK(assay_store_prepare(plan->store, ASSAY_SQL_ADD_CONFIG, &b));
    assay_bind_int(&b, plan->case_version_id);
    ASSAY_BIND_ARRAY(&b, axes);
    ASSAY_CHECK(assay_store_run(&b, id));
    for (int a = 0; a < point->n_axes; a++)
        ASSAY_CHECK(add_axis(plan->store, *id, point, a));
out:
    return st;
}

/* ---- points ---- */

assay_status assay_store_point_at(assay_store *store, int64_t run_id, int64_t ordinal, int64_t *id)
{
    assay_binder b;
    bool         found = false;
    assay_status st;

    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_POINT_AT, &b));
    assay_bind_int(&b, run_id);
    assay_bind_int(&b, ordinal);
    ASSAY_CHECK(assay_store_find(&b, id, &found));
    ASSAY_REQUIRE(found, ASSAY_E_DATABASE, "%s: a point that was planned is not there",
                  store->path);
out:
    return st;
}

static assay_status add_expected(assay_store *store, int64_t point_id, unsigned expect)
{
    assay_binder b;
    assay_status st = ASSAY_OK;

    for (int v = 0; v < ASSAY_N_VERDICTS; v++) {
        if (!(expect & (1u << v)))
            continue;
        ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_ADD_EXPECTED, &b));
        assay_bind_int(&b, point_id);
        ASSAY_BIND_TEXT(&b, assay_verdict_text((assay_verdict)v));
        ASSAY_CHECK(assay_store_run(&b, NULL));
    }
out:
    return st;
}

static assay_status add_point(plan_context *plan, const assay_point_row *point, int64_t *id)
{
    assay_binder b;
    int64_t      config_id = 0;
    assay_status st;

    ASSAY_REQUIRE(point->n_axes >= 0 && point->n_axes <= ASSAY_MAX_AXES, ASSAY_E_INTERNAL,
                  "a planned point has %d axes", point->n_axes);
    ASSAY_CHECK(share_config(plan, point, &config_id));
    ASSAY_CHECK(assay_store_prepare(plan->store, ASSAY_SQL_ADD_POINT, &b));
    assay_bind_int(&b, plan->run_id);
    assay_bind_int(&b, plan->ordinal);
    assay_bind_int(&b, config_id);
    assay_bind_row(&b, ASSAY_TABLE_POINT, point);
    ASSAY_CHECK(assay_store_run(&b, NULL));
    ASSAY_CHECK(assay_store_point_at(plan->store, plan->run_id, plan->ordinal++, id));
    ASSAY_CHECK(add_expected(plan->store, *id, point->expect));
out:
    return st;
}

static assay_status next_ordinal(plan_context *plan)
{
    assay_binder b;
    bool         found = false;
    assay_status st;

    ASSAY_CHECK(assay_store_prepare(plan->store, ASSAY_SQL_NEXT_ORDINAL, &b));
    assay_bind_int(&b, plan->run_id);
    ASSAY_CHECK(assay_store_find(&b, &plan->ordinal, &found));
out:
    return st;
}

assay_status assay_store_begin_plan(assay_store *store)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(!store->open_point && !store->is_planning, ASSAY_E_INTERNAL,
                  "a point or a plan is open: no plan can begin");
    ASSAY_CHECK(assay_store_begin(store));
    store->is_planning = true;
out:
    return st;
}

assay_status assay_store_end_plan(assay_store *store, bool is_kept)
{
    assay_status st = ASSAY_OK;

    store->is_planning = false;
    if (is_kept)
        ASSAY_CHECK(assay_store_commit(store));
out:
    assay_store_rollback(store);
    return st;
}

assay_status assay_store_plan(assay_store *store, int64_t run_id, const char *case_what,
                              int case_version, const assay_point_row *points, int64_t n,
                              int64_t *point_ids)
{
    const size_t name_size = sizeof points->case_name;
    plan_context plan      = { .store = store, .run_id = run_id };
    assay_status st        = ASSAY_OK;

    if (store->open_point)
        return ASSAY_FAIL(ASSAY_E_INTERNAL, "a point is open: nothing can be planned");
    if (n == 0)
        return ASSAY_OK;
    ASSAY_CHECK(assay_store_begin(store));
    ASSAY_CHECK(next_ordinal(&plan));
    ASSAY_CHECK(share_case(store, points->case_name, name_size, case_version, case_what,
                           &plan.case_version_id));
    for (int64_t i = 0; i < n; i++) {
        ASSAY_REQUIRE(strncmp(points[i].case_name, points->case_name, name_size) == 0,
                      ASSAY_E_INTERNAL, "points of two cases are planned as one: %.*s and %.*s",
                      ASSAY_NAME_SIZE, points->case_name, ASSAY_NAME_SIZE, points[i].case_name);
        ASSAY_CHECK(add_point(&plan, &points[i], &point_ids[i]));
    }
    ASSAY_CHECK(assay_store_commit(store));
out:
    assay_store_rollback(store);
    return st;
}
