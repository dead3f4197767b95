/* What the files of the report share. No other module includes this. */
#ifndef ASSAY_REPORT_INTERNAL_H
#define ASSAY_REPORT_INTERNAL_H

#include "report.h"
#include "report_lines.h"
#include "store/store.h"

/* One report that is being written. */
typedef struct assay_report {
    assay_store *store; /* opened for reading */
    int64_t      run_id;
    FILE        *out;
    bool         has_marks; /* `out` goes through assay_lines_write */
} assay_report;

/* Writes a text of the database between marks, if the report has them. */
void assay_report_word(const assay_report *report, assay_mark mark, const char *text);

assay_status assay_report_screen(const assay_report *report); /* the short report */
assay_status assay_report_text(const assay_report *report);   /* the report with all details */
assay_status assay_report_csv(const assay_report *report);
assay_status assay_report_csv_axes(const assay_report *report); /* a further column for each axis */
assay_status assay_report_traced(const assay_report *report);   /* sections of a traced point */
assay_status
assay_report_cases(const assay_report *report); /* the part of the text report by case */
/* Writes what the numbers depend on: policy, floor and ceilings, and what could not be counted. */
assay_status assay_report_grounds(const assay_report *report);

/* Writes how many points have which outcome, and what to do about those that are not finished. */
assay_status assay_report_counts(const assay_report *report);
/* Writes one line: the run's number, those counts and the first failure. */
assay_status assay_report_brief(const assay_report *report);

/* Writes the points that failed, each with what failed and the command that repeats it. */
assay_status assay_report_failed(const assay_report *report);

/* Writes the points that were skipped, by reason, and those that passed with a note. */
assay_status assay_report_skipped(const assay_report *report);
assay_status assay_report_notes(const assay_report *report);

/* ---- the command that repeats a point ---- */

/* The options of a run on which its verdicts depend. */
typedef struct assay_replay {
    char program[1024], verb[ASSAY_NAME_SIZE], kernels[1024], script[1024], device[ASSAY_NAME_SIZE],
        gpu[ASSAY_NAME_SIZE];
    char whole[2048]; /* of a user's program: its whole command line; "" */
    bool is_strict;   /* --strict-memory-model */
} assay_replay;

assay_status assay_replay_read(const assay_report *report, assay_replay *replay);
/* Writes the command line, for a shell; `point` has the columns key, tuned, seed and
 * is_timed. */
void assay_replay_write(FILE *out, const assay_replay *replay, assay_cursor *point);

/* ---- queries that are read case by case ---- */

/* A query, at its next row. */
typedef struct assay_report_stream {
    assay_cursor *row;
    bool          has_row;
} assay_report_stream;

typedef struct assay_case_id {
    char    name[ASSAY_NAME_SIZE];
    int64_t version;
} assay_case_id;

/* Moves to the next row. */
assay_status assay_report_advance(assay_report_stream *s);
bool         assay_report_is_of_case(const assay_report_stream *s, const assay_case_id *id);

/* Writes one part of the text of one case: the rows of `id`. Moves the stream to the next case. */
typedef assay_status assay_part_fn(FILE *out, assay_report_stream *s, const assay_case_id *id);

/* A part, and the query that it reads. */
typedef struct assay_case_part {
    const char    *query;
    assay_part_fn *write;
} assay_case_part;

enum {
    ASSAY_MAX_PARTS = 16
};

/* Writes the title of each case, with its version if `shows` that, and its parts in order (n of
 * them, at most ASSAY_MAX_PARTS). Tells whether the part with index `timings` had a row. */
assay_status assay_report_by_case(const assay_report *report, const assay_case_part *parts, int n,
                                  bool shows_version, int timings, bool *is_measured);

assay_part_fn assay_report_timings, assay_report_undecided, assay_report_first_calls;
assay_part_fn assay_report_comparisons, assay_report_fits;
assay_part_fn assay_report_trials, assay_report_sections, assay_report_launches;
assay_part_fn assay_report_counted, assay_report_facts, assay_report_metrics, assay_report_memory;

/* ---- values as text ---- */

enum {
    ASSAY_CELL_SIZE = 160
};

