/* From the points of a program to the rows of its plan. */
#include "program_internal.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- axes as text ---- */

static assay_axis_kind kind_of(const assay_program_axis *axis)
{
    return axis->word                                   ? ASSAY_AXIS_TEXT
           : axis->value[1] != 0 || axis->value[2] != 0 ? ASSAY_AXIS_GRID
                                                        : ASSAY_AXIS_INT;
}

static const char *write_value(const assay_program_axis *axis, char *text, size_t size)
{
    switch (kind_of(axis)) {
    case ASSAY_AXIS_TEXT:
        return assay_text_set(text, size, "%s", axis->word);
    case ASSAY_AXIS_GRID:
        return assay_text_set(text, size, "%" PRId64 "x%" PRId64 "x%" PRId64, axis->value[0],
                              axis->value[1], axis->value[2]);
    default:
        return assay_text_set(text, size, "%" PRId64, axis->value[0]);
    }
}

const char *assay_program_key(const assay_program_point *point, char *key, size_t size)
{
    char   value[ASSAY_NAME_SIZE];
    size_t used;

    (void)assay_text_set(key, size, "%s/%s", point->case_name, point->variant);
    for (int a = 0; a < point->n_axes; a++) {
        used = strlen(key);
        (void)assay_text_set(key + used, size - used, "/%s=%s", point->axis[a].name,
                             write_value(&point->axis[a], value, sizeof value));
    }
    return key;
}

/* ---- is it one? ---- */

/* A part of a key that is read back: no '/' and no '=', nothing that a terminal does not show. */
static bool is_word(const char *text)
{
    bool is_shown = true;

    if (!text || !*text || strlen(text) >= ASSAY_NAME_SIZE || text[strcspn(text, "/=;\\\n\t ")])
        return false;
    while (*text && is_shown)
        text += assay_text_character(text, &is_shown);
    return is_shown;
}

static assay_status check_axes(const assay_program_point *p, int64_t place)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(p->n_axes >= 0 && p->n_axes <= ASSAY_MAX_AXES, ASSAY_E_USAGE,
                  "point %" PRId64 " of the plan has %d axes: at most %d are stored", place,
                  p->n_axes, ASSAY_MAX_AXES);
    for (int a = 0; a < p->n_axes; a++)
        ASSAY_REQUIRE(is_word(p->axis[a].name) && (!p->axis[a].word || is_word(p->axis[a].word)),
                      ASSAY_E_USAGE,
                      "axis %d of point %" PRId64 " of the plan: its name and its word are 1 to %d "
                      "characters without a blank, '/', '=', ';' or '\\'",
                      a, place, ASSAY_NAME_SIZE - 1);
out:
    return st;
}

static assay_status check_point(const assay_program_point *p, int64_t place)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(is_word(p->case_name) && is_word(p->variant) &&
                      (!p->baseline || is_word(p->baseline)),
                  ASSAY_E_USAGE,
                  "point %" PRId64 " of the plan: its case, variant and baseline are 1 to %d "
                  "characters without a blank, '/', '=', ';' or '\\'",
                  place, ASSAY_NAME_SIZE - 1);
    ASSAY_REQUIRE(p->case_what && *p->case_what && p->case_version > 0, ASSAY_E_USAGE,
                  "point %" PRId64 " of the plan: %s says neither what it is nor its version",
                  place, p->case_name);
    ASSAY_REQUIRE(p->cells > 0 && p->bytes >= 0 && p->bytes_moved >= 0, ASSAY_E_USAGE,
                  "point %" PRId64 " of the plan works on %" PRId64 " cells: at least 1, and "
                  "bytes are not below 0",
                  place, p->cells);
    ASSAY_CHECK(check_axes(p, place));
out:
    return st;
}

/* ---- each once ---- */

static int by_key(const void *a, const void *b)
{
    char x[ASSAY_KEY_SIZE], y[ASSAY_KEY_SIZE];

    return strcmp(assay_program_key(*(const assay_program_point *const *)a, x, sizeof x),
                  assay_program_key(*(const assay_program_point *const *)b, y, sizeof y));
}

static assay_status check_each_once(const assay_program_point *points, int64_t n)
{
    const assay_program_point **sorted = calloc((size_t)n, sizeof *sorted);
    char                        key[ASSAY_KEY_SIZE];
    assay_status                st = ASSAY_OK;

    ASSAY_REQUIRE(sorted, ASSAY_E_MEMORY, "no memory for %" PRId64 " points", n);
    for (int64_t i = 0; i < n; i++)
        sorted[i] = &points[i];
    qsort(sorted, (size_t)n, sizeof *sorted, by_key);
    for (int64_t i = 1; i < n; i++)
        ASSAY_REQUIRE(by_key(&sorted[i - 1], &sorted[i]) != 0, ASSAY_E_USAGE, "%s is planned twice",
                      assay_program_key(sorted[i], key, sizeof key));
out:
    free(sorted);
    return st;
}

assay_status assay_program_check_plan(const assay_program_point *points, int64_t n)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(n > 0, ASSAY_E_NOTHING, "the program plans no point");
    for (int64_t i = 0; i < n; i++)
        ASSAY_CHECK(check_point(&points[i], i));
    ASSAY_CHECK(check_each_once(points, n));
out:
    return st;
}

/* ---- rows ---- */

void assay_program_fill_row(const assay_program_point *p, assay_point_row *row)
{
    *row = (assay_point_row) { .seed              = p->seed,
                               .expect            = ASSAY_BIT(PASS),
                               .is_timed          = p->is_timed,
                               .cells             = p->cells,
                               .bytes_declared    = p->bytes,
                               .bytes_moved       = p->bytes_moved > 0 ? p->bytes_moved : -1,
                               .working_set_bytes = p->bytes,
                               .n_axes            = p->n_axes };
    (void)assay_program_key(p, row->key, sizeof row->key);
    (void)assay_text_set(row->case_name, sizeof row->case_name, "%s", p->case_name);
    (void)assay_text_set(row->variant, sizeof row->variant, "%s", p->variant);
    (void)assay_text_set(row->baseline, sizeof row->baseline, "%s", p->baseline ? p->baseline : "");
    for (int a = 0; a < p->n_axes; a++) {
        (void)assay_text_set(row->axis[a].name, sizeof row->axis[a].name, "%s", p->axis[a].name);
        (void)write_value(&p->axis[a], row->axis[a].text, sizeof row->axis[a].text);
        row->axis[a].kind = kind_of(&p->axis[a]);
        memcpy(row->axis[a].i, p->axis[a].value, sizeof row->axis[a].i);
    }
}

/* What of a key follows the variant. */
static const char *write_rest(const assay_program_point *p, char *key, size_t size)
{
    return assay_program_key(p, key, size) + strlen(p->case_name) + 1 + strlen(p->variant);
}

static bool is_beside(const assay_program_point *a, const assay_program_point *b)
{
    char x[ASSAY_KEY_SIZE], y[ASSAY_KEY_SIZE];

    return strcmp(a->case_name, b->case_name) == 0 &&
           strcmp(write_rest(a, x, sizeof x), write_rest(b, y, sizeof y)) == 0;
}

int64_t assay_program_find_baseline(const assay_program *program, int64_t first, int64_t end,
                                    int64_t point)
{
    const assay_program_point *const p = &program->points[point];

    for (int64_t i = first; p->baseline && i < end; i++)
        if (strcmp(program->points[i].variant, p->baseline) == 0 &&
            is_beside(p, &program->points[i]))
            return i;
    return -1;
}
