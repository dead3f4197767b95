/* Where the time of a run itself went. */
#include "supervise_internal.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void assay_profile_add(assay_profile *profile, const char *what, double time_s, int64_t n)
{
    int place = 0;

    while (place < profile->n && strcmp(profile->parts[place].what, what) != 0)
        place++;
    if (place == ASSAY_PROFILE_PARTS)
        place--;
    if (place == profile->n) {
        profile->n++;
        (void)assay_text_set(profile->parts[place].what, sizeof profile->parts[place].what, "%s",
                             profile->n == ASSAY_PROFILE_PARTS ? "others" : what);
    }
    profile->parts[place].time_s += time_s;
    profile->parts[place].n += n;
}

assay_profile_part assay_profile_get(const assay_profile *profile, const char *what)
{
    for (int i = 0; i < profile->n; i++)
        if (strcmp(profile->parts[i].what, what) == 0)
            return profile->parts[i];
    return (assay_profile_part) { .n = 0 };
}

void assay_profile_join(assay_profile *profile, const assay_profile *more)
{
    for (int i = 0; i < more->n; i++)
        assay_profile_add(profile, more->parts[i].what, more->parts[i].time_s, more->parts[i].n);
}

static int longest_first(const void *a, const void *b)
{
    const assay_profile_part *x = a, *y = b;

    return (x->time_s < y->time_s) - (x->time_s > y->time_s);
}

static void print_part(const char *what, double time_s, double total_s, int64_t n, FILE *stream)
{
    (void)fprintf(stream, "    %-20s %9.2f s %5.1f %%", what, time_s,
                  total_s > 0 ? 100 * time_s / total_s : 0);
    if (n > 0)
        (void)fprintf(stream, " %9lld times, %9.3f ms each", (long long)n,
                      1000 * time_s / (double)n);
    (void)fputc('\n', stream);
}

void assay_profile_print(const assay_profile *profile, const char *rest, double total_s,
                         FILE *stream)
{
    assay_profile sorted = *profile;
    double        left_s = total_s;

    qsort(sorted.parts, (size_t)sorted.n, sizeof *sorted.parts, longest_first);
    for (int i = 0; i < sorted.n; i++) {
        const assay_profile_part *part = &sorted.parts[i];

        left_s -= part->time_s;
        print_part(part->what, part->time_s, total_s, part->n, stream);
    }
    print_part(rest, fmax(left_s, 0), total_s, 0, stream);
}

static const double CALLS_OF_TIMING = 21; /* of a slow variant, in three processes */
static const double SHARES_OF_CPU   = 4;  /* of the budget, each as large as that of any point */

static const assay_variant *variant_of(const entry *e)
{
    return &e->point->definition->variants[e->point->variant];
}

static bool is_kernel_among(const entry *entries, int n)
{
    for (int i = 0; i < n; i++)
        if (assay_entry_is_alive(&entries[i]) && !variant_of(&entries[i])->cpu)
            return true;
    return false;
}

void assay_supervise_leave_room(const supervisor *s, entry *entries, int n)
{
    const double share_s = SHARES_OF_CPU * s->options->budget_s / (double)s->n;
    char         key[ASSAY_KEY_SIZE];

    if (!s->options->times || s->options->budget_s <= 0 || !is_kernel_among(entries, n))
        return;
    for (int i = 0; i < n; i++) {
        entry       *e       = &entries[i];
        const double needs_s = CALLS_OF_TIMING * e->call_s;

        if (!assay_entry_is_alive(e) || !variant_of(e)->cpu || needs_s <= share_s)
            continue;
        e->has_no_room = true;
        (void)fprintf(stderr,
                      "assay: %s is checked and not timed: that would take %.2g s, and the budget "
                      "has %.2g s for a variant on the CPU\n",
                      assay_point_key(e->point, key, sizeof key), needs_s, share_s);
    }
}

void assay_supervise_print_budget(const supervisor *s, double wall_s)
{
    const bool is_timing = s->options->times && s->options->can_time;

    if (s->options->budget_s > 0)
        (void)fprintf(stderr,
                      "assay: budget of %g s, %.1f s taken: of %lld points %lld were %s, %lld were "
                      "left out\n",
                      s->options->budget_s, wall_s, (long long)s->n,
                      (long long)(is_timing ? s->n_timed : s->n - s->n_cut),
                      is_timing ? "timed" : "checked", (long long)s->n_cut);
}

void assay_supervise_print_profile(const supervisor *s, double wall_s)
{
    const int    n_jobs  = s->options->n_jobs > 1 ? s->options->n_jobs : 1;
    const double total_s = wall_s + s->busy_s;

    if (!s->options->profiles_self)
        return;
    (void)fprintf(stderr, "assay: %.2f s on the wall, %.2f s of threads (%d at most)\n", wall_s,
                  total_s, n_jobs);
    (void)fprintf(stderr, "  by what they waited for\n");
    assay_profile_print(&s->stages, "between", total_s, stderr);
    (void)fprintf(stderr, "  by case\n");
    assay_profile_print(&s->cases, "of no case", total_s, stderr);
}
