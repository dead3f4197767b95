/* Values as people read them: SI units, few digits, rules as formulas, no control characters for a
 * terminal. */
#include "report_internal.h"

#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A program may run under a locale with a decimal comma; reports and CSV use a point. */
static char *with_point(char *text)
{
    for (char *p = text; *p; p++)
        if (*p == ',')
            *p = '.';
    return text;
}

static char *write_special(char *text, double value)
{
    const char *name = isnan(value) ? "NaN" : value > 0 ? "inf" : "-inf";

    (void)snprintf(text, ASSAY_CELL_SIZE, "%s", name);
    return text;
}

/* The decimal exponent after rounding to that many digits: 0.9999 to three digits is 1.00. */
static int exponent_of(double value, int digits)
{
    char        text[ASSAY_CELL_SIZE];
    const char *e;

    (void)snprintf(text, sizeof text, "%.*e", digits - 1, value);
    e = strchr(text, 'e');
    ASSAY_ASSERT(e);
    return (int)strtol(e + 1, NULL, 10);
}

char *assay_format_number(char *text, double value, int digits)
{
    int exponent, decimals;

    if (!isfinite(value))
        return write_special(text, value);
    if (value == 0) {
        (void)snprintf(text, ASSAY_CELL_SIZE, "0");
        return text;
    }
    exponent = exponent_of(value, digits);
    decimals = digits - 1 - exponent;
    if (exponent >= 7 || exponent < -3)
        (void)snprintf(text, ASSAY_CELL_SIZE, "%.*g", digits, value);
    else
        (void)snprintf(text, ASSAY_CELL_SIZE, "%.*f", decimals > 0 ? decimals : 0, value);
    return with_point(text);
}

typedef struct {
    double      size;
    const char *name;
} unit;

static const unit time_units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" } };
enum {
    N_TIME_UNITS = sizeof time_units / sizeof time_units[0]
};

/* The largest unit in which the value is at least 1 after rounding to four digits. */
static const unit *unit_of(double value, const unit *units, size_t n)
{
    size_t i = 0;

    while (i + 1 < n && fabs(value) < units[i].size * 0.99995)
        i++;
    return &units[i];
}

static char *format_in_units(char *text, double value, const unit *units, size_t n)
{
    const unit *u = unit_of(value, units, n);
    char        number[ASSAY_CELL_SIZE];

    if (!isfinite(value))
        return write_special(text, value);
    (void)assay_format_number(number, value / u->size, 4);
    (void)snprintf(text, ASSAY_CELL_SIZE, "%.100s %s", number, u->name);
    return text;
}

char *assay_format_time(char *text, double time_ns)
{
    return format_in_units(text, time_ns, time_units, N_TIME_UNITS);
}

char *assay_format_number_interval(char *text, double value, double lo, double hi, int digits)
{
    char a[ASSAY_CELL_SIZE], b[ASSAY_CELL_SIZE], c[ASSAY_CELL_SIZE];

    (void)snprintf(text, ASSAY_CELL_SIZE, "%.32s [%.32s, %.32s]",
                   assay_format_number(a, value, digits), assay_format_number(b, lo, digits),
                   assay_format_number(c, hi, digits));
    return text;
}

char *assay_format_time_interval(char *text, double time_ns, double lo_ns, double hi_ns, int digits)
{
    /* A time of 0 has no unit of its own. */
    const unit *u = unit_of(time_ns > 0 ? time_ns : hi_ns, time_units, N_TIME_UNITS);
    char        numbers[ASSAY_CELL_SIZE];

    (void)assay_format_number_interval(numbers, time_ns / u->size, lo_ns / u->size, hi_ns / u->size,
                                       digits);
    (void)snprintf(text, ASSAY_CELL_SIZE, "%.120s %s", numbers, u->name);
    return text;
}

char *assay_format_bytes(char *text, double bytes)
{
    static const unit units[] = {
        { 1e12, "TB" }, { 1e9, "GB" }, { 1e6, "MB" }, { 1e3, "kB" }, { 1, "B" }
    };

    return format_in_units(text, bytes, units, sizeof units / sizeof units[0]);
}

char *assay_format_exact(char *text, double value)
{
    return isfinite(value) ? assay_text_exact(text, ASSAY_CELL_SIZE, value)
                           : write_special(text, value);
}

/* ---- text that others wrote ---- */

static void write_escape(FILE *out, char c)
{
    static const char plain[]  = "\n\t\r";
    static const char letter[] = "ntr";
    const char       *at       = strchr(plain, c);

    if (at && c)
        (void)fprintf(out, "\\%c", letter[at - plain]);
    else
        (void)fprintf(out, "\\x%02x", (unsigned)(unsigned char)c);
}

