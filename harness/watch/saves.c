/* Waits until one of some files is saved: inotify on their folders. */
#include "saves.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

enum {
    QUIET_MS = 100 /* that end a burst */
};

typedef struct folder {
    int   watch;
    char *path; /* owned */
} folder;

struct assay_saves {
    int     fd;
    folder *folders;
    int     n_folders;
};

assay_status assay_saves_open(assay_saves **saves)
{
    assay_status st = ASSAY_OK;

    *saves = calloc(1, sizeof **saves);
    ASSAY_REQUIRE(*saves, ASSAY_E_MEMORY, "no memory to watch files");
    (*saves)->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    ASSAY_REQUIRE((*saves)->fd >= 0, ASSAY_E_IO, "cannot watch files: %s", strerror(errno));
out:
    if (st != ASSAY_OK) {
        free(*saves);
        *saves = NULL;
    }
    return st;
}

void assay_saves_close(assay_saves *saves)
{
    if (!saves)
        return;
    (void)close(saves->fd);
    for (int i = 0; i < saves->n_folders; i++)
        free(saves->folders[i].path);
    free(saves->folders);
    free(saves);
}

/* A folder that is looked at already keeps its number. Takes over `path`. */
static assay_status keep(assay_saves *saves, int watch, char *path)
{
    assay_status st      = ASSAY_OK;
    folder      *folders = NULL;

    for (int i = 0; i < saves->n_folders; i++)
        if (saves->folders[i].watch == watch)
            goto out;
    folders = realloc(saves->folders, (size_t)(saves->n_folders + 1) * sizeof *folders);
    ASSAY_REQUIRE(folders, ASSAY_E_MEMORY, "no memory to watch %s", path);
    saves->folders                     = folders;
    saves->folders[saves->n_folders++] = (folder) { watch, path };
    path                               = NULL;
out:
    free(path);
    return st;
}

assay_status assay_saves_look(assay_saves *saves, const assay_sources *sources)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < sources->n; i++) {
        const char *file = sources->paths[i];
        char       *path = strndup(file, (size_t)(strrchr(file, '/') - file));
        int         watch;

        ASSAY_REQUIRE(path, ASSAY_E_MEMORY, "no memory to watch %s", file);
        watch = inotify_add_watch(saves->fd, *path ? path : "/",
                                  IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR);
        if (watch < 0) {
            st = ASSAY_FAIL(ASSAY_E_IO, "cannot watch the folder %s: %s", path, strerror(errno));
            free(path);
            goto out;
        }
        ASSAY_CHECK(keep(saves, watch, path));
    }
out:
    return st;
}

static bool is_of_sources(const assay_saves *saves, const assay_sources *sources,
                          const struct inotify_event *event)
{
    if (event->mask & (IN_Q_OVERFLOW | IN_IGNORED))
        return true; /* nobody knows what was saved; a folder went, and may be there anew */
    for (int i = 0; event->len > 0 && i < saves->n_folders; i++)
        if (saves->folders[i].watch == event->wd)
            return assay_sources_have(sources, saves->folders[i].path, event->name);
    return false;
}

/* Reads what has happened: was it one of the files? */
static bool read_events(const assay_saves *saves, const assay_sources *sources)
{
    _Alignas(struct inotify_event) char bytes[8192];
    bool                                is_saved = false;
    ssize_t                             n;

    while ((n = read(saves->fd, bytes, sizeof bytes)) > 0) {
        for (const char *at = bytes; at < bytes + n;) {
            const struct inotify_event *event = (const void *)at;

            is_saved |= is_of_sources(saves, sources, event);
            at += sizeof *event + event->len;
        }
    }
    return is_saved;
}

assay_status assay_saves_wait(assay_saves *saves, const assay_sources *sources, int other_fd,
                              bool *is_saved)
{
    struct pollfd fds[] = { { .fd = saves->fd, .events = POLLIN },
                            { .fd = other_fd, .events = POLLIN } };

    *is_saved = false;
    for (;;) {
        const int n = poll(fds, 2, *is_saved ? QUIET_MS : -1);

        if (n < 0 && errno != EINTR)
            return ASSAY_FAIL(ASSAY_E_IO, "cannot wait for a save: %s", strerror(errno));
        if (n == 0)
            return ASSAY_OK;
        *is_saved |= read_events(saves, sources);
        if (n > 0 && fds[1].revents)
            return ASSAY_OK;
    }
}
