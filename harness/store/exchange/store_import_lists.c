/* Lists in one field of the CSV: axes, expected verdicts, blocks. */
#include "store_import_internal.h"

#include <string.h>

/* ---- axes ---- */

/* An older file does not name the kind of an axis: a value that reads as numbers is taken for
 * numbers. */
static assay_status add_axis(assay_importer *im, int position, char *entry, const char *kind)
{
    static const char *const kinds[]   = { "text", "int", NULL, "grid" };
    int64_t                  extent[3] = { 0 };
    char                    *value     = assay_find_separator(entry, '=');
    int                      n;

    if (!value)
        return assay_import_fail(im, "config", "'%.80s' is not of the form axis=value", entry);
    *value++ = '\0';
    n        = assay_read_extents(assay_unescape(value), extent);
    if (!kind)
        kind = kinds[n];
    if (strcmp(kind, "text") == 0)
        n = 0;
    else if (strcmp(kind, n ? kinds[n] : "") != 0)
        return assay_import_fail(im, "config", "'%.80s' is not a value of an axis of kind '%.16s'",
                                 value, kind);
    const assay_import_item items[] = {
        ASSAY_ITEM_ID("item_position", position),
        ASSAY_ITEM("item_name", ASSAY_CSV_TEXT, assay_unescape(entry)),
        ASSAY_ITEM("item_kind", ASSAY_CSV_TEXT, kind),
        ASSAY_ITEM("item_text", ASSAY_CSV_TEXT, value),
        { .name    = "item_x",
          .kind    = ASSAY_CSV_INTEGER,
          .text    = n ? NULL : "",
          .integer = extent[0] },
        { .name    = "item_y",
          .kind    = ASSAY_CSV_INTEGER,
          .text    = n == 3 ? NULL : "",
          .integer = extent[1] },
        { .name    = "item_z",
          .kind    = ASSAY_CSV_INTEGER,
          .text    = n == 3 ? NULL : "",
          .integer = extent[2] },
    };
    return assay_import_run(im, ASSAY_IMPORT_AXIS, items, ASSAY_N_ITEMS(items), NULL);
}

assay_status assay_import_axes(assay_importer *im)
{
    const char  *config = assay_import_text(im, "config");
    const bool   knows  = assay_import_is_given(im, "axis_kinds");
    assay_pieces axes = { 0 }, kinds = { 0 };
    assay_status st = ASSAY_OK;

    if (!config[0]) /* a case without axes */
        goto out;
    ASSAY_CHECK(assay_split(config, ';', &axes));
    if (knows)
        ASSAY_CHECK(assay_split(assay_import_text(im, "axis_kinds"), ';', &kinds));
    if (knows && kinds.n != axes.n) {
        st = assay_import_fail(im, "axis_kinds", "%d kinds for %d axes", kinds.n, axes.n);
        goto out;
    }
    for (int a = 0; a < axes.n; a++)
        ASSAY_CHECK(add_axis(im, a, axes.piece[a], knows ? kinds.piece[a] : NULL));
out:
    assay_pieces_free(&axes);
    assay_pieces_free(&kinds);
    return st;
}

/* ---- expected verdicts ---- */

static assay_status add_expected(assay_importer *im, const char *verdict)
{
    const assay_import_item items[] = {
        ASSAY_ITEM_ID("item_point", im->point_id),
        ASSAY_ITEM("item_verdict", ASSAY_CSV_TEXT, verdict),
    };

    return assay_import_run(im, ASSAY_IMPORT_EXPECTED, items, ASSAY_N_ITEMS(items), NULL);
}

/* An older file tells by the outcome: a verdict that was 'caught' is allowed, one that 'failed' is
 * not. */
static const char *expected_by_outcome(const assay_importer *im)
{
    const char *verdict = assay_import_text(im, "verdict");
    const char *outcome = assay_import_text(im, "outcome");

    if (strcmp(outcome, "caught") == 0)
        return verdict;
    return strcmp(outcome, "failed") == 0 && strcmp(verdict, "PASS") == 0 ? "" : "PASS";
}

