/* The log of compute-sanitizer, part by part: lines that begin with nine '='. A report begins with
 * a line that is not indented; those that belong to it are. */
#include "sanitize.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct line {
    const char *text; /* behind the '=' and blanks */
    int         length;
    int         n_blanks; /* before it */
    const char *next;     /* line; NULL: it is none of the tool's */
} line;

static line read_line(const char *at)
{
    static const char PREFIX[] = "=========";
    line              l        = { .text = at, .next = NULL };
    const size_t      whole    = strcspn(at, "\n");
    size_t            skipped  = strspn(at, " \t"); /* the manual indents some of its examples */

    if (strncmp(at + skipped, PREFIX, sizeof PREFIX - 1) == 0) {
        l.text     = at + skipped + sizeof PREFIX - 1;
        l.n_blanks = (int)strspn(l.text, " \t");
        l.text += l.n_blanks;
        l.next = at + whole + (at[whole] == '\n');
    }
    l.length = l.text < at + whole ? (int)(at + whole - l.text) : 0;
    while (l.length > 0 && (l.text[l.length - 1] == ' ' || l.text[l.length - 1] == '\r'))
        l.length--;
    return l;
}

static bool has(const line *l, const char *words)
{
    return l->length > 0 && memmem(l->text, (size_t)l->length, words, strlen(words)) != NULL;
}

/* ---- kinds ---- */

/* Words of a first line, and what they mean; the first row that fits decides. */
static const struct {
    const char    *words;
    assay_gpu_line kind;
    assay_verdict  verdict;
} kinds[] = {
    { "were not printed", ASSAY_GPU_UNKNOWN, ASSAY_PASS },
    { " SUMMARY: ", ASSAY_GPU_SUMMARY, ASSAY_PASS },
    { "Internal Sanitizer Error", ASSAY_GPU_TROUBLE, ASSAY_PASS },
    { "Device not supported", ASSAY_GPU_TROUBLE, ASSAY_PASS },
    { "unsupported driver version", ASSAY_GPU_TROUBLE, ASSAY_PASS },
    { "failure to track a kernel launch", ASSAY_GPU_TROUBLE, ASSAY_PASS },
    { "not supported by the selected tool", ASSAY_GPU_TROUBLE, ASSAY_PASS },
    { "No attachable process found", ASSAY_GPU_TROUBLE, ASSAY_PASS },
    { "Could not connect to target", ASSAY_GPU_TROUBLE, ASSAY_PASS },
    { "buffer overflow", ASSAY_GPU_TROUBLE, ASSAY_PASS },
    { "overflow of tracked cuda::barrier", ASSAY_GPU_TROUBLE, ASSAY_PASS },
    { "Maximum number of hazards reached", ASSAY_GPU_TROUBLE, ASSAY_PASS },
    { "Race reported between ", ASSAY_GPU_REPORT, ASSAY_RACE },
    { " hazard detected at ", ASSAY_GPU_REPORT, ASSAY_RACE },
    { "eadlock", ASSAY_GPU_REPORT, ASSAY_DEADLOCK },
    { "Barrier error detected", ASSAY_GPU_REPORT, ASSAY_MISUSE },
    { "Uninitialized ", ASSAY_GPU_REPORT, ASSAY_UNWRITTEN },
    { "Potential invalid ", ASSAY_GPU_REPORT, ASSAY_OUT_OF_BOUNDS },
    { "Invalid ", ASSAY_GPU_REPORT, ASSAY_OUT_OF_BOUNDS },
    { "Malloc/Free error", ASSAY_GPU_REPORT, ASSAY_MISUSE },
};

static void find_kind(const line *l, assay_gpu_record *record)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (has(l, kinds[i].words)) {
            record->kind    = kinds[i].kind;
            record->verdict = kinds[i].verdict;
            return;
        }
    }
    record->kind    = ASSAY_GPU_UNKNOWN;
    record->verdict = ASSAY_PASS;
}

