/* assay check --lane: the same check in several lanes. Each lane is a run by the lane's own
 * program, and one table shows them all. */
#include "cli.h"

#include "base/clock.h"
#include "base/places.h"
#include "base/sanitizer.h"
#include "base/text.h"
#include "process/tool.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>

_Static_assert((int)ASSAY_REPORT_LANES == (int)ASSAY_N_LANES, "a column a lane");

typedef struct several {
    const assay_cli *cli;
    char             self[1024], program[1040]; /* of the current lane */
    char           **words; /* of one check; the array is owned, the words are not */
    int64_t          run_ids[ASSAY_N_LANES];
    int              n_runs;
    int              n_lanes; /* lanes that were begun */
    int              exit_status;
    assay_tools      tools;
} several;

/* ---- one lane ---- */

/* Makes this command line for the program and the device of one lane. */
static void make_words(several *s, assay_lane lane)
{
    static char      brief[] = "--brief", device[] = "--device", host[] = "host", cuda[] = "cuda";
    const assay_cli *cli = s->cli;
    int              n   = 0;

    assay_lane_program(s->self, lane, s->program, sizeof s->program);
    s->words[n++] = s->program;
    s->words[n++] = cli->argv[1];
    s->words[n++] = brief;
    s->words[n++] = device;
    s->words[n++] = lane == ASSAY_LANE_CUDA ? cuda : host;
    for (int i = 2; i < cli->argc; i++) {
        if (strcmp(cli->argv[i], "--lane") == 0)
            i++;
        else if (!assay_text_after(cli->argv[i], "--lane="))
            s->words[n++] = cli->argv[i];
    }
    s->words[n] = NULL;
}

static void print_lane(const several *s, assay_lane lane, const char *line, double began_s)
{
    if (s->cli->is_brief)
        (void)printf("%s%s: %s", s->n_lanes > 1 ? " | " : "", assay_lane_text(lane), line);
    else
        (void)printf("%-5s %6.1f s  %s\n", assay_lane_text(lane), assay_clock_s() - began_s, line);
    (void)fflush(stdout);
}

static assay_status run_lane(several *s, assay_lane lane)
{
    const double began_s = assay_clock_s();
    /* If memory is placed at random in a wide range, ThreadSanitizer does not get the addresses
     * that it needs. */
    const int    usual   = personality(0xffffffff);
    const bool   is_tsan = lane == ASSAY_LANE_TSAN && usual >= 0;
    assay_status st      = ASSAY_OK;
    assay_tool   tool;
    int64_t      run_id = 0;

    make_words(s, lane);
    if (is_tsan)
        (void)personality((unsigned long)usual | ADDR_NO_RANDOMIZE);
    st = assay_tool_run(&s->tools, s->words, &tool);
    if (is_tsan)
        (void)personality((unsigned long)usual);
    ASSAY_CHECK(st);
    s->exit_status = assay_exit_worse(s->exit_status, tool.exit_status);
    s->n_lanes++;
    print_lane(s, lane, assay_tool_line(&tool), began_s);
    if (sscanf(tool.output, "run %" SCNd64 ":", &run_id) == 1)
        s->run_ids[s->n_runs++] = run_id;
out:
    assay_tool_free(&tool);
    return st;
}

/* ---- all of them ---- */

/* `all` means the lanes that can run here. Each lane that was named has to run here. */
static assay_status choose(const several *s, assay_lane_choice *chosen)
{
    const assay_lane_choice *asked = &s->cli->check.lanes;
    char                     why[1200];

    *chosen = (assay_lane_choice) { .n = 0 };
    for (int i = 0; i < asked->n; i++) {
        const assay_lane lane = asked->lanes[i];

        if (assay_lane_is_here(s->self, lane, why, sizeof why))
            chosen->lanes[chosen->n++] = lane;
        else if (!asked->is_all)
            return ASSAY_FAIL(ASSAY_E_USAGE, "lane %s: %s", assay_lane_text(lane), why);
        else
            (void)fprintf(stderr, "assay: left out: lane %s: %s\n", assay_lane_text(lane), why);
    }
    return chosen->n > 0 ? ASSAY_OK : ASSAY_FAIL(ASSAY_E_NOTHING, "no lane can be run here");
}

static assay_status run_all(several *s)
{
    assay_status      st = ASSAY_OK;
    assay_lane_choice chosen;

    ASSAY_REQUIRE(!assay_sanitizer_here()[0], ASSAY_E_USAGE,
                  "this program was built with a sanitizer: --lane needs the one built without");
    ASSAY_REQUIRE(assay_places_self(s->self, sizeof s->self), ASSAY_E_IO,
                  "cannot find out this program's path");
    s->words = calloc((size_t)s->cli->argc + 5, sizeof *s->words);
    ASSAY_REQUIRE(s->words, ASSAY_E_MEMORY, "no memory for %d arguments", s->cli->argc);
    ASSAY_CHECK(choose(s, &chosen));
    ASSAY_CHECK(assay_tools_begin(&s->tools));
    for (int i = 0; i < chosen.n && !s->tools.is_stopped; i++)
        ASSAY_CHECK(run_lane(s, chosen.lanes[i]));
    if (s->cli->is_brief)
        (void)putchar('\n');
    else if (s->n_runs > 0)
        ASSAY_CHECK(assay_report_lanes(s->cli->database, s->run_ids, s->n_runs, stdout));
out:
    return st;
}

int assay_command_lanes(const assay_cli *cli)
{
    several s = { .cli = cli, .exit_status = ASSAY_EXIT_PASS, .tools = { .signal_fd = -1 } };
    const assay_status st          = run_all(&s);
    int                exit_status = s.exit_status;

    if (st != ASSAY_OK || s.tools.is_stopped)
        exit_status = assay_exit_worse(exit_status, ASSAY_EXIT_USAGE);
    if (st != ASSAY_OK)
        (void)assay_cli_failed(st);
    assay_tools_end(&s.tools);
    free(s.words);
    return exit_status;
}
