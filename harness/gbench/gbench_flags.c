/* The flags of Google Benchmark: which pass, which would do nothing here and why, what the filter
 * wants. */
#include "base/nearest.h"
#include "base/text.h"
#include "gbench.h"
#include "gbench_internal.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- values ---- */

static const char *const on_words[]   = { "true", "yes", "on", "1", "t", "y", NULL };
static const char *const off_words[]  = { "false", "no", "off", "0", "f", "n", NULL };
static const char *const unit_words[] = { "ns", "us", "ms", "s", NULL };

static bool is_among(const char *value, const char *const *words)
{
    for (; *words; words++)
        if (strcasecmp(value, *words) == 0)
            return true;
    return false;
}

static assay_status check_switch(const char *name, const char *value)
{
    if (is_among(value, on_words) || is_among(value, off_words))
        return ASSAY_OK;
    return ASSAY_FAIL(ASSAY_E_USAGE, "--%s takes true or false, not '%s'", name, value);
}

static assay_status check_color(const char *name, const char *value)
{
    if (strcmp(value, "auto") == 0 || is_among(value, on_words) || is_among(value, off_words))
        return ASSAY_OK;
    return ASSAY_FAIL(ASSAY_E_USAGE, "--%s takes auto, true or false, not '%s'", name, value);
}

static assay_status check_format(const char *name, const char *value)
{
    if (strcmp(value, "console") == 0 || strcmp(value, "json") == 0)
        return ASSAY_OK;
    if (strcmp(value, "csv") == 0)
        return ASSAY_FAIL(ASSAY_E_USAGE,
                          "--%s=csv is refused: the library's CSV ends at the first benchmark with "
                          "other counters; use: assay report --format csv",
                          name);
    return ASSAY_FAIL(ASSAY_E_USAGE, "--%s takes console or json, not '%s'", name, value);
}

/* Lower case only, as the library has it. */
static assay_status check_unit(const char *name, const char *value)
{
    for (const char *const *word = unit_words; *word; word++)
        if (strcmp(value, *word) == 0)
            return ASSAY_OK;
    return ASSAY_FAIL(ASSAY_E_USAGE, "--%s takes ns, us, ms or s, not '%s'", name, value);
}

static assay_status check_level(const char *name, const char *value)
{
    if (isdigit((unsigned char)value[0]) && value[1] == '\0')
        return ASSAY_OK;
    return ASSAY_FAIL(ASSAY_E_USAGE, "--%s takes a level from 0 to 9, not '%s'", name, value);
}

/* One key=value out of a list. */
static assay_status check_pair(const char *name, const char *pair, size_t length)
{
    const char  *equals = memchr(pair, '=', length);
    const size_t key    = equals ? (size_t)(equals - pair) : 0;

    if (key == 0 || memchr(equals + 1, '=', length - key - 1))
        return ASSAY_FAIL(ASSAY_E_USAGE, "--%s takes key=value,..., not '%.*s'", name, (int)length,
                          pair);
    if (assay_gbench_is_context(pair, key) || assay_text_after(pair, "assay"))
        return ASSAY_FAIL(ASSAY_E_USAGE, "--%s cannot have the key '%.*s': it is taken", name,
                          (int)key, pair);
    return ASSAY_OK;
}

static assay_status check_context(const char *name, const char *value)
{
    for (const char *pair = value;; pair += strcspn(pair, ",") + 1) {
        const size_t       length = strcspn(pair, ",");
        const assay_status st     = check_pair(name, pair, length);

        if (st != ASSAY_OK || pair[length] == '\0')
            return st;
    }
}

static assay_status compile_filter(const char *filter, regex_t *compiled)
{
    char reason[128];
    int  error = regcomp(compiled, filter, REG_EXTENDED | REG_NOSUB);

    if (error == 0)
        return ASSAY_OK;
    (void)regerror(error, compiled, reason, sizeof reason);
    return ASSAY_FAIL(error == REG_ESPACE ? ASSAY_E_MEMORY : ASSAY_E_USAGE,
                      "--benchmark_filter: '%s' is not a regular expression: %s", filter, reason);
}

