/* Physics loss calls on a device, for the stand-alone programs. */
#include "phys_run.h"

#include <math.h>
#include <string.h>

static size_t field_bytes(int64_t cells) { return 4 * (size_t)cells * sizeof(float); }

static bool create_memory(phys_on_device *on)
{
    size_t bytes[PHYS_N_MEMORIES];

    for (int i = 0; i <= PHYS_MEMORY_R; i++)
        bytes[i] = field_bytes(on->cells);
    bytes[PHYS_MEMORY_LOSS]      = 2 * sizeof(double);
    bytes[PHYS_MEMORY_WORKSPACE] = on->workspace_bytes;
    bytes[PHYS_MEMORY_SCRATCH]   = PHYS_SCRATCH_BYTES;
    for (int i = 0; i < PHYS_N_MEMORIES; i++) {
        on->memory[i] = phys_device_alloc(bytes[i]);
        if (on->memory[i] == NULL)
            return false;
    }
    return true;
}

static const char ZEROS[PHYS_SCRATCH_BYTES];

bool phys_is_scratch_zero(const phys_on_device *on)
{
    char held[PHYS_SCRATCH_BYTES];

    return phys_device_download(held, on->memory[PHYS_MEMORY_SCRATCH], sizeof held) &&
           memcmp(held, ZEROS, sizeof held) == 0;
}

/* Both ways to add up the losses are tested: with scratch memory and without. */
static bool give_scratch(phys_on_device *on, phys_fields_kind kind)
{
    on->buf.scratch = kind == PHYS_FIELDS_SMOOTH ? NULL : on->memory[PHYS_MEMORY_SCRATCH];
    return phys_device_upload(on->memory[PHYS_MEMORY_SCRATCH], ZEROS, sizeof ZEROS);
}

bool phys_on_device_create(phys_on_device *on, const phys_problem *problem)
{
    phys_problem device = { .cells = problem->cells };
    phys_result  result = { .r = NULL };

    *on = (phys_on_device) { .grid            = problem->grid,
                             .weights         = problem->weights,
                             .cells           = problem->cells,
                             .workspace_bytes = cuda_phys_loss_workspace(&problem->grid) };
    if (!create_memory(on))
        return false;
    for (int level = 0; level < 3; level++) {
        device.field[level] = on->memory[PHYS_MEMORY_FIELD + level];
        result.d[level]     = on->memory[PHYS_MEMORY_D + level];
        if (!phys_device_upload(device.field[level], problem->field[level], field_bytes(on->cells)))
            return false;
    }
    result.r           = on->memory[PHYS_MEMORY_R];
    on->buf            = phys_host_buf(&device, &result);
    on->buf.loss_sigma = on->memory[PHYS_MEMORY_LOSS];
    on->buf.loss_u     = on->buf.loss_sigma + 1;
    return give_scratch(on, problem->kind);
}

void phys_on_device_release(phys_on_device *on)
{
    for (int i = 0; i < PHYS_N_MEMORIES; i++) {
        phys_device_release(on->memory[i]);
        on->memory[i] = NULL;
    }
}

static int call_nonfused(const phys_on_device *on, const phys_buf *buf, phys_pass pass)
{
    switch (pass) {
    case PHYS_RUN_FORWARD:
        return cuda_phys_loss_forward_nonfused(&on->grid, &on->weights, buf,
                                               on->memory[PHYS_MEMORY_WORKSPACE],
                                               on->workspace_bytes, NULL);
    case PHYS_RUN_BACKWARD:
        return cuda_phys_loss_backward_nonfused(&on->grid, &on->weights, buf, NULL);
    case PHYS_RUN_BOTH:
    case PHYS_N_PASSES:
        break;
    }
    return cuda_phys_loss_nonfused(&on->grid, &on->weights, buf, on->memory[PHYS_MEMORY_WORKSPACE],
                                   on->workspace_bytes, NULL);
}

int phys_call(const phys_on_device *on, const phys_buf *buf, int fusion, phys_pass pass)
{
    const phys_fusion how = (phys_fusion)fusion;

    if (fusion == PHYS_RUN_NONFUSED)
        return call_nonfused(on, buf, pass);
    switch (pass) {
    case PHYS_RUN_FORWARD:
        return cuda_phys_loss_forward_fused(&on->grid, &on->weights, buf, how, NULL);
    case PHYS_RUN_BACKWARD:
        return cuda_phys_loss_backward_fused(&on->grid, &on->weights, buf, how, NULL);
    case PHYS_RUN_BOTH:
    case PHYS_N_PASSES:
        break;
    }
    return cuda_phys_loss_fused(&on->grid, &on->weights, buf, how, NULL);
}

void phys_poison(phys_result *result, int64_t cells, bool is_r_given)
{
    if (!is_r_given)
        memset(result->r, 0xff, field_bytes(cells));
    for (int level = 0; level < 3; level++)
        memset(result->d[level], 0xff, field_bytes(cells));
    result->loss[0] = result->loss[1] = (double)NAN;
}

bool phys_on_device_give(const phys_on_device *on, const phys_result *result)
{
    const size_t bytes = field_bytes(on->cells);
    bool         works =
        phys_device_upload(on->memory[PHYS_MEMORY_R], result->r, bytes) &&
        phys_device_upload(on->memory[PHYS_MEMORY_LOSS], result->loss, sizeof result->loss);

    for (int level = 0; level < 3; level++)
        works =
            works && phys_device_upload(on->memory[PHYS_MEMORY_D + level], result->d[level], bytes);
    return works;
}

bool phys_on_device_result(const phys_on_device *on, phys_result *result)
{
    const size_t bytes = field_bytes(on->cells);
    bool         works =
        phys_device_download(result->r, on->memory[PHYS_MEMORY_R], bytes) &&
        phys_device_download(result->loss, on->memory[PHYS_MEMORY_LOSS], sizeof result->loss);

    for (int level = 0; level < 3; level++)
        works = works &&
                phys_device_download(result->d[level], on->memory[PHYS_MEMORY_D + level], bytes);
    return works;
}

bool phys_run(const phys_problem *problem, int fusion, phys_pass pass, phys_result *result)
{
    phys_on_device on;
    bool           works = phys_on_device_create(&on, problem);
    int            error;

    phys_poison(result, problem->cells, fusion == PHYS_RUN_NONFUSED && pass == PHYS_RUN_BACKWARD);
    works = works && phys_on_device_give(&on, result);
    if (trial_expect(works, "%s: no memory: %s", phys_describe(problem), phys_device_message())) {
        error = phys_call(&on, &on.buf, fusion, pass);
        works = trial_expect(error == 0, "%s fusion %d pass %d: error number %d",
                             phys_describe(problem), fusion, (int)pass, error) &&
                trial_expect(phys_device_wait() && phys_on_device_result(&on, result),
                             "%s fusion %d pass %d: %s", phys_describe(problem), fusion, (int)pass,
                             phys_device_message()) &&
                trial_expect(phys_is_scratch_zero(&on), "%s fusion %d pass %d: scratch is not zero",
                             phys_describe(problem), fusion, (int)pass);
    }
    phys_on_device_release(&on);
    return works;
}
