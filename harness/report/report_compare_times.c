/* The two times of a comparison, where it is told in a line rather than in a table. */
#include "base/text.h"
#include "report_compare_internal.h"
#include "report_internal.h"

#include <math.h>
#include <string.h>

const char *assay_change_note(const assay_change *row, const char *name_a, const char *name_b,
                              char *text, size_t size)
{
    const bool is_alone = !row->result.has_cycles && (row->result.verdict == ASSAY_COMPARE_SLOWER ||
                                                      row->result.verdict == ASSAY_COMPARE_FASTER);
    const struct {
        const char *name, *what;
    } parts[] = { { name_a, row->time_a->doubt },
                  { name_b, row->time_b->doubt },
                  { "", is_alone ? "cycles unknown" : "" } };
    size_t n  = 0;

    text[0] = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].what && *parts[i].what) {
            (void)assay_text_set(text + n, size - n, "%s%s%s%s", n > 0 ? "; " : "", parts[i].name,
                                 *parts[i].name ? ": " : "", parts[i].what);
            n += strlen(text + n);
        }
    return text;
}

static void write_time(FILE *out, double time_ns, const char *when)
{
    char text[ASSAY_CELL_SIZE];

    (void)fprintf(out, "%s %s", isnan(time_ns) ? "-" : assay_format_time(text, time_ns), when);
}

void assay_report_change_times(const assay_change *row, FILE *out)
{
    const assay_effect *e = &row->result.time;
    char                note[2 * ASSAY_CELL_SIZE];

    write_time(out, e->middle_a, "before, ");
    write_time(out, e->middle_b, "after");
    if (isfinite(e->relative))
        (void)fprintf(out, ": %+.2f %%", 100 * e->relative);
    if (isfinite(e->p))
        (void)fprintf(out, " [%+.2f, %+.2f]", 100 * e->lo, 100 * e->hi);
    if (!*assay_change_note(row, "before", "after", note, sizeof note))
        return;
    (void)fprintf(out, "; %c", (int)ASSAY_MARK_DOUBT);
    assay_write_clean(out, note);
    (void)fputc(ASSAY_MARK_END, out);
}
