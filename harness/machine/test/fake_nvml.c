/* A shared library in place of NVML with one GPU, scripted by environment variables. Their names
 * start with ASSAY_FAKE_NVML_:
 *
 *   FAIL: functions that refuse, as "nvmlInit_v2=9 nvmlDeviceGetName": with that code, or with 999.
 *     One value of nvmlDeviceGetFieldValues is called field186. nvmlErrorString then returns NULL.
 *   BUS_ID: where the GPU is; by default, wherever it is looked for.
 *   DRIVER, VERSION, VBIOS, NAME: texts. A text that is too long arrives without its terminator.
 *   The variables of `numbers` below: "4,0x20,0" is 4 at the first call, 0 from the third call on.
 *
 * A function that refuses has still written its value. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    OK               = 0,
    UNINITIALIZED    = 1,
    INVALID_ARGUMENT = 2,
    NOT_SUPPORTED    = 3,
    NOT_FOUND        = 6,
    WRONG_VERSION    = 25,
    UNKNOWN          = 999
};

typedef struct gpu {
    int unused;
} gpu;

static gpu the_gpu;
static int n_open;

/* ---- the script ---- */

#define VARIABLE(name) "ASSAY_FAKE_NVML_" name

enum {
    REASONS,
    SM_MHZ,
    MEMORY_MHZ,
    MAX_SM_MHZ,
    MAX_MEMORY_MHZ,
    TEMPERATURE_C,
    POWER_MW,
    POWER_NOW_MW,
    POWER_NOW_TYPE,
    POWER_LIMIT_MW,
    DEFAULT_LIMIT_MW,
    APPLICATION_SM_MHZ,
    APPLICATION_MEMORY_MHZ,
    ENERGY_MJ,
    MIG,
    ECC,
    PERSISTENCE,
    COMPUTE_MODE,
    N_NUMBERS
};

static struct number {
    const char        *variable;
    unsigned long long otherwise;
    int                n_calls;
} numbers[N_NUMBERS] = {
    [REASONS]                = { VARIABLE("REASONS"), 0, 0 },
    [SM_MHZ]                 = { VARIABLE("SM_MHZ"), 1980, 0 },
    [MEMORY_MHZ]             = { VARIABLE("MEMORY_MHZ"), 2619, 0 },
    [MAX_SM_MHZ]             = { VARIABLE("MAX_SM_MHZ"), 1981, 0 },
    [MAX_MEMORY_MHZ]         = { VARIABLE("MAX_MEMORY_MHZ"), 2620, 0 },
    [TEMPERATURE_C]          = { VARIABLE("TEMPERATURE_C"), 41, 0 },
    [POWER_MW]               = { VARIABLE("POWER_MW"), 123400, 0 },
    [POWER_NOW_MW]           = { VARIABLE("POWER_NOW_MW"), 567800, 0 },
    [POWER_NOW_TYPE]         = { VARIABLE("POWER_NOW_TYPE"), 1, 0 },
    [POWER_LIMIT_MW]         = { VARIABLE("POWER_LIMIT_MW"), 700000, 0 },
    [DEFAULT_LIMIT_MW]       = { VARIABLE("DEFAULT_LIMIT_MW"), 650000, 0 },
    [APPLICATION_SM_MHZ]     = { VARIABLE("APPLICATION_SM_MHZ"), 1755, 0 },
    [APPLICATION_MEMORY_MHZ] = { VARIABLE("APPLICATION_MEMORY_MHZ"), 2600, 0 },
    [ENERGY_MJ]              = { VARIABLE("ENERGY_MJ"), 9000500, 0 },
    [MIG]                    = { VARIABLE("MIG"), 0, 0 },
    [ECC]                    = { VARIABLE("ECC"), 1, 0 },
    [PERSISTENCE]            = { VARIABLE("PERSISTENCE"), 1, 0 },
    [COMPUTE_MODE]           = { VARIABLE("COMPUTE_MODE"), 0, 0 },
};

