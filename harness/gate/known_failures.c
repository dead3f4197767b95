/* Reads the list of known failures strictly, since a mistyped entry must not hide a failure. */
#include "known_failures.h"

#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    FILE_LIMIT = 1 << 20 /* bytes; no list that a person keeps is longer */
};

/* A piece of the line that is being read. */
typedef struct field {
    const char *text;
    int         length;
} field;

/* The position of the reader, for its errors. */
typedef struct reader {
    assay_known_failures *list;
    const char           *today;
    int                   line;
} reader;

#define FAIL_AT(r, ...) fail_at((r), __LINE__, __VA_ARGS__)
static assay_status fail_at(const reader *r, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static assay_status fail_at(const reader *r, int line, const char *format, ...)
{
    char    words[256];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return assay_fail(ASSAY_E_USAGE, __FILE__, line, "%s:%d: %s", r->list->path, r->line, words);
}

/* ---- one line ---- */

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Returns the next word of a line; length 0 at its end. */
static field take_word(const char **at, const char *end)
{
    field word;

    while (*at < end && is_blank(**at))
        ++*at;
    word.text = *at;
    while (*at < end && !is_blank(**at))
        ++*at;
    word.length = (int)(*at - word.text);
    return word;
}

/* Returns the rest of the line, without blanks around it. */
static field take_rest(const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    while (end > at && is_blank(end[-1]))
        end--;
    return (field) { .text = at, .length = (int)(end - at) };
}

static int read_digits(const char *text, int n)
{
    int value = 0;

    for (int i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        value = 10 * value + (text[i] - '0');
    }
    return value;
}

/* Is it YYYY-MM-DD, of a day that exists? */
static bool is_date(field word)
{
    static const int n_days[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    int              year, month, day;

    if (word.length != 10 || word.text[4] != '-' || word.text[7] != '-')
        return false;
    year  = read_digits(word.text, 4);
    month = read_digits(word.text + 5, 2);
    day   = read_digits(word.text + 8, 2);
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > n_days[month - 1])
        return false;
    return month != 2 || day < 29 || (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
}

static assay_status copy_field(const reader *r, const char *what, field word, char *to, size_t size)
{
    if (word.length == 0)
        return FAIL_AT(r, "has no %s; an entry is CASE VARIANT YYYY-MM-DD REASON", what);
    if ((size_t)word.length >= size)
        return FAIL_AT(r, "its %s is longer than %zu characters", what, size - 1);
    memcpy(to, word.text, (size_t)word.length);
    to[word.length] = '\0';
    return ASSAY_OK;
}

static assay_status read_entry(const reader *r, const char *at, const char *end,
                               assay_known_failure *entry)
{
    assay_status st        = ASSAY_OK;
    const field  case_name = take_word(&at, end), variant = take_word(&at, end);
    const field  expires = take_word(&at, end), reason = take_rest(at, end);

    *entry = (assay_known_failure) { .line = r->line };
    ASSAY_CHECK(copy_field(r, "case", case_name, entry->case_name, sizeof entry->case_name));
    ASSAY_CHECK(copy_field(r, "variant", variant, entry->variant, sizeof entry->variant));
    if (expires.length > 0 && !is_date(expires)) {
        st = FAIL_AT(r, "the last day on which it holds is YYYY-MM-DD, not '%.*s'",
                     expires.length < 40 ? expires.length : 40, expires.text);
        goto out;
    }
    ASSAY_CHECK(copy_field(r, "last day", expires, entry->expires, sizeof entry->expires));
    ASSAY_CHECK(copy_field(r, "reason", reason, entry->reason, sizeof entry->reason));
    entry->is_expired = strcmp(r->today, entry->expires) > 0;
out:
    return st;
}

static assay_status add_entry(reader *r, const assay_known_failure *entry)
{
    assay_known_failures      *list = r->list;
    const assay_known_failure *twin =
        assay_known_failures_find(list, entry->case_name, entry->variant);
    assay_known_failure *grown = NULL;

    if (twin)
        return FAIL_AT(r, "%s %s is in line %d already", entry->case_name, entry->variant,
                       twin->line);
    grown = realloc(list->entries, ((size_t)list->n + 1) * sizeof *grown);
    if (!grown)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for %d known failures", list->n + 1);
    list->entries    = grown;
    grown[list->n++] = *entry;
    return ASSAY_OK;
}

static assay_status read_line(reader *r, const char *at, const char *end)
{
    assay_known_failure entry;
    assay_status        st = ASSAY_OK;

    if (end > at && end[-1] == '\r')
        end--;
    for (const char *c = at; c < end; c++)
        if (((unsigned char)*c < ' ' && *c != '\t') || *c == 0x7f)
            return FAIL_AT(r, "holds a control character (byte %d)", (unsigned char)*c);
    if (take_rest(at, end).length == 0 || take_rest(at, end).text[0] == '#')
        return ASSAY_OK;
    ASSAY_CHECK(read_entry(r, at, end, &entry));
    ASSAY_CHECK(add_entry(r, &entry));
out:
    return st;
}

/* ---- the list ---- */

assay_status assay_known_failures_parse(const char *path, const char *text, size_t size,
                                        const char *today, assay_known_failures *list)
{
    const char  *end = text + size;
    reader       r   = { .list = list, .today = today };
    assay_status st  = ASSAY_OK;

    *list = (assay_known_failures) { .n = 0 };
    (void)assay_text_set(list->path, sizeof list->path, "%s", path);
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));

        r.line++;
        stop = stop ? stop : end;
        ASSAY_CHECK(read_line(&r, text, stop));
        text = stop < end ? stop + 1 : end;
    }
