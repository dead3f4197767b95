/* From argv to a command. */
#include "assay.h"

#include "base/float_mode.h"
#include "check/check.h"
#include "cli.h"
#include "peer/peer_variants.h"
#include "process/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The runtime of a sanitizer that this program is linked with reads these at start. The first
 * report ends a worker with ASSAY_SANITIZER_EXIT, and so becomes a verdict. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "halt_on_error=1:exitcode=66"; }
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "exitcode=66"; }
/* gcc has the runtime of UndefinedBehaviorSanitizer in a library of its own. */
const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void) { return "exitcode=66"; }
_Static_assert(ASSAY_SANITIZER_EXIT == 66, "as in the texts above");

int assay_cli_failed(assay_status status)
{
    const char *message = assay_status_message();

    (void)fflush(stdout);
    (void)fprintf(stderr, "assay: %s\n", message[0] ? message : assay_status_text(status));
    return ASSAY_EXIT_USAGE;
}

static assay_status check_definitions(assay_case_table cases)
{
    assay_status st = ASSAY_OK;

    for (; *cases; cases++)
        ASSAY_CHECK(assay_check_definition(*cases));
out:
    return st;
}

/* assay worker MODULE INDEX CUPTI REQUESTS REPLIES INPUTS TOOL PARENT: how a parent starts its
 * children. It is no command for people. */
static int run_worker(char **argv, assay_case_table cases)
{
    const int            use = atoi(argv[4]), tool = atoi(argv[8]);
    assay_worker_options options = { .module_path  = argv[2],
                                     .device_index = atoi(argv[3]),
                                     .cupti_use    = (assay_cupti_use)use,
                                     .request_fd   = atoi(argv[5]),
                                     .reply_fd     = atoi(argv[6]),
                                     .shared_fd    = atoi(argv[7]),
                                     .tool         = (assay_gpu_tool)tool,
                                     .parent_pid   = atoi(argv[9]) };
    assay_status         st      = ASSAY_OK;

    ASSAY_REQUIRE(use >= ASSAY_CUPTI_NONE && use <= ASSAY_CUPTI_COUNTERS &&
                      tool >= ASSAY_GPU_TOOL_NONE && tool < ASSAY_N_GPU_TOOLS,
                  ASSAY_E_USAGE, "a worker is started by assay itself");
    ASSAY_CHECK(assay_peer_variants_inherit(&cases));
    ASSAY_CHECK(assay_worker_main(cases, &options));
out:
    if (st == ASSAY_OK)
        return ASSAY_EXIT_PASS;
    (void)assay_cli_failed(st);
    return ASSAY_WORKER_EXIT;
}

/* Output that cannot be written makes the command fail. */
static int flushed(int exit_status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return exit_status;
    (void)fprintf(stderr, "assay: cannot write the output: %s\n", strerror(errno));
    return assay_exit_worse(exit_status, ASSAY_EXIT_USAGE);
}

/* A library that is linked in may have changed the mode. A worker says nothing, since its parent
 * has said so. */
static void reset_float_mode(bool is_worker)
{
    char what[ASSAY_FLOAT_MODE_SIZE];

    if (!assay_float_mode_reset(what) && !is_worker)
        (void)fprintf(
            stderr,
            "assay: note: this program started with a changed floating-point mode (%s): it or one "
            "of its libraries was linked with -ffast-math. The mode was reset\n",
            what);
}

int assay_main(int argc, char **argv, const assay_case *const *cases)
{
    const bool   is_worker = argc == 10 && strcmp(argv[1], "worker") == 0;
    assay_cli    cli;
    assay_status st = ASSAY_OK;

    /* A parent process may have ignored SIGCHLD; then the exit statuses of children would be
     * lost. */
    (void)signal(SIGCHLD, SIG_DFL);
    reset_float_mode(is_worker);
    if (is_worker)
        return run_worker(argv, cases);
    ASSAY_CHECK(assay_cli_parse(argc, argv, cases, &cli));
    ASSAY_CHECK(check_definitions(cli.cases));
    return flushed(cli.run(&cli));
out:
    return assay_cli_failed(st);
}
