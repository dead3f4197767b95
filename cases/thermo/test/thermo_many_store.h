/* The marches of test_thermo_many in a database, for --db: of each step what it kept and how far
 * the ways have drifted apart, and of each march its worst and its times. Without --db nothing. */
#ifndef ASSAY_THERMO_MANY_STORE_H
#define ASSAY_THERMO_MANY_STORE_H

#include "step_laws.h"

#include "program.h"

enum {
    MANY_STEPS = 1000
};

/* What is run: a cubic grid, particles a cell, how warm their gas is at first, which ways, and how
 * often the energy of the gas is compared with its work. */
typedef struct many_plan {
    const char *name;
    int64_t     side, per_cell;
    float       temperature;
    int         ways[N_WAYS], n_ways, energy_every;
    int         least_halvings; /* that some step takes */
} many_plan;

typedef struct many_store {
    assay_program_point *points;  /* owned */
    int64_t              n, next; /* next: the first of the march that comes */
    assay_program       *program; /* owned; NULL: nothing is stored */
    const many_plan     *march;
    int64_t              first; /* of its points */
} many_store;

/* The marches of those of the plans whose name this is: each without gravity, then with. False
 * without memory. */
bool many_store_plan(many_store *store, const many_plan *plans, size_t n_plans, const char *name);
/* The next march: *is_wanted if anything of it is to be done. */
assay_status many_store_take(many_store *store, const many_plan *plan, bool *is_wanted);

/* A step of a way. has_energy: that law was looked at. */
typedef struct many_step {
    const step_run *run, *of_first_way;
    step_laws       laws;
    bool            is_first_way, has_energy;
} many_step;
assay_status many_store_step(many_store *store, int way, int step, const many_step *about);
/* A way whose step failed: with the other ways it ends there. */
assay_status many_store_break(many_store *store, int way, int step);

/* The march of a way, through to its end. */
typedef struct many_march {
    step_laws     worst;
    int           steps_halved, most_halvings;
    const double *time_ns; /* [MANY_STEPS] */
} many_march;
assay_status many_store_march(many_store *store, int way, const many_march *about);
assay_status many_store_finish(many_store *store);

/* Frees; *exit_status as assay_program_close has it. */
void many_store_close(many_store *store, int *exit_status);

#endif
