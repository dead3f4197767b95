/* The HTML report: one page that needs no other file. The build joins template, style, chart
 * library and scripts (cmake/EmbedReport.cmake). The data goes between the two halves of that page,
 * as the base64 of a gzip file with the JSON: a tenth of its size, and every browser unpacks it. */
#include "report_compare_internal.h"
#include "report_json.h"

#include "base/stream.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

extern const char assay_page_before_data[], assay_page_after_data[];

/* ---- packing ---- */

enum {
    GZIP       = 15 + 16, /* the largest window, and a header and trailer of gzip */
    MEMORY     = 8,       /* zlib's default */
    LINE_BYTES = 57,      /* 76 letters of base64 */
};

/* Caller frees *packed. */
static assay_status pack(const char *text, size_t size, unsigned char **packed, size_t *n)
{
    z_stream     z       = { .zalloc = NULL };
    bool         is_open = false;
    uLong        room    = 0;
    assay_status st      = ASSAY_OK;

    ASSAY_REQUIRE(size < UINT32_MAX / 2, ASSAY_E_USAGE, "this run is too large for one page");
    is_open =
        deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP, MEMORY, Z_DEFAULT_STRATEGY) == Z_OK;
    ASSAY_REQUIRE(is_open, ASSAY_E_MEMORY, "no memory to pack a page");
    room    = deflateBound(&z, (uLong)size);
    *packed = malloc(room);
    ASSAY_REQUIRE(*packed, ASSAY_E_MEMORY, "no memory to pack a page");
    z.next_in   = (z_const Bytef *)text;
    z.avail_in  = (uInt)size;
    z.next_out  = *packed;
    z.avail_out = (uInt)room;
    ASSAY_REQUIRE(deflate(&z, Z_FINISH) == Z_STREAM_END, ASSAY_E_INTERNAL,
                  "a page cannot be packed");
    *n = z.total_out;
out:
    if (is_open)
        (void)deflateEnd(&z);
    return st;
}

static void write_base64(FILE *out, const unsigned char *bytes, size_t n)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < n; i += 3) {
        const size_t   left  = n - i;
        const unsigned three = (unsigned)bytes[i] << 16 |
                               (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                               (left > 2 ? bytes[i + 2] : 0);

        (void)fputc(letters[three >> 18], out);
        (void)fputc(letters[three >> 12 & 63], out);
        (void)fputc(left > 1 ? letters[three >> 6 & 63] : '=', out);
        (void)fputc(left > 2 ? letters[three & 63] : '=', out);
        if (i % LINE_BYTES == LINE_BYTES - 3)
            (void)fputc('\n', out);
    }
}

/* ---- pages ---- */

/* Closes `json`; only then *text holds all of its text. */
static assay_status write_page(FILE *json, char *const *text, const size_t *size, FILE *out)
{
    unsigned char *packed = NULL;
    size_t         n      = 0;
    assay_status   st     = ASSAY_OK;

    ASSAY_REQUIRE(fclose(json) == 0, ASSAY_E_MEMORY, "no memory for a page");
    ASSAY_CHECK(pack(*text, *size, &packed, &n));
    (void)fputs(assay_page_before_data, out);
    write_base64(out, packed, n);
    (void)fputs(assay_page_after_data, out);
out:
    free(packed);
    return st;
}

assay_status assay_report_html(const assay_report *report)
{
    assay_report inner = *report;
    char        *text  = NULL;
    size_t       size  = 0;
    assay_status st    = ASSAY_OK;

    inner.out = assay_stream_open(&text, &size);
    ASSAY_REQUIRE(inner.out, ASSAY_E_MEMORY, "no memory for a page");
    st = assay_report_json_for_page(&inner);
    if (st == ASSAY_OK)
        st = write_page(inner.out, &text, &size, report->out);
    else
        (void)fclose(inner.out);
out:
    free(text);
    return st;
}

assay_status assay_report_change_html(const assay_change_table *table, const assay_side *a,
                                      const assay_side *b, FILE *out)
{
    char        *text = NULL;
    size_t       size = 0;
    FILE        *json = assay_stream_open(&text, &size);
    assay_status st   = ASSAY_OK;

    ASSAY_REQUIRE(json, ASSAY_E_MEMORY, "no memory for a page");
    assay_report_change_json(table, a, b, json);
    st = write_page(json, &text, &size, out);
out:
    free(text);
    return st;
}
