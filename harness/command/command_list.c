/* assay list: what there is, without any device. */
#include "cli.h"

#include "plan/registry.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_axis(const assay_axis *axis)
{
    char text[ASSAY_NAME_SIZE];

    (void)printf("    axis %-10s", axis->name);
    for (int v = 0; v < axis->n_values; v++)
        (void)printf(" %s%s", assay_value_text(axis, &axis->values[v], text, sizeof text),
                     axis->kind != ASSAY_AXIS_TEXT && axis->values[v].tier == ASSAY_FULL ? "*"
                                                                                         : "");
    (void)printf("\n");
}

/* The default comes first. */
static void print_tuning(const assay_tuning *tuning)
{
    (void)printf("        tuning %s:", tuning->name);
    for (int v = 0; v < tuning->n_values; v++)
        (void)printf(" %" PRId64, tuning->values[v]);
    (void)printf("\n");
}

static void print_variant(const assay_variant *variant)
{
    const char *notes[4] = { NULL };
    int         n        = 0;

    if (assay_variant_is_peer(variant))
        notes[n++] = "peer";
    if (variant->cpu)
        notes[n++] = variant->flags & ASSAY_IS_REFERENCE ? "the reference" : "CPU";
    if (variant->gpu_only)
        notes[n++] = "GPU only";
    if (variant->flags & ASSAY_DETERMINISTIC)
        notes[n++] = "deterministic";
    (void)printf("    variant %s", variant->name);
    for (int i = 0; i < n; i++)
        (void)printf("%s%s", i == 0 ? " (" : ", ", notes[i]);
    (void)printf("%s%s%s\n", n > 0 ? ")" : "", variant->baseline ? ", against " : "",
                 variant->baseline ? variant->baseline : "");
    if (variant->what)
        (void)printf("        %s\n", variant->what);
    for (int t = 0; t < assay_variant_tuning_axes(variant); t++)
        print_tuning(&variant->tuning[t]);
}

static bool is_listed(const assay_cli *cli, const assay_case *c)
{
    for (int i = 0; i < cli->selection.n_cases; i++)
        if (assay_registry_matches(c, cli->selection.cases[i]))
            return true;
    return cli->selection.n_cases == 0;
}

/* How many kernel variants of the listed cases run on the host device as well. */
static void print_coverage(const assay_cli *cli)
{
    int n = 0, n_host = 0;

    for (assay_case_table c = cli->cases; *c; c++) {
        for (int v = 0; is_listed(cli, *c) && v < assay_case_variant_count(*c); v++) {
            n += (*c)->variants[v].launch != NULL;
            n_host += (*c)->variants[v].launch != NULL && !(*c)->variants[v].gpu_only;
        }
    }
    (void)printf(
        "%d of %d kernel variants run on the host device; * marks sizes of the full tier, the "
        "first value of a tuning axis is its default\n",
        n_host, n);
}

int assay_command_list(const assay_cli *cli)
{
    for (int i = 0; i < cli->selection.n_cases; i++) {
        const assay_status st = assay_registry_require(cli->cases, cli->selection.cases[i]);

        if (st != ASSAY_OK)
            return assay_cli_failed(st);
    }
    for (assay_case_table c = cli->cases; *c; c++) {
        if (!is_listed(cli, *c))
            continue;
        (void)printf("%s: %s%s%s\n", (*c)->name, (*c)->what, (*c)->group ? "; group " : "",
                     (*c)->group ? (*c)->group : "");
        for (int a = 0; a < assay_case_axis_count(*c); a++)
            print_axis(&(*c)->axes[a]);
        for (int v = 0; v < assay_case_variant_count(*c); v++)
            print_variant(&(*c)->variants[v]);
    }
    print_coverage(cli);
    return ASSAY_EXIT_PASS;
}