static assay_status check_filter(const char *name, const char *value)
{
    regex_t      compiled;
    assay_status st = compile_filter(value[0] == '-' ? value + 1 : value, &compiled);

    (void)name;
    if (st == ASSAY_OK)
        regfree(&compiled);
    return st;
}

/* The library ends the process if it cannot open the file. Probing leaves nothing behind, and does
 * not open what another process reads from (a pipe would see its writer go). */
static int probe_writing(const char *path)
{
    struct stat info;
    int         fd;

    if (stat(path, &info) == 0) {
        if (S_ISDIR(info.st_mode))
            return EISDIR;
        return access(path, W_OK) == 0 ? 0 : errno;
    }
    if (errno != ENOENT)
        return errno;
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno;
    (void)close(fd);
    return unlink(path) == 0 ? 0 : errno;
}

static assay_status check_file(const char *name, const char *value)
{
    const int error = value[0] == '\0' ? 0 : probe_writing(value);

    if (value[0] == '\0')
        return ASSAY_FAIL(ASSAY_E_USAGE, "--%s takes the name of a file", name);
    if (error)
        return ASSAY_FAIL(ASSAY_E_IO, "--%s: cannot write %s: %s", name, value, strerror(error));
    return ASSAY_OK;
}

/* ---- the table ---- */

typedef struct flag_rule {
    const char *name;
    assay_status (*check)(const char *name, const char *value); /* NULL: refused */
    const char *refusal;
} flag_rule;

static const flag_rule rules[] = {
    { "benchmark_filter", check_filter, NULL },
    { "benchmark_list_tests", check_switch, NULL },
    { "benchmark_format", check_format, NULL },
    { "benchmark_out", check_file, NULL },
    { "benchmark_out_format", check_format, NULL },
    { "benchmark_color", check_color, NULL },
    { "benchmark_counters_tabular", check_switch, NULL },
    { "benchmark_context", check_context, NULL },
    { "benchmark_time_unit", check_unit, NULL },
    { "benchmark_display_aggregates_only", check_switch, NULL },
    { "benchmark_report_aggregates_only", check_switch, NULL },
    { "v", check_level, NULL },
    { "benchmark_min_time", NULL,
      "a point is sampled until its median is known well enough or its share of --budget is "
      "spent" },
    { "benchmark_min_warmup_time", NULL, "a kernel is warmed up until clock and time are steady" },
    { "benchmark_repetitions", NULL,
      "a repetition is a process (--processes), and all have measured before they are reported" },
    { "benchmark_enable_random_interleaving", NULL,
      "the variants of a point are interleaved in ABBA blocks in any case" },
    { "benchmark_perf_counters", NULL,
      "it would count the reporting, not the kernel; for GPU counters use: assay profile" },
    { "benchmark_dry_run", NULL, "to see what would be measured use: assay plan" },
};

enum {
    N_RULES = sizeof rules / sizeof rules[0]
};

static assay_status refuse_unknown(const char *name)
{
    assay_nearest nearest = { .word = name };
    char          hint[128];

    for (size_t i = 0; i < N_RULES; i++)
        if (rules[i].check)
            assay_nearest_try(&nearest, rules[i].name);
    return ASSAY_FAIL(ASSAY_E_USAGE, "Google Benchmark has no flag --%s%s", name,
                      assay_nearest_hint(&nearest, hint, sizeof hint));
}

static assay_status check_rule(const flag_rule *rule, const char *value)
{
    if (!rule->check)
        return ASSAY_FAIL(ASSAY_E_USAGE, "--%s would do nothing here: %s", rule->name,
                          rule->refusal);
    if (value)
        return rule->check(rule->name, value);
    if (rule->check == check_switch)
        return ASSAY_OK;
    return ASSAY_FAIL(ASSAY_E_USAGE, "--%s takes a value: --%s=VALUE", rule->name, rule->name);
}

