/* assay doctor: what this machine can do, and what is missing. */
#include "command/cli.h"

#include "base/lock.h"
#include "command/lanes.h"
#include "command/select.h"
#include "doctor_cupti.h"
#include "doctor_nvml.h"
#include "doctor_peers.h"
#include "doctor_store.h"
#include "self_check.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *text;
    int         exit_status;
} clock_words[] = {
    [ASSAY_CLOCKS_RIGHT]   = { "passed: in every process each clock that decides is within 1 us",
                               ASSAY_EXIT_PASS },
    [ASSAY_CLOCKS_UNKNOWN] = { "CANNOT_TELL: in the lines marked so no clock decides: there is "
                               "nothing to check",
                               ASSAY_EXIT_CANNOT_TELL },
    [ASSAY_CLOCKS_WRONG]   = { "FAILED: see the lines marked WRONG", ASSAY_EXIT_WRONG },
};

/* A wrong clock counts as a wrong answer. Without a GPU there is nothing to check. */
static int check_clocks(assay_case_table cases, int index)
{
    assay_status             st      = ASSAY_OK;
    const assay_target_words gpu     = { .device = "cuda", .gpu = index };
    assay_target             target  = { .device_index = index };
    assay_clocks             clocks  = ASSAY_CLOCKS_UNKNOWN;
    int                      lock_fd = -1;

    if (assay_target_choose(&gpu, &target) != ASSAY_OK) {
        (void)printf("self-check skipped: %s\n", assay_status_message());
        assay_status_reset();
        return ASSAY_EXIT_SKIPPED;
    }
    ASSAY_CHECK(assay_lock_take(target.info.uuid, &lock_fd));
    ASSAY_CHECK(assay_self_check(&target, cases, stdout, &clocks));
    assay_lock_release(target.info.uuid, lock_fd);
    (void)printf("self-check %s\n", clock_words[clocks].text);
    return clock_words[clocks].exit_status;
out:
    assay_lock_release(target.info.uuid, lock_fd);
    return assay_cli_failed(st);
}

/* Adds a finding for each part of this machine. Are all of them good? */
static assay_status find_all(const assay_cli *cli, int index, bool *has_gpu)
{
    assay_findings findings;
    assay_status   st = ASSAY_OK;

    assay_findings_begin(&findings, stdout, strcmp(cli->format, "json") == 0);
    *has_gpu = assay_target_find("cuda", index, &findings);
    assay_doctor_nvml(index, &findings);
    assay_doctor_cupti(&findings);
    (void)assay_target_find("host", 0, &findings);
    assay_doctor_peers(cli->cases, &findings);
    assay_doctor_lanes(&findings);
    if (!assay_doctor_store(cli->database, &findings))
        st = ASSAY_FAIL(ASSAY_E_DATABASE, "the database %s cannot be used: name another with --db",
                        cli->database);
    assay_finding_put(&findings, "cases", "ok", "%d cases", assay_registry_count(cli->cases));
    assay_findings_end(&findings);
    return st;
}

/* A missing GPU is only reported; it is a failure if it was asked for by number. */
int assay_command_doctor(const assay_cli *cli)
{
    const bool   wants_gpu = cli->target.gpu >= 0;
    const int    index     = wants_gpu ? cli->target.gpu : 0;
    bool         has_gpu   = false;
    assay_status st        = ASSAY_OK;

    if (cli->doctor.resource_spec)
        return assay_command_resource_spec(cli);
    st = find_all(cli, index, &has_gpu);
    if (cli->doctor.self_check && st == ASSAY_OK)
        return check_clocks(cli->cases, index);
    if (wants_gpu && !has_gpu && st == ASSAY_OK)
        st = ASSAY_FAIL(ASSAY_E_USAGE, "there is no usable GPU %d here", cli->target.gpu);
    return st == ASSAY_OK ? ASSAY_EXIT_PASS : assay_cli_failed(st);
}
