/* Lists in one field of the CSV: the kernels of a call, and counters. */
#include "store_import_internal.h"

#include <stdio.h>

/* ---- kernels of a call ---- */

/* name|grid|block|registers|local|static shared|dynamic shared|time */
enum {
    KERNEL_FIELDS = 8
};

/* An empty text means unknown, which is 0x0x0 in the store. */
static bool read_shape(const char *text, int64_t shape[3])
{
    return !*text || assay_read_extents(text, shape) == 3;
}

static assay_status add_kernel(assay_importer *im, int ordinal, const char *entry, const char *hash)
{
    assay_pieces f        = { 0 };
    int64_t      shape[6] = { 0 };
    assay_status st       = ASSAY_OK;

    ASSAY_CHECK(assay_split(entry, '|', &f));
    if (f.n != KERNEL_FIELDS || !read_shape(f.piece[1], shape) ||
        !read_shape(f.piece[2], shape + 3)) {
        st = assay_import_fail(im, "kernels", "'%.80s' is not a kernel", entry);
        goto out;
    }
    const assay_import_item items[] = {
        ASSAY_ITEM_ID("item_point", im->point_id),
        ASSAY_ITEM_ID("item_ordinal", ordinal),
        ASSAY_ITEM("item_kernel", ASSAY_CSV_TEXT, assay_unescape(f.piece[0])),
        ASSAY_ITEM_ID("item_gx", shape[0]),
        ASSAY_ITEM_ID("item_gy", shape[1]),
        ASSAY_ITEM_ID("item_gz", shape[2]),
        ASSAY_ITEM_ID("item_bx", shape[3]),
        ASSAY_ITEM_ID("item_by", shape[4]),
        ASSAY_ITEM_ID("item_bz", shape[5]),
        ASSAY_ITEM("item_registers", ASSAY_CSV_INTEGER, f.piece[3]),
        ASSAY_ITEM("item_local", ASSAY_CSV_INTEGER, f.piece[4]),
        ASSAY_ITEM("item_static", ASSAY_CSV_INTEGER, f.piece[5]),
        ASSAY_ITEM("item_dynamic", ASSAY_CSV_INTEGER, f.piece[6]),
        ASSAY_ITEM("item_time", ASSAY_CSV_REAL, f.piece[7]),
        ASSAY_ITEM("item_hash", ASSAY_CSV_TEXT, hash),
    };

    ASSAY_CHECK(assay_import_run(im, ASSAY_IMPORT_LAUNCH, items, ASSAY_N_ITEMS(items), NULL));
out:
    assay_pieces_free(&f);
    return st;
}

/* An older file has the code hash of every kernel of a call, but only the largest registers and
 * memory of all: those are stored with the first kernel. */
static const char *entry_of_older(const assay_importer *im, int ordinal, char *entry, size_t size)
{
    const bool  is_first = ordinal == 0;
    const char *shared   = assay_import_text(im, "shared_bytes");

    (void)snprintf(entry, size, "|||%s|%s|%s|%s|",
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
    assay_pieces entries = { 0 }, hashes = { 0 };
    char         older[256];
    assay_status st = ASSAY_OK;

    if (kernels ? !kernels[0] : !has_kernels(im))
        goto out;
    ASSAY_CHECK(assay_split(assay_import_text(im, "code_hashes"), ';', &hashes));
    ASSAY_CHECK(assay_split(kernels ? kernels : "", ';', &entries));
    if (kernels && entries.n != hashes.n) {
        st = assay_import_fail(im, "kernels", "%d kernels with %d hashes", entries.n, hashes.n);
        goto out;
    }
    for (int i = 0; i < hashes.n; i++)
        ASSAY_CHECK(add_kernel(
            im, i, kernels ? entries.piece[i] : entry_of_older(im, i, older, sizeof older),
            hashes.piece[i]));
out:
    assay_pieces_free(&entries);
    assay_pieces_free(&hashes);
    return st;
}

/* ---- counters ---- */

/* name|status|value|passes|replay|reason */
enum {
    METRIC_FIELDS = 6
};

static assay_status add_metric(assay_importer *im, const char *entry)
{
    assay_pieces f  = { 0 };
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(assay_split(entry, '|', &f));
    if (f.n != METRIC_FIELDS) {
        st = assay_import_fail(im, "metrics", "'%.80s' is not a counter", entry);
        goto out;
    }
    const assay_import_item items[] = {
        ASSAY_ITEM_ID("item_point", im->point_id),
        ASSAY_ITEM("item_name", ASSAY_CSV_TEXT, assay_unescape(f.piece[0])),
        ASSAY_ITEM("item_status", ASSAY_CSV_TEXT, f.piece[1]),
        ASSAY_ITEM("item_value", ASSAY_CSV_REAL, f.piece[2]),
        ASSAY_ITEM("item_passes", ASSAY_CSV_INTEGER, f.piece[3]),
        ASSAY_ITEM("item_replay", ASSAY_CSV_TEXT, assay_unescape(f.piece[4])),
        ASSAY_ITEM("item_reason", ASSAY_CSV_TEXT, assay_unescape(f.piece[5])),
    };

    ASSAY_CHECK(assay_import_run(im, ASSAY_IMPORT_METRIC, items, ASSAY_N_ITEMS(items), NULL));
out:
    assay_pieces_free(&f);
    return st;
}

assay_status assay_import_metrics(assay_importer *im)
{
    const char  *text = assay_import_text(im, "metrics");
    assay_pieces list = { 0 };
    assay_status st   = ASSAY_OK;

    if (!text || !text[0])
        goto out;
    ASSAY_CHECK(assay_split(text, ';', &list));
    for (int i = 0; i < list.n; i++)
        ASSAY_CHECK(add_metric(im, list.piece[i]));
out:
    assay_pieces_free(&list);
    return st;
}
