/* A photon in registers, the world it is in, and its random numbers. In C, CUDA C++ and C++. */
#ifndef PHOTON_STATE_H
#define PHOTON_STATE_H

#include "photon_bvh.h"
#include "photon_math.h"
#include "propagate_case.h"

/* Geometry and materials as kernels see them: only pointers, passed by value. Parts may be copies
 * in shared memory. */
typedef struct photon_world {
    const photon_node *nodes;
    const photon_node *top;       /* the first n_top of them, where reading is fastest */
    uint32_t           n_top;     /* may be 0 */
    const float       *triangles; /* 12 each, aligned to 16 bytes */
    const uint32_t    *faces;     /* 2 each */
    const float       *media, *surfaces;
} photon_world;

/* Pages of states. */
typedef struct photon_pages {
    float    *real;
    uint32_t *word;
} photon_pages;

typedef struct photon_state {
    photon_vec pos, dir, pol;
    float      wavelength, time;
    uint32_t   flags, key_0, key_1, draw, origin;
    int32_t    face;
} photon_state;

/* ---- pages */

PHOTON_FUNCTION int64_t photon_place(int64_t i, int fields)
{
    return i / PHOTON_PAGE * (fields * PHOTON_PAGE) + i % PHOTON_PAGE;
}

PHOTON_FUNCTION photon_vec photon_load_vec(const float *field)
{
    return photon_vec_of(field[0], field[PHOTON_PAGE], field[2 * PHOTON_PAGE]);
}

PHOTON_FUNCTION void photon_store_vec(float *field, photon_vec v)
{
    field[0]               = v.x;
    field[PHOTON_PAGE]     = v.y;
    field[2 * PHOTON_PAGE] = v.z;
}

/* Not part of a state that is loaded and stored, since nothing changes it. */
PHOTON_FUNCTION float *photon_weight(photon_pages pages, int64_t i)
{
    return pages.real + photon_place(i, PHOTON_REALS) + PHOTON_WEIGHT * PHOTON_PAGE;
}

PHOTON_FUNCTION photon_state photon_load(photon_pages pages, int64_t i)
{
    const float *const    real = pages.real + photon_place(i, PHOTON_REALS);
    const uint32_t *const word = pages.word + photon_place(i, PHOTON_WORDS);
    photon_state          p;

    p.pos        = photon_load_vec(real + PHOTON_POS * PHOTON_PAGE);
    p.dir        = photon_load_vec(real + PHOTON_DIR * PHOTON_PAGE);
    p.pol        = photon_load_vec(real + PHOTON_POL * PHOTON_PAGE);
    p.wavelength = real[PHOTON_WAVELENGTH * PHOTON_PAGE];
    p.time       = real[PHOTON_TIME * PHOTON_PAGE];
    p.flags      = word[PHOTON_FLAGS * PHOTON_PAGE];
    p.face       = (int32_t)word[PHOTON_FACE_LAST * PHOTON_PAGE];
    p.key_0      = word[PHOTON_KEY_0 * PHOTON_PAGE];
    p.key_1      = word[PHOTON_KEY_1 * PHOTON_PAGE];
    p.draw       = word[PHOTON_DRAW * PHOTON_PAGE];
    p.origin     = word[PHOTON_ORIGIN * PHOTON_PAGE];
    return p;
}

PHOTON_FUNCTION void photon_store(photon_pages pages, int64_t i, const photon_state *p)
{
    float *const    real = pages.real + photon_place(i, PHOTON_REALS);
    uint32_t *const word = pages.word + photon_place(i, PHOTON_WORDS);

    photon_store_vec(real + PHOTON_POS * PHOTON_PAGE, p->pos);
    photon_store_vec(real + PHOTON_DIR * PHOTON_PAGE, p->dir);
    photon_store_vec(real + PHOTON_POL * PHOTON_PAGE, p->pol);
    real[PHOTON_WAVELENGTH * PHOTON_PAGE] = p->wavelength;
    real[PHOTON_TIME * PHOTON_PAGE]       = p->time;
    word[PHOTON_FLAGS * PHOTON_PAGE]      = p->flags;
    word[PHOTON_FACE_LAST * PHOTON_PAGE]  = (uint32_t)p->face;
    word[PHOTON_KEY_0 * PHOTON_PAGE]      = p->key_0;
    word[PHOTON_KEY_1 * PHOTON_PAGE]      = p->key_1;
    word[PHOTON_DRAW * PHOTON_PAGE]       = p->draw;
    word[PHOTON_ORIGIN * PHOTON_PAGE]     = p->origin;
}

/* ---- random numbers */

typedef struct photon_block {
    uint32_t word[4];
} photon_block;

/* Philox4x32-10 at counter (draw, word, 0, 0). */
PHOTON_FUNCTION photon_block photon_philox(uint32_t key_0, uint32_t key_1, uint32_t draw,
                                           uint32_t word)
{
    photon_block b = { { draw, word, 0, 0 } };

    for (int round = 0; round < 10; round++) {
        const uint64_t even = (uint64_t)0xD2511F53u * b.word[0];
        const uint64_t odd  = (uint64_t)0xCD9E8D57u * b.word[2];

        b.word[0] = (uint32_t)(odd >> 32) ^ b.word[1] ^ key_0;
        b.word[1] = (uint32_t)odd;
        b.word[2] = (uint32_t)(even >> 32) ^ b.word[3] ^ key_1;
        b.word[3] = (uint32_t)even;
        key_0 += 0x9E3779B9u;
        key_1 += 0xBB67AE85u;
    }
    return b;
}

/* In (0, 1), and exact: neither end can occur. */
PHOTON_FUNCTION float photon_uniform(uint32_t bits)
{
    return ((float)(bits >> 9) + 0.5f) * 0x1p-23f;
}

typedef struct photon_uniforms {
    float u[4];
} photon_uniforms;

PHOTON_FUNCTION photon_uniforms photon_draws(const photon_state *p, uint32_t draw)
{
    const photon_block b = photon_philox(p->key_0, p->key_1, draw, 0);
    photon_uniforms    d;

    for (int w = 0; w < 4; w++)
        d.u[w] = photon_uniform(b.word[w]);
    return d;
}

/* ---- tables over wavelengths */

/* The position of a wavelength in all tables. */
typedef struct photon_spot {
    int   cell;
    float share; /* of the way to the next cell */
} photon_spot;

PHOTON_FUNCTION photon_spot photon_spot_of(float wavelength)
{
    const float place =
        photon_mul(wavelength - PHOTON_WAVELENGTH_FIRST, 1.0f / PHOTON_WAVELENGTH_SPACING);
    const float at = fminf(fmaxf(place, 0.0f), (float)(PHOTON_WAVELENGTHS - 1));
    photon_spot s;

    s.cell  = at < (float)(PHOTON_WAVELENGTHS - 2) ? (int)at : PHOTON_WAVELENGTHS - 2;
    s.share = at - (float)s.cell;
    return s;
}

PHOTON_FUNCTION float photon_table(const float *table, photon_spot s)
{
    const float low = table[s.cell];

    return fmaf(s.share, table[s.cell + 1] - low, low);
}

#endif
