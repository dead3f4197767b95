/* Rows, values as text, and the bitwise comparison of runs. */
#include "check_row.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void assay_check_row_start(const assay_check_data *data, const char *output, assay_check_row *row)
{
    *row = (assay_check_row) {
        .input                  = data->input,
        .verdict                = ASSAY_PASS,
        .seed                   = data->seed,
        .n_runs                 = data->n_runs,
        .terms                  = NAN,
        .count                  = -1,
        .n_failed               = -1,
        .first_bad_index        = -1,
        .first_bad_value        = NAN,
        .first_bad_expected     = NAN,
        .worst_ratio            = NAN,
        .max_abs_error          = NAN,
        .max_abs_expected       = NAN,
        .max_ulp_error          = NAN,
        .relative_l2            = NAN,
        .n_exempt               = -1,
        .exempt_share_predicted = NAN,
    };
    (void)snprintf(row->output, sizeof row->output, "%s", output);
}

void assay_check_row_rule(const assay_tolerance *tol, assay_input input, assay_check_row *row)
{
    const bool is_kept = input == ASSAY_INPUT_EXACT && tol->inexact_why;

    row->rule    = tol->rule;
    row->c       = tol->c;
    row->u_out   = tol->u_out;
    row->u_acc   = tol->u_acc;
    row->growth  = tol->growth;
    row->max_ulp = tol->max_ulp;
    (void)snprintf(row->why, sizeof row->why, "%s%s%s", tol->why ? tol->why : "",
                   is_kept ? "; not exact: " : "", is_kept ? tol->inexact_why : "");
}

void assay_check_value_text(const void *from, assay_type type, int64_t i,
                            char text[ASSAY_VALUE_SIZE])
{
    const size_t size = ASSAY_VALUE_SIZE;

    if (assay_type_is_float(type))
        (void)snprintf(text, size, "%.*g", assay_type_digits(type), assay_type_load(type, from, i));
    else if (type == ASSAY_I64)
        (void)snprintf(text, size, "%" PRId64, ((const int64_t *)from)[i]);
    else if (type == ASSAY_U64)
        (void)snprintf(text, size, "%" PRIu64, ((const uint64_t *)from)[i]);
    else
        (void)snprintf(text, size, "%.0f", assay_type_load(type, from, i));
}

bool assay_check_is_output(const assay_buffer *buffer)
{
    return buffer->role == ASSAY_OUT || buffer->role == ASSAY_INOUT;
}

assay_status assay_check_data_usable(const assay_check_data *data, int b)
{
    const assay_buffer   *buffer   = &data->shape->buf[b];
    const assay_expected *e        = &data->expected[b];
    const bool            is_float = assay_type_is_float(buffer->type);
    assay_status          st       = ASSAY_OK;

    ASSAY_REQUIRE(data->n_runs >= 1 && data->n_runs <= ASSAY_MAX_RUNS, ASSAY_E_INTERNAL,
                  "%d runs to check", data->n_runs);
    ASSAY_REQUIRE(assay_check_is_output(buffer), ASSAY_E_INTERNAL, "buffer %d is not an output", b);
    for (int r = 0; r < data->n_runs && buffer->count > 0; r++)
        ASSAY_REQUIRE(data->out[r] && data->out[r][b], ASSAY_E_INTERNAL,
                      "output '%s' of run %d is missing", buffer->name, r);
    ASSAY_REQUIRE(buffer->count == 0 ||
                      (e->law && (is_float ? e->value && e->magnitude : e->integer != NULL)),
                  ASSAY_E_INTERNAL, "output '%s' has no expected values", buffer->name);
out:
    return st;
}

/* ---- comparison of runs ---- */

typedef struct difference {
    int64_t n, first; /* elements that differ */
    int     run;      /* the run that differs from run 0 */
} difference;

static bool element_differs(const assay_check_data *data, int b, int64_t i, int *run)
{
    const size_t size = assay_type_size(data->shape->buf[b].type);
    const size_t at   = (size_t)i * size;

    if (data->expected[b].law[i] == ASSAY_ANYTHING)
        return false;
    for (int r = 1; r < data->n_runs; r++) {
        if (memcmp((const char *)data->out[0][b] + at, (const char *)data->out[r][b] + at, size)) {
            *run = r;
            return true;
        }
    }
    return false;
}

static bool runs_differ(const assay_check_data *data, int b)
{
    const assay_buffer *buffer = &data->shape->buf[b];
    const size_t        bytes  = (size_t)buffer->count * assay_type_size(buffer->type);

    for (int r = 1; r < data->n_runs && bytes > 0; r++)
        if (memcmp(data->out[0][b], data->out[r][b], bytes) != 0)
            return true;
    return false;
}

static difference find_difference(const assay_check_data *data, int b)
{
    difference d = { 0 };
    int        run;

    for (int64_t i = 0; i < data->shape->buf[b].count; i++) {
        if (element_differs(data, b, i, &run) && d.n++ == 0) {
            d.first = i;
            d.run   = run;
        }
    }
    return d;
}

static uint64_t bits_of(const void *from, size_t size, int64_t i)
{
    uint64_t bits = 0; /* little-endian, as on every supported device */

    memcpy(&bits, (const char *)from + (size_t)i * size, size);
    return bits;
}

void assay_check_determinism(const assay_check_data *data, int b, assay_check_row *row)
{
    const assay_buffer *buffer = &data->shape->buf[b];
    const size_t        size   = assay_type_size(buffer->type);
    const void         *a, *other;
    char                text[2][ASSAY_VALUE_SIZE];
    difference          d;

    if (!(data->variant->flags & ASSAY_DETERMINISTIC) || row->verdict > ASSAY_NONDETERMINISTIC ||
        !runs_differ(data, b))
        return;
    d = find_difference(data, b);
    if (d.n == 0)
        return;
    a     = data->out[0][b];
    other = data->out[d.run][b];
    assay_check_value_text(a, buffer->type, d.first, text[0]);
    assay_check_value_text(other, buffer->type, d.first, text[1]);
    row->verdict            = ASSAY_NONDETERMINISTIC;
    row->n_failed           = d.n;
    row->first_bad_index    = d.first;
    row->first_bad_value    = assay_type_load(buffer->type, other, d.first);
    row->first_bad_expected = assay_type_load(buffer->type, a, d.first);
    (void)snprintf(
        row->reason, sizeof row->reason,
        "declared deterministic, but element %" PRId64 " of %s is %s (bits %0*" PRIx64
        ") in run 0 and %s (bits %0*" PRIx64 ") in run %d; %" PRId64 " of %" PRId64 " differ",
        d.first, buffer->name, text[0], (int)size * 2, bits_of(a, size, d.first), text[1],
        (int)size * 2, bits_of(other, size, d.first), d.run, d.n, buffer->count);
}
