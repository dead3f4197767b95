/* Random numbers without a state, emission, and values from tables. */
#include "photon_propagate.h"

#include "../../kernels/photon_propagate/propagate_case.h"
#include "photon_propagate_vector.h"

static const double PI = 3.14159265358979323846;

enum {
    E_PLACE = 3, /* in a table: difference, reciprocal of the spacing, product; the rest is exact */
    E_VALUE = 3, /* between two entries: difference, product, sum */
    /* Two vectors of a frame, root 2 of 5 each: sum, quotient and two products of numbers up to 1,
     * and a sum. */
    E_AROUND = 7 + E_TURN + E_COMBINE,
    E_POLAR  = 2, /* cosine and sine of a polar angle: difference and product under a root; root */
    E_AIM    = E_AROUND + E_POLAR + E_COMBINE, /* the direction, and the vector down from it: 19 */
    E_POL    = 24 + E_TURN + E_COMBINE         /* of down, 19, and around, 14: as a vector 24 */
};

/* ---- Philox4x32-10: ten rounds of two 32 x 32 bit products, keys raised by two constants */

void photon_ref_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t block[4])
{
    uint32_t c[4] = { counter[0], counter[1], counter[2], counter[3] };
    uint32_t k[2] = { key[0], key[1] };

    for (int round = 0; round < 10; round++) {
        const uint64_t a = (uint64_t)0xD2511F53u * c[0], b = (uint64_t)0xCD9E8D57u * c[2];

        c[0] = (uint32_t)(b >> 32) ^ c[1] ^ k[0];
        c[2] = (uint32_t)(a >> 32) ^ c[3] ^ k[1];
        c[1] = (uint32_t)b;
        c[3] = (uint32_t)a;
        k[0] += 0x9E3779B9u;
        k[1] += 0xBB67AE85u;
    }
    for (int w = 0; w < 4; w++)
        block[w] = c[w];
}

void photon_ref_draw(const uint32_t key[2], uint32_t draw, double uniform[4])
{
    uint32_t block[4];

    photon_ref_philox((const uint32_t[]) { draw, 0, 0, 0 }, key, block);
    for (int w = 0; w < 4; w++)
        uniform[w] = ((double)(block[w] >> 9) + 0.5) * 0x1p-23;
}

void photon_ref_spawn_key(const uint32_t parent[2], uint32_t draw, uint32_t key[2])
{
    uint32_t block[4];

    photon_ref_philox((const uint32_t[]) { draw, PHOTON_SPAWN_WORD, 0, 0 }, parent, block);
    key[0] = block[0];
    key[1] = block[1];
}

/* ---- tables */

/* The steepest of the cells around this one, for a value near a corner of the curve. */
static double steepest(const float *table, int cell)
{
    double most = 0;

    for (int k = cell - 1; k <= cell + 1; k++)
        if (k >= 0 && k + 1 < PHOTON_WAVELENGTHS)
            most = fmax(most, fabs((double)table[k + 1] - (double)table[k]));
    return most;
}

photon_ref_value photon_ref_table(const float *table, const photon_ref *p)
{
    const double spacing = (double)PHOTON_WAVELENGTH_SPACING;
    const double place   = (p->wavelength - (double)PHOTON_WAVELENGTH_FIRST) / spacing;
    const double at      = fmin(fmax(place, 0), PHOTON_WAVELENGTHS - 1);
    const int    cell    = at < PHOTON_WAVELENGTHS - 2 ? (int)at : PHOTON_WAVELENGTHS - 2;
    const double low = (double)table[cell], high = (double)table[cell + 1];
    const double e_at = p->e_wavelength / spacing + E_PLACE * PHOTON_ROUNDOFF * at;

    return (photon_ref_value) {
        .value = low + (at - cell) * (high - low),
        .error =
            steepest(table, cell) * e_at + E_VALUE * PHOTON_ROUNDOFF * (fabs(low) + fabs(high)),
    };
}