static assay_status check_flag(const char *flag)
{
    const char *text = assay_text_after(flag, "--");
    char        name[128];

    if (!text)
        return ASSAY_FAIL(ASSAY_E_USAGE, "'%s' is no flag of Google Benchmark", flag);
    const size_t length = strcspn(text, "=");

    for (size_t i = 0; i < N_RULES; i++)
        if (strlen(rules[i].name) == length && strncmp(rules[i].name, text, length) == 0)
            return check_rule(&rules[i], text[length] ? text + length + 1 : NULL);
    return refuse_unknown(assay_text_set(name, sizeof name, "%.*s", (int)length, text));
}

assay_status assay_gbench_check_flags(char *const *flags, int n)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < n && st == ASSAY_OK; i++)
        st = check_flag(flags[i]);
    if (st != ASSAY_OK)
        return st;
    if (assay_gbench_flag(flags, n, "out_format") && !assay_gbench_flag(flags, n, "out"))
        return ASSAY_FAIL(ASSAY_E_USAGE, "--benchmark_out_format would do nothing here: there is "
                                         "no --benchmark_out=FILE");
    if (n > 0 && !assay_gbench_version())
        return ASSAY_FAIL(ASSAY_E_UNSUPPORTED,
                          "%s needs Google Benchmark, which this assay was built without (Debian: "
                          "libbenchmark-dev)",
                          flags[0]);
    return ASSAY_OK;
}

/* ---- what was asked for ---- */

/* Value of this flag if it is the one of that name, "true" without a value; else NULL. */
static const char *value_of(const char *flag, const char *name)
{
    const char *text = assay_text_after(flag, "--benchmark_");

    text = text ? assay_text_after(text, name) : NULL;
    if (text && text[0] == '=')
        return text + 1;
    return text && text[0] == '\0' ? "true" : NULL;
}

const char *assay_gbench_flag(char *const *flags, int n, const char *name)
{
    const char *value = NULL;

    for (int i = n - 1; i >= 0 && !value; i--)
        value = value_of(flags[i], name);
    return value;
}

bool assay_gbench_flag_is_on(char *const *flags, int n, const char *name)
{
    const char *value = assay_gbench_flag(flags, n, name);

    return value && is_among(value, on_words);
}

assay_status assay_gbench_wants(char *const *flags, int n, const char *name, bool *wanted)
{
    const char *filter = assay_gbench_flag(flags, n, "filter");
    regex_t     compiled;
    int         found;

    *wanted = true;
    if (!filter || filter[0] == '\0' || strcmp(filter, "all") == 0)
        return ASSAY_OK;
    const bool         is_negative = filter[0] == '-';
    const assay_status st          = compile_filter(is_negative ? filter + 1 : filter, &compiled);

    if (st != ASSAY_OK)
        return st;
    found = regexec(&compiled, name, 0, NULL, 0);
    regfree(&compiled);
    if (found != 0 && found != REG_NOMATCH)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory to match '%s'", filter);
    *wanted = (found == 0) != is_negative;
    return ASSAY_OK;
}

/* ---- for the library ---- */

const char *const assay_gbench_defaults[] = {
    "--benchmark_list_tests=false",
    "--benchmark_format=console",
    "--benchmark_out=",
    "--benchmark_out_format=json",
    "--benchmark_color=auto",
    "--benchmark_counters_tabular=false",
    "--benchmark_time_unit=",
    "--benchmark_display_aggregates_only=false",
    "--benchmark_report_aggregates_only=false",
    "--benchmark_min_time=",
    "--benchmark_min_warmup_time=0",
    "--benchmark_repetitions=1",
    "--benchmark_enable_random_interleaving=false",
    "--benchmark_perf_counters=",
    "--benchmark_dry_run=false",
    "--v=0",
    NULL,
};

bool assay_gbench_is_ours(const char *flag)
{
    return value_of(flag, "filter") || value_of(flag, "list_tests") || value_of(flag, "context");
}
