/* assay report and assay doctor. */
#include "cli.h"

#include "base/lock.h"
#include "base/output.h"
#include "base/text.h"
#include "doctor_cupti.h"
#include "doctor_peers.h"
#include "doctor_store.h"
#include "lanes.h"
#include "machine/nvml.h"
#include "report/report.h"
#include "select.h"
#include "self_check.h"
#include "store/series/store_side.h"
#include "store/store.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_number(const char *word)
{
    return word[0] && strspn(word, "0123456789") == strlen(word);
}

assay_status assay_cli_find_run(const assay_cli *cli, assay_store *store, int64_t *run_id)
{
    assay_status st = ASSAY_OK;

    *run_id = 0;
    if (!cli->which_run)
        return ASSAY_OK;
    if (!is_number(cli->which_run))
        return assay_side_find_run(store, cli->database, cli->which_run, run_id);
    errno   = 0;
    *run_id = strtoll(cli->which_run, NULL, 10);
    ASSAY_REQUIRE(errno == 0 && *run_id > 0, ASSAY_E_USAGE,
                  "--run takes the number of a run, from 1 on, not '%s'", cli->which_run);
out:
    return st;
}

static assay_status find_run(const assay_cli *cli, int64_t *run_id)
{
    assay_store *store = NULL;
    assay_status st    = ASSAY_OK;

    if (cli->which_run && !is_number(cli->which_run))
        ASSAY_CHECK(assay_store_open(cli->database, ASSAY_STORE_READ, &store));
    ASSAY_CHECK(assay_cli_find_run(cli, store, run_id));
out:
    assay_store_close(store);
    return st;
}

static assay_status write_report(const assay_cli *cli)
{
    const char *const keep[] = { cli->database };
    assay_output      output = { .file = NULL };
    const char *const format = assay_report_format(cli->format, cli->has_details);
    int64_t           run_id = 0;
    assay_status      st     = ASSAY_OK;

    ASSAY_CHECK(find_run(cli, &run_id));
    /* What is collected first is broken at no width. */
    if (!cli->output && isatty(STDOUT_FILENO))
        return assay_report_write(cli->database, run_id, format, stdout);
    ASSAY_CHECK(assay_output_open(&output));
    ASSAY_CHECK(assay_report_write(cli->database, run_id, format, output.file));
    ASSAY_CHECK(assay_output_write(&output, cli->output, keep, 1));
out:
    assay_output_free(&output);
    return st;
}

int assay_command_report(const assay_cli *cli)
{
    const assay_status st = write_report(cli);

    return st == ASSAY_OK ? ASSAY_EXIT_PASS : assay_cli_failed(st);
}

/* ---- doctor: what NVML says of the GPU ---- */

static void print_nvml(const char *state, const char *text)
{
    (void)printf("%-10s %-8s %s\n", "nvml", state, text);
}

typedef struct shown {
    char text[32];
} shown;

static shown show(double value)
{
    shown s;

    if (isnan(value) || value == -1)
        (void)assay_text_set(s.text, sizeof s.text, "unknown");
    else
        (void)assay_text_set(s.text, sizeof s.text, "%.6g", value);
    return s;
}

static const char *show_text(const char *text) { return text[0] ? text : "unknown"; }

static const char *show_flag(int flag)
{
    static const char *const words[] = { "unknown", "off", "on" };

    return words[flag + 1];
}

static void print_facts(const assay_nvml_facts *f)
{
    char text[512];

    print_nvml("ok",
               assay_text_set(text, sizeof text,
                              "%s, driver %s, NVML %s, VBIOS %s; ECC %s, MIG %s, "
                              "persistence mode %s",
                              show_text(f->name), show_text(f->driver), show_text(f->nvml_version),
                              show_text(f->vbios), show_flag(f->ecc_is_on), show_flag(f->mig_is_on),
                              show_flag(f->persistence_is_on)));
}

static void print_reading(const assay_nvml_reading *r, const assay_nvml_facts *f)
{
    char text[512], reasons[256];

    print_nvml("ok", assay_text_set(text, sizeof text,
                                    "now: SM clock %s of %s MHz, memory clock %s of %s MHz, %s C, "
                                    "%s of %s W; clock reasons: %s",
                                    show(r->sm_mhz).text, show(f->max_sm_mhz).text,
                                    show(r->memory_mhz).text, show(f->max_memory_mhz).text,
                                    show(r->temperature_c).text, show(r->power_w).text,
                                    show(f->power_limit_w).text,
                                    assay_nvml_reasons_text(r->reasons, reasons, sizeof reasons)));
}

