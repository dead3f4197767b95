/* Raw samples: packing, checksum, writing and reading of their blocks. */
#include "stats.h"
#include "store_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* The common reflected CRC-32, four bits at a time. */
uint32_t assay_crc32(const void *bytes, size_t size)
{
    const uint32_t       polynomial = 0xEDB88320u;
    uint32_t             table[16];
    uint32_t             crc = 0xFFFFFFFFu;
    const unsigned char *p   = bytes;

    for (uint32_t i = 0; i < 16; i++) {
        uint32_t r = i;

        for (int bit = 0; bit < 4; bit++)
            r = (r >> 1) ^ (r & 1 ? polynomial : 0);
        table[i] = r;
    }
    for (size_t i = 0; i < size; i++) {
        crc ^= p[i];
        crc = (crc >> 4) ^ table[crc & 15];
        crc = (crc >> 4) ^ table[crc & 15];
    }
    return ~crc;
}

/* ---- writing ---- */

static assay_status put_block(assay_store *store, int64_t measurement_id, int64_t block,
                              const double *samples, int64_t n)
{
    const size_t   size    = (size_t)n * SAMPLE_BYTES;
    unsigned char *bytes   = malloc(size ? size : 1);
    assay_summary  summary = { 0 };
    assay_binder   b;
    assay_status   st;

    ASSAY_REQUIRE(bytes, ASSAY_E_MEMORY, "out of memory for %" PRId64 " samples", n);
    assay_samples_encode(samples, n, bytes);
    ASSAY_CHECK(assay_stats_summarize(samples, n, &summary));
    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_ADD_BLOCK, &b));
    assay_bind_int(&b, measurement_id);
    assay_bind_int(&b, block);
    assay_bind_int(&b, n);
    assay_bind_real(&b, summary.median);
    assay_bind_int(&b, assay_crc32(bytes, size));
    assay_bind_blob(&b, bytes, size);
    ASSAY_CHECK(assay_store_run(&b, NULL));
out:
    free(bytes);
    return st;
}

assay_status assay_store_put_blocks(assay_store *store, int64_t measurement_id,
                                    const double *samples, const int64_t *block_end,
                                    int64_t n_blocks)
{
    assay_status st    = ASSAY_OK;
    int64_t      begin = 0;

    for (int64_t k = 0; k < n_blocks; k++) {
        ASSAY_CHECK(put_block(store, measurement_id, k, samples + begin, block_end[k] - begin));
        begin = block_end[k];
    }
out:
    return st;
}

/* ---- reading ---- */

/* Columns of ASSAY_SQL_READ_BLOCKS. */
enum {
    COLUMN_N_SAMPLES,
    COLUMN_N_BLOCKS,
    COLUMN_BLOCK,
    COLUMN_BLOCK_SAMPLES,
    COLUMN_CRC32,
    COLUMN_TIME_NS
};

/* What is read, and how far. */
typedef struct {
    int64_t  measurement_id;
    double  *samples;
    int64_t *block_end;
    int64_t  n_samples, n_blocks; /* as the measurement says */
    int64_t  samples_read, blocks_read;
} sample_reader;

static assay_status fail_block(const assay_store *store, const sample_reader *reader,
                               const char *what)
{
    return ASSAY_FAIL(ASSAY_E_DATABASE,
                      "%s: samples of measurement %" PRId64 ", block %" PRId64 ": %s", store->path,
                      reader->measurement_id, reader->blocks_read, what);
}

static assay_status read_block(const assay_store *store, sqlite3_stmt *stmt, sample_reader *reader)
{
    const bool    has_row = sqlite3_column_type(stmt, COLUMN_BLOCK) != SQLITE_NULL;
    const int64_t n       = sqlite3_column_int64(stmt, COLUMN_BLOCK_SAMPLES);
    const void   *bytes   = sqlite3_column_blob(stmt, COLUMN_TIME_NS);
    const int     size    = sqlite3_column_bytes(stmt, COLUMN_TIME_NS);

    if (!has_row || sqlite3_column_int64(stmt, COLUMN_BLOCK) != reader->blocks_read ||
        reader->blocks_read >= reader->n_blocks)
        return fail_block(store, reader, "the blocks do not match the measurement");
    if (sqlite3_column_type(stmt, COLUMN_TIME_NS) == SQLITE_NULL)
        return fail_block(store, reader, "they were pruned");
    if (n < 0 || n > reader->n_samples - reader->samples_read || size != n * SAMPLE_BYTES)
        return fail_block(store, reader, "their number is not the one that was written");
    if (assay_crc32(bytes, (size_t)size) != sqlite3_column_int64(stmt, COLUMN_CRC32))
        return fail_block(store, reader, "the checksum does not match: the file is damaged");
    assay_samples_decode(bytes, n, reader->samples + reader->samples_read);
    reader->samples_read += n;
    reader->block_end[reader->blocks_read++] = reader->samples_read;
    return ASSAY_OK;
}

static assay_status start_reading(const assay_store *store, sqlite3_stmt *stmt,
                                  sample_reader *reader)
{
    const int64_t most = INT64_MAX / 16;

    reader->n_samples = sqlite3_column_int64(stmt, COLUMN_N_SAMPLES);
    reader->n_blocks  = sqlite3_column_int64(stmt, COLUMN_N_BLOCKS);
    if (reader->n_samples < 1 || reader->n_blocks < 1 || reader->n_samples > most ||
        reader->n_blocks > most)
        return fail_block(store, reader, "the measurement has impossible counts");
    reader->samples   = calloc((size_t)reader->n_samples, sizeof *reader->samples);
    reader->block_end = calloc((size_t)reader->n_blocks, sizeof *reader->block_end);
    if (!reader->samples || !reader->block_end)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory for %" PRId64 " samples",
                          reader->n_samples);
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
    if (reader->blocks_read != reader->n_blocks || reader->samples_read != reader->n_samples)
        st = fail_block(store, reader, "blocks are missing");
out:
    if (row)
        assay_store_reset(&b);
    return st;
}

assay_status assay_store_read_samples(assay_store *store, int64_t measurement_id, double **samples,
                                      int64_t *n_samples, int64_t **block_end, int64_t *n_blocks)
{
    sample_reader      reader = { .measurement_id = measurement_id };
    const assay_status st     = read_all(store, &reader);

    if (st != ASSAY_OK) {
        free(reader.samples);
        free(reader.block_end);
        reader = (sample_reader) { 0 };
    }
    *samples   = reader.samples;
    *n_samples = reader.n_samples;
    *block_end = reader.block_end;
    *n_blocks  = reader.n_blocks;
    return st;
}
