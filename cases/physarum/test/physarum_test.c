/* States and random numbers of the stand-alone physarum programs. */
#include "physarum_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

physarum_model physarum_test_model(int semantics, int64_t height, int64_t width, int64_t agents)
{
    return (physarum_model) {
        .height    = height,
        .width     = width,
        .agents    = agents,
        .semantics = semantics,
        .blur      = 3,
        .step      = 1,
        .reach     = 5,
        .spread    = 0x1.921fb6p-1f,
        .blend     = 0.2,
        .decay     = 0.01,
        .deposit   = 1,
    };
}

static float *numbers(int64_t count)
{
    float *memory = calloc((size_t)count + 1, sizeof *memory);

    if (!memory)
        abort();
    return memory;
}

physarum_owned physarum_state_create(const physarum_model *m)
{
    return (physarum_owned) { numbers(2 * m->agents), numbers(m->agents),
                              numbers(m->height * m->width) };
}

void physarum_state_free(physarum_owned *s)
{
    free(s->pos);
    free(s->angle);
    free(s->field);
}

physarum_state physarum_state_view(const physarum_owned *s)
{
    return (physarum_state) { s->pos, s->angle, s->field };
}

double physarum_uniform(uint64_t seed, uint64_t index)
{
    uint64_t v = index * 0x9E3779B97F4A7C15u + seed * 0xD1B54A32D192ED03u + 1;

    v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9u;
    v = (v ^ (v >> 27)) * 0x94D049BB133111EBu;
    return (double)((v ^ (v >> 31)) >> 11) * 0x1p-53;
}

void physarum_state_seed(const physarum_model *m, uint64_t seed, physarum_owned *s)
{
    for (int64_t i = 0; i < m->agents; i++) {
        const uint64_t k = 3 * (uint64_t)i;

        s->pos[2 * i]     = (float)floor(physarum_uniform(seed, k) * (double)m->height);
        s->pos[2 * i + 1] = (float)floor(physarum_uniform(seed, k + 1) * (double)m->width);
        s->angle[i]       = (float)((2 * physarum_uniform(seed, k + 2) - 1) * 3.14159265358979);
    }
}

double physarum_field_sum(const physarum_model *m, const float *field)
{
    double sum = 0;

    for (int64_t i = 0; i < m->height * m->width; i++)
        sum += (double)field[i];
    return sum;
}
