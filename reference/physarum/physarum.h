/* The model in double, from its definition: what the references, the comparer, the stand-alone
 * tests and the tools share. Index arithmetic (which cell a sensor reads, which cell a deposit goes
 * to) is IEEE fp32, with one rounding an operation, as the definition says. */
#ifndef PHYSARUM_REFERENCE_H
#define PHYSARUM_REFERENCE_H

#include "kernel.h"

#include "../../kernels/physarum/physarum_case.h"

#include <stdbool.h>

typedef struct physarum_model {
    int64_t height, width, agents;
    int     semantics, blur;
    float   step, reach, spread;
    double  blend, decay, deposit;
    bool    has_doubts;  /* find what is uncertain, and take sine and cosine in double */
    double  field_error; /* relative, of the sensed field: 0 if the field is given */
    assay_parallel_for_fn *parallel_for; /* NULL: one thread */
} physarum_model;

/* The article's constants on a grid. */
physarum_model physarum_model_of(const int64_t *param, const double *scalar,
                                 assay_parallel_for_fn *parallel_for);

/* Positions are y, x pairs. */
typedef struct physarum_state {
    const float *pos, *angle, *field;
} physarum_state;

/* How far a correct kernel's headings may be off when it takes their sine: it may keep directions
 * as vectors and compute headings by arctangent. In units of u = 2^-24, for headings up to pi:
 * arctangent 12 (3 ULP), sum with the spread 4, spread as fp32 1, rotation 4, normalisation 3, sine
 * 4: under 32. */
#define PHYSARUM_ANGLE_ERROR 0x1p-19

/* Unit roundoff of fp32. */
#define PHYSARUM_ROUNDOFF 0x1p-24

/* Roundings of a cell in blur, blend and decay, by blur and in any order: 24 additions for a square
 * of 5, one more for the blend, two products, and up to five constants. */
#define PHYSARUM_FIELD_ROUNDINGS 32

typedef struct physarum_direction {
    double sine, cosine;
} physarum_direction;
physarum_direction physarum_direction_of(const physarum_model *m, float heading);

/* One turn: +1 to the left (heading + spread), -1 to the right, 0 straight on. */
typedef struct physarum_turn {
    int  turn;
    bool is_certain; /* the same within the error that headings may have */
} physarum_turn;

/* What one sensor reads, and the limits of what a correct kernel may read there. */
typedef struct physarum_sample {
    double value, low, high;
    float  at[2]; /* where, in cells */
} physarum_sample;

/* Sensor 0 is ahead, 1 left, 2 right: the samples that agent `agent` uses. */
void          physarum_sense(const physarum_model *m, const physarum_state *s, int64_t agent,
                             physarum_sample sample[3]);
physarum_turn physarum_decide(const physarum_model *m, const physarum_sample sample[3]);

/* The place of a position along an axis, and of a sensor, wrapped as the semantics say. Places on
 * the axis stay as they are in all three; for others these functions divide. */
float               physarum_wrap_around(const physarum_model *m, float v, int64_t extent);
float               physarum_sensor_around(const physarum_model *m, float v, int64_t extent);
static inline float physarum_wrap(const physarum_model *m, float v, int64_t extent)
{
    return v >= 0 && v < (float)extent ? v : physarum_wrap_around(m, v, extent);
}
static inline float physarum_sensor_place(const physarum_model *m, float v, int64_t extent)
{
    return v >= 0 && v < (float)extent ? v : physarum_sensor_around(m, v, extent);
}

/* The cell of a coordinate, and the one that an agent deposits in. */
static inline int64_t physarum_cell_on(float v, int64_t extent)
{
    const int64_t cell = (int64_t)v;

    return cell < 0 ? 0 : cell > extent - 1 ? extent - 1 : cell;
}
static inline int64_t physarum_deposit_cell(const physarum_model *m, const float pos[2])
{
    return physarum_cell_on(pos[0], m->height) * m->width + physarum_cell_on(pos[1], m->width);
}

/* Canonical headings stay within half a turn; the others grow without limit. */
#define PHYSARUM_PI_SINGLE 0x1.921fb6p+1f
static inline float physarum_heading_after(const physarum_model *m, float angle, int turn)
{
    const float two_pi = 2 * PHYSARUM_PI_SINGLE;
    const float a      = turn > 0 ? angle + m->spread : turn < 0 ? angle - m->spread : angle;

    if (m->semantics != PHYSARUM_CANONICAL)
        return a;
    return a > PHYSARUM_PI_SINGLE ? a - two_pi : a < -PHYSARUM_PI_SINGLE ? a + two_pi : a;
}

/* Doubts about one agent, as bits. */
enum {
    PHYSARUM_DOUBT_TURN  = 1, /* a sensor at a cell's edge or the seam, or a tie */
    PHYSARUM_DOUBT_Y     = 2, /* its y is at the seam */
    PHYSARUM_DOUBT_X     = 4,
    PHYSARUM_DOUBT_ANGLE = 8,  /* its heading is at the seam of the angles */
    PHYSARUM_DOUBT_CELL  = 16, /* it may deposit in another cell */
};

/* Where agents go; doubts only if the model has them. cell_doubt[c] is set if an agent in doubt may
 * deposit in cell c. */
typedef struct physarum_moves {
    float   *pos, *angle;
    uint8_t *doubt;      /* [agents], bits */
    uint8_t *cell_doubt; /* [cells], zero on entry */
} physarum_moves;
void physarum_move_agents(const physarum_model *m, const physarum_state *s,
                          const physarum_moves *moves);

/* The field after deposits by agents at `pos` and after blur, blend and decay. */
typedef struct physarum_field_out {
    float         *single;    /* NULL or [cells] */
    double        *value;     /* NULL or [cells] */
    double        *magnitude; /* NULL or [cells] */
    uint8_t       *law;       /* NULL or [cells]: ASSAY_EXEMPT in the reach of cell_doubt */
    const uint8_t *cell_doubt;
} physarum_field_out;
void physarum_next_field(const physarum_model *m, const float *field, const float *pos,
                         const physarum_field_out *out);

/* Zeroed memory, which the caller frees. Aborts if there is none: without an answer it crashes
 * before anything is judged. */
void *physarum_allocate(int64_t count, size_t size);

/* `steps` steps in place, in the precision of the stored state. With doubts: returns how often an
 * agent was in doubt, so that a correct kernel may have reached another state; else 0. */
int64_t physarum_advance(const physarum_model *m, float *pos, float *angle, float *field,
                         int64_t steps);

/* Up to this many steps and agents, a call of many steps is followed from its beginning. Longer
 * calls diverge from the reference anyway; they are judged by their last step and by what is
 * conserved. */
enum {
    PHYSARUM_FOLLOWED_STEPS  = 8,
    PHYSARUM_FOLLOWED_AGENTS = 8200
};
static inline bool physarum_is_followed(const physarum_model *m, int64_t steps)
{
    return steps <= PHYSARUM_FOLLOWED_STEPS && m->agents <= PHYSARUM_FOLLOWED_AGENTS;
}

/* One step prepared for comparison: everything that is expected of its three outputs. */
void physarum_expect(const physarum_model *m, const physarum_state *s, assay_expected *pos,
                     assay_expected *angle, assay_expected *field);

/* Share of agents in doubt that the error of headings predicts, and the share of the field's
 * cells. */
double physarum_doubt_share(const physarum_model *m);
double physarum_field_doubt_share(const physarum_model *m);

#endif