static unsigned long long number(int which)
{
    struct number     *n     = &numbers[which];
    const char        *text  = getenv(n->variable);
    char              *end   = NULL;
    unsigned long long value = n->otherwise;

    for (int i = 0; text && i <= n->n_calls; i++) {
        value = strtoull(text, &end, 0);
        text  = *end == ',' ? end + 1 : NULL;
    }
    n->n_calls++;
    return value;
}

/* The code with which FAIL makes a function refuse; 0 if FAIL does not name it. */
static int ordered(const char *function)
{
    const size_t length = strlen(function);
    const char  *word   = getenv(VARIABLE("FAIL"));

    while (word && *word) {
        if (strncmp(word, function, length) == 0 && word[length] == '=')
            return atoi(word + length + 1);
        if (strncmp(word, function, length) == 0 && strchr(" ", word[length]))
            return UNKNOWN;
        word = strchr(word, ' ');
        word = word ? word + 1 : NULL;
    }
    return OK;
}

/* What a function about a GPU returns. */
static int code_of(const char *function, const gpu *which)
{
    if (n_open <= 0)
        return UNINITIALIZED;
    if (which != &the_gpu)
        return INVALID_ARGUMENT;
    return ordered(function);
}

static void give_text(const char *variable, const char *otherwise, char *to, unsigned size)
{
    const char *text = getenv(variable);

    text                = text ? text : otherwise;
    const size_t length = strlen(text) + 1;

    memcpy(to, text, length < size ? length : size);
}

/* ---- what NVML exports ---- */

int nvmlInit_v2(void)
{
    const int code = ordered(__func__);

    for (int i = 0; i < N_NUMBERS; i++)
        numbers[i].n_calls = 0;
    n_open += code == OK;
    return code;
}

int nvmlShutdown(void)
{
    if (n_open <= 0)
        return UNINITIALIZED;
    n_open--;
    return ordered(__func__);
}

/* For tests: calls of nvmlInit minus calls of nvmlShutdown. */
int fake_nvml_n_open(void) { return n_open; }

const char *nvmlErrorString(int code)
{
    static const struct {
        int         code;
        const char *words;
    } texts[] = {
        { OK, "Success" },
        { UNINITIALIZED, "Uninitialized" },
        { INVALID_ARGUMENT, "Invalid Argument" },
        { NOT_SUPPORTED, "Not Supported" },
        { 4, "Insufficient Permissions" },
        { NOT_FOUND, "Not Found" },
        { 9, "Driver Not Loaded" },
        { 15, "GPU is lost" },
        { 18, "Driver/library version mismatch" },
    };

    if (ordered(__func__) != OK)
        return NULL;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].code == code)
            return texts[i].words;
    return "Unknown Error";
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *id, gpu **found)
{
    const char *place = getenv(VARIABLE("BUS_ID"));

    *found = &the_gpu;
    if (place && strcmp(place, id) != 0)
        return NOT_FOUND;
    return code_of(__func__, &the_gpu);
}

int nvmlSystemGetDriverVersion(char *text, unsigned size)
{
    give_text(VARIABLE("DRIVER"), "580.1.2", text, size);
    return code_of(__func__, &the_gpu);
}

int nvmlSystemGetNVMLVersion(char *text, unsigned size)
{
    give_text(VARIABLE("VERSION"), "13.580.1.2", text, size);
    return code_of(__func__, &the_gpu);
}

int nvmlDeviceGetVbiosVersion(gpu *g, char *text, unsigned size)
{
    give_text(VARIABLE("VBIOS"), "96.00.99.00.01", text, size);
    return code_of(__func__, g);
}

int nvmlDeviceGetName(gpu *g, char *text, unsigned size)
{
    give_text(VARIABLE("NAME"), "Imaginary GPU", text, size);
    return code_of(__func__, g);
}

static int give_clock(const char *function, const gpu *g, int kind, int sm, int memory,
                      unsigned *mhz)
{
    if (kind != 1 && kind != 2)
        return INVALID_ARGUMENT;
    *mhz = (unsigned)number(kind == 1 ? sm : memory);
    return code_of(function, g);
}

