/* Numbers that the case, its reference and its kernels share: buffers, parameters, and how states,
 * tables and records lie in memory. No arithmetic. docs/photon_propagate.md. */
#ifndef PROPAGATE_CASE_H
#define PROPAGATE_CASE_H

enum {
    PROPAGATE_BUF_NODES,      /* u32 [8 a node], photon_node */
    PROPAGATE_BUF_TRIANGLES,  /* f32 [12 a triangle], photon_triangle */
    PROPAGATE_BUF_FACES,      /* u32 [2 a triangle], photon_face */
    PROPAGATE_BUF_MEDIA,      /* f32 [PHOTON_MEDIA * PHOTON_MEDIUM_SIZE] */
    PROPAGATE_BUF_SURFACES,   /* f32 [PHOTON_SURFACES * PHOTON_SURFACE_SIZE] */
    PROPAGATE_BUF_EVENT,      /* u32 [1]: number of the event, half of every key */
    PROPAGATE_BUF_WEIGHT,     /* f32 [photons] for a history's source, [0] for a step */
    PROPAGATE_BUF_REAL,       /* f32 pages: see below */
    PROPAGATE_BUF_WORD,       /* u32 pages */
    PROPAGATE_BUF_END_PLACE,  /* f32 [3 * rows]: all x, all y, all z */
    PROPAGATE_BUF_END_TIME,   /* f32 [rows] */
    PROPAGATE_BUF_END_FLAGS,  /* u32 [rows]: 0 where no photon of this row has ended */
    PROPAGATE_BUF_END_FACE,   /* i32 [rows]: triangle where it ended, or -1 */
    PROPAGATE_BUF_END_WEIGHT, /* f32 [rows] */
    PROPAGATE_BUF_TALLY,      /* u32 [PHOTON_TALLIES + sensors] */
    PROPAGATE_BUFFERS
};

enum {
    PROPAGATE_PARAM_GEOMETRY,
    PROPAGATE_PARAM_MATERIAL,
    PROPAGATE_PARAM_PHOTONS,
    PROPAGATE_PARAM_STEPS,      /* the most steps of a photon */
    PROPAGATE_PARAM_IS_HISTORY, /* else one step from the states in the pages */
    PROPAGATE_PARAM_SENSORS,
    PROPAGATE_PARAM_TRIANGLES,
    PROPAGATE_PARAM_MEDIUM, /* the medium whose spectrum the source has */
    PROPAGATE_PARAM_IS_HARD /* states in the pages sit on decisions */
};

enum {
    PROPAGATE_SCALAR_SOURCE_X, /* where a history begins, and when */
    PROPAGATE_SCALAR_SOURCE_Y,
    PROPAGATE_SCALAR_SOURCE_Z,
    PROPAGATE_SCALAR_SOURCE_TIME
};

/* ---- states: pages of 32 photons, 128 bytes a field */

enum {
    PHOTON_PAGE = 32,

    PHOTON_POS        = 0, /* fields of a page of reals */
    PHOTON_DIR        = 3,
    PHOTON_POL        = 6,
    PHOTON_WAVELENGTH = 9,
    PHOTON_TIME       = 10,
    PHOTON_WEIGHT     = 11, /* belongs to the place: the next photon in it inherits its weight */
    PHOTON_REALS      = 12,

    PHOTON_FLAGS     = 0, /* fields of a page of words */
    PHOTON_FACE_LAST = 1, /* triangle that it starts from; -1: none */
    PHOTON_KEY_0     = 2,
    PHOTON_KEY_1     = 3,
    PHOTON_DRAW      = 4, /* number of its next draw */
    PHOTON_ORIGIN    = 5, /* generation (0: from the source, others re-emitted); bits 8 to 15: the
                           * medium that emits it */
    PHOTON_WORDS = 6
};

