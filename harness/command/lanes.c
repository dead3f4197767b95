/* Which lanes there are. Each lane with a sanitizer has a program of its own beside this one: a
 * sanitizer's runtime has to be there from the start of a process, and CPU variants are part of the
 * program. */
#include "lanes.h"

#include "base/places.h"
#include "base/sanitizer.h"
#include "base/text.h"
#include "select.h"
#include "watch/build_file.h"
#include "watch/sources.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_sanitized(assay_lane lane)
{
    return lane == ASSAY_LANE_ASAN || lane == ASSAY_LANE_TSAN;
}

static bool add(assay_lane_choice *choice, assay_lane lane)
{
    for (int i = 0; i < choice->n; i++)
        if (choice->lanes[i] == lane)
            return true;
    choice->lanes[choice->n++] = lane;
    return true;
}

static bool add_word(assay_lane_choice *choice, const char *word, size_t length)
{
    for (int i = 0; i < ASSAY_N_LANES; i++) {
        const char *name = assay_lane_text((assay_lane)i);

        if (strlen(name) == length && strncmp(name, word, length) == 0)
            return add(choice, (assay_lane)i);
    }
    return false;
}

bool assay_lanes_parse(const char *words, assay_lane_choice *choice)
{
    *choice = (assay_lane_choice) { .is_all = strcmp(words, "all") == 0 };
    for (int i = 0; choice->is_all && i < ASSAY_N_LANES; i++)
        (void)add(choice, (assay_lane)i);
    while (!choice->is_all) {
        const size_t length = strcspn(words, ",");

        if (!add_word(choice, words, length))
            return false;
        if (!words[length])
            break;
        words += length + 1;
    }
    return true;
}

void assay_lane_program(const char *self, assay_lane lane, char *path, size_t size)
{
    const bool has_own = is_sanitized(lane);

    (void)snprintf(path, size, "%s%s%s", self, has_own ? "_" : "",
                   has_own ? assay_lane_text(lane) : "");
}

static bool is_newer(const char *path, const struct timespec *than)
{
    struct stat about;

    return stat(path, &about) == 0 &&
           (about.st_mtim.tv_sec > than->tv_sec ||
            (about.st_mtim.tv_sec == than->tv_sec && about.st_mtim.tv_nsec > than->tv_nsec));
}

/* When this lane was built last: the newer of its program and its kernels. */
static struct timespec built_at(const char *program)
{
    struct timespec at = { .tv_sec = 0 };
    char            modules[1060];
    struct stat     about;

    (void)snprintf(modules, sizeof modules, "%s_kernels_host.so", program);
    if (stat(program, &about) == 0)
        at = about.st_mtim;
    if (is_newer(modules, &at) && stat(modules, &about) == 0)
        at = about.st_mtim;
    return at;
}

/* Finds a source of a build tree that was saved after the lane was built, and writes its path to
 * `source`. Such a lane would check other code than the lanes beside it. An installed program has
 * no list of sources. */
static bool is_stale(const char *self, const char *program, char *source, size_t size)
{
    const struct timespec at      = built_at(program);
    assay_build_file      build   = { .text = NULL };
    assay_sources         sources = { .paths = NULL };
    bool                  is_old  = false;
    char                  path[1040];

    (void)snprintf(path, sizeof path, "%s.build", self);
    if (access(path, R_OK) == 0 && assay_build_file_read(path, "lanes", &build) == ASSAY_OK)
        for (int i = 0; i < build.n_sources; i++)
            (void)assay_sources_add(&sources, build.sources[i].path);
    for (int i = 0; i < sources.n && !is_old; i++) {
        is_old = is_newer(sources.paths[i], &at);
        if (is_old)
            (void)assay_text_set(source, size, "%s", sources.paths[i]);
    }
    assay_sources_free(&sources);
    assay_build_file_free(&build);
    assay_status_reset();
    return is_old;
}

bool assay_lane_is_here(const char *self, assay_lane lane, char *why, size_t size)
{
    char         path[1040], source[1024];
    bool         is_here = false;
    assay_status st;

    if (is_sanitized(lane)) {
        assay_lane_program(self, lane, path, sizeof path);
        (void)assay_text_set(why, size,
                             "there is no %s: the target %s_lanes of the build makes it, where the "
                             "compiler has that sanitizer",
                             path, strrchr(self, '/') + 1);
        if (access(path, X_OK) != 0)
            return false;
        if (is_stale(self, path, source, sizeof source)) {
            (void)assay_text_set(why, size, "%s is older than %s: build the target %s_lanes", path,
                                 source, strrchr(self, '/') + 1);
            return false;
        }
        return true;
    }
    st = assay_target_describe(assay_lane_text(lane), 0, why, size, &is_here);
    if (st != ASSAY_OK)
        (void)assay_text_set(why, size, "%s", assay_status_message());
    assay_status_reset();
    return is_here;
}

void assay_doctor_lanes(assay_findings *findings)
{
    char       self[1024] = "/", why[1200];
    const bool is_one     = assay_sanitizer_here()[0] != '\0';

    if (is_one || !assay_places_self(self, sizeof self)) {
        assay_finding_put(findings, "lanes", is_one ? "ok" : "missing", "%s",
                          is_one ? "this program was built with a sanitizer: it is one lane"
                                 : "cannot find out this program's path");
        return;
    }
    for (int i = 0; i < ASSAY_N_LANES; i++) {
        const assay_lane lane = (assay_lane)i;

        if (!is_sanitized(lane))
            continue;
        const bool is_here = assay_lane_is_here(self, lane, why, sizeof why);

        assay_finding_put(findings, assay_lane_text(lane), is_here ? "ok" : "missing", "%s",
                          is_here ? "for --lane" : why);
    }
}
