/* Reads values of a GPU from NVML, each separately; a value is unknown if the driver does not tell
 * it. */
#include "nvml_internal.h"

#include "base/text.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
    CLOCK_SM      = 1,
    CLOCK_MEMORY  = 2,
    SENSOR_GPU    = 0,
    FIELD_POWER   = 186, /* instantaneous, in mW */
    TYPE_UNSIGNED = 1
};

/* ---- single values: -1 (NaN) where the function is missing or refuses ---- */

static int known_int(int code, unsigned value)
{
    return code == NVML_SUCCESS && value <= INT_MAX ? (int)value : -1;
}

static int read_number(nvml_gpu *gpu, number_fn *function)
{
    unsigned  value = 0;
    const int code  = function ? function(gpu, &value) : NVML_NO_ANSWER;

    return known_int(code, value);
}

static int read_indexed(nvml_gpu *gpu, indexed_fn *function, int index)
{
    unsigned  value = 0;
    const int code  = function ? function(gpu, index, &value) : NVML_NO_ANSWER;

    return known_int(code, value);
}

static int64_t read_wide(nvml_gpu *gpu, wide_fn *function)
{
    unsigned long long value = 0;
    const int          code  = function ? function(gpu, &value) : NVML_NO_ANSWER;

    return code == NVML_SUCCESS && value <= INT64_MAX ? (int64_t)value : -1;
}

/* From thousandths. */
static double known_real(int64_t milli)
{
    return milli >= 0 ? (double)milli / 1000.0 : (double)NAN;
}

static int known_flag(int value) { return value == 0 || value == 1 ? value : -1; }

static int read_mode(nvml_gpu *gpu, mode_fn *function)
{
    unsigned  current = 0, pending = 0;
    const int code = function ? function(gpu, &current, &pending) : NVML_NO_ANSWER;

    return known_flag(known_int(code, current));
}

static int read_temperature(assay_nvml *nvml)
{
    temperature now = { .version = (unsigned)sizeof now | 1u << 24, .sensor = SENSOR_GPU };

    if (nvml->call.temperature && nvml->call.temperature(nvml->gpu, &now) == NVML_SUCCESS)
        return now.value_c;
    return read_indexed(nvml->gpu, nvml->call.old_temperature, SENSOR_GPU);
}

static int read_field(assay_nvml *nvml, unsigned id)
{
    field f = { .id = id, .code = NVML_NO_ANSWER };

    if (!nvml->call.fields || nvml->call.fields(nvml->gpu, 1, &f) != NVML_SUCCESS ||
        f.type != TYPE_UNSIGNED)
        return -1;
    return known_int(f.code, f.value.number);
}

static double read_power(assay_nvml *nvml)
{
    const int average_mw = read_number(nvml->gpu, nvml->call.power);

    return known_real(average_mw >= 0 ? average_mw : read_field(nvml, FIELD_POWER));
}

/* ---- readings and facts ---- */

int64_t assay_nvml_reasons(assay_nvml *nvml)
{
    if (!nvml)
        return -1;
    const int64_t reasons = read_wide(nvml->gpu, nvml->call.reasons);

    return reasons >= 0 ? reasons : read_wide(nvml->gpu, nvml->call.old_reasons);
}

void assay_nvml_read(assay_nvml *nvml, assay_nvml_reading *reading)
{
    *reading = (assay_nvml_reading) { .reasons       = -1,
                                      .sm_mhz        = -1,
                                      .memory_mhz    = -1,
                                      .temperature_c = -1,
                                      .power_w       = (double)NAN,
                                      .energy_j      = (double)NAN };
    if (!nvml)
        return;
    reading->reasons       = assay_nvml_reasons(nvml);
    reading->sm_mhz        = read_indexed(nvml->gpu, nvml->call.clock, CLOCK_SM);
    reading->memory_mhz    = read_indexed(nvml->gpu, nvml->call.clock, CLOCK_MEMORY);
    reading->temperature_c = read_temperature(nvml);
    reading->power_w       = read_power(nvml);
    reading->energy_j      = known_real(read_wide(nvml->gpu, nvml->call.energy));
}

/* A call that failed may have written anything. */
static void end_text(char *text, size_t size, bool is_known)
{
    text[is_known ? size - 1 : 0] = '\0';
}

