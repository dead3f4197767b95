/* Compares the state of a process before and after, item by item. */
#include "process_state.h"

#include "text.h"
#include "threads.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    N_SIGNALS = 65,
    N_TIMERS  = 3,
    N_STD     = 3,
};

struct assay_process_state {
    char             folder[PATH_MAX];
    char           **environment; /* owned, as is each of its texts */
    size_t           n_environment;
    struct sigaction handlers[N_SIGNALS];
    sigset_t         blocked;
    bool             is_armed[N_TIMERS];
    mode_t           umask;
    dev_t            device[N_STD];
    ino_t            file[N_STD];
    int              priority;
    cpu_set_t        cpus;
    bool             has_children;
    assay_threads    threads;
};

/* ---- take ---- */

static assay_status copy_environment(assay_process_state *s)
{
    assay_status st = ASSAY_OK;
    size_t       n  = 0;

    while (environ && environ[n])
        n++;
    s->environment = calloc(n + 1, sizeof *s->environment);
    ASSAY_REQUIRE(s->environment, ASSAY_E_MEMORY, "no memory for the environment");
    for (; s->n_environment < n; s->n_environment++) {
        s->environment[s->n_environment] = strdup(environ[s->n_environment]);
        ASSAY_REQUIRE(s->environment[s->n_environment], ASSAY_E_MEMORY,
                      "no memory for the environment");
    }
out:
    return st;
}

static void read_signals(assay_process_state *s)
{
    for (int k = 1; k < N_SIGNALS; k++)
        if (sigaction(k, NULL, &s->handlers[k]) != 0) /* two signals belong to the C library */
            memset(&s->handlers[k], 0, sizeof s->handlers[k]);
    if (pthread_sigmask(SIG_SETMASK, NULL, &s->blocked) != 0)
        (void)sigemptyset(&s->blocked);
}

static void read_numbers(assay_process_state *s)
{
    static const int timers[N_TIMERS] = { ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF };
    siginfo_t        about;

    for (int k = 0; k < N_TIMERS; k++) {
        struct itimerval value = { .it_value = { 0 } };

        s->is_armed[k] = getitimer((unsigned)timers[k], &value) == 0 &&
                         (value.it_value.tv_sec != 0 || value.it_value.tv_usec != 0);
    }
    for (int k = 0; k < N_STD; k++) {
        struct stat file = { .st_dev = 0 };

        if (fstat(k, &file) != 0)
            file.st_ino = 0;
        s->device[k] = file.st_dev;
        s->file[k]   = file.st_ino;
    }
    s->umask = umask(0);
    (void)umask(s->umask);
    s->priority = getpriority(PRIO_PROCESS, 0);
    if (sched_getaffinity(0, sizeof s->cpus, &s->cpus) != 0)
        CPU_ZERO(&s->cpus);
    s->has_children = waitid(P_ALL, 0, &about, WEXITED | WNOHANG | WNOWAIT) == 0;
}

assay_status assay_process_state_take(assay_process_state **state)
{
    assay_status         st = ASSAY_OK;
    assay_process_state *s  = calloc(1, sizeof *s);

    *state = NULL;
    ASSAY_REQUIRE(s, ASSAY_E_MEMORY, "no memory for the state of this process");
    if (!getcwd(s->folder, sizeof s->folder))
        s->folder[0] = '\0';
    ASSAY_CHECK(copy_environment(s));
    read_signals(s);
    read_numbers(s);
    ASSAY_CHECK(assay_threads_list(&s->threads));
    *state = s;
    s      = NULL;
out:
    assay_process_state_free(s);
    return st;
}

void assay_process_state_free(assay_process_state *state)
{
    if (!state)
        return;
    for (size_t i = 0; i < state->n_environment; i++)
        free(state->environment[i]);
    free(state->environment);
    assay_threads_free(&state->threads);
    free(state);
}

/* ---- compare: each returns true, and says what is different, if it is ---- */

static bool has_text(const assay_process_state *s, const char *text)
{
    for (size_t i = 0; i < s->n_environment; i++)
        if (strcmp(s->environment[i], text) == 0)
            return true;
    return false;
}

static bool differs_in_folder(const assay_process_state *a, const assay_process_state *b,
                              char *text, size_t size)
{
    if (strcmp(a->folder, b->folder) == 0)
        return false;
    (void)assay_text_set(text, size, "the working directory is %s, and was %s", b->folder,
                         a->folder);
    return true;
}

static bool differs_in_environment(const assay_process_state *a, const assay_process_state *b,
                                   char *text, size_t size)
{
    const assay_process_state *sides[] = { a, b };

    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < sides[k]->n_environment; i++) {
            const char *one = sides[k]->environment[i];

            if (has_text(sides[1 - k], one))
                continue;
            (void)assay_text_set(text, size, "the environment variable %.*s was changed",
                                 (int)strcspn(one, "="), one);
            return true;
        }
    return false;
}

static bool differs_in_signals(const assay_process_state *a, const assay_process_state *b,
                               char *text, size_t size)
{
    for (int k = 1; k < N_SIGNALS; k++) {
        const bool handler = a->handlers[k].sa_handler != b->handlers[k].sa_handler ||
                             a->handlers[k].sa_flags != b->handlers[k].sa_flags;

        if (!handler && sigismember(&a->blocked, k) == sigismember(&b->blocked, k))
            continue;
        (void)assay_text_set(text, size, "%s signal %d (%s) was changed",
                             handler ? "the handler of" : "the blocking of", k, strsignal(k));
        return true;
    }
    return false;
}

static bool differs_in_numbers(const assay_process_state *a, const assay_process_state *b,
                               char *text, size_t size)
{
    const struct {
        bool        differs;
        const char *what;
    } facts[] = {
        { memcmp(a->is_armed, b->is_armed, sizeof a->is_armed) != 0,
          "an alarm (setitimer) is set" },
        { a->umask != b->umask, "the mask of file modes (umask) was changed" },
        { a->device[0] != b->device[0] || a->file[0] != b->file[0], "standard input was replaced" },
        { a->device[1] != b->device[1] || a->file[1] != b->file[1],
          "standard output was replaced" },
        { a->device[2] != b->device[2] || a->file[2] != b->file[2], "standard error was replaced" },
        { a->priority != b->priority, "the priority of the process was changed" },
        { !CPU_EQUAL(&a->cpus, &b->cpus), "the CPUs that it may run on were changed" },
        { !a->has_children && b->has_children, "a process that it started is still there" },
    };

    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        if (!facts[i].differs)
            continue;
        (void)assay_text_set(text, size, "%s", facts[i].what);
        return true;
    }
    return false;
}

assay_status assay_process_state_compare(const assay_process_state *before, bool has_threads,
                                         bool *is_same, char *text, size_t size)
{
    assay_status         st      = ASSAY_OK;
    assay_process_state *now     = NULL;
    bool                 is_busy = false;

    *is_same = true;
    ASSAY_CHECK(assay_process_state_take(&now));
    if (differs_in_folder(before, now, text, size) ||
        differs_in_environment(before, now, text, size) ||
        differs_in_signals(before, now, text, size) ||
        differs_in_numbers(before, now, text, size)) {
        *is_same = false;
        goto out;
    }
    if (!has_threads)
        ASSAY_CHECK(assay_threads_find_busy(&before->threads, &is_busy));
    if (is_busy) {
        *is_same = false;
        (void)assay_text_set(text, size, "a thread that it started is still running");
    }
out:
    assay_process_state_free(now);
    return st;
}
