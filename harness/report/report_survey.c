/* What a survey of files has found, for people on 80 columns and as CSV. */
#include "report_survey.h"

#include "base/text.h"
#include "report_fields.h"
#include "report_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS    = 80,
    MOST_LINES = 20, /* of a list, unless all are asked for */
};

const char *const assay_report_survey_formats[] = { "text", "csv", NULL };

/* ---- how many files a text has ---- */

typedef struct count {
    char   text[192];
    size_t n_files;
} count;

typedef struct counts {
    count *rows;
    size_t n, capacity;
} counts;

static assay_status count_one(counts *c, const char *text)
{
    assay_status st = ASSAY_OK;
    count        row;

    (void)assay_text_set(row.text, sizeof row.text, "%s", text);
    row.n_files = 1;
    for (size_t i = 0; i < c->n; i++)
        if (strcmp(c->rows[i].text, row.text) == 0)
            return c->rows[i].n_files++, ASSAY_OK;
    if (c->n == c->capacity) {
        const size_t capacity = c->capacity ? 2 * c->capacity : 32;
        count       *rows     = realloc(c->rows, capacity * sizeof *rows);

        ASSAY_REQUIRE(rows, ASSAY_E_MEMORY, "no memory for %zu reasons", capacity);
        c->rows     = rows;
        c->capacity = capacity;
    }
    c->rows[c->n++] = row;
out:
    return st;
}

static int by_files(const void *a, const void *b)
{
    const count *x = a, *y = b;

    if (x->n_files != y->n_files)
        return x->n_files < y->n_files ? 1 : -1;
    return strcmp(x->text, y->text);
}

static assay_status count_reasons(const assay_survey *survey, counts *c)
{
    assay_status st = ASSAY_OK;

    for (size_t i = 0; i < survey->n_files; i++) {
        const assay_survey_reason *r = &survey->files[i].reason;
        char                       text[192];

        if (r->kind == ASSAY_SURVEY_TAKEN)
            continue;
        (void)assay_text_set(text, sizeof text, "%s%s", assay_survey_text(r->kind), r->what);
        ASSAY_CHECK(count_one(c, text));
    }
out:
    return st;
}

static assay_status count_unknown(const assay_survey *survey, counts *c)
{
    assay_status st = ASSAY_OK;

    for (size_t i = 0; i < survey->n_files; i++)
        for (const char *at = survey->files[i].unknown; at && *at; at += strcspn(at, "\n") + 1) {
            char text[192];

            (void)assay_text_set(text, sizeof text, "%.*s", (int)strcspn(at, "\n"), at);
            ASSAY_CHECK(count_one(c, text));
        }
out:
    return st;
}

/* ---- text ---- */

/* Writes text with line breaks. The stream is already at column `indent`. A word that is too long
 * for a line is not cut. */
static void write_wrapped(FILE *out, const char *text, int indent)
{
    int column = indent;

    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        const int n = (int)strcspn(text, " ");

        if (column > indent && column + 1 + n > COLUMNS) {
            (void)fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            (void)fputc(' ', out);
            column++;
        }
        (void)fprintf(out, "%.*s", n, text);
        column += n;
        text += n;
    }
    (void)fputc('\n', out);
}

static size_t lines_of(size_t n, bool all) { return all || n <= MOST_LINES ? n : MOST_LINES; }

static void write_rest(FILE *out, size_t n, size_t shown, const char *what)
{
    if (n > shown)
        (void)fprintf(out, "         and %zu more %s: --verbose shows them\n", n - shown, what);
}

static void write_counts(FILE *out, const char *title, const char *what, counts *c, bool all)
{
    const size_t shown = lines_of(c->n, all);

    if (c->n == 0)
        return;
    qsort(c->rows, c->n, sizeof *c->rows, by_files);
    (void)fprintf(out, "\n  files  %s\n", title);
    for (size_t i = 0; i < shown; i++) {
        (void)fprintf(out, "%7zu  ", c->rows[i].n_files);
        write_wrapped(out, c->rows[i].text, 9);
    }
    write_rest(out, c->n, shown, what);
}

typedef struct sums {
    size_t n_taken, n_without, n_kernels, n_headers;
} sums;

static sums sum_up(const assay_survey *survey)
{
    sums s = { .n_taken = 0 };

    for (size_t i = 0; i < survey->n_files; i++) {
        const assay_survey_file *f        = &survey->files[i];
        const bool               is_taken = f->reason.kind == ASSAY_SURVEY_TAKEN;

        s.n_taken += is_taken;
        s.n_without += is_taken && f->n_kernels == 0;
        s.n_kernels += is_taken ? (size_t)f->n_kernels : 0;
        s.n_headers += f->reason.kind == ASSAY_SURVEY_HEADER;
    }
    return s;
}

