/* JUnit's XML, as CI systems show it: a suite for each case, a test for each point. A variant that
 * is broken on purpose and was found out has passed; a point that is not finished is an error. */
#include "report_json.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- XML ---- */

/* The entity for a character of markup, or for one that an attribute would not keep. NULL: the
 * character needs none. */
static const char *entity_of(char c)
{
    static const struct {
        char        c;
        const char *entity;
    } entities[] = {
        { '&', "&amp;" },  { '<', "&lt;" },  { '>', "&gt;" },
        { '"', "&quot;" }, { '\t', "&#9;" }, { '\n', "&#10;" },
    };

    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++)
        if (entities[i].c == c)
            return entities[i].entity;
    return NULL;
}

/* XML has no character U+FFFE or U+FFFF. */
static bool is_none(const char *at)
{
    return strncmp(at, "\xEF\xBF\xBE", 3) == 0 || strncmp(at, "\xEF\xBF\xBF", 3) == 0;
}

static void write_xml(FILE *out, const char *text)
{
    while (*text) {
        bool         is_shown = true;
        const size_t n        = assay_text_character(text, &is_shown);
        const char  *entity   = entity_of(*text);

        if (entity)
            (void)fputs(entity, out);
        else if (!is_shown || is_none(text))
            (void)fputs("\xEF\xBF\xBD", out);
        else
            (void)fwrite(text, 1, n, out);
        text += n;
    }
}

static void write_attribute(FILE *out, const char *name, const char *value)
{
    (void)fprintf(out, " %s=\"", name);
    write_xml(out, value);
    (void)fputc('"', out);
}

/* ---- suites ---- */

/* Writes the time if one was recorded. */
static void write_time(FILE *out, double wall_s)
{
    if (wall_s >= 0)
        (void)fprintf(out, " time=\"%.3f\"", wall_s);
}

static void begin_suite(FILE *out, assay_cursor *row)
{
    static const char *const counts[][2] = {
        { "tests", "n_tests" },
        { "failures", "n_failures" },
        { "errors", "n_errors" },
        { "skipped", "n_skipped" },
    };

    (void)fputs("<testsuite", out);
    write_attribute(out, "name", assay_row_text(row, "case_name"));
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        (void)fprintf(out, " %s=\"%.0f\"", counts[i][0], assay_row_number(row, counts[i][1]));
    write_time(out, assay_row_number(row, "all_s"));
    (void)fprintf(out, " timestamp=\"%.19s\"", assay_row_text(row, "started_utc"));
    write_attribute(out, "hostname", assay_row_text(row, "host"));
    (void)fputs(">\n<properties>\n<property name=\"device\"", out);
    write_attribute(out, "value", assay_row_text(row, "device"));
    (void)fputs("/>\n<property name=\"lane\"", out);
    write_attribute(out, "value", assay_row_text(row, "lane"));
    (void)fputs("/>\n</properties>\n", out);
}

/* ---- tests ---- */

/* Writes a failure with the command line that repeats the point. */
static assay_status write_failure(FILE *out, const assay_replay *replay, assay_cursor *row)
{
    char        *line = NULL;
    size_t       size = 0;
    FILE        *text = open_memstream(&line, &size);
    assay_status st   = ASSAY_OK;

    ASSAY_REQUIRE(text, ASSAY_E_MEMORY, "out of memory for a failure");
    assay_replay_write(text, replay, row);
    ASSAY_REQUIRE(fclose(text) == 0, ASSAY_E_MEMORY, "out of memory for a failure");
    (void)fputs("<failure", out);
    write_attribute(out, "type", assay_row_text(row, "verdict"));
    write_attribute(out, "message", assay_row_text(row, "reason"));
    (void)fputc('>', out);
    write_xml(out, assay_row_text(row, "verdict"));
    (void)fputs(": ", out);
    write_xml(out, assay_row_text(row, "reason"));
    (void)fputc('\n', out);
    write_xml(out, line);
    (void)fputs("</failure>", out);
out:
    free(line);
    return st;
}

static void write_skipped(FILE *out, assay_cursor *row)
{
    char text[ASSAY_REASON_SIZE + ASSAY_NAME_SIZE];

    (void)assay_text_set(text, sizeof text, "%s: %s", assay_row_text(row, "verdict"),
                         assay_row_text(row, "reason"));
    (void)fputs("<skipped", out);
    write_attribute(out, "message", text);
    (void)fputs("/>", out);
}

static void write_caught(FILE *out, assay_cursor *row)
{
    (void)fputs("<system-out>broken on purpose, and found out: ", out);
    write_xml(out, assay_row_text(row, "verdict"));
    (void)fputs(": ", out);
    write_xml(out, assay_row_text(row, "reason"));
    (void)fputs("</system-out>", out);
}

static assay_status write_test(FILE *out, const assay_replay *replay, assay_cursor *row)
{
    const char  *outcome = assay_row_text(row, "outcome");
    assay_status st      = ASSAY_OK;

    (void)fputs("<testcase", out);
    write_attribute(out, "classname", assay_row_text(row, "case_name"));
    write_attribute(out, "name", assay_row_text(row, "key"));
    write_time(out, assay_row_number(row, "wall_s"));
    (void)fputc('>', out);
    if (strcmp(outcome, "failed") == 0)
        ASSAY_CHECK(write_failure(out, replay, row));
    else if (strcmp(outcome, "skipped") == 0)
        write_skipped(out, row);
    else if (strcmp(outcome, "caught") == 0)
        write_caught(out, row);
    else if (strcmp(outcome, "ready") == 0)
        (void)fputs("<error type=\"NOT_RUN\" message=\"not finished: the run was cut off, or still "
                    "runs\"/>",
                    out);
    (void)fputs("</testcase>\n", out);
out:
    return st;
}

assay_status assay_report_junit(const assay_report *report)
{
    FILE         *out     = report->out;
    assay_cursor *row     = NULL;
    bool          is_open = false;
    assay_replay  replay;
    assay_status  st;

    ASSAY_CHECK(assay_replay_read(report, &replay));
    (void)fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"assay\">\n", out);
    ASSAY_CHECK(assay_store_query(report->store, "export_outcomes", report->run_id, &row));
    while (assay_cursor_next(row, &st)) {
        if (assay_row_count(row, "place") == 1) {
            (void)fputs(is_open ? "</testsuite>\n" : "", out);
            begin_suite(out, row);
            is_open = true;
        }
        ASSAY_CHECK(write_test(out, &replay, row));
    }
    ASSAY_CHECK(st);
    (void)fprintf(out, "%s</testsuites>\n", is_open ? "</testsuite>\n" : "");
out:
    assay_cursor_close(row);
    return st;
}
