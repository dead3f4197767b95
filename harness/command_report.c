/* assay report and assay doctor. */
#include "cli.h"

#include "report.h"
#include "select.h"
#include "store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static assay_status write_report(const assay_cli *cli)
{
    assay_status st   = ASSAY_OK;
    FILE        *file = stdout;

    if (cli->output) {
        file = fopen(cli->output, "w");
        ASSAY_REQUIRE(file, ASSAY_E_IO, "cannot write %s: %s", cli->output, strerror(errno));
    }
    ASSAY_CHECK(assay_report_write(cli->database, cli->run_id, cli->format, file));
    ASSAY_REQUIRE(fflush(file) == 0, ASSAY_E_IO, "cannot write the report: %s", strerror(errno));
out:
    if (file && file != stdout && fclose(file) != 0 && st == ASSAY_OK)
        st = ASSAY_FAIL(ASSAY_E_IO, "cannot write %s: %s", cli->output, strerror(errno));
    return st;
}

int assay_command_report(const assay_cli *cli)
{
    const assay_status st = write_report(cli);

    return st == ASSAY_OK ? ASSAY_EXIT_PASS : assay_cli_failed(st);
}

/* ---- doctor ---- */

static void print_device(const char *kind)
{
    char         text[1024];
    bool         is_usable = false;
    assay_status st        = assay_target_describe(kind, text, sizeof text, &is_usable);

    if (st != ASSAY_OK) {
        (void)printf("%-10s missing  %s\n", kind, assay_status_message());
        assay_status_reset();
    } else {
        (void)printf("%-10s %-8s %s\n", kind, is_usable ? "ok" : "missing", text);
    }
}

static void print_database(const char *path)
{
    assay_store *store = NULL;

    if (access(path, F_OK) != 0) {
        (void)printf("%-10s %-8s %s does not exist yet; the first run makes it\n", "database", "ok",
                     path);
        return;
    }
    if (assay_store_open(path, ASSAY_STORE_READ, &store) == ASSAY_OK) {
        (void)printf("%-10s %-8s %s, schema %d\n", "database", "ok", path, ASSAY_SCHEMA_VERSION);
    } else {
        (void)printf("%-10s %-8s %s\n", "database", "broken", assay_status_message());
        assay_status_reset();
    }
    assay_store_close(store);
}

int assay_command_doctor(const assay_cli *cli)
{
    print_device("cuda");
    print_device("host");
    print_database(cli->database);
    (void)printf("%-10s %-8s %d cases\n", "cases", "ok", assay_registry_count(cli->cases));
    return ASSAY_EXIT_PASS;
}
