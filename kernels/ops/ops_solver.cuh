/* cuSOLVER's batched Jacobi methods. Beside the handle, each has an object of parameters, and needs
 * memory whose size it tells. */
#ifndef ASSAY_OPS_SOLVER_CUH
#define ASSAY_OPS_SOLVER_CUH

#include "ops_library.cuh"

/* Places in the list of calls. */
enum {
    OPS_SOLVER_CREATE,
    OPS_SOLVER_DESTROY,
    OPS_SOLVER_TOLERANCE,
    OPS_SOLVER_SWEEPS,
    OPS_SOLVER_SORT,
    OPS_SOLVER_SIZE, /* the form of this and of the last one differs by method */
    OPS_SOLVER_RUN
};

enum {
    OPS_SOLVER_FAILED  = 999,
    OPS_SOLVER_VECTORS = 1, /* vectors too, not only values */
    OPS_SOLVER_ROUNDS  = 15 /* sweeps at most, as in NVIDIA's examples */
};

/* The largest off-diagonal part of a matrix that may be left: one step of single precision. */
static const double OPS_SOLVER_LEFT = 0x1p-23;

struct ops_solver {
    ops_library *library;
    void        *parameters;
    float       *memory;
    int          n_memory; /* numbers */
};

/* Sets n to the numbers of memory that the batched call needs for these arguments. Returns 0 or an
 * error number. */
typedef int ops_solver_size_fn(const ops_solver *s, const assay_args *args, int *n);

typedef int ops_solver_create_fn(void **parameters);
typedef int ops_solver_destroy_fn(void *parameters);
typedef int ops_solver_tolerance_fn(void *parameters, double tolerance);
typedef int ops_solver_set_fn(void *parameters, int value);

/* For a variant's teardown. */
static inline void ops_solver_teardown(void *state)
{
    ops_solver *const s = static_cast<ops_solver *>(state);

    if (s == NULL)
        return;
    if (s->parameters != NULL)
        (void)ops_library_call<ops_solver_destroy_fn *>(s->library,
                                                        OPS_SOLVER_DESTROY)(s->parameters);
    if (s->memory != NULL)
        assay_setup_free(s->memory);
    ops_library_teardown(s->library);
    free(s);
}

static inline int ops_solver_parameters(ops_solver *s)
{
    const ops_library *const l = s->library;

    if (ops_library_call<ops_solver_create_fn *>(l, OPS_SOLVER_CREATE)(&s->parameters) != 0) {
        s->parameters = NULL;
        return OPS_SOLVER_FAILED;
    }
    if (ops_library_call<ops_solver_tolerance_fn *>(l, OPS_SOLVER_TOLERANCE)(
            s->parameters, OPS_SOLVER_LEFT) != 0 ||
        ops_library_call<ops_solver_set_fn *>(l, OPS_SOLVER_SWEEPS)(s->parameters,
                                                                    OPS_SOLVER_ROUNDS) != 0 ||
        ops_library_call<ops_solver_set_fn *>(l, OPS_SOLVER_SORT)(s->parameters, 1) != 0)
        return OPS_SOLVER_FAILED;
    return 0;
}

static inline int ops_solver_prepare(ops_solver *s, const assay_args *args,
                                     ops_solver_size_fn *size)
{
    void *memory = NULL;
    int   error  = ops_solver_parameters(s);

    if (error == 0)
        error = size(s, args, &s->n_memory);
    if (error == 0)
        error = assay_setup_allocate(&memory, static_cast<size_t>(s->n_memory + 1) * sizeof(float));
    s->memory = static_cast<float *>(memory);
    return error;
}

/* For a variant's setup; returns what that has to return. */
static inline int ops_solver_setup(const ops_library_names &names, const assay_args *args,
                                   ops_solver_size_fn *size, void **state)
{
    void *library = NULL;
    int   error   = ops_library_setup(names, &library);

    *state = library; /* the reason */
    if (error != 0)
        return error;
    ops_solver *const s = static_cast<ops_solver *>(calloc(1, sizeof *s));

    *state = NULL;
    if (s == NULL) {
        ops_library_teardown(library);
        return OPS_SOLVER_FAILED;
    }
    s->library = static_cast<ops_library *>(library);
    error      = ops_solver_prepare(s, args, size);
    if (error == 0)
        *state = s;
    else
        ops_solver_teardown(s);
    return error;
}

#endif
