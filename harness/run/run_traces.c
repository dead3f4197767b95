/* Makes sure that a point behaves as it would alone in a new process. What launchers set through
 * the runtime is undone. If something cannot be undone, the process ends, and the next point gets
 * another one. That is so for static memory that changed (a counter, an answer kept by address),
 * and for a setting that a launcher makes only once and then relies on: to undo it would break the
 * next point of a right variant. */
#include "run_internal.h"

static const assay_device_api *api_of(const progress *p)
{
    return assay_variant_is_launched(p->variant) && p->runner->device ? p->runner->module.api
                                                                      : NULL;
}

int64_t assay_run_settings(const progress *p)
{
    const assay_device_api *api = api_of(p);

    return api ? api->n_settings() : 0;
}

void assay_run_note_traces(progress *p)
{
    const assay_device_api *api = api_of(p);

    p->traces =
        (traces) { .statics = api ? api->statics() : 0, .n_settings = assay_run_settings(p) };
}

void assay_run_note_set_up(progress *p, int64_t set_before)
{
    p->traces.set_by_set_up = assay_run_settings(p) - set_before;
    p->traces.n_set_ups++;
}

void assay_run_note_launch(progress *p, int64_t set_before)
{
    const assay_device_api *api = api_of(p);

    p->traces.set_by_launch = assay_run_settings(p) - set_before;
    /* Code of the CUDA compiler keeps a handle of a kernel after its first launch. */
    if (p->traces.n_launches++ == 0 && api && p->runner->lane == ASSAY_LANE_CUDA)
        p->traces.statics = api->statics();
}

/* Does the launcher repeat its settings in each call? */
static bool sets_again(const traces *t)
{
    return t->set_by_launch > 0 || (t->n_set_ups > 1 && t->set_by_set_up > 0);
}

void assay_run_erase_traces(progress *p)
{
    const assay_device_api *api = api_of(p);

    if (!api)
        return;
    if (api->n_settings() != p->traces.n_settings && !sets_again(&p->traces))
        p->runner->is_spent = true;
    if (!api->undo_settings(p->runner->device) || api->statics() != p->traces.statics)
        p->runner->is_spent = true;
}
