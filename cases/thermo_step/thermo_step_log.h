/* How the case thermo_step judges the log of sources of NaN: each source of the reference occurs
 * once, attempt by attempt; the order within an attempt is free. */
#ifndef ASSAY_THERMO_STEP_LOG_H
#define ASSAY_THERMO_STEP_LOG_H

#include "case.h"

#include "../../kernels/thermo_gas/gas_case.h"
#include "../../kernels/thermo_step/step_case.h"

#include <math.h>
#include <string.h>

static double float_of(int64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    float          value;

    memcpy(&value, &word, sizeof value);
    return (double)value;
}

/* Words that are bits of floats are compared within their bounds, as everything in this case: c =
 * 2. */
static bool is_word(const assay_expected *e, int64_t i, uint32_t got)
{
    const int64_t which = i % GAS_LOG_WORDS;
    const double  want  = float_of(e->integer[i]);

    if (which < GAS_LOG_STATE || which > GAS_LOG_DT)
        return got == (uint64_t)e->integer[i];
    return fabs(float_of(got) - want) <= 2 * ASSAY_U32_ROUNDOFF * (fabs(want) + e->magnitude[i]);
}

/* Is the kernel's entry `got` the reference's entry `want`, apart from its turn? */
static bool is_entry(const assay_evidence *e, int64_t got, int64_t want)
{
    const uint32_t *log = (const uint32_t *)e->out[STEP_BUF_LOG] + got * GAS_LOG_WORDS;

    for (int64_t k = 0; k < GAS_LOG_TURN; k++)
        if (!is_word(&e->expected[STEP_BUF_LOG], want * GAS_LOG_WORDS + k, log[k]))
            return false;
    return true;
}

/* The fault of the entry at place `got`; NULL: none. */
static const char *wrong_entry(const assay_evidence *e, int64_t got, bool is_found[])
{
    const uint32_t       *log  = e->out[STEP_BUF_LOG];
    const assay_expected *want = &e->expected[STEP_BUF_LOG];

    for (int64_t w = 0; w < GAS_LOG_CAPACITY; w++) {
        if (is_found[w] || !is_entry(e, got, w))
            continue;
        is_found[w] = true;
        /* Attempts come one after another: the other entry belongs to the same one. */
        return is_word(want, got * GAS_LOG_WORDS + GAS_LOG_DT,
                       log[got * GAS_LOG_WORDS + GAS_LOG_DT])
                   ? NULL
                   : "is of another attempt than that place of the log";
    }
    return "is no source of NaN that the reference has, or one that stands there twice";
}

static assay_verdict compare_log(const assay_evidence *e, char *reason, size_t size)
{
    const uint32_t       *log                        = e->out[STEP_BUF_LOG];
    const assay_expected *want                       = &e->expected[STEP_BUF_LOG];
    bool                  is_found[GAS_LOG_CAPACITY] = { false };
    const char           *wrong                      = NULL;

    if (e->shape->buf[STEP_BUF_LOG].count == 0)
        return ASSAY_PASS;
    for (int64_t got = 0; got < GAS_LOG_CAPACITY && !wrong; got++) {
        const int64_t turn = got * GAS_LOG_WORDS + GAS_LOG_TURN;

        wrong = log[turn] != (uint64_t)want->integer[turn] ? "was written at another turn"
                                                           : wrong_entry(e, got, is_found);
    }
    if (wrong && size > 0)
        (void)strncat(strncpy(reason, "an entry of the log ", size - 1), wrong,
                      size - 1 - strlen(reason));
    return wrong ? ASSAY_WRONG_VALUE : ASSAY_PASS;
}

#endif