assay_status assay_import_expected(assay_importer *im)
{
    const char  *text = assay_import_text(im, "expected");
    assay_pieces list = { 0 };
    assay_status st   = ASSAY_OK;

    if (!text)
        text = expected_by_outcome(im);
    ASSAY_CHECK(assay_split(text, ';', &list));
    for (int i = 0; i < list.n && text[0]; i++)
        ASSAY_CHECK(add_expected(im, list.piece[i]));
out:
    assay_pieces_free(&list);
    return st;
}

/* ---- blocks ---- */

static const struct {
    const char    *column, *item;
    assay_csv_kind kind;
} block_lists[] = {
    { "block_samples", "item_samples", ASSAY_CSV_INTEGER },
    { "block_medians_ns", "item_median", ASSAY_CSV_REAL },
    { "block_processes", "item_process", ASSAY_CSV_INTEGER },
    { "block_sequence", "item_sequence", ASSAY_CSV_INTEGER },
    { "block_cycles", "item_cycles", ASSAY_CSV_REAL },
    { "block_clock_mhz", "item_mhz", ASSAY_CSV_REAL },
    { "block_throttled", "item_throttled", ASSAY_CSV_INTEGER },
    { "block_discarded", "item_discarded", ASSAY_CSV_INTEGER },
};
enum {
    N_LISTS = sizeof block_lists / sizeof block_lists[0]
};

/* Checks that every list has an entry for each block, and that the blocks divide n_samples. */
static assay_status judge_blocks(assay_importer *im, const assay_pieces lists[N_LISTS])
{
    int64_t n_blocks = 0, n_samples = 0, sum = 0;

    if (!assay_import_integer(assay_import_text(im, "n_blocks"), &n_blocks) ||
        !assay_import_integer(assay_import_text(im, "n_samples"), &n_samples))
        return assay_import_fail(im, "n_blocks", "a measurement needs its blocks and samples");
    for (int l = 0; l < N_LISTS; l++)
        if (lists[l].text && lists[l].n != n_blocks)
            return assay_import_fail(im, block_lists[l].column, "%d entries for %lld blocks",
                                     lists[l].n, (long long)n_blocks);
    for (int b = 0; b < lists[0].n; b++) {
        int64_t n = -1;

        if (!assay_import_integer(lists[0].piece[b], &n) || n < 0 || n > n_samples - sum)
            return assay_import_fail(im, "block_samples", "'%.40s' samples do not fit",
                                     lists[0].piece[b]);
        sum += n;
    }
    return sum == n_samples
               ? ASSAY_OK
               : assay_import_fail(im, "block_samples", "%lld samples in all, not %lld",
                                   (long long)sum, (long long)n_samples);
}

static assay_status add_block(assay_importer *im, const assay_pieces lists[N_LISTS], int block)
{
    assay_import_item items[N_LISTS + 2] = { ASSAY_ITEM_ID("item_measurement", im->measurement_id),
                                             ASSAY_ITEM_ID("item_block", block) };

    for (int l = 0; l < N_LISTS; l++)
        items[l + 2] = (assay_import_item)ASSAY_ITEM(block_lists[l].item, block_lists[l].kind,
                                                     lists[l].text ? lists[l].piece[block] : "");
    return assay_import_run(im, ASSAY_IMPORT_BLOCK, items, ASSAY_N_ITEMS(items), NULL);
}

assay_status assay_import_blocks(assay_importer *im)
{
    assay_pieces lists[N_LISTS] = { { .n = 0 } };
    assay_status st             = ASSAY_OK;

    for (int l = 0; l < N_LISTS; l++) {
        const char *text = assay_import_text(im, block_lists[l].column);

        if (text)
            ASSAY_CHECK(assay_split(text, ';', &lists[l]));
    }
    ASSAY_CHECK(judge_blocks(im, lists));
    for (int b = 0; b < lists[0].n; b++)
        ASSAY_CHECK(add_block(im, lists, b));
out:
    for (int l = 0; l < N_LISTS; l++)
        assay_pieces_free(&lists[l]);
    return st;
}
