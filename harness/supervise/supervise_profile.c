/* What the time of a run was spent on. */
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
