/* What stands as a list in one field of the CSV: axes, expected verdicts, blocks, kernels,
 * counters. */
#include "store_import_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text cut at its separators; a backslash before one takes its meaning away. */
typedef struct pieces {
    char  *text; /* a copy, cut */
    char **piece;
    int    n; /* at least 1 */
} pieces;

static void free_pieces(pieces *p)
{
    free(p->text);
    free(p->piece);
}

static char *find_separator(char *text, char separator)
{
    for (; *text && *text != separator; text++)
        if (*text == '\\' && text[1])
            text++;
    return *text ? text : NULL;
}

static assay_status split(const char *text, char separator, pieces *p)
{
    assay_status st = ASSAY_OK;
    int          n  = 1;

    memset(p, 0, sizeof *p);
    for (const char *c = text; *c; c++)
        n += *c == separator;
    p->text  = strdup(text);
    p->piece = calloc((size_t)n, sizeof *p->piece);
    ASSAY_REQUIRE(p->text && p->piece, ASSAY_E_MEMORY, "no memory for a list");
    for (char *at = p->text; at;) {
        char *end = find_separator(at, separator);

        p->piece[p->n++] = at;
        if (end)
            *end++ = '\0';
        at = end;
    }
out:
    return st;
}

/* In place; what is left of the backslashes is the text that was meant. */
static char *unescape(char *text)
{
    char *to = text;

    for (const char *from = text; *from; from++) {
        if (*from == '\\' && from[1])
            from++;
        *to++ = *from;
    }
    *to = '\0';
    return text;
}

#define ID(name_, value_)                                                                          \
    {                                                                                              \
        .name = (name_), .integer = (value_)                                                       \
    }
#define PIECE(name_, kind_, text_)                                                                 \
    {                                                                                              \
        .name = (name_), .kind = (kind_), .text = (text_)                                          \
    }
#define N_OF(items) ((int)(sizeof(items) / sizeof(items)[0]))

/* ---- axes ---- */

/* "64" or "64x32x16" as numbers. */
static int read_extents(const char *text, int64_t extent[3])
{
    int n = 0;

    while (n < 3) {
        char  *end = NULL;
        size_t digits;

        digits = strspn(text, "-0123456789");
        if (digits == 0)
            return 0;
        extent[n++] = strtoll(text, &end, 10);
        if (*end == '\0')
            return n == 2 ? 0 : n;
        if (*end != 'x')
            return 0;
        text = end + 1;
    }
    return 0;
}

