/* Readers of files: CSV, lists of failures, build files, modules. */
#include "parsers.h"

#include "base/csv_read.h"
#include "device/module_internal.h"
#include "fuzz/failing.h"
#include "gate/known_failures.h"
#include "store/exchange/store_import.h"
#include "watch/build_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

const char *parser_file(const char *text, size_t size)
{
    static char path[64];
    static int  file = -1;

    if (file < 0) {
        file = memfd_create("parser", MFD_CLOEXEC);
        (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, text, size, 0) != (ssize_t)size)
        abort();
    return path;
}

void parser_csv(const char *text, size_t size)
{
    assay_csv csv;

    if (assay_csv_parse("a.csv", text, size, &csv) != ASSAY_OK)
        return;
    for (int64_t row = 0; row < csv.n_rows; row++)
        for (int64_t column = 0; column < csv.n_columns; column++)
            (void)assay_csv_is_formula(assay_csv_at(&csv, row, column)->text);
    (void)assay_csv_find(&csv, "seed");
    assay_csv_free(&csv);
}

static char folder[] = "/tmp/assay-parsers-XXXXXX", database[sizeof folder + 8];

static void remove_store(void)
{
    static const char *const endings[] = { "", "-wal", "-shm" };
    char                     path[sizeof database + 8];

    for (int i = 0; i < 3; i++) {
        (void)snprintf(path, sizeof path, "%s%s", database, endings[i]);
        (void)unlink(path);
    }
    (void)rmdir(folder);
}

static assay_store *open_store(void)
{
    assay_store *store = NULL;

    if (!mkdtemp(folder))
        abort();
    (void)snprintf(database, sizeof database, "%s/x.db", folder);
    if (atexit(remove_store) != 0 ||
        assay_store_open(database, ASSAY_STORE_WRITE, &store) != ASSAY_OK)
        abort();
    return store;
}

/* One database for all inputs: a refused one changes nothing, and an accepted one is there the next
 * time. */
void parser_import(const char *text, size_t size)
{
    static assay_store *store;
    assay_import        result;
    assay_csv           csv;

    if (!store)
        store = open_store();
    if (assay_csv_parse("a.csv", text, size, &csv) != ASSAY_OK)
        return;
    (void)assay_store_import(store, &csv, 1, &result);
    assay_csv_free(&csv);
}

void parser_known_failures(const char *text, size_t size)
{
    assay_known_failures list;

    if (assay_known_failures_parse("known_failures.txt", text, size, "2026-11-30", &list) ==
        ASSAY_OK)
        assay_known_failures_free(&list);
}

void parser_found(const char *text, size_t size)
{
    assay_failing found;

    if (assay_failing_read(parser_file(text, size), &found) == ASSAY_OK)
        assay_failing_free(&found);
}

void parser_build_file(const char *text, size_t size)
{
    assay_build_file file;
    char             line[256];

    if (assay_build_file_read(parser_file(text, size), "host", &file) == ASSAY_OK)
        assay_build_file_free(&file);
    assay_build_error(text, line, sizeof line);
}

void parser_module(const char *text, size_t size)
{
    (void)assay_module_judge_file(parser_file(text, size));
}
