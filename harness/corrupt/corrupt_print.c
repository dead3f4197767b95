/* What came of wrong answers, for people: a table of cases and corruptions, and notes. */
#include "base/text.h"
#include "corrupt.h"

#include <string.h>

enum {
    CELL_WIDTH = 8, /* at least */
    MAX_WHYS   = 16
};

static void count_states(const assay_corrupt_result *result, int k, int n[ASSAY_CORRUPT_N_STATES])
{
    for (int o = 0; o < result->n_outputs; o++)
        n[assay_corrupt_state_of(result, o, k)]++;
}

/* ---- the table ---- */

static int width_of(int k)
{
    const int length = (int)strlen(assay_corruption_text((assay_corruption)k));

    return length > CELL_WIDTH ? length : CELL_WIDTH;
}

void assay_corrupt_print_head(FILE *out)
{
    (void)fprintf(out, "%-17s %6s %7s", "case", "points", "outputs");
    for (int k = 0; k < ASSAY_N_CORRUPTIONS; k++)
        (void)fprintf(out, " %*s", width_of(k), assay_corruption_text((assay_corruption)k));
    (void)fputc('\n', out);
}

static void add_count(char *text, size_t size, int n, const char *mark)
{
    const size_t used = strlen(text);

    if (n > 0)
        (void)assay_text_set(text + used, size - used, "%s%d%s", used > 0 ? " " : "", n, mark);
}

void assay_corrupt_print_row(FILE *out, const assay_corrupt_result *result)
{
    (void)fprintf(out, "%-17s %6d %7d", result->definition->name, result->n_points,
                  result->n_outputs);
    for (int k = 0; k < ASSAY_N_CORRUPTIONS; k++) {
        int  n[ASSAY_CORRUPT_N_STATES] = { 0 };
        char text[64]                  = "";

        count_states(result, k, n);
        add_count(text, sizeof text, n[ASSAY_CORRUPT_REJECTED], "");
        add_count(text, sizeof text, n[ASSAY_CORRUPT_WAIVED], "w");
        add_count(text, sizeof text, n[ASSAY_CORRUPT_NONE], "-");
        add_count(text, sizeof text, n[ASSAY_CORRUPT_ACCEPTED], "!");
        (void)fprintf(out, " %*s", width_of(k), text);
    }
    (void)fputc('\n', out);
}

/* ---- faults ---- */

static int print_accepted(FILE *out, const assay_corrupt_result *result, int o)
{
    int n = 0;

    for (int k = 0; k < ASSAY_N_CORRUPTIONS; k++) {
        const assay_corrupt_cell *cell       = &result->cell[o][k];
        const int                 n_accepted = cell->n_accepted + cell->n_small;

        if (assay_corrupt_state_of(result, o, k) != ASSAY_CORRUPT_ACCEPTED)
            continue;
        n++;
        (void)fprintf(out,
                      "ACCEPTED: '%s' of output '%s' is accepted at %d of %d points, first at %s\n",
                      assay_corruption_text((assay_corruption)k), result->output[o], n_accepted,
                      n_accepted + cell->n_waived + cell->n_rejected, cell->where);
    }
    return n;
}

/* Nothing shows that the judge looks at it. */
static int print_untried(FILE *out, const assay_corrupt_result *result, int o)
{
    for (int k = 0; k < ASSAY_N_CORRUPTIONS; k++)
        if (assay_corrupt_state_of(result, o, k) != ASSAY_CORRUPT_NONE)
            return 0;
    (void)fprintf(out, "UNTRIED: no wrong answer could be made of output '%s' of %s\n",
                  result->output[o], result->definition->name);
    return 1;
}

/* Is something accepted because of it? */
static bool is_needed(const assay_corrupt_result *result, const assay_waiver *w)
{
    for (int o = 0; o < result->n_outputs; o++)
        if (strcmp(result->output[o], w->output) == 0 &&
            result->cell[o][w->corruption].n_waived > 0)
            return true;
    return false;
}

static int print_not_needed(FILE *out, const assay_corrupt_result *result)
{
    int n = 0;

    for (const assay_waiver *w = result->definition->waivers; w && w->output; w++) {
        if (is_needed(result, w))
            continue;
        n++;
        (void)fprintf(
            out,
            "NOT NEEDED: the waiver of '%s' of output '%s' of %s: every such answer is rejected\n",
            assay_corruption_text(w->corruption), w->output, result->definition->name);
    }
    return n;
}