static void read_version(version_fn *function, char *text, size_t size)
{
    end_text(text, size, function && function(text, (unsigned)size) == NVML_SUCCESS);
}

static void read_text(nvml_gpu *gpu, text_fn *function, char *text, size_t size)
{
    end_text(text, size, function && function(gpu, text, (unsigned)size) == NVML_SUCCESS);
}

void assay_nvml_read_facts(assay_nvml *nvml, assay_nvml_facts *facts)
{
    *facts = (assay_nvml_facts) { .mig_is_on              = -1,
                                  .persistence_is_on      = -1,
                                  .ecc_is_on              = -1,
                                  .max_sm_mhz             = -1,
                                  .max_memory_mhz         = -1,
                                  .compute_mode           = -1,
                                  .power_limit_w          = (double)NAN,
                                  .power_limit_default_w  = (double)NAN,
                                  .application_sm_mhz     = -1,
                                  .application_memory_mhz = -1 };
    if (!nvml)
        return;
    const functions *call = &nvml->call;
    nvml_gpu        *gpu  = nvml->gpu;

    read_version(call->driver, facts->driver, sizeof facts->driver);
    read_version(call->version, facts->nvml_version, sizeof facts->nvml_version);
    read_text(gpu, call->vbios, facts->vbios, sizeof facts->vbios);
    read_text(gpu, call->name, facts->name, sizeof facts->name);
    facts->mig_is_on              = read_mode(gpu, call->mig);
    facts->ecc_is_on              = read_mode(gpu, call->ecc);
    facts->persistence_is_on      = known_flag(read_number(gpu, call->persistence));
    facts->compute_mode           = read_number(gpu, call->compute_mode);
    facts->max_sm_mhz             = read_indexed(gpu, call->max_clock, CLOCK_SM);
    facts->max_memory_mhz         = read_indexed(gpu, call->max_clock, CLOCK_MEMORY);
    facts->power_limit_w          = known_real(read_number(gpu, call->power_limit));
    facts->power_limit_default_w  = known_real(read_number(gpu, call->default_power_limit));
    facts->application_sm_mhz     = read_indexed(gpu, call->application_clock, CLOCK_SM);
    facts->application_memory_mhz = read_indexed(gpu, call->application_clock, CLOCK_MEMORY);
}

/* ---- reasons in words ---- */

static const struct reason {
    int64_t     bit;
    const char *words;
} reason_words[] = {
    { 0x1, "idle" },
    { 0x2, "application clocks" },
    { ASSAY_NVML_SW_POWER_CAP, "power cap" },
    { ASSAY_NVML_HW_SLOWDOWN, "hardware slowdown" },
    { 0x10, "sync boost" },
    { ASSAY_NVML_SW_THERMAL, "thermal slowdown" },
    { ASSAY_NVML_HW_THERMAL, "hardware thermal slowdown" },
    { ASSAY_NVML_HW_POWER_BRAKE, "power brake" },
    { 0x100, "display clocks" },
};

static void append(char *text, size_t size, const char *words)
{
    const size_t used = strlen(text);

    (void)assay_text_set(text + used, size - used, "%s%s", used > 0 ? ", " : "", words);
}

char *assay_nvml_reasons_text(int64_t reasons, char *text, size_t size)
{
    int64_t rest = reasons;
    char    unnamed[24];

    if (size == 0)
        return text;
    text[0] = '\0';
    if (reasons < 0)
        return assay_text_set(text, size, "unknown (%lld)", (long long)reasons);
    if (reasons == 0)
        return assay_text_set(text, size, "none");
    for (size_t i = 0; i < sizeof reason_words / sizeof reason_words[0]; i++) {
        if (reasons & reason_words[i].bit)
            append(text, size, reason_words[i].words);
        rest &= ~reason_words[i].bit;
    }
    if (rest)
        append(text, size,
               assay_text_set(unnamed, sizeof unnamed, "0x%llx", (unsigned long long)rest));
    return text;
}

bool assay_nvml_is_throttled(int64_t reasons)
{
    return reasons >= 0 && (reasons & ASSAY_NVML_THROTTLED) != 0;
}
