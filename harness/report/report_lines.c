/* Marked text as lines that fit, with words in colour. */
#include "report_lines.h"

#include "base/stream.h"
#include "base/terminal.h"

#include <stdlib.h>
#include <string.h>

/* Colours by mark. */
static const char *const colours[] = {
    [ASSAY_MARK_BAD]   = "\033[31m",
    [ASSAY_MARK_DOUBT] = "\033[33m",
    [ASSAY_MARK_GOOD]  = "\033[32m",
    [ASSAY_MARK_END]   = "\033[0m",
};

static bool is_colour(char c) { return c >= ASSAY_MARK_BAD && c <= ASSAY_MARK_END; }

static void write_marked(FILE *out, const char *text, size_t length, bool has_colours)
{
    for (size_t i = 0; i < length; i++) {
        if (!is_colour(text[i]))
            (void)fputc(text[i], out);
        else if (has_colours)
            (void)fputs(colours[(int)text[i]], out);
    }
}

/* ---- lines that fit ---- */

/* The number of bytes of the text that fit into `room` columns. Marks take no column. */
static size_t bytes_in(const char *text, size_t length, size_t room)
{
    size_t n = 0;

    for (; n < length && (room > 0 || is_colour(text[n])); n++)
        room -= !is_colour(text[n]);
    return n;
}

/* Where a line of at most `room` columns may end: at its last blank, or at the first blank if a
 * word is longer than that. */
static size_t line_length(const char *text, size_t length, size_t room)
{
    const size_t most = bytes_in(text, length, room);
    size_t       end  = most;

    if (most == length)
        return length;
    while (end > 0 && text[end] != ' ')
        end--;
    if (end > 0)
        return end;
    for (end = most; end < length && text[end] != ' ';)
        end++;
    return end;
}

/* Writes one line as several that fit; all but the first are indented by two more columns. */
static void write_line(FILE *out, const char *line, size_t length, size_t width, bool has_colours)
{
    const size_t blanks = strspn(line, " "), indent = blanks < length ? blanks : length;
    size_t       shift = indent;

    line += indent;
    length -= indent;
    do {
        const size_t room = width > shift ? width - shift : 1;
        const size_t n    = line_length(line, length, room);

        (void)fprintf(out, "%*s", (int)shift, "");
        write_marked(out, line, n, has_colours);
        (void)fputc('\n', out);
        line += n;
        length -= n;
        while (length > 0 && *line == ' ') {
            line++;
            length--;
        }
        shift = indent + 2;
    } while (length > 0);
}

void assay_lines_write_as(FILE *out, const char *text, int width, bool has_colours)
{
    while (*text) {
        const bool   is_command = *text == ASSAY_MARK_COMMAND;
        const size_t n          = strcspn(text += is_command, "\n");

        if (is_command || width == 0) {
            write_marked(out, text, n, has_colours);
            (void)fputc('\n', out);
        } else {
            write_line(out, text, n, (size_t)width, has_colours);
        }
        text += n + (text[n] == '\n');
    }
}

void assay_lines_write(FILE *out, const char *text)
{
    assay_lines_write_as(out, text, assay_terminal_width(out), assay_terminal_has_colours(out));
}

/* ---- in memory ---- */

assay_status assay_lines_open(assay_lines *lines)
{
    *lines      = (assay_lines) { .file = NULL };
    lines->file = assay_stream_open(&lines->text, &lines->size);
    return lines->file ? ASSAY_OK : ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory for a report");
}

assay_status assay_lines_close(assay_lines *lines, assay_status st, FILE *out)
{
    if (lines->file && fclose(lines->file) != 0 && st == ASSAY_OK)
        st = ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory for a report");
    if (st == ASSAY_OK)
        assay_lines_write(out, lines->text);
    free(lines->text);
    *lines = (assay_lines) { .file = NULL };
    return st;
}
