/* Tests of a device's digest, the same for every device. Include this after the header that defines
 * `api` and `device`. The numbers in the table come from a separate program written from the text
 * of device.h. */
#ifndef ASSAY_TEST_EVIDENCE_TEST_H
#define ASSAY_TEST_EVIDENCE_TEST_H

#include "device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    EVIDENCE_MOST  = 1 << 20,
    EVIDENCE_SPARE = 64, /* bytes after the memory, which must not change */
    EVIDENCE_LEFT  = 0xee
};

/* Memory on the device, and as much on the host. */
typedef struct evidence {
    void          *memory;
    unsigned char *bytes;
} evidence;

static inline evidence evidence_begin(void)
{
    evidence e = { .bytes = malloc((size_t)EVIDENCE_MOST + EVIDENCE_SPARE) };

    assert_non_null(e.bytes);
    assert_int_equal(
        api->alloc(device, (size_t)EVIDENCE_MOST + EVIDENCE_SPARE + EVIDENCE_SPARE, &e.memory),
        ASSAY_OK);
    return e;
}

static inline void evidence_end(evidence *e)
{
    api->release(device, e->memory);
    free(e->bytes);
}

static inline unsigned char *evidence_at(const evidence *e, size_t offset)
{
    return (unsigned char *)e->memory + offset;
}

static inline void evidence_upload(const evidence *e, size_t offset, size_t n)
{
    assert_int_equal(api->upload(device, evidence_at(e, offset), e->bytes, n), ASSAY_OK);
}

static inline uint64_t evidence_digest(const evidence *e, size_t offset, size_t n)
{
    uint64_t sum = 1;

    if (api->digest(device, evidence_at(e, offset), n, &sum) != ASSAY_OK)
        fail_msg("digest of %zu bytes at +%zu: %s", n, offset, api->message());
    return sum;
}

static inline void evidence_fill(const evidence *e, size_t n)
{
    for (size_t i = 0; i < n; i++)
        e->bytes[i] = (unsigned char)(i * 31 + i / 256);
}

static const size_t evidence_offsets[] = { 0, 16, 8, 4, 1, 2, 3 };

static inline void evidence_digests_are_known(void **state)
{
    static const struct {
        size_t   n;
        uint64_t digest;
    } known[] = {
        { 0, 0x0000000000000000 },    { 1, 0xe220a8397b1dcdaf },
        { 3, 0xbc6f8639f4a733e3 },    { 4, 0xd78b17e9a427ce83 },
        { 5, 0x725d25622ff2befb },    { 15, 0x117701dc4894b6bd },
        { 16, 0x463f3843a2c2d833 },   { 17, 0x06fa13403c39b77a },
        { 4095, 0x1b8343ace192a686 }, { 4096, 0x63728c5574ab018b },
        { 4099, 0xcc7d7a642111761a }, { EVIDENCE_MOST, 0xef1df6f22a58fbdd },
    };
    evidence e = evidence_begin();

    (void)state;
    for (size_t o = 0; o < sizeof evidence_offsets / sizeof evidence_offsets[0]; o++)
        for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
            const size_t offset = evidence_offsets[o], n = known[k].n;
            uint64_t     found;

            /* Bytes after the end must not count. */
            memset(e.bytes, EVIDENCE_LEFT, n + EVIDENCE_SPARE);
            evidence_fill(&e, n);
            evidence_upload(&e, offset, n + EVIDENCE_SPARE);
            found = evidence_digest(&e, offset, n);
            if (found != known[k].digest)
                fail_msg("digest of %zu bytes at +%zu is %016" PRIx64 ", not %016" PRIx64, n,
                         offset, found, known[k].digest);
        }
    evidence_end(&e);
}

static inline void evidence_digest_sees_every_byte(void **state)
{
    static const size_t sizes[] = { 1, 37, 4099 };
    evidence            e       = evidence_begin();
    uint64_t            before;

    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const size_t n = sizes[s];

        evidence_fill(&e, n);
        evidence_upload(&e, 0, n);
        before = evidence_digest(&e, 0, n);
        for (size_t i = 0; i<n; i += n> 100 ? 37 : 1) {
            const unsigned char changed = e.bytes[i] ^ 1;

            assert_int_equal(api->upload(device, evidence_at(&e, i), &changed, 1), ASSAY_OK);
            if (evidence_digest(&e, 0, n) == before)
                fail_msg("digest of %zu bytes does not see byte %zu", n, i);
            assert_int_equal(api->upload(device, evidence_at(&e, i), &e.bytes[i], 1), ASSAY_OK);
        }
        if (evidence_digest(&e, 0, n) != before)
            fail_msg("digest of %zu bytes differs from itself", n);
    }
    /* The same words at other positions must give another digest. */
    for (size_t i = 0; i < 8; i++)
        e.bytes[i] = (unsigned char)i;
    evidence_upload(&e, 0, 8);
    before = evidence_digest(&e, 0, 8);
    for (size_t i = 0; i < 8; i++)
        e.bytes[i] = (unsigned char)((i + 4) % 8);
    evidence_upload(&e, 0, 8);
    if (evidence_digest(&e, 0, 8) == before)
        fail_msg("digest does not see that two words were exchanged");
    evidence_end(&e);
}

static inline void evidence_of_nothing(void **state)
{
    uint64_t sum = 1;

    (void)state;
    assert_int_equal(api->digest(device, NULL, 0, &sum), ASSAY_OK);
    assert_int_equal(sum, 0);
    assert_int_equal(api->digest(device, NULL, 1, &sum), ASSAY_E_USAGE);
    assert_non_null(strstr(api->message(), "digest of 1 bytes at a null pointer"));
    assay_status_reset();
}

#endif
