/* Makes tables from what is known of a materials file, or a sentence that says what is missing. */
#include "photon_materials_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    NAME_SHOWN = 80 /* bytes of a file's name in a sentence */
};

static const double NEVER = 1e9;      /* a length so great that nothing happens, m */
static const double FULL  = 1 - 1e-6; /* shares with this sum leave nothing for the boundary */

photon_status materials_fail(const materials_reader *r, int line, photon_status status,
                             const char *format, ...)
{
    const size_t length = strlen(r->file), hidden = length > NAME_SHOWN ? length - NAME_SHOWN : 0;
    const int    n = snprintf(r->reason, PHOTON_REASON_SIZE, "%s%s:%d: ", hidden > 0 ? "..." : "",
                              r->file + hidden, line);
    va_list      arguments;

    if (n < 0 || n >= PHOTON_REASON_SIZE)
        return status;
    va_start(arguments, format);
    (void)vsnprintf(r->reason + n, (size_t)(PHOTON_REASON_SIZE - n), format, arguments);
    va_end(arguments);
    return status;
}

static bool is_anywhere(const double value[PHOTON_WAVELENGTHS])
{
    for (int k = 0; k < PHOTON_WAVELENGTHS; k++)
        if (value[k] > 0)
            return true;
    return false;
}

static photon_status write_medium(const materials_reader *r, int number)
{
    const materials_part *const p     = &r->medium[number];
    float *const                to    = r->m->media + number * PHOTON_MEDIUM_SIZE;
    const bool                  emits = p->has & 1u << MATERIALS_EMISSION;

    if (!(p->has & 1u << PHOTON_MEDIUM_INDEX))
        return materials_fail(r, p->line, PHOTON_INVALID, "medium '%s' has no index", p->name);
    if (!emits && (is_anywhere(p->value[PHOTON_MEDIUM_REEMIT]) || number == r->m->source))
        return materials_fail(r, p->line, PHOTON_INVALID, "medium '%s' %s, but has no emission",
                              p->name, number == r->m->source ? "is the source's" : "re-emits");
    for (int place = 0; place < MATERIALS_SHARES; place++)
        for (int k = 0; k < PHOTON_WAVELENGTHS; k++)
            to[place * PHOTON_WAVELENGTHS + k] = (float)(p->has & 1u << place ? p->value[place][k]
                                                         : place == PHOTON_MEDIUM_REEMIT ? 0
                                                                                         : NEVER);
    for (int k = 0; k < PHOTON_CDF; k++)
        to[PHOTON_MEDIUM_CDF + k] = emits ? (float)p->emission[k] : PHOTON_WAVELENGTH_FIRST;
    to[PHOTON_MEDIUM_DELAY] = (float)p->delay;
    return PHOTON_OK;
}

/* Turns shares into running sums. */
static photon_status write_surface(const materials_reader *r, int number)
{
    const materials_part *const p = &r->surface[number];

    for (int k = 0; k < PHOTON_WAVELENGTHS; k++) {
        double sum = 0;

        for (int share = 0; share < MATERIALS_SHARES; share++) {
            sum += p->value[share][k];
            r->m->surfaces[number * PHOTON_SURFACE_SIZE + share * PHOTON_WAVELENGTHS + k] =
                sum >= FULL ? 1 : (float)sum;
        }
        if (!(sum <= 2 - FULL))
            return materials_fail(
                r, p->line, PHOTON_INVALID, "shares of surface '%s' add up to %g at %g nm", p->name,
                sum, (double)PHOTON_WAVELENGTH_FIRST + k * (double)PHOTON_WAVELENGTH_SPACING);
    }
    return PHOTON_OK;
}

/* If a surface detects, its faces are sensors. */
static void write_face(const materials_reader *r, int k)
{
    const materials_face *const f = &r->face[k];

    r->m->names[k] =
        (photon_mesh_name) { r->m->face[k], PHOTON_FACE(f->inside, f->outside, f->surface),
                             is_anywhere(r->surface[f->surface].value[1]) };
}

photon_status materials_write_tables(const materials_reader *r)
{
    photon_status status = PHOTON_OK;

    if (r->n_faces == 0)
        return materials_fail(r, r->line, PHOTON_INVALID, "names no face of a mesh");
    for (int k = 0; k < r->n_media && status == PHOTON_OK; k++)
        status = write_medium(r, k);
    for (int k = 1; k <= r->n_surfaces && status == PHOTON_OK; k++)
        status = write_surface(r, k);
    for (int k = 0; k < r->n_faces; k++)
        write_face(r, k);
    return status;
}
