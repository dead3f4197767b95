/* Reads CPU times of threads from /proc/PID/task (proc(5)). */
#include "process_look.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_DEPTH = 8 /* generations of processes that started one another */
};

/* What one thread or process has used. */
typedef struct usage {
    char   state;
    double cpu_s, waited_for_s; /* by itself, and by children that have ended and were waited for */
} usage;

/* The name may contain spaces and brackets, so the fields begin after the last bracket. */
static bool parse_usage(const char *text, usage *u)
{
    unsigned long long own_user, own_system, children_user, children_system;
    const double       ticks = (double)sysconf(_SC_CLK_TCK);
    const char        *rest  = strrchr(text, ')');

    if (!rest || ticks <= 0 ||
        sscanf(rest, ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu %llu %llu %llu", &u->state,
               &own_user, &own_system, &children_user, &children_system) != 5)
        return false;
    u->cpu_s        = (double)(own_user + own_system) / ticks;
    u->waited_for_s = (double)(children_user + children_system) / ticks;
    return true;
}

static bool read_text(const char *path, char *text, size_t size)
{
    FILE  *file = fopen(path, "r");
    size_t n;

    if (!file)
        return false;
    n       = fread(text, 1, size - 1, file);
    text[n] = '\0';
    (void)fclose(file);
    return n > 0;
}

static bool read_usage(const char *folder, usage *u)
{
    char path[128], text[1024];

    (void)snprintf(path, sizeof path, "%s/stat", folder);
    return read_text(path, text, sizeof text) && parse_usage(text, u);
}

static bool look_at(pid_t pid, int depth, assay_look *look);

/* If the kernel does not list children, they are not looked at. */
static void look_at_children(const char *task, int depth, assay_look *look)
{
    char path[128], text[4096], *at = text, *end;

    (void)snprintf(path, sizeof path, "%s/children", task);
    if (!read_text(path, text, sizeof text))
        return;
    for (long child = strtol(at, &end, 10); end != at; child = strtol(at, &end, 10)) {
        (void)look_at((pid_t)child, depth + 1, look);
        at = end;
    }
}

static void look_at_thread(pid_t pid, pid_t thread, int depth, assay_look *look)
{
    char  task[64];
    usage u;

    (void)snprintf(task, sizeof task, "/proc/%d/task/%d", (int)pid, (int)thread);
    if (!read_usage(task, &u))
        return;
    look->can_run = look->can_run || u.state == 'R' || u.state == 'D';
    look_at_children(task, depth, look);
    if (look->n == ASSAY_LOOK_ROWS)
        return;
    look->rows[look->n].thread  = thread;
    look->rows[look->n++].cpu_s = u.cpu_s;
    look->rest_s -= u.cpu_s;
}

static bool look_at(pid_t pid, int depth, assay_look *look)
{
    char                 folder[64], tasks[72];
    const struct dirent *entry;
    usage                all;
    DIR                 *threads;

    (void)snprintf(folder, sizeof folder, "/proc/%d", (int)pid);
    (void)snprintf(tasks, sizeof tasks, "%s/task", folder);
    threads = depth < MOST_DEPTH ? opendir(tasks) : NULL;
    if (!threads)
        return false;
    while ((entry = readdir(threads)))
        if (entry->d_name[0] != '.')
            look_at_thread(pid, (pid_t)strtol(entry->d_name, NULL, 10), depth, look);
    (void)closedir(threads);
    if (!read_usage(folder, &all))
        return false;
    /* Threads that have a row are subtracted, whichever is read first. */
    look->rest_s += all.cpu_s + all.waited_for_s;
    return true;
}

bool assay_process_look(pid_t pid, assay_look *look)
{
    look->n       = 0;
    look->rest_s  = 0;
    look->can_run = false;
    return look_at(pid, 0, look);
}
