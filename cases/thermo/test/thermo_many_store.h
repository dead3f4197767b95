/* The marches of test_thermo_many in a database, for --db: for each step what it conserved and how
 * far the ways have drifted apart, and for each march its worst values and its times. Without --db
 * nothing. */
#ifndef ASSAY_THERMO_MANY_STORE_H
#define ASSAY_THERMO_MANY_STORE_H

#include "step_laws.h"

#include "program.h"

enum {
    MANY_STEPS = 1000
};

/* The settings of a run: a cubic grid, particles a cell, the initial temperature of the gas, the
 * ways, and how often the energy of the gas is compared with its work. */
typedef struct many_plan {
    const char *name;
    int64_t     side, per_cell;
    float       temperature;
    int         ways[N_WAYS], n_ways, energy_every;
    int         least_halvings; /* some step must take as many */
} many_plan;

typedef struct many_store {
    assay_program_point *points;  /* owned */
    int64_t              n, next; /* next: the first of the next march */
    assay_program       *program; /* owned; NULL: nothing is stored */
    const many_plan     *march;
    int64_t              first; /* of its points */
} many_store;

/* Plans the marches of all plans with this name: each without gravity, then with it. False without
 * memory. */
bool many_store_plan(many_store *store, const many_plan *plans, size_t n_plans, const char *name);
/* The next march: *is_wanted if any part of it is still to be done. */
assay_status many_store_take(many_store *store, const many_plan *plan, bool *is_wanted);

/* A step of a way. has_energy: that law was checked. */
typedef struct many_step {
    const step_run *run, *of_first_way;
    step_laws       laws;
    bool            is_first_way, has_energy;
} many_step;
assay_status many_store_step(many_store *store, int way, int step, const many_step *about);
/* A way whose step failed: the march ends there for all ways. */
assay_status many_store_break(many_store *store, int way, int step);

/* The whole march of a way. */
typedef struct many_march {
    step_laws     worst;
    int           steps_halved, most_halvings;
    const double *time_ns; /* [MANY_STEPS] */
} many_march;
assay_status many_store_march(many_store *store, int way, const many_march *about);
assay_status many_store_finish(many_store *store);

/* Frees; *exit_status is that of assay_program_close. */
void many_store_close(many_store *store, int *exit_status);

#endif
