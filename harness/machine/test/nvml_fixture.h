/* The library of fake_nvml.c in place of NVML, for the tests of NVML: its script, and a way to
 * hide its functions. FAKE_NVML is its path; the programs are linked with --wrap=dlsym. */
#ifndef ASSAY_NVML_FIXTURE_H
#define ASSAY_NVML_FIXTURE_H

#include "machine/nvml.h"
#include "testing/testing.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char BUS_ID[] = "0000:1B:00.0";

/* ---- the library, with functions hidden ---- */

static const char *hidden[2];
static char        asked[64][64];
static size_t      n_asked;

static void *fake; /* kept open, so that its counts survive the harness's dlclose */

void *__real_dlsym(void *library, const char *symbol);
void *__wrap_dlsym(void *library, const char *symbol);

static void *look_up(void *library, const char *symbol)
{
    if (n_asked < COUNT(asked))
        (void)snprintf(asked[n_asked++], sizeof asked[0], "%s", symbol);
    for (size_t i = 0; i < COUNT(hidden); i++)
        if (hidden[i] && strcmp(hidden[i], symbol) == 0)
            return NULL;
    return __real_dlsym(library, symbol);
}

/* The harness looks up its symbols here. A statically linked AddressSanitizer does so too,
 * before it can be used itself. */
__attribute__((no_sanitize("address"))) void *__wrap_dlsym(void *library, const char *symbol)
{
    return fake ? look_up(library, symbol) : __real_dlsym(library, symbol);
}

/* A function of the library, called without the harness. */
static int call_fake(const char *symbol)
{
    int (*function)(void) = NULL;
    void *address         = fake ? __real_dlsym(fake, symbol) : NULL;

    assert_non_null(address);
    memcpy(&function, &address, sizeof address);
    return function();
}

/* Calls of nvmlInit minus calls of nvmlShutdown. */
static int n_open(void) { return call_fake("fake_nvml_n_open"); }

static const char *const variables[] = {
    "FAIL",           "BUS_ID",        "DRIVER",   "VERSION",      "VBIOS",
    "NAME",           "REASONS",       "SM_MHZ",   "MEMORY_MHZ",   "MAX_SM_MHZ",
    "MAX_MEMORY_MHZ", "TEMPERATURE_C", "POWER_MW", "POWER_NOW_MW", "POWER_NOW_TYPE",
    "POWER_LIMIT_MW", "ENERGY_MJ",     "MIG",      "ECC",          "PERSISTENCE",
    "COMPUTE_MODE",
};

static void script(const char *variable, const char *value)
{
    char name[64];

    (void)snprintf(name, sizeof name, "ASSAY_FAKE_NVML_%s", variable);
    assert_int_equal(value ? setenv(name, value, 1) : unsetenv(name), 0);
}

static int set_up(void **state)
{
    (void)state;
    fake = fake ? fake : dlopen(FAKE_NVML, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < COUNT(variables); i++)
        script(variables[i], NULL);
    (void)unsetenv("ASSAY_NVML_LIBRARY");
    hidden[0] = hidden[1] = NULL;
    n_asked               = 0;
    return fake ? 0 : -1;
}

/* Whatever a test did, the library is shut down. */
static int tear_down(void **state)
{
    (void)state;
    return n_open();
}

static assay_nvml *open_fake(void)
{
    char        why[256] = "untouched";
    assay_nvml *nvml     = assay_nvml_open(FAKE_NVML, BUS_ID, why, sizeof why);

    assert_string_equal(why, "");
    assert_non_null(nvml);
    return nvml;
}

#endif