out:
    if (st != ASSAY_OK)
        assay_known_failures_free(list);
    return st;
}

/* The current day in UTC, so that a list means the same on every host. */
static assay_status tell_today(char *text, size_t size)
{
    const time_t now = time(NULL);
    struct tm    day;

    if (now == (time_t)-1 || !gmtime_r(&now, &day) || strftime(text, size, "%Y-%m-%d", &day) == 0)
        return ASSAY_FAIL(ASSAY_E_INTERNAL, "this host does not know today's date");
    return ASSAY_OK;
}

static assay_status read_text(FILE *file, const char *path, char **text, size_t *size)
{
    assay_status st = ASSAY_OK;

    *text = malloc(FILE_LIMIT + 1);
    ASSAY_REQUIRE(*text, ASSAY_E_MEMORY, "no memory to read %s", path);
    *size = fread(*text, 1, FILE_LIMIT + 1, file);
    ASSAY_REQUIRE(!ferror(file), ASSAY_E_IO, "cannot read %s: %s", path, strerror(errno));
    ASSAY_REQUIRE(*size <= FILE_LIMIT, ASSAY_E_USAGE,
                  "%s is longer than %d bytes: it is not a list of known failures", path,
                  FILE_LIMIT);
out:
    return st;
}

assay_status assay_known_failures_read(const char *path, assay_known_failures *list)
{
    const char  *name = path ? path : ASSAY_KNOWN_FAILURES_FILE;
    FILE        *file = fopen(name, "rb");
    char        *text = NULL, today[16];
    size_t       size = 0;
    assay_status st   = ASSAY_OK;

    *list = (assay_known_failures) { .n = 0 };
    if (!file && !path && errno == ENOENT)
        return ASSAY_OK;
    ASSAY_REQUIRE(file, ASSAY_E_USAGE, "cannot open the list of known failures %s: %s", name,
                  strerror(errno));
    ASSAY_CHECK(tell_today(today, sizeof today));
    ASSAY_CHECK(read_text(file, name, &text, &size));
    ASSAY_CHECK(assay_known_failures_parse(name, text, size, today, list));
out:
    free(text);
    if (file)
        (void)fclose(file); /* was only read */
    return st;
}

void assay_known_failures_free(assay_known_failures *list)
{
    if (!list)
        return;
    free(list->entries);
    *list = (assay_known_failures) { .n = 0 };
}

const assay_known_failure *assay_known_failures_find(const assay_known_failures *list,
                                                     const char *case_name, const char *variant)
{
    for (int i = 0; i < list->n; i++)
        if (strcmp(list->entries[i].case_name, case_name) == 0 &&
            strcmp(list->entries[i].variant, variant) == 0)
            return &list->entries[i];
    return NULL;
}