/* ---- directions */

/* Two vectors that make a right-handed frame with a unit axis; exact for the axes themselves. */
static void frame_of(photon_vector n, photon_vector *u, photon_vector *v)
{
    const double sign = copysign(1, n.z);
    const double a = -1 / (sign + n.z), b = n.x * n.y * a;

    *u = (photon_vector) { 1 + sign * n.x * n.x * a, sign * b, -sign * n.x };
    *v = (photon_vector) { b, sign + n.y * n.y * a, -n.y };
}

void photon_ref_aim(photon_ref *p, photon_vector axis, double cosine, double sine,
                    const double uniform[4])
{
    const double  phi = 2 * PI * uniform[1], psi = 2 * PI * uniform[2];
    photon_vector u, v, out, down, around;

    frame_of(axis, &u, &v);
    out      = vector_sum(vector_scaled(cos(phi), u), vector_scaled(sin(phi), v));
    around   = vector_sum(vector_scaled(-sin(phi), u), vector_scaled(cos(phi), v));
    down     = vector_difference(vector_scaled(cosine, out), vector_scaled(sine, axis));
    p->dir   = vector_sum(vector_scaled(cosine, axis), vector_scaled(sine, out));
    p->pol   = vector_sum(vector_scaled(cos(psi), down), vector_scaled(sin(psi), around));
    p->e_dir = E_AIM * PHOTON_ROUNDOFF;
    p->e_pol = E_POL * PHOTON_ROUNDOFF;
}

/* ---- emission */

photon_ref photon_ref_source(const void *const *buf, const int64_t *param, const double *scalar,
                             int64_t i)
{
    const uint32_t *event = buf[PROPAGATE_BUF_EVENT];

    return (photon_ref) {
        .pos    = { (double)(float)scalar[PROPAGATE_SCALAR_SOURCE_X],
                    (double)(float)scalar[PROPAGATE_SCALAR_SOURCE_Y],
                    (double)(float)scalar[PROPAGATE_SCALAR_SOURCE_Z] },
        .time   = (double)(float)scalar[PROPAGATE_SCALAR_SOURCE_TIME],
        .flags  = PHOTON_ISOTROPIC_INIT,
        .key    = { *event, (uint32_t)i },
        .medium = (uint32_t)param[PROPAGATE_PARAM_MEDIUM],
        .face   = -1,
    };
}

static double quantile(const float *cdf, double uniform)
{
    const double at   = uniform * (PHOTON_CDF - 1);
    const int    cell = (int)at;

    return (double)cdf[cell] + (at - cell) * ((double)cdf[cell + 1] - (double)cdf[cell]);
}

void photon_ref_emit(const photon_ref_world *w, photon_ref *p)
{
    const float *medium = w->media + p->medium * (size_t)PHOTON_MEDIUM_SIZE;
    const double mean   = (double)medium[PHOTON_MEDIUM_DELAY];
    double       first[4], second[4], delay;

    photon_ref_draw(p->key, PHOTON_DRAW_EMIT, first);
    photon_ref_draw(p->key, PHOTON_DRAW_EMIT + 1, second);
    photon_ref_aim(p, (photon_vector) { 0, 0, 1 }, 1 - 2 * first[0],
                   2 * sqrt(first[0] * (1 - first[0])), first);
    delay           = -mean * log(second[0]);
    p->wavelength   = quantile(medium + PHOTON_MEDIUM_CDF, first[3]);
    p->e_wavelength = E_VALUE * PHOTON_ROUNDOFF * p->wavelength; /* quantiles grow */
    p->time += delay;
    p->e_time += PHOTON_ROUNDOFF * (E_LOG * delay + fabs(p->time));
    p->e_aside = p->e_along = hypot(p->e_aside, p->e_along);
    p->flags &= ~PHOTON_ISOTROPIC_INIT;
    p->draw = PHOTON_DRAW_STEP;
}
