/* Reads, names and sets the floating-point mode. */
#include "float_mode.h"

#include <stdio.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* The settings that differ from the default. */
typedef struct change {
    bool flushes, reads_as_zero, rounds, traps;
} change;

static change changed(void)
{
    change c = { .rounds = fegetround() != FE_TONEAREST };

#if defined(__x86_64__)
    enum {
        DENORMALS_ARE_ZERO = 0x0040,
        TRAPS_OFF          = 0x1f80,
        ROUNDING           = 0x6000,
        FLUSH_TO_ZERO      = 0x8000
    };
    const unsigned mode = _mm_getcsr();

    c.flushes       = (mode & FLUSH_TO_ZERO) != 0;
    c.reads_as_zero = (mode & DENORMALS_ARE_ZERO) != 0;
    c.rounds        = c.rounds || (mode & ROUNDING) != 0;
    c.traps         = (mode & TRAPS_OFF) != TRAPS_OFF;
#elif defined(__aarch64__)
    enum {
        FLUSH_TO_ZERO = 1 << 24,
        TRAPS         = 0x9f00
    };
    unsigned long mode;

    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    c.flushes = (mode & FLUSH_TO_ZERO) != 0;
    c.traps   = (mode & TRAPS) != 0;
#endif
    return c;
}

static void set_default(void)
{
    (void)fesetenv(FE_DFL_ENV);
#if defined(__x86_64__)
    _mm_setcsr(0x1f80); /* some C libraries do not reset flushing */
#endif
}

static void name(const change *c, char *what)
{
    const struct {
        bool        is_so;
        const char *words;
    } parts[]   = { { c->flushes, "flushes denormals to zero" },
                    { c->reads_as_zero, "reads denormals as zero" },
                    { c->rounds, "does not round to nearest" },
                    { c->traps, "traps" } };
    size_t used = 0;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].is_so) /* all of the words fit */
            used += (size_t)snprintf(what + used, ASSAY_FLOAT_MODE_SIZE - used, "%s%s",
                                     used > 0 ? ", " : "", parts[i].words);
}

bool assay_float_mode_reset(char *what)
{
    const change c = changed();

    if (!c.flushes && !c.reads_as_zero && !c.rounds && !c.traps)
        return true;
    if (what)
        name(&c, what);
    set_default();
    return false;
}

void assay_float_mode_enter(fenv_t *kept)
{
    (void)fegetenv(kept);
    (void)assay_float_mode_reset(NULL);
}

bool assay_float_mode_leave(const fenv_t *kept, char *what)
{
    const bool is_default = assay_float_mode_reset(what);

    (void)fesetenv(kept);
    return is_default;
}
