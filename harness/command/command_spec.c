/* assay doctor --resource-spec: the GPUs of this host for ctest. */
#include "cli.h"

#include "resource_spec.h"

#include <stdio.h>

static assay_status write_spec(const char *path, int *n, char *why, size_t size)
{
    assay_status st     = ASSAY_OK;
    assay_module module = { .handle = NULL };
    char         file[1024];

    *n = 0;
    if (!assay_module_locate("cuda", file, sizeof file)) {
        (void)snprintf(why, size, "this build has no CUDA kernel module");
        goto out;
    }
    ASSAY_CHECK(assay_module_open(file, &module));
    ASSAY_CHECK(assay_resource_spec_write(&module, path, n, why, size));
out:
    assay_module_close(&module);
    return st;
}

int assay_command_resource_spec(const assay_cli *cli)
{
    char               why[512] = "";
    int                n        = 0;
    const assay_status st       = write_spec(cli->doctor.resource_spec, &n, why, sizeof why);

    if (st != ASSAY_OK)
        return assay_cli_failed(st);
    if (n == 0) {
        (void)fprintf(stderr, "assay: skipped: no GPU to write to %s: %s\n",
                      cli->doctor.resource_spec, why);
        return ASSAY_EXIT_SKIPPED;
    }
    (void)printf("%s: %d GPU%s, one slot each: ctest --resource-spec-file %s\n",
                 cli->doctor.resource_spec, n, n == 1 ? "" : "s", cli->doctor.resource_spec);
    return ASSAY_EXIT_PASS;
}
