/* Where a run is, for the person who waits. */
#include "progress.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A terminal: while the point stays the same, and where another one is under way, of which several
 * threads have many. */
static const double SAME_POINT_S = 0.2, OTHER_POINT_S = 0.05;

assay_status assay_progress_begin(assay_progress *p)
{
    if (pthread_mutex_init(&p->lock, NULL) != 0)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for a lock");
    p->start_s = p->told_s = p->since_s = p->clock_s();
    for (int64_t i = 0; i < p->n; i++) {
        const bool is_known = p->wall_s && !isnan(p->wall_s[i]);

        p->n_unknown += !is_known;
        p->left_s += is_known ? p->wall_s[i] : 0;
    }
    return ASSAY_OK;
}

/* ---- the line ---- */

static const char *describe_time(double time_s, char *to, size_t size)
{
    static const struct {
        double      least_s, unit_s;
        const char *format;
    } units[] = { { 7200, 3600, "%.1f h" }, { 120, 60, "%.0f min" }, { 0, 1, "%.0f s" } };
    size_t u  = 0;

    while (time_s < units[u].least_s)
        u++;
    (void)snprintf(to, size, units[u].format, time_s / units[u].unit_s);
    return to;
}

/* ", about 80 s left"; a budget is a limit, and no estimate. "" where neither is there. */
static const char *describe_left(const assay_progress *p, double elapsed_s, char *to, size_t size)
{
    const double at_it_s = elapsed_s - (p->since_s - p->start_s);
    const double known_s = p->n_unknown == 0 && p->wall_s ? fmax(p->left_s - at_it_s, 0) : NAN;
    const double limit_s = p->budget_s > 0 ? fmax(p->budget_s - elapsed_s, 0) : NAN;
    char         text[32];

    if (isnan(known_s) && isnan(limit_s))
        return "";
    return assay_text_set(to, size, ", %s %s left",
                          known_s <= limit_s || isnan(limit_s) ? "about" : "at most",
                          describe_time(fmin(known_s, limit_s), text, sizeof text));
}

/* A key that does not fit ends in dots. */
static void write_key(const assay_progress *p, const assay_point *point, int used)
{
    char      key[ASSAY_KEY_SIZE];
    const int room = p->width - 1 - used; /* in the last column terminals begin a new line */
    const int n    = (int)strlen(assay_point_key(point, key, sizeof key));

    if (p->width == 0 || n <= room)
        (void)fputs(key, p->out);
    else if (room > 3)
        (void)fprintf(p->out, "%.*s...", room - 3, key);
}

static void write_line(assay_progress *p, const assay_point *point, double now_s)
{
    const double elapsed_s = now_s - p->start_s;
    char         took[32], left[64] = "", line[200];

    (void)assay_text_set(line, sizeof line, "%s%" PRId64 " of %" PRId64 " points, %s%s%s",
                         p->width > 0 ? "" : "assay: ", p->n_done, p->n,
                         describe_time(elapsed_s, took, sizeof took),
                         describe_left(p, elapsed_s, left, sizeof left), point ? ": " : "");
    (void)fprintf(p->out, "%s%s", p->width > 0 ? "\r\033[K" : "", line);
    if (point)
        write_key(p, point, (int)strlen(line));
    if (p->width == 0)
        (void)fputc('\n', p->out);
    (void)fflush(p->out);
    p->is_shown = p->width > 0;
    p->point    = point;
    p->told_s   = now_s;
}

/* ---- when ---- */

static bool is_due(const assay_progress *p, const assay_point *point, double now_s)
{
    if (p->width == 0)
        return now_s - p->told_s >= ASSAY_PROGRESS_EVERY_S;
    return !p->is_shown || now_s - p->told_s >= (point == p->point ? SAME_POINT_S : OTHER_POINT_S);
}

void assay_progress_show(assay_progress *p, const assay_point *point)
{
    if (!p || !p->out)
        return;
    (void)pthread_mutex_lock(&p->lock);
    const double now_s = p->clock_s();

    if (is_due(p, point, now_s))
        write_line(p, point, now_s);
    (void)pthread_mutex_unlock(&p->lock);
}

void assay_progress_done(assay_progress *p, int64_t first, int64_t n)
{
    if (!p || !p->out)
        return;
    (void)pthread_mutex_lock(&p->lock);
    p->n_done += n;
    p->since_s = p->clock_s();
    for (int64_t i = first; i < first + n; i++) {
        const bool is_known = p->wall_s && !isnan(p->wall_s[i]);

        p->n_unknown -= !is_known;
        p->left_s -= is_known ? p->wall_s[i] : 0;
    }
    (void)pthread_mutex_unlock(&p->lock);
}

static void clear(assay_progress *p)
{
    if (p->is_shown)
        (void)fputs("\r\033[K", p->out);
    p->is_shown = false;
}

void assay_progress_clear(assay_progress *p)
{
    if (!p || !p->out)
        return;
    (void)pthread_mutex_lock(&p->lock);
    clear(p);
    (void)pthread_mutex_unlock(&p->lock);
}

void assay_progress_say(assay_progress *p, const char *format, va_list list)
{
    const bool is_told = p && p->out;

    if (is_told) {
        (void)pthread_mutex_lock(&p->lock);
        clear(p);
        (void)fflush(p->out);
    }
    (void)vfprintf(stderr, format, list);
    if (is_told)
        (void)pthread_mutex_unlock(&p->lock);
}

void assay_progress_end(assay_progress *p)
{
    assay_progress_clear(p);
    (void)pthread_mutex_destroy(&p->lock);
}