int nvmlDeviceGetClockInfo(gpu *g, int kind, unsigned *mhz)
{
    return give_clock(__func__, g, kind, SM_MHZ, MEMORY_MHZ, mhz);
}

int nvmlDeviceGetMaxClockInfo(gpu *g, int kind, unsigned *mhz)
{
    return give_clock(__func__, g, kind, MAX_SM_MHZ, MAX_MEMORY_MHZ, mhz);
}

int nvmlDeviceGetApplicationsClock(gpu *g, int kind, unsigned *mhz)
{
    return give_clock(__func__, g, kind, APPLICATION_SM_MHZ, APPLICATION_MEMORY_MHZ, mhz);
}

struct temperature {
    unsigned version;
    int      sensor, value;
};

int nvmlDeviceGetTemperatureV(gpu *g, struct temperature *t)
{
    if (t->version != 0x100000c)
        return WRONG_VERSION;
    if (t->sensor != 0)
        return INVALID_ARGUMENT;
    t->value = (int)number(TEMPERATURE_C);
    return code_of(__func__, g);
}

/* One degree more than the other function gives, so that a test sees which of the two was
 * called. */
int nvmlDeviceGetTemperature(gpu *g, int sensor, unsigned *value)
{
    if (sensor != 0)
        return INVALID_ARGUMENT;
    *value = (unsigned)number(TEMPERATURE_C) + 1;
    return code_of(__func__, g);
}

static int give_wide(const char *function, const gpu *g, int which, unsigned long long *value)
{
    *value = number(which);
    return code_of(function, g);
}

int nvmlDeviceGetCurrentClocksEventReasons(gpu *g, unsigned long long *value)
{
    return give_wide(__func__, g, REASONS, value);
}

int nvmlDeviceGetCurrentClocksThrottleReasons(gpu *g, unsigned long long *value)
{
    return give_wide(__func__, g, REASONS, value);
}

int nvmlDeviceGetTotalEnergyConsumption(gpu *g, unsigned long long *value)
{
    return give_wide(__func__, g, ENERGY_MJ, value);
}

static int give(const char *function, const gpu *g, int which, unsigned *value)
{
    *value = (unsigned)number(which);
    return code_of(function, g);
}

int nvmlDeviceGetPowerUsage(gpu *g, unsigned *value) { return give(__func__, g, POWER_MW, value); }

int nvmlDeviceGetEnforcedPowerLimit(gpu *g, unsigned *value)
{
    return give(__func__, g, POWER_LIMIT_MW, value);
}

int nvmlDeviceGetPowerManagementDefaultLimit(gpu *g, unsigned *value)
{
    return give(__func__, g, DEFAULT_LIMIT_MW, value);
}

int nvmlDeviceGetPersistenceMode(gpu *g, unsigned *value)
{
    return give(__func__, g, PERSISTENCE, value);
}

int nvmlDeviceGetComputeMode(gpu *g, unsigned *value)
{
    return give(__func__, g, COMPUTE_MODE, value);
}

/* `pending` is the opposite of `current`, so that a test sees which of the two was read. */
int nvmlDeviceGetMigMode(gpu *g, unsigned *current, unsigned *pending)
{
    const int code = give(__func__, g, MIG, current);

    *pending = !*current;
    return code;
}

int nvmlDeviceGetEccMode(gpu *g, unsigned *current, unsigned *pending)
{
    const int code = give(__func__, g, ECC, current);

    *pending = !*current;
    return code;
}

struct field {
    unsigned  id, scope;
    long long timestamp, latency_us;
    int       type, code;
    union {
        double             real;
        unsigned           number;
        unsigned long long wide_number;
    } value;
};

int nvmlDeviceGetFieldValues(gpu *g, int n, struct field *f)
{
    for (int i = 0; i < n; i++) {
        f[i].type              = (int)number(POWER_NOW_TYPE);
        f[i].value.wide_number = 0;
        f[i].value.number      = (unsigned)number(POWER_NOW_MW);
        f[i].code              = f[i].id == 186 ? ordered("field186") : NOT_SUPPORTED;
    }
    return code_of(__func__, g);
}
