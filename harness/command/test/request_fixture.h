/* Command lines and the requests that are made from them. */
#ifndef ASSAY_REQUEST_FIXTURE_H
#define ASSAY_REQUEST_FIXTURE_H

#include "command/cli.h"
#include "testing/testing.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_WORDS = 40
};

/* Parses the command line `assay ...`; the result outlives the call. */
static inline assay_cli parse(const char *line)
{
    static const assay_case *const no_cases[] = { NULL };
    static char                    words[512];
    static char                   *argv[MOST_WORDS + 1];
    int                            argc = 0;
    assay_cli                      cli;

    (void)snprintf(words, sizeof words, "assay %s", line);
    for (char *word = strtok(words, " "); word && argc < MOST_WORDS; word = strtok(NULL, " "))
        argv[argc++] = word;
    assert_true(argc < MOST_WORDS);
    argv[argc] = NULL;
    assert_int_equal(assay_cli_parse(argc, argv, no_cases, &cli), ASSAY_OK);
    return cli;
}

static inline assay_run_request request_of(const char *line, assay_run_kind kind)
{
    const assay_cli   cli = parse(line);
    assay_run_request request;

    assay_cli_request(&cli, kind, &request);
    return request;
}

#endif
