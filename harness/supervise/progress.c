/* The progress of a run, for the person who waits. */
#include "progress.h"

#include "base/say.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>

/* On a terminal: how often the line is rewritten for the same point, and how often it moves to
 * another point in progress. */
static const double SAME_POINT_S = 0.2, OTHER_POINT_S = 0.05;

/* ---- its thread ---- */

static struct timespec after(double time_s)
{
    struct timespec at;

    (void)clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_nsec += (long)(1e9 * (time_s - floor(time_s)));
    at.tv_sec += (time_t)time_s + at.tv_nsec / 1000000000;
    at.tv_nsec %= 1000000000;
    return at;
}

static void tick(assay_progress *p);

static void *run_ticker(void *argument)
{
    assay_progress *p = argument;

    (void)pthread_mutex_lock(&p->lock);
    while (!p->is_ending) {
        const struct timespec at = after(p->tick_s);

        if (pthread_cond_timedwait(&p->ending, &p->lock, &at) == ETIMEDOUT)
            tick(p);
    }
    (void)pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* No signal is handled by this thread. */
static void start_ticker(assay_progress *p)
{
    sigset_t all, before;

    if (sigfillset(&all) != 0 || pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return;
    p->has_ticker = pthread_create(&p->ticker, NULL, run_ticker, p) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void end_ticker(assay_progress *p)
{
    if (!p->has_ticker)
        return;
    (void)pthread_mutex_lock(&p->lock);
    p->is_ending = true;
    (void)pthread_cond_signal(&p->ending);
    (void)pthread_mutex_unlock(&p->lock);
    (void)pthread_join(p->ticker, NULL);
    p->has_ticker = false;
}

/* ---- begin ---- */

static void say(void *context, const char *format, va_list list)
{
    assay_progress_say(context, format, list);
}

static bool make_condition(pthread_cond_t *condition)
{
    pthread_condattr_t how;
    bool               is_made;

    if (pthread_condattr_init(&how) != 0)
        return false;
    is_made = pthread_condattr_setclock(&how, CLOCK_MONOTONIC) == 0 &&
              pthread_cond_init(condition, &how) == 0;
    (void)pthread_condattr_destroy(&how);
    return is_made;
}

assay_status assay_progress_begin(assay_progress *p)
{
    if (pthread_mutex_init(&p->lock, NULL) != 0)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for a lock");
    if (!make_condition(&p->ending)) {
        (void)pthread_mutex_destroy(&p->lock);
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for a condition");
    }
    p->start_s = p->told_s = p->since_s = p->clock_s();
    for (int64_t i = 0; i < p->n; i++) {
        const bool is_known = p->wall_s && !isnan(p->wall_s[i]);

        p->n_unknown += !is_known;
        p->left_s += is_known ? p->wall_s[i] : 0;
    }
    if (!p->out)
        return ASSAY_OK;
    assay_say_through(say, p);
    if (p->tick_s > 0)
        start_ticker(p);
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

/* ", about 80 s left". A budget is a limit, not an estimate. "" if there is neither. */
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

/* If a key does not fit, its middle is cut; if little of it would be left, it is not shown. */
static void shorten(char *key, int room)
{
    enum {
        LEAST = 9
    };
    const int n = (int)strlen(key), head = (room - 2) / 2, tail = room - 3 - head;

    if (n <= room)
        return;
    if (room < LEAST) {
        key[0] = '\0';
        return;
    }
    (void)memcpy(key + head, "...", 3);
    (void)memmove(key + head + 3, key + n - tail, (size_t)tail + 1);
}

/* "14 of 86 points, 41 s, about 3 min left: timing, process 2 of 5" */
static void describe(const assay_progress *p, const char *stage, double now_s, char *to,
                     size_t size)
{
    const double elapsed_s = now_s - p->start_s;
    char         took[32], left[64] = "";

    (void)assay_text_set(to, size, "%s%" PRId64 " of %" PRId64 " points, %s%s%s%s",
                         p->width > 0 ? "" : "assay: ", p->n_done, p->n,
                         describe_time(elapsed_s, took, sizeof took),
                         describe_left(p, elapsed_s, left, sizeof left), *stage ? ": " : "", stage);
    if (p->width > 0 && strlen(to) >= (size_t)p->width)
        to[p->width - 1] = '\0';
}

/* The last column stays free, since terminals begin a new line there. */
static void write_line(assay_progress *p, const assay_progress_seat *seat, double now_s)
{
    char line[200 + ASSAY_PROGRESS_STAGE], key[ASSAY_KEY_SIZE] = "";

    describe(p, seat->stage, now_s, line, sizeof line);
    if (seat->point)
        (void)assay_point_key(seat->point, key, sizeof key);
    if (p->width > 0)
        shorten(key, p->width - 1 - (int)strlen(line) - 2);
    (void)fprintf(p->out, "%s%s%s%s%s", p->width > 0 ? "\r\033[K" : "", line, *key ? ": " : "", key,
                  p->width > 0 ? "" : "\n");
    (void)fflush(p->out);
    p->is_shown = p->width > 0;
    p->point    = seat->point;
    p->told_s   = now_s;
}

/* ---- when ---- */

static bool is_due(const assay_progress *p, const assay_point *point, double now_s)
{
    if (p->width == 0)
        return now_s - p->told_s >= ASSAY_PROGRESS_EVERY_S;
    return !p->is_shown || now_s - p->told_s >= (point == p->point ? SAME_POINT_S : OTHER_POINT_S);
}

/* A worker says what it does, but code in its memory can write over that text. */
static void take_seat(assay_progress_seat *seat, const assay_point *point, const char *stage,
                      double now_s)
{
    *seat = (assay_progress_seat) { .point = point, .since_s = now_s, .is_taken = true };
    (void)assay_text_set(seat->stage, sizeof seat->stage, "%s", stage);
    (void)assay_text_make_safe(seat->stage);
    for (char *c = seat->stage; *c; c++)
        *c = *c == '\n' || *c == '\t' ? ' ' : *c;
}

void assay_progress_show(assay_progress *p, int seat, const assay_point *point, const char *stage)
{
    if (!p || !p->out)
        return;
    ASSAY_ASSERT(seat >= 0 && seat < ASSAY_PROGRESS_SEATS);
    (void)pthread_mutex_lock(&p->lock);
    const double now_s = p->clock_s();

    take_seat(&p->seats[seat], point, stage, now_s);
    if (is_due(p, point, now_s))
        write_line(p, &p->seats[seat], now_s);
    (void)pthread_mutex_unlock(&p->lock);
}

void assay_progress_rest(assay_progress *p, int seat)
{
    if (!p || !p->out)
        return;
    (void)pthread_mutex_lock(&p->lock);
    p->seats[seat].is_taken = false;
    (void)pthread_mutex_unlock(&p->lock);
}

/* Runs under the lock. If nothing is waited for, no line is put on the terminal, since other
 * messages may be under way. */
static void tick(assay_progress *p)
{
    const assay_progress_seat *longest = NULL;
    const double               now_s   = p->clock_s();

    for (int i = 0; i < ASSAY_PROGRESS_SEATS; i++)
        if (p->seats[i].is_taken && (!longest || p->seats[i].since_s < longest->since_s))
            longest = &p->seats[i];
    if (longest && is_due(p, p->point, now_s))
        write_line(p, longest, now_s);
}

void assay_progress_tick(assay_progress *p)
{
    if (!p || !p->out)
        return;
    (void)pthread_mutex_lock(&p->lock);
    tick(p);
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
    end_ticker(p);
    if (p->out)
        assay_say_through(NULL, NULL);
    assay_progress_clear(p);
    (void)pthread_cond_destroy(&p->ending);
    (void)pthread_mutex_destroy(&p->lock);
}
