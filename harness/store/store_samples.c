/* Raw samples: packs them, makes checksums, and reads their blocks back. */
#include "store_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

enum {
    SAMPLE_BYTES = 8
};

void assay_samples_encode(const double *samples, int64_t n, unsigned char *bytes)
{
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits;

        memcpy(&bits, &samples[i], sizeof bits);
        for (int k = 0; k < SAMPLE_BYTES; k++)
            *bytes++ = (unsigned char)(bits >> (8 * k));
    }
}

void assay_samples_decode(const unsigned char *bytes, int64_t n, double *samples)
{
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits = 0;

        for (int k = 0; k < SAMPLE_BYTES; k++)
            bits |= (uint64_t)*bytes++ << (8 * k);
        memcpy(&samples[i], &bits, sizeof bits);
    }
}

uint32_t assay_crc32(const void *bytes, size_t size) { return (uint32_t)crc32_z(0, bytes, size); }

/* ---- reading ---- */

/* Columns of ASSAY_SQL_READ_BLOCKS. */
enum {
    COLUMN_N_SAMPLES,
    COLUMN_N_BLOCKS,
    COLUMN_CRC32,
    COLUMN_TIME_NS,
    COLUMN_CLOCK_CRC32,
    COLUMN_CLOCK_MHZ,
    COLUMN_BLOCK
};

/* The result, and the progress of reading. */
typedef struct {
    int64_t              measurement_id;
    assay_stored_samples found; /* counts: from the measurement */
    int64_t              samples_read, blocks_read;
} sample_reader;

static assay_status fail_block(const assay_store *store, const sample_reader *reader,
                               const char *what)
{
    return ASSAY_FAIL(ASSAY_E_DATABASE,
                      "%s: samples of measurement %" PRId64 ", block %" PRId64 ": %s", store->path,
                      reader->measurement_id, reader->blocks_read, what);
}

const char *assay_samples_fault(sqlite3_stmt *stmt, int column, int crc_column, int64_t n,
                                const void **bytes)
{
    const bool is_pruned = assay_store_is_at(stmt, column, SQLITE_NULL);
    size_t     size;

    *bytes = assay_store_blob_at(stmt, column, &size);
    if (is_pruned)
        return NULL;
    if ((int64_t)size != n * SAMPLE_BYTES)
        return "their number is not the one that was written";
    if (assay_crc32(*bytes, size) != assay_store_int_at(stmt, crc_column))
        return "the checksum does not match";
    return NULL;
}

static assay_status read_values(const assay_store *store, sqlite3_stmt *stmt,
                                const sample_reader *reader, int column, int crc_column, int64_t n,
                                double *values)
{
    const void *bytes = NULL;
    const char *fault = assay_samples_fault(stmt, column, crc_column, n, &bytes);

    if (fault)
        return fail_block(store, reader, fault);
    if (n > 0 &&
        assay_store_is_at(stmt, column, SQLITE_NULL)) /* an imported measurement has no checksum */
        return fail_block(store, reader,
                          assay_store_int_at(stmt, crc_column) == 0
                              ? "they are not in the file that was imported"
                              : "they were pruned");
    assay_samples_decode(bytes, n, values);
    return ASSAY_OK;
}

static assay_status read_block(const assay_store *store, sqlite3_stmt *stmt, sample_reader *reader)
{
    const bool            has_row   = !assay_store_is_at(stmt, COLUMN_BLOCK, SQLITE_NULL);
    const bool            has_clock = !assay_store_is_at(stmt, COLUMN_CLOCK_CRC32, SQLITE_NULL);
    assay_stored_samples *found     = &reader->found;
    const int64_t         first     = reader->samples_read;
    assay_block           block     = { .n_samples = 0 };
    int                   at        = COLUMN_BLOCK + 1;
    assay_status          st        = ASSAY_OK;

    if (!has_row || assay_store_int_at(stmt, COLUMN_BLOCK) != reader->blocks_read ||
        reader->blocks_read >= found->n_blocks)
        return fail_block(store, reader, "the blocks do not match the measurement");
    ASSAY_CHECK(assay_store_read_row(store, stmt, &at, ASSAY_TABLE_BLOCK, "", &block));
    if (block.n_samples < 0 || block.n_samples > found->n_samples - first)
        return fail_block(store, reader, "their number is not the one that was written");
    ASSAY_CHECK(read_values(store, stmt, reader, COLUMN_TIME_NS, COLUMN_CRC32, block.n_samples,
                            found->time_ns + first));
    for (int64_t i = first; i < first + block.n_samples; i++)
        found->sm_clock_mhz[i] = (double)NAN;
    if (has_clock)
        ASSAY_CHECK(read_values(store, stmt, reader, COLUMN_CLOCK_MHZ, COLUMN_CLOCK_CRC32,
                                block.n_samples, found->sm_clock_mhz + first));
    reader->samples_read += block.n_samples;
    found->blocks[reader->blocks_read++] = block;
out:
    return st;
}

static assay_status start_reading(const assay_store *store, sqlite3_stmt *stmt,
                                  sample_reader *reader)
{
    const int64_t         most  = INT64_MAX / 1024;
    assay_stored_samples *found = &reader->found;
    size_t                room;

    found->n_samples = assay_store_int_at(stmt, COLUMN_N_SAMPLES);
    found->n_blocks  = assay_store_int_at(stmt, COLUMN_N_BLOCKS);
    if (found->n_samples < 0 || found->n_blocks < 1 || found->n_samples > most ||
        found->n_blocks > most)
        return fail_block(store, reader, "the measurement has impossible counts");
    room                = found->n_samples > 0 ? (size_t)found->n_samples : 1;
    found->time_ns      = calloc(room, sizeof *found->time_ns);
    found->sm_clock_mhz = calloc(room, sizeof *found->sm_clock_mhz);
    found->blocks       = calloc((size_t)found->n_blocks, sizeof *found->blocks);
    if (!found->time_ns || !found->sm_clock_mhz || !found->blocks)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory for %" PRId64 " samples",
                          found->n_samples);
    return ASSAY_OK;
}

static assay_status read_all(assay_store *store, sample_reader *reader)
{
    assay_binder b   = { 0 };
    bool         row = false;
    assay_status st;

    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_READ_BLOCKS, &b));
    assay_bind_int(&b, reader->measurement_id);
    ASSAY_CHECK(assay_store_step(&b, &row));
    ASSAY_REQUIRE(row, ASSAY_E_DATABASE, "%s: there is no measurement %" PRId64, store->path,
                  reader->measurement_id);
    ASSAY_CHECK(start_reading(store, b.stmt, reader));
    while (row) {
        ASSAY_CHECK(read_block(store, b.stmt, reader));
        ASSAY_CHECK(assay_store_step(&b, &row));
    }
    if (reader->blocks_read != reader->found.n_blocks ||
        reader->samples_read != reader->found.n_samples)
        st = fail_block(store, reader, "blocks are missing");
out:
    if (row)
        assay_store_reset(&b);
    return st;
}

assay_status assay_store_read_samples(assay_store *store, int64_t measurement_id,
                                      assay_stored_samples *samples)
{
    sample_reader      reader = { .measurement_id = measurement_id };
    const assay_status st     = read_all(store, &reader);

    if (st != ASSAY_OK)
        assay_stored_samples_free(&reader.found);
    *samples = reader.found;
    return st;
}

void assay_stored_samples_free(assay_stored_samples *samples)
{
    if (!samples)
        return;
    free(samples->time_ns);
    free(samples->sm_clock_mhz);
    free(samples->blocks);
    *samples = (assay_stored_samples) { 0 };
}