static void write_head(FILE *out, const assay_survey *survey, const sums *s)
{
    (void)fprintf(out, "%zu of %zu files are taken as they are\n", s->n_taken, survey->n_files);
    if (s->n_taken > 0)
        (void)fprintf(out, "In them: %zu __global__ functions; files without one: %zu\n",
                      s->n_kernels, s->n_without);
    if (survey->n_unread > 0)
        (void)fprintf(out, "Folders and files that could not be read: %zu\n", survey->n_unread);
}

/* The part of a sentence after the file's own name, from the line number on: ":7:12: error: ..." of
 * "src/a.cu:7:12: error: ...". NULL: the sentence is about another file, or about none. */
static const char *after_name(const assay_survey_file *f)
{
    const char *place = assay_text_after(f->reason.sentence, f->path);

    return place && *place == ':' && strstr(place, ": ") ? place : NULL;
}

static void write_file(FILE *out, const assay_survey_file *f)
{
    const char *place  = after_name(f);
    const int   length = place ? (int)(strstr(place, ": ") - place) : 0;

    (void)fputs("  ", out);
    assay_write_clean(out, f->path);
    (void)fprintf(out, "%.*s\n      ", length, place ? place : "");
    write_wrapped(out, place ? place + length + 2 : f->reason.sentence, 6);
}

static void write_files(FILE *out, const assay_survey *survey, size_t n, bool all)
{
    const size_t shown = lines_of(n, all);
    size_t       left  = shown;

    if (n > 0)
        (void)fputs("\nNot taken, and the first error of each\n", out);
    for (size_t i = 0; i < survey->n_files && left > 0; i++) {
        const assay_survey_file *f = &survey->files[i];

        if (f->reason.kind == ASSAY_SURVEY_TAKEN)
            continue;
        write_file(out, f);
        left--;
    }
    write_rest(out, n, shown, "files");
}

static assay_status write_text(const assay_survey *survey, bool all, FILE *out)
{
    assay_status st      = ASSAY_OK;
    counts       reasons = { .rows = NULL }, unknown = { .rows = NULL };
    const sums   s = sum_up(survey);

    ASSAY_CHECK(count_reasons(survey, &reasons));
    ASSAY_CHECK(count_unknown(survey, &unknown));
    write_head(out, survey, &s);
    write_counts(out, "why not", "reasons", &reasons, all);
    if (s.n_headers > 0)
        (void)fputs("         --include DIR says where headers are\n", out);
    write_counts(out, "taken, with PTX that the host device has not (UNSUPPORTED if reached)",
                 "instructions", &unknown, all);
    write_files(out, survey, survey->n_files - s.n_taken, all);
out:
    free(reasons.rows);
    free(unknown.rows);
    return st;
}

/* ---- CSV ---- */

static const char *const names[] = { "file", "taken",    "kernels",    "kind",
                                     "what", "sentence", "unknown_ptx" };
enum {
    N_FIELDS = sizeof names / sizeof names[0]
};

static assay_status write_csv_row(const assay_survey_file *f, FILE *out)
{
    assay_status st       = ASSAY_OK;
    const bool   is_taken = f->reason.kind == ASSAY_SURVEY_TAKEN;
    char        *unknown  = strdup(f->unknown ? f->unknown : "");

    ASSAY_REQUIRE(unknown, ASSAY_E_MEMORY, "no memory for a row of the survey");
    for (char *at = unknown; *at; at++)
        if (*at == '\n')
            *at = at[1] ? ' ' : '\0';
    const assay_field fields[] = {
        ASSAY_TEXT(f->path),        ASSAY_TRUTH(is_taken),
        ASSAY_NUMBER(f->n_kernels), ASSAY_TEXT(assay_survey_word(f->reason.kind)),
        ASSAY_TEXT(f->reason.what), ASSAY_TEXT(f->reason.sentence),
        ASSAY_TEXT(unknown),
    };
    assay_write_csv_fields(out, fields, N_FIELDS);
out:
    free(unknown);
    return st;
}

static assay_status write_csv(const assay_survey *survey, FILE *out)
{
    assay_status st = ASSAY_OK;

    assay_write_csv_names(out, names, N_FIELDS);
    for (size_t i = 0; i < survey->n_files; i++)
        ASSAY_CHECK(write_csv_row(&survey->files[i], out));
out:
    return st;
}

assay_status assay_report_survey(const assay_survey *survey, const char *format, bool all,
                                 FILE *out)
{
    return strcmp(format, "csv") == 0 ? write_csv(survey, out) : write_text(survey, all, out);
}
