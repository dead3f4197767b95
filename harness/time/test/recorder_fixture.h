/* Writes activity records one after the other, and reads what a recorder makes of them. */
#ifndef ASSAY_TEST_RECORDER_FIXTURE_H
#define ASSAY_TEST_RECORDER_FIXTURE_H

#include "testing/testing.h"
#include "time/recorder.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- records, written down one after the other ---- */

static assay_activity records[8192];
static int64_t        n_records, now_ns;

static inline assay_activity *put(assay_activity_kind kind, const char *name, int64_t ns)
{
    assay_activity *r = &records[n_records++];

    assert_true(n_records < (int64_t)(sizeof records / sizeof records[0]));
    *r = (assay_activity) { .kind = kind, .name = name, .start_ns = now_ns, .end_ns = now_ns + ns };
    now_ns += ns + 100; /* with a gap after it */
    return r;
}

static inline void gate(void) { (void)put(ASSAY_ACTIVITY_KERNEL, "_Z14assay_own_gatePVj", 5000); }
static inline void clock_end(void)
{
    (void)put(ASSAY_ACTIVITY_KERNEL, "assay_own_clock(Clock*)", 900);
}
static inline void flush(void) { (void)put(ASSAY_ACTIVITY_KERNEL, "assay_own_flush_write", 35000); }
static inline const char *axpy(void) { return "_Z4axpyPKfPfi"; }

static inline void kernel(const char *name, int64_t ns)
{
    assay_activity *r = put(ASSAY_ACTIVITY_KERNEL, name, ns);

    r->grid[0] = 128, r->grid[1] = 2, r->grid[2] = 1;
    r->block[0] = 256, r->block[1] = r->block[2] = 1;
    r->registers            = 40;
    r->local_bytes          = 8;
    r->static_shared_bytes  = 1024;
    r->dynamic_shared_bytes = 2048;
    (void)strcpy(r->code_hash, "9f86d081884c7d65");
}

static inline void sample(int64_t ns)
{
    flush();
    gate();
    kernel(axpy(), ns);
    clock_end();
}

static inline int start_over(void **state)
{
    (void)state;
    n_records = 0;
    now_ns    = 1000000;
    return 0;
}

static inline void assert_times(const double *expected, int64_t n)
{
    double found[8] = { -1, -1, -1, -1, -1, -1, -1, -1 };

    assay_record_times(records, n_records, 0, found, n);
    for (int64_t i = 0; i < n; i++)
        if (isnan(expected[i]) ? !isnan(found[i]) : found[i] != expected[i])
            fail_msg("sample %d: %g, expected %g", (int)i, found[i], expected[i]);
    assert_true(found[n] == -1); /* nothing was written beyond n */
}

static inline void assert_none(int64_t n)
{
    static const double none[7] = { NAN, NAN, NAN, NAN, NAN, NAN, NAN };

    assert_times(none, n);
}

#endif
