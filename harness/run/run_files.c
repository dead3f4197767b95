/* The digests of input files, as facts of the point. */
#include "buffers_internal.h"
#include "run_internal.h"

#include "base/text.h"

/* 48 bits of the digest, which a double can hold. */
assay_status assay_run_put_files(const progress *p)
{
    const assay_inputs *inputs = p->inputs;
    assay_status        st     = ASSAY_OK;

    for (int b = 0; b < inputs->n_buffers; b++) {
        const assay_buffer *buffer = &inputs->shape.buf[b];
        assay_metric_row    row    = { .value = 0 };

        if (buffer->fill.kind != ASSAY_FILL_FILE || !inputs->initial[b] || p->keeps_checks)
            continue;
        row.value =
            (double)(assay_buffers_digest_here(inputs->initial[b], assay_buffer_bytes(buffer)) >>
                     16);
        (void)assay_text_set(row.name, sizeof row.name, "file.%s", buffer->name);
        (void)assay_text_set(row.status, sizeof row.status, "ok");
        (void)assay_text_set(row.replay, sizeof row.replay, "input");
        ASSAY_CHECK(assay_run_put(p, ASSAY_ROW_METRIC, &row));
    }
out:
    return st;
}