/* Each writes into `text` (ASSAY_CELL_SIZE bytes) and returns it. */
char *assay_format_number(char *text, double value, int digits); /* significant digits */
char *assay_format_time(char *text, double time_ns);             /* 4 significant digits, SI unit */
/* "13.20 [11.02, 15.13] ns", in the value's unit. */
char *assay_format_time_interval(char *text, double time_ns, double lo_ns, double hi_ns,
                                 int digits);
char *assay_format_number_interval(char *text, double value, double lo, double hi, int digits);
char *assay_format_bytes(char *text, double bytes); /* decimal unit */
char *assay_format_exact(char  *text,
                         double value); /* shortest text that reads back as the same double */

/* "2.000x [1.960, 2.040]", with as many digits as distinguish the ends from each other and from 1;
 * only the ratio if an end is NaN. */
char *assay_format_interval(char *text, double ratio, double lo, double hi);

/* Values of a measurement: how far its median can be off, in percent; its share of the nearer
 * ceiling; why its time cannot be trusted as it is. "-" if there is nothing to say. */
char *assay_format_uncertainty(char *text, assay_cursor *row);
char *assay_format_share(char *text, assay_cursor *row);
char *assay_format_doubt(char *text, assay_cursor *row);

/* Writes text from the database for a terminal: control characters become escapes. */
void assay_write_clean(FILE *out, const char *text);
/* Writes it as Markdown that shows it unchanged, on one line: control characters become visible
 * escapes. */
void assay_write_markdown(FILE *out, const char *text);
/* Writes it as a field of CSV (RFC 4180), quoted if needed. */
void assay_write_csv(FILE *out, const char *text);

/* ---- rules ---- */

/* Write the rule of a check, from the columns rule, c, u_out, u_acc, growth and max_ulp. */
char *assay_format_rule(char *text, assay_cursor *row);      /* for a table */
char *assay_format_rule_full(char *text, assay_cursor *row); /* the whole formula */
/* Writes the worst error / bound: "-" if nothing was compared, NaN if it failed with one. */
char *assay_format_ratio(char *text, assay_cursor *row, bool has_failed);

/* ---- aligned tables ---- */

enum {
    ASSAY_COLUMN_RIGHT = 1, /* aligned right; the same as `true` */
    /* Its cells are marked; only in tables that go through assay_lines_write. */
    ASSAY_COLUMN_BAD     = 2,
    ASSAY_COLUMN_DOUBT   = 4,
    ASSAY_COLUMN_VERDICT = 8 /* marked by the verdict in it */
};

typedef struct assay_column {
    const char *title;
    unsigned    form; /* a sum of the above */
} assay_column;

/* Cells are kept until they are printed. A column is left out if every cell is "-". */
typedef struct assay_table {
    const assay_column *columns;
    int                 n_columns;
    char              **cells;
    size_t              n_cells, capacity;
    assay_status        status; /* the first failure; print returns it */
} assay_table;

void assay_table_add(assay_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "-" for an empty text, null, or NaN. */
void assay_table_add_text(assay_table *table, assay_cursor *row, const char *column);
void assay_table_add_count(assay_table *table, assay_cursor *row, const char *column);
/* Also "-" for 0. */
void assay_table_add_positive(assay_table *table, assay_cursor *row, const char *column);
void assay_table_add_time(assay_table *table, assay_cursor *row, const char *column);
void assay_table_add_number(assay_table *table, double value, int digits);
/* Adds a line between rows; only after whole rows. */
void         assay_table_heading(assay_table *table, const char *text);
assay_status assay_table_print(const assay_table *table, FILE *out, int indent);
void         assay_table_free(assay_table *table); /* accepts NULL */

/* A table of one case: a title and, if it is by configuration, a heading for each combination of
 * axis values. */
typedef struct assay_case_table {
    const char         *title; /* NULL: none */
    const assay_column *columns;
    int                 n_columns;
    bool                by_axes;
    int64_t             most; /* the most rows of a case that are shown; 0: all */
    void (*add)(assay_table *table, assay_cursor *row);
} assay_case_table;
assay_status assay_report_case_table(FILE *out, assay_report_stream *s, const assay_case_id *id,
                                     const assay_case_table *what);

/* Writes the name of a kernel from its mangled name, as in the source; the whole text if it is not
 * mangled or cannot be read. ASSAY_CELL_SIZE bytes. */
char *assay_format_kernel(char *text, const char *mangled);

#endif