/* An older file does not name the kind: what reads as numbers is taken for them. */
static assay_status add_axis(assay_importer *im, int position, char *entry, const char *kind)
{
    static const char *const kinds[]   = { "text", "int", NULL, "grid" };
    int64_t                  extent[3] = { 0 };
    char                    *value     = find_separator(entry, '=');
    int                      n;

    if (!value)
        return assay_import_fail(im, "config", "'%.80s' is not of the form axis=value", entry);
    *value++ = '\0';
    n        = read_extents(unescape(value), extent);
    if (!kind)
        kind = kinds[n];
    if (strcmp(kind, "text") == 0)
        n = 0;
    else if (strcmp(kind, n ? kinds[n] : "") != 0)
        return assay_import_fail(im, "config", "'%.80s' is no value of an axis of kind '%.16s'",
                                 value, kind);
    const assay_import_item items[] = {
        ID("item_position", position),
        PIECE("item_name", ASSAY_CSV_TEXT, unescape(entry)),
        PIECE("item_kind", ASSAY_CSV_TEXT, kind),
        PIECE("item_text", ASSAY_CSV_TEXT, value),
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
    return assay_import_run(im, ASSAY_IMPORT_AXIS, items, N_OF(items), NULL);
}

assay_status assay_import_axes(assay_importer *im)
{
    const char  *config = assay_import_text(im, "config");
    const bool   knows  = assay_import_is_given(im, "axis_kinds");
    pieces       axes = { 0 }, kinds = { 0 };
    assay_status st = ASSAY_OK;

    if (!config[0]) /* a case without axes */
        goto out;
    ASSAY_CHECK(split(config, ';', &axes));
    if (knows)
        ASSAY_CHECK(split(assay_import_text(im, "axis_kinds"), ';', &kinds));
    if (knows && kinds.n != axes.n) {
        st = assay_import_fail(im, "axis_kinds", "%d kinds for %d axes", kinds.n, axes.n);
        goto out;
    }
    for (int a = 0; a < axes.n; a++)
        ASSAY_CHECK(add_axis(im, a, axes.piece[a], knows ? kinds.piece[a] : NULL));
out:
    free_pieces(&axes);
    free_pieces(&kinds);
    return st;
}

/* ---- expected verdicts ---- */

static assay_status add_expected(assay_importer *im, const char *verdict)
{
    const assay_import_item items[] = {
        ID("item_point", im->point_id),
        PIECE("item_verdict", ASSAY_CSV_TEXT, verdict),
    };

    return assay_import_run(im, ASSAY_IMPORT_EXPECTED, items, N_OF(items), NULL);
}

/* An older file tells by the outcome: what was caught may be, what failed may not. */
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
    pieces       list = { 0 };
    assay_status st   = ASSAY_OK;

    if (!text)
        text = expected_by_outcome(im);
    ASSAY_CHECK(split(text, ';', &list));
    for (int i = 0; i < list.n && text[0]; i++)
        ASSAY_CHECK(add_expected(im, list.piece[i]));
out:
    free_pieces(&list);
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

/* Every list has an entry for each block; n_samples is shared out among them. */
static assay_status judge_blocks(assay_importer *im, const pieces lists[N_LISTS])
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

static assay_status add_block(assay_importer *im, const pieces lists[N_LISTS], int block)
{
    assay_import_item items[N_LISTS + 2] = { ID("item_measurement", im->measurement_id),
                                             ID("item_block", block) };

    for (int l = 0; l < N_LISTS; l++)
        items[l + 2] = (assay_import_item)PIECE(block_lists[l].item, block_lists[l].kind,
                                                lists[l].text ? lists[l].piece[block] : "");
    return assay_import_run(im, ASSAY_IMPORT_BLOCK, items, N_OF(items), NULL);
}

assay_status assay_import_blocks(assay_importer *im)
{
    pieces       lists[N_LISTS] = { { NULL } };
    assay_status st             = ASSAY_OK;

    for (int l = 0; l < N_LISTS; l++) {
        const char *text = assay_import_text(im, block_lists[l].column);

        if (text)
            ASSAY_CHECK(split(text, ';', &lists[l]));
    }
    ASSAY_CHECK(judge_blocks(im, lists));
    for (int b = 0; b < lists[0].n; b++)
        ASSAY_CHECK(add_block(im, lists, b));
out:
    for (int l = 0; l < N_LISTS; l++)
        free_pieces(&lists[l]);
    return st;
}

/* ---- kernels of a call ---- */

/* name|grid|block|registers|local|static shared|dynamic shared|time */
enum {
    KERNEL_FIELDS = 8
};

static assay_status add_kernel(assay_importer *im, int ordinal, const char *entry, const char *hash)
{
    pieces       f        = { 0 };
    int64_t      shape[6] = { 0 };
    assay_status st       = ASSAY_OK;

    ASSAY_CHECK(split(entry, '|', &f));
    if (f.n != KERNEL_FIELDS || read_extents(f.piece[1], shape) != 3 ||
        read_extents(f.piece[2], shape + 3) != 3) {
        st = assay_import_fail(im, "kernels", "'%.80s' is no kernel", entry);
        goto out;
    }
    const assay_import_item items[] = {
        ID("item_point", im->point_id),
        ID("item_ordinal", ordinal),
        PIECE("item_kernel", ASSAY_CSV_TEXT, unescape(f.piece[0])),
        ID("item_gx", shape[0]),
        ID("item_gy", shape[1]),
        ID("item_gz", shape[2]),
        ID("item_bx", shape[3]),
        ID("item_by", shape[4]),
        ID("item_bz", shape[5]),
        PIECE("item_registers", ASSAY_CSV_INTEGER, f.piece[3]),
        PIECE("item_local", ASSAY_CSV_INTEGER, f.piece[4]),
        PIECE("item_static", ASSAY_CSV_INTEGER, f.piece[5]),
        PIECE("item_dynamic", ASSAY_CSV_INTEGER, f.piece[6]),
        PIECE("item_time", ASSAY_CSV_REAL, f.piece[7]),
        PIECE("item_hash", ASSAY_CSV_TEXT, hash),
    };

    ASSAY_CHECK(assay_import_run(im, ASSAY_IMPORT_LAUNCH, items, N_OF(items), NULL));
out:
    free_pieces(&f);
    return st;
}

/* An older file has the code of every kernel of a call, and the largest registers and memory over
 * all of them: they stand at the first. */
static const char *entry_of_older(const assay_importer *im, int ordinal, char *entry, size_t size)
{
    const bool  is_first = ordinal == 0;
    const char *shared   = assay_import_text(im, "shared_bytes");

    (void)snprintf(entry, size, "|0x0x0|0x0x0|%s|%s|%s|%s|",
                   is_first ? assay_import_text(im, "registers") : "",
                   is_first ? assay_import_text(im, "local_bytes") : "", is_first ? shared : "",
                   is_first && shared[0] ? "0" : "");
    return entry;
}

static bool has_kernels(const assay_importer *im)
{
    static const char *const columns[] = { "registers", "local_bytes", "shared_bytes",
                                           "code_hashes" };

    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        if (assay_import_is_given(im, columns[i]))
            return true;
    return false;
}

assay_status assay_import_kernels(assay_importer *im)
{
    const char  *kernels = assay_import_text(im, "kernels");
    pieces       entries = { 0 }, hashes = { 0 };
    char         older[256];
    assay_status st = ASSAY_OK;

    if (kernels ? !kernels[0] : !has_kernels(im))
        goto out;
    ASSAY_CHECK(split(assay_import_text(im, "code_hashes"), ';', &hashes));
    ASSAY_CHECK(split(kernels ? kernels : "", ';', &entries));
    if (kernels && entries.n != hashes.n) {
        st = assay_import_fail(im, "kernels", "%d kernels with %d hashes", entries.n, hashes.n);
        goto out;
    }
    for (int i = 0; i < hashes.n; i++)
        ASSAY_CHECK(add_kernel(
            im, i, kernels ? entries.piece[i] : entry_of_older(im, i, older, sizeof older),
            hashes.piece[i]));
out:
    free_pieces(&entries);
    free_pieces(&hashes);
    return st;
}

/* ---- counters ---- */

/* name|status|value|passes|replay|reason */
enum {
    METRIC_FIELDS = 6
};

static assay_status add_metric(assay_importer *im, const char *entry)
{
    pieces       f  = { 0 };
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(split(entry, '|', &f));
    if (f.n != METRIC_FIELDS) {
        st = assay_import_fail(im, "metrics", "'%.80s' is no counter", entry);
        goto out;
    }
    const assay_import_item items[] = {
        ID("item_point", im->point_id),
        PIECE("item_name", ASSAY_CSV_TEXT, unescape(f.piece[0])),
        PIECE("item_status", ASSAY_CSV_TEXT, f.piece[1]),
        PIECE("item_value", ASSAY_CSV_REAL, f.piece[2]),
        PIECE("item_passes", ASSAY_CSV_INTEGER, f.piece[3]),
        PIECE("item_replay", ASSAY_CSV_TEXT, unescape(f.piece[4])),
        PIECE("item_reason", ASSAY_CSV_TEXT, unescape(f.piece[5])),
    };

    ASSAY_CHECK(assay_import_run(im, ASSAY_IMPORT_METRIC, items, N_OF(items), NULL));
out:
    free_pieces(&f);
    return st;
}

assay_status assay_import_metrics(assay_importer *im)
{
    const char  *text = assay_import_text(im, "metrics");
    pieces       list = { 0 };
    assay_status st   = ASSAY_OK;

    if (!text || !text[0])
        goto out;
    ASSAY_CHECK(split(text, ';', &list));
    for (int i = 0; i < list.n; i++)
        ASSAY_CHECK(add_metric(im, list.piece[i]));
out:
    free_pieces(&list);
    return st;
}
