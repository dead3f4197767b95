/* The command line that repeats a point: the program, the module and the device of its run. */
#include "report_internal.h"

#include "base/text.h"

#include <string.h>

/* The first word of a command line that was quoted for a shell, without its quotes. */
static void read_program(const char *command, char *program, size_t size)
{
    bool   is_quoted = false;
    size_t n         = 0;

    for (; *command && (is_quoted || *command != ' ') && n + 1 < size; command++) {
        if (*command == '\'')
            is_quoted = !is_quoted;
        else if (*command == '\\' && !is_quoted && command[1])
            program[n++] = *++command;
        else
            program[n++] = *command;
    }
    program[n] = '\0';
}

assay_status assay_replay_read(const assay_report *report, assay_replay *replay)
{
    assay_cursor *row = NULL;
    assay_status  st;

    *replay = (assay_replay) { .program = "" };
    ASSAY_CHECK(assay_store_query(report->store, "replay", report->run_id, &row));
    if (assay_cursor_next(row, &st)) {
        const char *options = assay_row_text(row, "options");
        char        own[ASSAY_NAME_SIZE];

        assay_text_option(options, "--program=", own, sizeof own);
        if (*own)
            (void)assay_text_make_safe(assay_text_set(replay->whole, sizeof replay->whole, "%s",
                                                      assay_row_text(row, "command")));
        read_program(assay_row_text(row, "command"), replay->program, sizeof replay->program);
        (void)assay_text_set(replay->verb, sizeof replay->verb, "%s", assay_row_text(row, "verb"));
        assay_text_option(options, "--kernels=", replay->kernels, sizeof replay->kernels);
        assay_text_option(options, "--script=", replay->script, sizeof replay->script);
        assay_text_option(options, "--device=", replay->device, sizeof replay->device);
        assay_text_option(options, "--gpu=", replay->gpu, sizeof replay->gpu);
        assay_text_option(options, "--strict-memory-model=", own, sizeof own);
        replay->is_strict = strcmp(own, "1") == 0;
    }
out:
    assay_cursor_close(row);
    return st;
}

/* The command that finds the failure again. A failure during timing or counting needs the same
 * command again. Edge sizes, and failures of a check, need only a check. */
static const char *choose_verb(const assay_replay *replay, bool is_timed)
{
    if (!is_timed)
        return "check";
    if (strcmp(replay->verb, "run") == 0)
        return "bench";
    return strcmp(replay->verb, "bench") == 0 || strcmp(replay->verb, "profile") == 0 ? replay->verb
                                                                                      : "check";
}

static void write_option(FILE *out, const char *option, const char *value)
{
    if (!*value)
        return;
    (void)fprintf(out, " %s ", option);
    assay_write_shell(out, value);
}

/* Writes the key with the tuning values that the point took from an earlier search, since the
 * newest search may give others later. */
static void write_key(FILE *out, assay_cursor *point)
{
    char tuned[ASSAY_TUNING_SIZE], key[ASSAY_KEY_SIZE + ASSAY_TUNING_SIZE];

    (void)assay_text_set(tuned, sizeof tuned, "%s", assay_row_text(point, "tuned"));
    for (char *at = tuned; *at; at++)
        if (*at == ',')
            *at = '/';
    (void)assay_text_set(key, sizeof key, "%s%s%s", assay_row_text(point, "key"), *tuned ? "/" : "",
                         tuned);
    assay_write_shell(out, key);
}

void assay_replay_write(FILE *out, const assay_replay *replay, assay_cursor *point)
{
    if (*replay->whole) { /* such a program has no points that are selected by key */
        (void)fputs(replay->whole, out);
        return;
    }
    assay_write_shell(out, *replay->program ? replay->program : "assay");
    (void)fprintf(out, " %s --point ",
                  choose_verb(replay, assay_row_count(point, "is_timed") != 0));
    write_key(out, point);
    (void)fprintf(out, " --seed %s", assay_row_text(point, "seed"));
    write_option(out, "--script", replay->script);
    write_option(out, "--kernels", replay->kernels);
    write_option(out, "--device", replay->device);
    if (strcmp(replay->device, "cuda") == 0)
        write_option(out, "--gpu", replay->gpu);
    if (replay->is_strict)
        (void)fputs(" --strict-memory-model", out);
}
