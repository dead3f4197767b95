/* The arithmetic of digests, in one source file, so that all devices agree. */
#ifndef ASSAY_DEVICE_EVIDENCE_H
#define ASSAY_DEVICE_EVIDENCE_H

#include <stdint.h>

#ifdef __CUDACC__
#define ASSAY_HERE_AND_THERE static inline __host__ __device__
#else
#define ASSAY_HERE_AND_THERE static inline
#endif

ASSAY_HERE_AND_THERE uint64_t assay_evidence_mix(uint64_t z)
{
    z ^= z >> 30;
    z *= 0xbf58476d1ce4e5b9u;
    z ^= z >> 27;
    z *= 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* What word number `index` adds to a digest (device.h). */
ASSAY_HERE_AND_THERE uint64_t assay_evidence_digest(uint64_t index, uint32_t word)
{
    return assay_evidence_mix((index << 32 | word) + 0x9e3779b97f4a7c15u);
}

#endif
