/* Fills and prepares inputs, and runs the reference. */
#include "inputs.h"

#include "base/float_mode.h"
#include "base/parallel.h"
#include "check/fill.h"
#include "inputs_shared.h"

#include <stdlib.h>
#include <string.h>

static bool is_input(const assay_buffer *b)
{
    return b->role == ASSAY_IN || b->role == ASSAY_INOUT;
}

static bool is_output(const assay_buffer *b)
{
    return b->role == ASSAY_OUT || b->role == ASSAY_INOUT;
}

void assay_inputs_free(assay_inputs *inputs)
{
    if (!inputs)
        return;
    for (int b = 0; b < ASSAY_MAX_BUFFERS; b++) {
        free(inputs->initial[b]);
        free(inputs->expected[b].value);
        free(inputs->expected[b].integer);
        free(inputs->expected[b].magnitude);
        free(inputs->expected[b].law);
    }
    memset(inputs, 0, sizeof *inputs);
}

bool assay_inputs_fit(const assay_inputs *inputs, const assay_point *point, assay_input input)
{
    return inputs->is_valid && inputs->definition == point->definition && inputs->input == input &&
           inputs->seed == point->seed &&
           memcmp(inputs->axis, point->axis, sizeof inputs->axis) == 0;
}

/* Allocates zeroed memory; never NULL for 0 elements. */
static assay_status allocate(size_t count, size_t size, void *pointer)
{
    void *memory = calloc(count ? count : 1, size);

    if (!memory)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no host memory for %zu elements of %zu bytes", count,
                          size);
    memcpy(pointer, &memory, sizeof memory);
    return ASSAY_OK;
}

/* Ends what assay_float_mode_enter began around functions of the case. If they changed the mode, it
 * is not known which of their results it affects. */
static assay_status leave_mode(const assay_inputs *inputs, const fenv_t *mode, const char *whose)
{
    char what[ASSAY_FLOAT_MODE_SIZE];

    if (assay_float_mode_leave(mode, what))
        return ASSAY_OK;
    return ASSAY_FAIL(ASSAY_E_CASE,
                      "case '%s': %s leaves the floating-point mode changed (%s): it has to set "
                      "it back before it returns",
                      inputs->definition->name, whose, what);
}

static assay_status allocate_initial(assay_inputs *inputs)
{
    assay_status st = ASSAY_OK;

    for (int b = 0; b < inputs->n_buffers; b++)
        if (is_input(&inputs->shape.buf[b]))
            ASSAY_CHECK(allocate((size_t)inputs->shape.buf[b].count,
                                 assay_type_size(inputs->shape.buf[b].type), &inputs->initial[b]));
out:
    return st;
}

static assay_status fill_all(assay_inputs *inputs)
{
    assay_status       st    = ASSAY_OK;
    const assay_shape *shape = &inputs->shape;
    fenv_t             mode;

    assay_float_mode_enter(&mode);
    for (int b = 0; b < inputs->n_buffers; b++)
        if (inputs->initial[b])
            ASSAY_CHECK(assay_fill_buffer(shape, b, inputs->seed, inputs->initial[b]));
    if (inputs->definition->prepare)
        inputs->definition->prepare(&(assay_prepare_args) { .in           = inputs->initial,
                                                            .count        = inputs->count,
                                                            .param        = shape->param,
                                                            .scalar       = shape->scalar,
                                                            .parallel_for = assay_parallel_for });
out:
    return st == ASSAY_OK ? leave_mode(inputs, &mode, "what makes its inputs") : st;
}

assay_status assay_inputs_make(assay_inputs *inputs, const assay_point *point, assay_input input,
                               int shared_fd)
{
    assay_status st = ASSAY_OK;

    if (assay_inputs_fit(inputs, point, input))
        return ASSAY_OK;
    assay_inputs_free(inputs);
    inputs->definition = point->definition;
    inputs->input      = input;
    inputs->seed       = point->seed;
    memcpy(inputs->axis, point->axis, sizeof inputs->axis);
    assay_point_shape(point, input, &inputs->shape);
    inputs->n_buffers = assay_shape_buffer_count(&inputs->shape);
    for (int b = 0; b < inputs->n_buffers; b++)
        inputs->count[b] = inputs->shape.buf[b].count;
    ASSAY_CHECK(allocate_initial(inputs));
    if (!assay_inputs_load(inputs, shared_fd)) {
        ASSAY_CHECK(fill_all(inputs));
        assay_inputs_save(inputs, shared_fd);
    }
    inputs->is_valid = true;
out:
    if (st != ASSAY_OK)
        assay_inputs_free(inputs);
    return st;
}

static assay_status allocate_expected(const assay_buffer *buffer, assay_expected *e)
{
    assay_status st = ASSAY_OK;
    const size_t n  = (size_t)buffer->count;

    e->terms = 1;
    if (assay_type_is_float(buffer->type))
        ASSAY_CHECK(allocate(n, sizeof *e->value, &e->value));
    else
        ASSAY_CHECK(allocate(n, sizeof *e->integer, &e->integer));
    ASSAY_CHECK(allocate(n, sizeof *e->magnitude, &e->magnitude));
    ASSAY_CHECK(allocate(n, sizeof *e->law, &e->law));
out:
    return st;
}

assay_status assay_inputs_expect(assay_inputs *inputs)
{
    assay_status st                    = ASSAY_OK;
    const void  *in[ASSAY_MAX_BUFFERS] = { NULL };
    bool         is_done               = false;
    fenv_t       mode;

    assay_float_mode_enter(&mode);
    for (int b = 0; b < inputs->n_buffers; b++) {
        in[b] = inputs->initial[b];
        if (!is_output(&inputs->shape.buf[b]))
            continue;
        is_done = inputs->expected[b].law != NULL;
        if (!is_done)
            ASSAY_CHECK(allocate_expected(&inputs->shape.buf[b], &inputs->expected[b]));
    }
    if (!is_done)
        inputs->definition->reference(
            &(assay_reference_args) { .in           = in,
                                      .expect       = inputs->expected,
                                      .count        = inputs->count,
                                      .param        = inputs->shape.param,
                                      .scalar       = inputs->shape.scalar,
                                      .parallel_for = assay_parallel_for });
    ASSAY_CHECK(leave_mode(inputs, &mode, "its reference"));
out:
    if (st != ASSAY_OK)
        assay_inputs_free(inputs);
    return st;
}