/* Writes the character at `text`, or its bytes as escapes. Returns what follows it. */
static const char *write_character(FILE *out, const char *text)
{
    bool         is_shown = false;
    const size_t n        = assay_text_character(text, &is_shown);

    for (size_t i = 0; i < n; i++) {
        if (is_shown)
            (void)fputc(text[i], out);
        else
            write_escape(out, text[i]);
    }
    return text + n;
}

void assay_write_clean(FILE *out, const char *text)
{
    while (*text)
        text = write_character(out, text);
}

void assay_report_word(const assay_report *report, assay_mark mark, const char *text)
{
    if (report->has_marks)
        (void)fputc((int)mark, report->out);
    assay_write_clean(report->out, text);
    if (report->has_marks)
        (void)fputc(ASSAY_MARK_END, report->out);
}

static bool is_all_shown(const char *text)
{
    bool is_shown = true;

    while (*text && is_shown)
        text += assay_text_character(text, &is_shown);
    return is_shown;
}

void assay_write_shell(FILE *out, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "/._-=+:,@%";
    const bool        escaped = !is_all_shown(text);

    if (*text && text[strspn(text, plain)] == '\0') {
        (void)fputs(text, out);
        return;
    }
    (void)fputs(escaped ? "$'" : "'", out);
    while (*text) {
        if (escaped && (*text == '\'' || *text == '\\'))
            (void)fprintf(out, "\\%c", *text++);
        else if (*text == '\'' && text++)
            (void)fputs("'\\''", out);
        else
            text = write_character(out, text);
    }
    (void)fputc('\'', out);
}

/* ---- rules ---- */

static char *format_roundoff(char *text, double u)
{
    int          exponent;
    const double mantissa = frexp(u, &exponent);

    if (mantissa == 0.5)
        (void)snprintf(text, ASSAY_CELL_SIZE, "2^%d", exponent - 1);
    else
        (void)assay_format_number(text, u, 3);
    return text;
}

char *assay_format_rule(char *text, assay_cursor *row)
{
    const double c       = assay_row_number(row, "c");
    const double max_ulp = assay_row_number(row, "max_ulp");

    if (!isnan(max_ulp))
        (void)snprintf(text, ASSAY_CELL_SIZE, "<= %.0f ulp", max_ulp);
    else if (!isnan(c))
        (void)snprintf(text, ASSAY_CELL_SIZE, "bound c=%g g=%.32s", c,
                       assay_row_text(row, "growth"));
    else
        (void)snprintf(text, ASSAY_CELL_SIZE, "%.64s", assay_row_text(row, "rule"));
    return text;
}

char *assay_format_rule_full(char *text, assay_cursor *row)
{
    char         u_out[ASSAY_CELL_SIZE], u_acc[ASSAY_CELL_SIZE];
    const double c = assay_row_number(row, "c");

    if (isnan(c))
        return assay_format_rule(text, row);
    (void)snprintf(
        text, ASSAY_CELL_SIZE, "error <= %g * (%.24s * |ref| + %.24s * g * sum|terms|), g = %.32s",
        c, format_roundoff(u_out, assay_row_number(row, "u_out")),
        format_roundoff(u_acc, assay_row_number(row, "u_acc")), assay_row_text(row, "growth"));
    return text;
}

char *assay_format_ratio(char *text, assay_cursor *row, bool has_failed)
{
    const double ratio = assay_row_number(row, "worst_ratio");

    if (!isnan(ratio))
        return assay_format_number(text, ratio, 3);
    (void)snprintf(text, ASSAY_CELL_SIZE, "%s", has_failed ? "NaN" : "-");
    return text;
}

/* ---- kernels ---- */

/* Reads a length and that many characters at *at, and moves behind them. */
static bool read_name(const char **at, const char **name, int *size)
{
    char      *end;
    const long n = strtol(*at, &end, 10);

    if (end == *at || n <= 0 || (size_t)n > strlen(end) || n > ASSAY_CELL_SIZE)
        return false;
    *name = end;
    *size = (int)n;
    *at   = end + n;
    return true;
}

/* Reads the part of the Itanium mangling that kernels need: _Z, perhaps N for nested names, then
 * names with their lengths. The last name is the kernel; namespaces are left out. */
char *assay_format_kernel(char *text, const char *mangled)
{
    const char *at = mangled, *name = mangled;
    int         size = (int)strnlen(mangled, ASSAY_CELL_SIZE - 1);

    if (strncmp(at, "_Z", 2) == 0) {
        at += 2;
        at += *at == 'L';
        at += *at == 'N';
        while (isdigit((unsigned char)*at) && read_name(&at, &name, &size))
            continue;
    }
    (void)snprintf(text, ASSAY_CELL_SIZE, "%.*s", size, name);
    return text;
}