/* What disturbs measuring, or forbids it. */
static void print_notes(const assay_nvml_reading *r, const assay_nvml_facts *f)
{
    const struct {
        bool        holds;
        const char *text;
    } notes[] = {
        { f->mig_is_on == 1, "MIG is on: other work in the same compute instance disturbs counters "
                             "(work in other instances does not)" },
        { f->persistence_is_on == 0,
          "persistence mode is off: the driver unloads when nothing uses the GPU, which makes "
          "starts slow; 'nvidia-smi -pm 1' as root keeps it loaded" },
        { f->compute_mode == 3, "compute mode is 'exclusive process': nothing can run here while "
                                "another program has this GPU" },
        { assay_nvml_is_throttled(r->reasons),
          "power or heat holds the clocks back: samples taken in this state are invalid" },
    };

    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
        if (notes[i].holds)
            print_nvml("note", notes[i].text);
}

/* Opens it once more: only its bus id tells NVML which GPU is meant. "" without a GPU. */
static void find_bus_id(int index, char *id, size_t size)
{
    const assay_target_words gpu    = { .device = "cuda", .gpu = index };
    assay_target             target = { .device_index = index };

    if (assay_target_choose(&gpu, &target) != ASSAY_OK)
        assay_status_reset();
    (void)assay_text_set(id, size, "%s", target.info.pci_bus_id);
}

/* Missing NVML is a fact to report, and no failure. */
static void ask_nvml(int index)
{
    char               id[32], why[512];
    assay_nvml        *nvml = NULL;
    assay_nvml_facts   facts;
    assay_nvml_reading reading;

    find_bus_id(index, id, sizeof id);
    nvml = assay_nvml_open(NULL, id, why, sizeof why);
    if (!nvml) {
        print_nvml("missing", why);
        return;
    }
    assay_nvml_read_facts(nvml, &facts);
    assay_nvml_read(nvml, &reading);
    print_facts(&facts);
    print_reading(&reading, &facts);
    print_notes(&reading, &facts);
    assay_nvml_close(nvml);
}

/* ---- doctor ---- */

static const struct {
    const char *text;
    int         exit_status;
} clock_words[] = {
    [ASSAY_CLOCKS_RIGHT]   = { "passed: in every process each clock that decides is within 1 us",
                               ASSAY_EXIT_PASS },
    [ASSAY_CLOCKS_UNKNOWN] = { "CANNOT_TELL: where no clock decides there is none to check; see "
                               "the "
                               "lines marked so",
                               ASSAY_EXIT_CANNOT_TELL },
    [ASSAY_CLOCKS_WRONG]   = { "FAILED: see the lines marked WRONG", ASSAY_EXIT_WRONG },
};

/* A wrong clock is a wrong answer; without a GPU there is nothing to check. */
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

/* A missing GPU is a fact to report; it is a failure only if it was asked for by number. */
int assay_command_doctor(const assay_cli *cli)
{
    const bool   wants_gpu = cli->target.gpu >= 0;
    const int    index     = wants_gpu ? cli->target.gpu : 0;
    bool         has_gpu   = false;
    assay_status st        = ASSAY_OK;

    if (cli->doctor.resource_spec)
        return assay_command_resource_spec(cli);
    has_gpu = assay_target_print("cuda", index, stdout);
    ask_nvml(index);
    assay_doctor_cupti(stdout);
    (void)assay_target_print("host", 0, stdout);
    assay_doctor_peers(cli->cases, stdout);
    assay_doctor_lanes(stdout);
    if (!assay_doctor_store(cli->database, stdout))
        st = ASSAY_FAIL(ASSAY_E_DATABASE, "the database %s cannot be used: name another with --db",
                        cli->database);
    (void)printf("%-10s %-8s %d cases\n", "cases", "ok", assay_registry_count(cli->cases));
    if (cli->doctor.self_check && st == ASSAY_OK)
        return check_clocks(cli->cases, index);
    if (wants_gpu && !has_gpu)
        st = ASSAY_FAIL(ASSAY_E_USAGE, "there is no usable GPU %d here", cli->target.gpu);
    return st == ASSAY_OK ? ASSAY_EXIT_PASS : assay_cli_failed(st);
}
