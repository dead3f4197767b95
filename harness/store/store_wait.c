/* Waiting for a file that another process keeps locked. */
#include "store_internal.h"

#include "base/clock.h"
#include "base/lock.h"
#include "base/say.h"
#include "base/text.h"

#include <math.h>

static const double SAY_AFTER_S = 3;  /* a short write may take as long as this without a message */
static const double SAY_AGAIN_S = 60; /* so that a person does not think that the program hangs */

/* SQLite locks the file or, with a log, the log's index. */
static void find_holder(const char *path, char *holder, size_t size)
{
    char index[4096];

    (void)assay_text_set(index, sizeof index, "%s-shm", path);
    if (!assay_lock_find_holder(index, holder, size) && !assay_lock_find_holder(path, holder, size))
        (void)assay_text_set(holder, size, "another process");
}

static void say(assay_store_waiting *waiting, double waited_s)
{
    char holder[128];

    find_holder(waiting->path, holder, sizeof holder);
    assay_say("assay: %s is locked by %s: waiting for it, %.0f s more at most\n", waiting->path,
              holder, waiting->patience_s - waited_s);
}

bool assay_store_wait(assay_store_waiting *waiting)
{
    enum {
        PAUSE_MS = 10
    };
    const double now_s = assay_clock_s();
    double       waited_s;

    if (waiting->since_s <= 0)
        waiting->since_s = waiting->said_at_s = now_s;
    waited_s = now_s - waiting->since_s;
    if (waited_s >= waiting->patience_s)
        return false;
    if (now_s - waiting->said_at_s >=
        (waiting->said_at_s > waiting->since_s ? SAY_AGAIN_S : SAY_AFTER_S)) {
        say(waiting, waited_s);
        waiting->said_at_s = now_s;
    }
    (void)sqlite3_sleep(PAUSE_MS);
    return true;
}

void assay_store_waited(assay_store_waiting *waiting) { waiting->since_s = 0; }

/* SQLite counts from 0 for each lock that it waits for. */
static int wait_once(void *context, int n_times)
{
    if (n_times == 0)
        assay_store_waited(context);
    return assay_store_wait(context);
}

void assay_store_wait_when_busy(sqlite3 *db, assay_store_waiting *waiting)
{
    (void)sqlite3_busy_handler(db, wait_once, waiting);
}

void assay_store_set_patience(assay_store *store, double patience_s)
{
    store->waiting.patience_s = patience_s;
}