/* "... [508 hazards]" */
static int64_t hazards_of(const line *l)
{
    const char *end = l->text + l->length;
    const char *at  = end;

    if (!has(l, " hazard") || l->length == 0 || end[-1] != ']')
        return 0;
    while (at > l->text && *at != '[')
        at--;
    return *at == '[' ? strtoll(at + 1, NULL, 10) : 0;
}

/* "ERROR SUMMARY: 2 errors", "RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)" */
static int64_t faults_of(const line *l)
{
    const char *at = strstr(l->text, "SUMMARY: ");

    return at && at < l->text + l->length ? strtoll(at + strlen("SUMMARY: "), NULL, 10) : 0;
}

/* ---- parts ---- */

static bool is_part(const line *l) { return l->next && l->n_blanks > 1 && l->length > 0; }

bool assay_sanitize_next(const char **at, assay_gpu_record *record)
{
    while (**at) {
        const line first = read_line(*at);
        line       more;

        *at += strcspn(*at, "\n") + (strchr(*at, '\n') != NULL);
        if (!first.next || first.length == 0 || is_part(&first))
            continue;
        *record = (assay_gpu_record) { .text = first.text };
        find_kind(&first, record);
        record->n    = hazards_of(&first);
        record->size = (size_t)first.length;
        while (**at && (more = read_line(*at), is_part(&more))) {
            record->n += hazards_of(&more);
            record->size = (size_t)(more.text + more.length - record->text);
            *at          = more.next;
        }
        if (record->n < 1)
            record->n = record->kind == ASSAY_GPU_SUMMARY ? faults_of(&first) : 1;
        return true;
    }
    return false;
}

/* ---- of one report ---- */

static bool is_frame(const line *l) { return has(l, "Frame:") || has(l, "host backtrace"); }

/* The line at *at of a record, which moves to the next one; false: that was the last. The first one
 * has lost its '='. */
static bool take_line(const assay_gpu_record *record, const char **at, line *l)
{
    const char *end = record->text + record->size;

    if (*at >= end)
        return false;
    *l = read_line(*at);
    if (*at == record->text)
        *l = (line) { .text = *at, .length = (int)strcspn(*at, "\n"), .n_blanks = 1 };
    if (l->text + l->length > end)
        l->length = l->text < end ? (int)(end - l->text) : 0;
    *at += strcspn(*at, "\n") + 1;
    return true;
}

char *assay_sanitize_line(const assay_gpu_record *record, char *to, size_t size)
{
    const char *at   = record->text;
    size_t      used = 0;
    line        l;

    to[0] = '\0';
    while (take_line(record, &at, &l) && used + 2 < size) {
        if (is_frame(&l) || l.length == 0)
            continue;
        (void)assay_text_set(to + used, size - used, "%s%.*s", used > 0 ? " " : "", l.length,
                             l.text);
        used += strlen(to + used);
    }
    return assay_text_make_safe(to);
}

/* Does this line tell of an access? */
static bool is_access(const line *l, bool is_first)
{
    return has(l, " access at ") || has(l, " Thread (") ||
           (is_first ? has(l, "threads starting at")
                     : l->length > 3 && strncmp(l->text, "at ", 3) == 0);
}

/* Does this line name one of the places, of which ", " stands between two? */
static bool names_one(const line *l, const char *places)
{
    for (const char *at = places; *at;) {
        const size_t length = strcspn(at, ",");

        if (memmem(l->text, (size_t)l->length, at, length))
            return true;
        at += length;
        at += strspn(at, ", ");
    }
    return false;
}

bool assay_sanitize_is_at(const assay_gpu_record *record, const char *places)
{
    const char *at = record->text;
    int         n = 0, n_there = 0;
    bool        was_there = false, is_first = true;
    line        l;

    while (take_line(record, &at, &l)) {
        if (is_access(&l, is_first)) {
            n++;
            was_there = names_one(&l, places);
            n_there += was_there;
        } else if (n > 0 && !was_there && has(&l, "Device Frame:") && names_one(&l, places)) {
            was_there = true;
            n_there++;
        }
        is_first = false;
    }
    return n > 0 && n_there == n;
}
