/* Reads the values of options from their arguments. */
#include "cli_internal.h"

#include "lanes.h"

#include "base/text.h"
#include "report/report_compare.h"
#include "sanitize/sanitize.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

bool assay_read_flag(const char *argument, void *member)
{
    (void)argument;
    *(bool *)member = true;
    return true;
}

bool assay_read_text(const char *argument, void *member)
{
    *(const char **)member = argument;
    return true;
}

bool assay_read_optional_text(const char *argument, void *member)
{
    return assay_read_text(argument ? argument : "", member);
}

bool assay_read_regime(const char *argument, void *member)
{
    return assay_regime_find(argument, member);
}

bool assay_read_seconds(const char *argument, void *member)
{
    static const struct {
        const char *unit;
        double      factor;
    } units[]       = { { "", 1 }, { "s", 1 }, { "m", 60 }, { "min", 60 }, { "h", 3600 } };
    char   *end     = NULL;
    double *seconds = member;

    errno    = 0;
    *seconds = strtod(argument, &end);
    if (errno || end == argument || !(*seconds > 0) || *seconds > 1e9)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(end, units[i].unit) == 0) {
            *seconds *= units[i].factor;
            return true;
        }
    }
    return false;
}

bool assay_read_age(const char *argument, void *member)
{
    char  *end = NULL;
    double age = strtod(argument, &end);

    *(double *)member = 86400 * age * (*end == 'w' ? 7 : 1);
    return end != argument && (*end == 'd' || *end == 'w') && end[1] == '\0' && age > 0 &&
           age < 1e6;
}

bool assay_read_percent(const char *argument, void *member)
{
    char  *end   = NULL;
    double share = strtod(argument, &end) / 100;

    *(double *)member = share;
    return end != argument && *end == '\0' && share > 0 && share <= 1;
}

/* "1%" and "1" both mean one percent. */
bool assay_read_threshold(const char *argument, void *member)
{
    char  *end   = NULL;
    double share = strtod(argument, &end) / 100;

    *(double *)member = share;
    return end != argument && (*end == '\0' || strcmp(end, "%") == 0) && share > 0 && share < 1;
}

/* A decimal number, also with leading zeros, or a hexadecimal one with 0x. */
static bool read_whole(const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
    const bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char      *end    = NULL;

    if (text[0] < '0' || text[0] > '9')
        return false;
    errno  = 0;
    *value = strtoull(text, &end, is_hex ? 16 : 10);
    return !errno && *end == '\0' && *value >= least && *value <= most;
}

static bool read_int(const char *argument, int least, int most, void *member)
{
    uint64_t value = 0;

    if (!read_whole(argument, (uint64_t)least, (uint64_t)most, &value))
        return false;
    *(int *)member = (int)value;
    return true;
}

bool assay_read_gpu(const char *argument, void *member)
{
    return read_int(argument, 0, 1024, member);
}

bool assay_read_processes(const char *argument, void *member)
{
    return read_int(argument, 1, ASSAY_MAX_PROCESSES, member);
}

bool assay_read_jobs(const char *argument, void *member)
{
    return read_int(argument, 1, 64, member);
}

bool assay_read_keep(const char *argument, void *member)
{
    return read_int(argument, 1, 1000000, member);
}

bool assay_read_each(const char *argument, void *member)
{
    return read_int(argument, 1, 1000000, member);
}

/* "2/7", two decimal numbers. */
bool assay_read_shard(const char *argument, void *member)
{
    assay_shard *shard = member;
    char         index[16];
    const char  *slash = strchr(argument, '/');

    if (!slash || (size_t)(slash - argument) >= sizeof index ||
        strspn(argument, "0123456789/") != strlen(argument))
        return false;
    (void)assay_text_set(index, sizeof index, "%.*s", (int)(slash - argument), argument);
    return read_int(slash + 1, 1, 10000, &shard->count) &&
           read_int(index, 1, shard->count, &shard->index);
}

bool assay_read_seed(const char *argument, void *member)
{
    uint64_t *seed = member;

    if (strcmp(argument, "random") == 0)
        return getrandom(seed, sizeof *seed, 0) == (ssize_t)sizeof *seed;
    return read_whole(argument, 0, UINT64_MAX, seed);
}

bool assay_read_tier(const char *argument, void *member)
{
    bool *tiers = member;

    tiers[ASSAY_QUICK] = strcmp(argument, "full") != 0;
    tiers[ASSAY_FULL]  = strcmp(argument, "quick") != 0;
    return true;
}

bool assay_read_tuning(const char *argument, void *member)
{
    *(assay_tuning_choice *)member = strcmp(argument, "extremes") == 0 ? ASSAY_TUNING_EXTREMES
                                     : strcmp(argument, "all") == 0    ? ASSAY_TUNING_ALL
                                                                       : ASSAY_TUNING_DEFAULT;
    return true;
}

/* A chip's name as CUPTI spells it. */
bool assay_read_chip(const char *argument, void *member)
{
    char *chip = member;
    int   n    = 0;

    for (; argument[n] && n < ASSAY_NAME_SIZE - 1; n++)
        chip[n] = (char)toupper((unsigned char)argument[n]);
    chip[n] = '\0';
    return n > 0 && !argument[n];
}

bool assay_read_tool(const char *argument, void *member)
{
    return assay_sanitize_parse(argument, member);
}

bool assay_read_lanes(const char *argument, void *member)
{
    return assay_lanes_parse(argument, member);
}