/* Flags: what has happened to a photon. The first four and bits 11 and 15 end it. */
#define PHOTON_NO_HIT             (1u << 0)
#define PHOTON_BULK_ABSORB        (1u << 1)
#define PHOTON_SURFACE_DETECT     (1u << 2)
#define PHOTON_SURFACE_ABSORB     (1u << 3)
#define PHOTON_RAYLEIGH           (1u << 4)
#define PHOTON_REFLECT_DIFFUSE    (1u << 5)
#define PHOTON_REFLECT_SPECULAR   (1u << 6)
#define PHOTON_TRANSMIT           (1u << 7)
#define PHOTON_REFLECT_DIELECTRIC (1u << 8)
#define PHOTON_REEMIT             (1u << 9)  /* with BULK_ABSORB: another photon took its place */
#define PHOTON_ISOTROPIC_INIT     (1u << 10) /* direction and all the rest are still to be drawn */
#define PHOTON_OUT_OF_STEPS       (1u << 11)
#define PHOTON_NAN_ABORT          (1u << 15)
#define PHOTON_ENDED                                                                               \
    (PHOTON_NO_HIT | PHOTON_BULK_ABSORB | PHOTON_SURFACE_DETECT | PHOTON_SURFACE_ABSORB |          \
     PHOTON_OUT_OF_STEPS | PHOTON_NAN_ABORT)

/* Records of ends: row g * photons + i belongs to the photon of generation g in place i. */
enum {
    PHOTON_GENERATIONS = 3, /* the last generation is not re-emitted */
    PHOTON_MOST_STEPS  = 1000
};

/* ---- draws: number d of a photon is one Philox block, four uniforms */

enum {
    PHOTON_DRAW_EMIT  = 0, /* direction, polarisation, wavelength; then the delay */
    PHOTON_DRAW_STEP  = 2, /* of the first step */
    PHOTON_DRAWS_STEP = 2, /* of each step */
    PHOTON_SPAWN_WORD = 1  /* second word of the counter from which a secondary's key comes */
};

/* ---- tables over wavelengths */

enum {
    PHOTON_WAVELENGTHS = 16,
    PHOTON_CDF         = 33, /* wavelengths at the (k / 32) quantiles of an emission */

    PHOTON_MEDIUM_INDEX   = 0,
    PHOTON_MEDIUM_ABSORB  = 1, /* lengths, m */
    PHOTON_MEDIUM_SCATTER = 2,
    PHOTON_MEDIUM_REEMIT  = 3, /* probability after an absorption */
    PHOTON_MEDIUM_CDF     = 4 * PHOTON_WAVELENGTHS,
    PHOTON_MEDIUM_DELAY   = PHOTON_MEDIUM_CDF + PHOTON_CDF, /* mean delay of the re-emission, ns */
    PHOTON_MEDIUM_SIZE    = 100,

    /* What a surface does, as running sums: up to [0] absorbs, up to [1] detects, up to [2]
     * reflects diffusely, up to [3] specularly; beyond that it is the boundary between two
     * dielectrics. */
    PHOTON_SURFACE_SIZE = 4 * PHOTON_WAVELENGTHS,

    PHOTON_MEDIA    = 4,
    PHOTON_SURFACES = 4
};
#define PHOTON_WAVELENGTH_FIRST   200.0f /* nm */
#define PHOTON_WAVELENGTH_SPACING 40.0f
#define PHOTON_LIGHT_SPEED        0.299792458f /* m/ns */

/* One of this many photons in hard states sits on a decision. */
enum {
    PHOTON_HARD_KINDS = 8
};

/* ---- tallies: ends of each kind, then detections of each sensor */

enum {
    PHOTON_TALLY_NO_HIT,
    PHOTON_TALLY_BULK_ABSORB, /* for good */
    PHOTON_TALLY_DETECT,
    PHOTON_TALLY_SURFACE_ABSORB,
    PHOTON_TALLY_REEMIT,
    PHOTON_TALLY_OUT_OF_STEPS,
    PHOTON_TALLY_NAN_ABORT,
    PHOTON_TALLIES
};

#endif