int assay_corrupt_print_faults(FILE *out, const assay_corrupt_result *result, bool is_whole)
{
    int n = 0;

    if (result->refused[0]) {
        (void)fprintf(out, "REFUSED: %s\n", result->refused);
        n++;
    }
    for (int o = 0; o < result->n_outputs; o++) {
        n += print_accepted(out, result, o);
        n += is_whole ? print_untried(out, result, o) : 0;
    }
    return n + (is_whole ? print_not_needed(out, result) : 0);
}

/* ---- notes ---- */

static void print_counts(FILE *out, const assay_corrupt_result *results, int n)
{
    int n_states[ASSAY_CORRUPT_N_STATES] = { 0 }, n_outputs = 0, n_points = 0, n_inputs = 0;

    for (int i = 0; i < n; i++) {
        n_outputs += results[i].n_outputs;
        n_points += results[i].n_points;
        n_inputs += results[i].n_inputs;
        for (int k = 0; k < ASSAY_N_CORRUPTIONS; k++)
            count_states(&results[i], k, n_states);
    }
    (void)fprintf(
        out,
        "%d cases, %d points with %d inputs, %d outputs with %d corruptions each: %d rejected, %d "
        "waived (w), %d not applicable (-), %d accepted (!)\n",
        n, n_points, n_inputs, n_outputs, ASSAY_N_CORRUPTIONS, n_states[ASSAY_CORRUPT_REJECTED],
        n_states[ASSAY_CORRUPT_WAIVED], n_states[ASSAY_CORRUPT_NONE],
        n_states[ASSAY_CORRUPT_ACCEPTED]);
}

static void print_waivers(FILE *out, const assay_corrupt_result *result)
{
    for (const assay_waiver *w = result->definition->waivers; w && w->output; w++)
        if (is_needed(result, w))
            (void)fprintf(out, "waived: '%s' of output '%s' of %s: %s\n",
                          assay_corruption_text(w->corruption), w->output, result->definition->name,
                          w->reason);
}

static bool has_why(const assay_corrupt_result *result, int o, int k, const char *why)
{
    return assay_corrupt_state_of(result, o, k) == ASSAY_CORRUPT_NONE &&
           result->cell[o][k].none_why && strcmp(result->cell[o][k].none_why, why) == 0;
}

/* The outputs of which corruption k could not be made for that reason. */
static void print_names(FILE *out, const assay_corrupt_result *result, int k, const char *why)
{
    for (int o = 0; o < result->n_outputs; o++)
        if (has_why(result, o, k, why))
            (void)fprintf(out, " %s/%s", result->definition->name, result->output[o]);
}

/* All cells with one reason why there was nothing to make: a line a corruption. */
static void print_why(FILE *out, const assay_corrupt_result *results, int n, const char *why)
{
    for (int k = 0; k < ASSAY_N_CORRUPTIONS; k++) {
        bool has_any = false;

        for (int i = 0; i < n; i++)
            for (int o = 0; o < results[i].n_outputs; o++)
                has_any = has_any || has_why(&results[i], o, k, why);
        if (!has_any)
            continue;
        (void)fprintf(out, "not applicable: %s: %s:", assay_corruption_text((assay_corruption)k),
                      why);
        for (int i = 0; i < n; i++)
            print_names(out, &results[i], k, why);
        (void)fputc('\n', out);
    }
}

static int find_whys(const assay_corrupt_result *results, int n, const char *whys[MAX_WHYS])
{
    int n_whys = 0;

    for (int i = 0; i < n; i++)
        for (int o = 0; o < results[i].n_outputs; o++)
            for (int k = 0; k < ASSAY_N_CORRUPTIONS; k++) {
                const char *why = results[i].cell[o][k].none_why;
                int         w   = 0;

                if (!why || !has_why(&results[i], o, k, why))
                    continue;
                while (w < n_whys && strcmp(whys[w], why) != 0)
                    w++;
                if (w == n_whys && n_whys < MAX_WHYS)
                    whys[n_whys++] = why;
            }
    return n_whys;
}

void assay_corrupt_print_notes(FILE *out, const assay_corrupt_result *results, int n)
{
    const char *whys[MAX_WHYS];
    const int   n_whys = find_whys(results, n, whys);

    print_counts(out, results, n);
    for (int i = 0; i < n; i++)
        print_waivers(out, &results[i]);
    for (int w = 0; w < n_whys; w++)
        print_why(out, results, n, whys[w]);
}
