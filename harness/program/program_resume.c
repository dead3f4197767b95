/* What is left of a run of this program that was cut off. */
#include "program_internal.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

/* One run is one build on one device; else its numbers would stand under names that are not theirs.
 */
static assay_status require_same(const assay_program *program, const assay_run_row *begun)
{
    const assay_run_row *now = &program->row;
    assay_status         st  = ASSAY_OK;
    const struct {
        const char *what, *then, *now;
    } facts[] = {
        { "lane", begun->lane, now->lane },
        { "device", begun->device_uuid, program->device.uuid },
        { "program", begun->binary_id, now->binary_id },
    };

    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        ASSAY_REQUIRE(strcmp(facts[i].then, facts[i].now) == 0, ASSAY_E_USAGE,
                      "run %" PRId64 " was begun with %s %s, here it is %s: start a new run",
                      program->run_id, facts[i].what, facts[i].then, facts[i].now);
out:
    return st;
}

/* Of other inputs under the same key what is stored already would tell nothing. */
static bool is_this(const assay_program_point *point, assay_cursor *row)
{
    char key[ASSAY_KEY_SIZE], seed[24];

    (void)assay_text_set(seed, sizeof seed, "%" PRIu64, point->seed);
    return strcmp(assay_row_text(row, "key"), assay_program_key(point, key, sizeof key)) == 0 &&
           strcmp(assay_row_text(row, "seed"), seed) == 0 &&
           assay_row_count(row, "cells") == point->cells;
}

/* The plan is told by the command line alone: the stored one must be this one, point by point. */
static assay_status adopt_points(assay_program *program)
{
    assay_cursor *row = NULL;
    int64_t       i   = 0;
    assay_status  st  = ASSAY_OK;

    ASSAY_CHECK(assay_store_query(program->store, "run_points", program->run_id, &row));
    for (; assay_cursor_next(row, &st); i++) {
        ASSAY_REQUIRE(i < program->n && is_this(&program->points[i], row), ASSAY_E_USAGE,
                      "run %" PRId64 " was begun with other points: resume it with the words that "
                      "it was begun with",
                      program->run_id);
        program->states[i].id       = assay_row_count(row, "point_id");
        program->states[i].is_ready = strcmp(assay_row_text(row, "outcome"), "ready") == 0;
    }
    if (st != ASSAY_OK)
        goto out;
    ASSAY_REQUIRE(i == program->n, ASSAY_E_USAGE,
                  "run %" PRId64 " was begun with %" PRId64 " points, and these are %" PRId64
                  ": resume it with the words that it was begun with",
                  program->run_id, i, program->n);
out:
    assay_cursor_close(row);
    return st;
}

assay_status assay_program_resume(assay_program *program)
{
    assay_run_row begun = { .seed = 0 };
    bool          found = false;
    assay_status  st    = ASSAY_OK;

    ASSAY_CHECK(assay_store_find_interrupted(program->store, program->name, 0, &program->run_id,
                                             &begun, &found));
    ASSAY_REQUIRE(found, ASSAY_E_NOTHING, "%s holds no run of %s that was cut off",
                  program->words.database, program->name);
    (void)assay_text_set(program->row.uuid, sizeof program->row.uuid, "%s", begun.uuid);
    ASSAY_CHECK(assay_program_hold(program));
    ASSAY_CHECK(require_same(program, &begun));
    ASSAY_CHECK(adopt_points(program));
out:
    return st;
}
