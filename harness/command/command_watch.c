/* assay check --watch: builds and checks again whenever a source of the cases is saved. Each check
 * starts this program again, as the build has left it. */
#include "cli.h"

#include "base/clock.h"
#include "base/places.h"
#include "base/text.h"
#include "process/tool.h"
#include "watch/build_file.h"
#include "watch/saves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct watch {
    const assay_cli *cli;
    char         program[1024], build_path[1032]; /* taken before a build replaces the program */
    assay_target target;
    assay_plan   plan;
    assay_build_file build;   /* as it is now */
    assay_sources    sources; /* of the cases of the plan, as they are now */
    assay_saves     *saves;
    assay_tools      tools;
    char           **check; /* the words of one check; the array is owned, the words are not */
    int              exit_status;
} watch;

/* ---- what is watched ---- */

static bool is_selected(const assay_plan *plan, const char *case_name)
{
    for (int64_t i = 0; i < plan->n; i++)
        if (strcmp(plan->points[i].definition->name, case_name) == 0)
            return true;
    return false;
}

/* A build may configure again, and sources may include other files than before. */
static assay_status read_sources(watch *w)
{
    const char  *what = w->cli->check.lanes.n > 0 ? "lanes" : w->target.info.kind;
    assay_status st   = ASSAY_OK;

    assay_sources_free(&w->sources);
    assay_build_file_free(&w->build);
    ASSAY_CHECK(assay_build_file_read(w->build_path, what, &w->build));
    for (int i = 0; i < w->build.n_sources; i++)
        if (is_selected(&w->plan, w->build.sources[i].case_name))
            ASSAY_CHECK(assay_sources_add(&w->sources, w->build.sources[i].path));
    ASSAY_CHECK(assay_saves_look(w->saves, &w->sources));
out:
    return st;
}

/* ---- one time ---- */

static void print_line(const char *what, const char *text, double began_s)
{
    const time_t now = time(NULL);
    struct tm    local;
    char         clock[16] = "";

    if (localtime_r(&now, &local))
        (void)strftime(clock, sizeof clock, "%H:%M:%S", &local);
    (void)printf("%s  %4.1f s  %s%s\n", clock, assay_clock_s() - began_s, what, text);
    (void)fflush(stdout);
}

/* ninja prints messages of compilers on its standard output; make leaves them on standard error. */
static assay_status print_why(const assay_tool *tool, double began_s)
{
    char  why[1024];
    char *said = NULL;

    if (asprintf(&said, "%s\n%s", tool->output, tool->errors) < 0)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for what the build said");
    assay_build_error(said, why, sizeof why);
    print_line("the build failed: ", why, began_s);
    free(said);
    return ASSAY_OK;
}

static assay_status build(watch *w, double began_s, bool *is_built)
{
    assay_status st = ASSAY_OK;
    assay_tool   tool;

    ASSAY_CHECK(assay_tool_run(&w->tools, w->build.command, &tool));
    *is_built = tool.exit_status == 0;
    if (!*is_built && !w->tools.is_stopped)
        ASSAY_CHECK(print_why(&tool, began_s));
out:
    assay_tool_free(&tool);
    return st;
}

static assay_status check(watch *w, double began_s)
{
    assay_tool         tool;
    const assay_status st = assay_tool_run(&w->tools, w->check, &tool);

    if (st == ASSAY_OK && !w->tools.is_stopped) {
        w->exit_status = assay_exit_worse(ASSAY_EXIT_PASS, tool.exit_status);
        print_line("", assay_tool_line(&tool), began_s);
    }
    assay_tool_free(&tool);
    return st;
}

static assay_status build_and_check(watch *w)
{
    const double began_s  = assay_clock_s();
    bool         is_built = false;
    assay_status st       = ASSAY_OK;

    w->exit_status = ASSAY_EXIT_USAGE; /* no result is known for what is saved now */
    ASSAY_CHECK(build(w, began_s, &is_built));
    if (is_built && !w->tools.is_stopped)
        ASSAY_CHECK(check(w, began_s));
    ASSAY_CHECK(read_sources(w));
out:
    return st;
}

/* ---- the whole of it ---- */

/* Makes this command line without --watch. It names the path of the program that was started, since
 * the file there may be a newer one. */
static assay_status make_check(watch *w)
{
    const assay_cli *cli     = w->cli;
    static char      brief[] = "--brief";
    assay_status     st      = ASSAY_OK;
    int              n       = 0;

    w->check = calloc((size_t)cli->argc + 2, sizeof *w->check);
    ASSAY_REQUIRE(w->check, ASSAY_E_MEMORY, "no memory for %d arguments", cli->argc);
    w->check[n++] = w->program;
    w->check[n++] = cli->argv[1];
    w->check[n++] = brief;
    for (int i = 2; i < cli->argc; i++)
        if (strcmp(cli->argv[i], "--watch") != 0)
            w->check[n++] = cli->argv[i];
out:
    return st;
}

static assay_status begin(watch *w)
{
    assay_status      st = ASSAY_OK;
    assay_run_request request;

    assay_cli_request(w->cli, ASSAY_RUN_CHECK, &request);
    ASSAY_REQUIRE(assay_places_self(w->program, sizeof w->program), ASSAY_E_IO,
                  "cannot find out this program's path");
    (void)snprintf(w->build_path, sizeof w->build_path, "%s.build", w->program);
    ASSAY_CHECK(make_check(w));
    ASSAY_CHECK(assay_plan_build(w->cli->cases, &request.selection, &w->plan));
    if (w->cli->check.lanes.n == 0)
        ASSAY_CHECK(assay_target_choose(&w->cli->target, &w->target));
    ASSAY_CHECK(assay_saves_open(&w->saves));
    ASSAY_CHECK(read_sources(w));
    ASSAY_CHECK(assay_tools_begin(&w->tools));
    (void)fprintf(stderr, "assay: watching %d files; Ctrl-C ends\n", w->sources.n);
out:
    return st;
}

static void end(watch *w)
{
    assay_tools_end(&w->tools);
    assay_saves_close(w->saves);
    assay_sources_free(&w->sources);
    assay_build_file_free(&w->build);
    assay_plan_free(&w->plan);
    free(w->check);
}

static assay_status stay(watch *w)
{
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(begin(w));
    ASSAY_CHECK(build_and_check(w));
    while (!w->tools.is_stopped) {
        bool is_saved = false;

        ASSAY_CHECK(assay_saves_wait(w->saves, &w->sources, w->tools.signal_fd, &is_saved));
        assay_tools_look(&w->tools);
        if (is_saved && !w->tools.is_stopped)
            ASSAY_CHECK(build_and_check(w));
    }
out:
    return st;
}

int assay_command_watch(const assay_cli *cli)
{
    watch w = { .cli = cli, .tools = { .signal_fd = -1 }, .exit_status = ASSAY_EXIT_USAGE };
    const assay_status st          = stay(&w);
    const int          exit_status = st == ASSAY_OK ? w.exit_status : assay_cli_failed(st);

    end(&w);
    return exit_status;
}
