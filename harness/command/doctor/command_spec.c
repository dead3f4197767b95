/* assay doctor --resource-spec: writes the GPUs of this host for ctest. */
#include "command/cli.h"

#include "process/in_child.h"
#include "resource_spec.h"

#include <stdio.h>

typedef struct outcome {
    int  n; /* GPUs that were written */
    char why[512];
} outcome;

static assay_status write_spec(const void *context, void *result)
{
    const char  *path   = context;
    outcome     *o      = result;
    assay_status st     = ASSAY_OK;
    assay_module module = { .handle = NULL };
    char         file[1024];

    if (!assay_module_locate("cuda", file, sizeof file)) {
        (void)assay_module_explain("cuda", o->why, sizeof o->why);
        goto out;
    }
    ASSAY_CHECK(assay_module_open(file, &module));
    ASSAY_CHECK(assay_resource_spec_write(&module, path, &o->n, o->why, sizeof o->why));
out:
    assay_module_close(&module);
    return st;
}

int assay_command_resource_spec(const assay_cli *cli)
{
    outcome            o    = { .n = 0 };
    const char        *path = cli->doctor.resource_spec;
    const assay_status st =
        assay_in_child("opening the kernel module and its devices", write_spec, path, &o, sizeof o);

    if (st != ASSAY_OK)
        return assay_cli_failed(st);
    if (o.n == 0) {
        (void)fprintf(stderr, "assay: skipped: no GPU to write to %s: %s\n", path, o.why);
        return ASSAY_EXIT_SKIPPED;
    }
    (void)printf("%s: %d GPU%s, one slot each: ctest --resource-spec-file %s\n", path, o.n,
                 o.n == 1 ? "" : "s", path);
    return ASSAY_EXIT_PASS;
}
