/* Judges everything of one input class at one point. */
#include "check_row.h"

/* There are elements, but any value of them is right: that would be a PASS without a check. */
static bool says_nothing(const assay_check_data *data)
{
    int64_t n = 0;

    for (int b = 0; b < ASSAY_MAX_BUFFERS; b++) {
        const assay_buffer *buffer = &data->shape->buf[b];

        for (int64_t i = 0; data->expected[b].law && i < buffer->count; i++, n++)
            if (data->expected[b].law[i] != ASSAY_ANYTHING)
                return false;
    }
    return n > 0;
}

static assay_status judge_outputs(const assay_check_data *data, assay_check_put_fn *put,
                                  void *context)
{
    assay_status      st = ASSAY_OK;
    const assay_case *c  = data->definition;
    assay_check_row   row;

    for (int b = 0; b < ASSAY_MAX_BUFFERS && data->shape->buf[b].role != ASSAY_NO_BUFFER; b++) {
        if (!data->out[0][b] || assay_check_is_compared(c, data->shape->buf[b].name))
            continue;
        ASSAY_CHECK(assay_check_output(data, b, &row));
        ASSAY_CHECK(put(context, &row));
    }
out:
    return st;
}

assay_status assay_check_all(const assay_check_data *data, assay_check_put_fn *put, void *context)
{
    assay_status      st = ASSAY_OK;
    const assay_case *c  = data->definition;
    assay_check_row   row;

    if (c->compare) {
        ASSAY_CHECK(assay_check_compare(data, &row));
        ASSAY_CHECK(put(context, &row));
    }
    ASSAY_REQUIRE(c->compare || !says_nothing(data), ASSAY_E_CASE,
                  "case '%s': its reference judges no element of any output", c->name);
    ASSAY_CHECK(judge_outputs(data, put, context));
    for (int i = 0; i < ASSAY_MAX_INVARIANTS && c->invariants[i].name; i++) {
        if (c->invariants[i].applies && !c->invariants[i].applies(data->shape, data->input))
            continue;
        ASSAY_CHECK(assay_check_invariant(data, i, &row));
        ASSAY_CHECK(put(context, &row));
    }
out:
    return st;
}
