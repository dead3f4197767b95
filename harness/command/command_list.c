/* assay list: the cases, axes and variants; it needs no device. */
#include "cli.h"

#include "base/json.h"
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

/* Prints the default value first. */
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

/* Tells how many kernel variants of the listed cases also run on the host device. */
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

/* ---- for programs ---- */

/* Words of a text axis belong to both tiers. */
static void add_value(assay_json *j, const void *of, int v)
{
    const assay_axis  *axis  = of;
    const assay_value *value = &axis->values[v];
    const char        *tier  = value->tier == ASSAY_FULL ? "full" : "quick";
    char               text[ASSAY_NAME_SIZE];

    assay_json_open(j, NULL, '{');
    assay_json_add_text(j, "value", assay_value_text(axis, value, text, sizeof text));
    assay_json_add_text(j, "tier", axis->kind == ASSAY_AXIS_TEXT ? NULL : tier);
    assay_json_close(j, '}');
}

static void add_tuning_value(assay_json *j, const void *tuning, int v)
{
    assay_json_add_count(j, NULL, ((const assay_tuning *)tuning)->values[v]);
}

/* Adds an axis of any kind: its name and its values. */
static void add_axis(assay_json *j, const char *name, const void *axis, int n_values,
                     void (*add)(assay_json *j, const void *axis, int v))
{
    assay_json_open(j, NULL, '{');
    assay_json_add_text(j, "name", name);
    assay_json_open(j, "values", '[');
    for (int v = 0; v < n_values; v++)
        add(j, axis, v);
    assay_json_close(j, ']');
    assay_json_close(j, '}');
}

static void add_variant(assay_json *j, const assay_variant *variant)
{
    assay_json_open_line(j);
    assay_json_add_text(j, "name", variant->name);
    assay_json_add_text(j, "what", variant->what);
    assay_json_add_text(j, "baseline", variant->baseline);
    assay_json_add_truth(j, "is_reference", variant->flags & ASSAY_IS_REFERENCE);
    assay_json_add_truth(j, "is_cpu", variant->cpu != NULL);
    assay_json_add_truth(j, "is_peer", assay_variant_is_peer(variant));
    assay_json_add_truth(j, "is_gpu_only", variant->gpu_only);
    assay_json_add_truth(j, "is_deterministic", variant->flags & ASSAY_DETERMINISTIC);
    assay_json_open(j, "tuning", '[');
    for (int t = 0; t < assay_variant_tuning_axes(variant); t++)
        add_axis(j, variant->tuning[t].name, &variant->tuning[t], variant->tuning[t].n_values,
                 add_tuning_value);
    assay_json_close(j, ']');
    assay_json_close(j, '}');
}

static void add_case(assay_json *j, const assay_case *c)
{
    assay_json_open_line(j);
    assay_json_add_text(j, "name", c->name);
    assay_json_add_text(j, "what", c->what);
    assay_json_add_text(j, "group", c->group);
    assay_json_add_count(j, "version", c->version);
    assay_json_open(j, "axes", '[');
    for (int a = 0; a < assay_case_axis_count(c); a++)
        add_axis(j, c->axes[a].name, &c->axes[a], c->axes[a].n_values, add_value);
    assay_json_close(j, ']');
    assay_json_open(j, "variants", '[');
    for (int v = 0; v < assay_case_variant_count(c); v++)
        add_variant(j, &c->variants[v]);
    assay_json_close(j, ']');
    assay_json_close(j, '}');
}

static void print_json(const assay_cli *cli)
{
    assay_json j = { .out = stdout };

    assay_json_open(&j, NULL, '{');
    assay_json_add_text(&j, "format", "assay list");
    assay_json_add_count(&j, "format_version", 1);
    assay_json_open(&j, "cases", '[');
    for (assay_case_table c = cli->cases; *c; c++)
        if (is_listed(cli, *c))
            add_case(&j, *c);
    assay_json_close(&j, ']');
    assay_json_close(&j, '}');
    (void)putchar('\n');
}

int assay_command_list(const assay_cli *cli)
{
    for (int i = 0; i < cli->selection.n_cases; i++) {
        const assay_status st = assay_registry_require(cli->cases, cli->selection.cases[i]);

        if (st != ASSAY_OK)
            return assay_cli_failed(st);
    }
    if (strcmp(cli->format, "json") == 0) {
        print_json(cli);
        return ASSAY_EXIT_PASS;
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
