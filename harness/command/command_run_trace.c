/* Whether there is anything to trace is told before a run begins. */
#include "command_run.h"

#include "cupti/cupti.h"

#include <stdio.h>

bool assay_job_cannot_trace(const run_job *job)
{
    const assay_point   *point   = job->plan.points;
    const assay_variant *variant = &point->definition->variants[point->variant];
    char                 key[ASSAY_KEY_SIZE], why[1024];

    if (!job->request->stages.traces || assay_variant_is_peer(variant))
        return false;
    if (!assay_variant_is_launched(variant)) {
        (void)fprintf(stderr,
                      "assay: skipped: %s runs on the CPU and launches nothing that could be "
                      "traced; 'assay check' and 'assay bench' take it\n",
                      assay_point_key(point, key, sizeof key));
        return true;
    }
    if (assay_cupti_load(why, sizeof why))
        return false;
    (void)fprintf(stderr, "assay: skipped: there is nothing to trace with: %s\n", why);
    return true;
}
