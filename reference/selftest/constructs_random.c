/* cuRAND's generators from their definitions: Philox4x32-10 (Salmon et al., 2011), whose counter is
 * the place in the sequence and the subsequence; XORWOW (Marsaglia, 2003), seeded as cuRAND does.
 */
#include "kernel.h"

static void philox(uint32_t counter[4], uint32_t key0, uint32_t key1)
{
    for (int round = 0; round < 10; round++) {
        const uint64_t a       = (uint64_t)0xd2511f53u * counter[0];
        const uint64_t b       = (uint64_t)0xcd9e8d57u * counter[2];
        const uint32_t next[4] = { (uint32_t)(b >> 32) ^ counter[1] ^ key0, (uint32_t)b,
                                   (uint32_t)(a >> 32) ^ counter[3] ^ key1, (uint32_t)a };

        for (int k = 0; k < 4; k++)
            counter[k] = next[k];
        key0 += 0x9e3779b9u;
        key1 += 0xbb67ae85u;
    }
}

/* The first number after the seed. */
static uint32_t xorwow(uint32_t seed)
{
    const uint32_t low = (seed ^ 0xaad26b49u) * 1099087573u, high = 0xf7dcefddu * 2591861531u;
    const uint32_t v0 = 123456789u + low, v4 = 5783321u + low, t = v0 ^ v0 >> 2;

    return (v4 ^ v4 << 4 ^ (t ^ t << 1)) + (6615241u + high + low + 362437u);
}

assay_reference_fn selftest_constructs_random_reference;
void               selftest_constructs_random_reference(const assay_reference_args *args)
{
    const uint32_t seed = (uint32_t)args->param[0];

    for (int64_t i = 0; i < args->count[1]; i++) {
        uint32_t counter[4] = { 0, 0, (uint32_t)i, 0 };

        philox(counter, seed, 0);
        args->expect[0].integer[2 * i]     = counter[0];
        args->expect[0].integer[2 * i + 1] = counter[1];
        args->expect[1].integer[i]         = xorwow(seed + (uint32_t)i);
    }
}
