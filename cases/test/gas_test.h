/* What the stand-alone gas programs share: a check counter and fields on the host. */
#ifndef ASSAY_GAS_TEST_H
#define ASSAY_GAS_TEST_H

#include "../../reference/thermo_gas.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int n_checks, n_failures;

/* Counts the check and prints the sentence if it does not hold. */
__attribute__((format(printf, 2, 3))) static inline void expect(bool holds, const char *format, ...)
{
    va_list arguments;

    n_checks++;
    if (holds)
        return;
    n_failures++;
    va_start(arguments, format);
    (void)vprintf(format, arguments);
    va_end(arguments);
    (void)printf("\n");
}

static inline int finish(const char *program)
{
    (void)printf("%s: %d checks, %d failures\n", program, n_checks, n_failures);
    return n_failures > 0 || n_checks == 0;
}

/* Ends the program without memory: there is nothing a test could go on with. */
static inline void *get_memory(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);

    if (memory == NULL) {
        (void)printf("out of memory\n");
        exit(1);
    }
    return memory;
}

/* In [-1, 1), the same everywhere. */
static inline double noise(uint64_t seed, uint64_t i)
{
    uint64_t x = (seed + 1) * 0x9E3779B97F4A7C15u + i * 0xD1B54A32D192ED03u;

    x = (x ^ x >> 31) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (double)(x >> 11) * 0x1p-52 - 1;
}

#endif
