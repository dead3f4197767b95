/* Loads NVML and finds the GPU in it. A driver of any age works, since only functions that it has
 * are called. */
#include "nvml_internal.h"

#include "base/text.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static const char DEFAULT_LIBRARY[] = "libnvidia-ml.so.1";
static const char CONSEQUENCE[]     = "clocks, power and temperature are unknown";

enum {
    PROBLEM_SIZE = 512
};

/* ---- loading ---- */

/* ISO C has no cast from an object pointer to a function pointer; POSIX promises that the bits do.
 */
static void resolve(void *library, functions *f)
{
    const struct {
        void       *member;
        const char *symbol;
    } wanted[] = {
        { &f->init, "nvmlInit_v2" },
        { &f->shutdown, "nvmlShutdown" },
        { &f->error, "nvmlErrorString" },
        { &f->find, "nvmlDeviceGetHandleByPciBusId_v2" },
        { &f->driver, "nvmlSystemGetDriverVersion" },
        { &f->version, "nvmlSystemGetNVMLVersion" },
        { &f->vbios, "nvmlDeviceGetVbiosVersion" },
        { &f->name, "nvmlDeviceGetName" },
        { &f->clock, "nvmlDeviceGetClockInfo" },
        { &f->max_clock, "nvmlDeviceGetMaxClockInfo" },
        { &f->temperature, "nvmlDeviceGetTemperatureV" },
        { &f->old_temperature, "nvmlDeviceGetTemperature" },
        { &f->reasons, "nvmlDeviceGetCurrentClocksEventReasons" },
        { &f->old_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons" },
        { &f->energy, "nvmlDeviceGetTotalEnergyConsumption" },
        { &f->power, "nvmlDeviceGetPowerUsage" },
        { &f->fields, "nvmlDeviceGetFieldValues" },
        { &f->power_limit, "nvmlDeviceGetEnforcedPowerLimit" },
        { &f->default_power_limit, "nvmlDeviceGetPowerManagementDefaultLimit" },
        { &f->application_clock, "nvmlDeviceGetApplicationsClock" },
        { &f->persistence, "nvmlDeviceGetPersistenceMode" },
        { &f->compute_mode, "nvmlDeviceGetComputeMode" },
        { &f->mig, "nvmlDeviceGetMigMode" },
        { &f->ecc, "nvmlDeviceGetEccMode" },
    };

    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        void *address = dlsym(library, wanted[i].symbol);

        memcpy(wanted[i].member, &address, sizeof address);
    }
}

/* For dlopen, an empty name would mean this program itself. */
static const char *library_name(const char *path)
{
    if (!path || path[0] == '\0')
        path = getenv("ASSAY_NVML_LIBRARY");
    return path && path[0] != '\0' ? path : DEFAULT_LIBRARY;
}

/* The loader's error, without the path at its beginning. */
static const char *loader_error(const char *path)
{
    const char *error = dlerror();
    const char *rest  = error ? assay_text_after(error, path) : NULL;

    rest = rest ? assay_text_after(rest, ": ") : NULL;
    if (rest)
        return rest;
    return error ? error : "the loader does not say why";
}

static bool load(assay_nvml *nvml, const char *path, char *problem)
{
    nvml->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (nvml->library)
        resolve(nvml->library, &nvml->call);
    else
        (void)assay_text_set(problem, PROBLEM_SIZE, "does not load: %s", loader_error(path));
    return nvml->library != NULL;
}

static bool lacks(const char *symbol, char *problem)
{
    (void)assay_text_set(problem, PROBLEM_SIZE, "has no function %s", symbol);
    return false;
}

/* "Not Found (error 6)". */
static char *error_text(const assay_nvml *nvml, int code, char *text, size_t size)
{
    const char *words = nvml->call.error ? nvml->call.error(code) : NULL;

    return assay_text_set(text, size, "%s%serror %d%s", words ? words : "", words ? " (" : "", code,
                          words ? ")" : "");
}

static bool start(assay_nvml *nvml, char *problem)
{
    char words[128];

    if (!nvml->call.init)
        return lacks("nvmlInit_v2", problem);
    const int code = nvml->call.init();

    nvml->is_started = code == NVML_SUCCESS;
    if (!nvml->is_started)
        (void)assay_text_set(problem, PROBLEM_SIZE, "does not start: %s",
                             error_text(nvml, code, words, sizeof words));
    return nvml->is_started;
}

/* ---- finding the GPU ---- */

/* "0000:1B:00.0", the domain of four to eight digits. */
static bool is_bus_id(const char *id)
{
    static const char digits[]  = "0123456789abcdefABCDEF";
    static const char pattern[] = ":xx:xx.x";
    const size_t      n_domain  = strspn(id, digits);

    if (n_domain < 4 || n_domain > 8)
        return false;
    id += n_domain;
    for (size_t i = 0; i < sizeof pattern; i++) /* includes the end */
        if (pattern[i] == 'x' ? !(id[i] && strchr(digits, id[i])) : id[i] != pattern[i])
            return false;
    return true;
}

/* A text that is not a bus id may hold anything, and may reach a terminal. */
static char *harmless(const char *id, char *text, size_t size)
{
    size_t n = 0;

    for (; n + 1 < size && id[n]; n++)
        text[n] = id[n] >= ' ' && id[n] <= '~' ? id[n] : '?';
    text[n] = '\0';
    return text;
}

static bool find(assay_nvml *nvml, const char *id, char *problem)
{
    char words[128];

    if (!id || id[0] == '\0') {
        (void)assay_text_set(problem, PROBLEM_SIZE,
                             "cannot find the GPU: its PCI bus id is not known");
        return false;
    }
    if (!is_bus_id(id)) {
        char shown[24];

        (void)assay_text_set(problem, PROBLEM_SIZE,
                             "cannot look for a GPU at '%s', which is not a PCI bus id",
                             harmless(id, shown, sizeof shown));
        return false;
    }
    if (!nvml->call.find)
        return lacks("nvmlDeviceGetHandleByPciBusId_v2", problem);
    const int code = nvml->call.find(id, &nvml->gpu);

    if (code != NVML_SUCCESS)
        (void)assay_text_set(problem, PROBLEM_SIZE, "finds no GPU at %s: %s", id,
                             error_text(nvml, code, words, sizeof words));
    return code == NVML_SUCCESS;
}

assay_nvml *assay_nvml_open(const char *path, const char *pci_bus_id, char *why, size_t why_size)
{
    const char *library               = library_name(path);
    char        problem[PROBLEM_SIZE] = "";
    assay_nvml *nvml                  = calloc(1, sizeof *nvml);

    if (why_size > 0)
        why[0] = '\0';
    if (!nvml)
        (void)assay_text_set(problem, sizeof problem, "has no host memory");
    else if (load(nvml, library, problem) && start(nvml, problem) &&
             find(nvml, pci_bus_id, problem))
        return nvml;
    if (why_size > 0)
        (void)assay_text_set(why, why_size, "NVML (%s) %s; %s", library, problem, CONSEQUENCE);
    assay_nvml_close(nvml);
    return NULL;
}

void assay_nvml_close(assay_nvml *nvml)
{
    if (!nvml)
        return;
    /* The results do not matter, since the handle is not used again. */
    if (nvml->is_started && nvml->call.shutdown)
        (void)nvml->call.shutdown();
    if (nvml->library)
        (void)dlclose(nvml->library);
    free(nvml);
}
