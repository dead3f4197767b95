/* From the C API's arguments to a launch of a physics loss kernel. */
#include "phys_launch.h"

static void set_components(const float *to[4], const float *sigma, const float *u, int64_t cells)
{
    to[0] = sigma;
    for (int c = 0; c < 3; c++)
        to[1 + c] = u == NULL ? NULL : u + c * cells;
}

/* Where the gradient of sigma (0) or u (1) at a level goes, NULL if it is not asked for. */
static float *gradient_of(const phys_grid_spec *grid, const phys_buf *buf, unsigned wants, int i,
                          int level)
{
    if (!phys_wants_level(grid, level) || !(wants & PHYS_WANTS_GRADIENTS))
        return NULL;
    return i == 0 ? buf->d_sigma[level] : buf->d_u[level];
}

/* Are both neighbours along an axis always the same cell? Then differences are zero, and so are
 * their transposes, even where a kernel adds their two halves at different times. */
static bool is_flat(int64_t n, int is_periodic) { return n == 1 || (n == 2 && is_periodic); }

phys_kernel_args phys_make_args(const phys_grid_spec *grid, const phys_weights *weights,
                                const phys_buf *buf, unsigned wants)
{
    const bool       is_central = grid->time == PHYS_CENTRAL;
    const double     w[2]       = { weights->w_sigma, weights->w_u };
    const double     h[3]       = { grid->hx, grid->hy, grid->hz };
    const int64_t    n[3]       = { grid->nx, grid->ny, grid->nz };
    phys_kernel_args a          = {};

    a.nx      = static_cast<int>(grid->nx);
    a.ny      = static_cast<int>(grid->ny);
    a.nz      = static_cast<int>(grid->nz);
    a.cells   = phys_count_cells(grid);
    a.scratch = static_cast<phys_scratch *>(buf->scratch);
    set_components(a.now, buf->sigma_t1, buf->u_t1, a.cells);
    set_components(a.before, buf->sigma_t0, buf->u_t0, a.cells);
    /* With first order it is never read, but every pointer must be valid. */
    set_components(a.after, is_central ? buf->sigma_t2 : buf->sigma_t1,
                   is_central ? buf->u_t2 : buf->u_t1, a.cells);
    for (int i = 0; i < 2; i++) {
        a.r[i]        = !(wants & PHYS_WANTS_RESIDUALS) ? NULL : i == 0 ? buf->r_sigma : buf->r_u;
        a.d[i]        = gradient_of(grid, buf, wants, i, 1);
        a.d_far[0][i] = gradient_of(grid, buf, wants, i, 0);
        a.d_far[1][i] = gradient_of(grid, buf, wants, i, 2);
        a.loss[i] = !(wants & PHYS_WANTS_LOSSES) ? NULL : i == 0 ? buf->loss_sigma : buf->loss_u;
        a.loss_factor[i]     = w[i] / static_cast<double>(a.cells);
        a.gradient_factor[i] = static_cast<float>(2 * w[i] / static_cast<double>(a.cells));
    }
    for (int axis = 0; axis < 3; axis++) {
        a.periodic[axis] = grid->boundary[axis] == PHYS_PERIODIC;
        a.per_two_h[axis] =
            is_flat(n[axis], a.periodic[axis]) ? 0 : static_cast<float>(1 / (2 * h[axis]));
    }
    a.per_step = static_cast<float>(1 / ((is_central ? 2 : 1) * grid->dt));
    return a;
}

static bool is_aligned(const void *p) { return reinterpret_cast<uintptr_t>(p) % 16 == 0; }

int phys_vector_width(const phys_kernel_args *a)
{
    bool all = a->nx % 4 == 0;

    /* nx is a multiple of four, so the distance between components is one too. */
    for (int i = 0; i < 2; i++)
        all = all && is_aligned(a->now[i]) && is_aligned(a->before[i]) && is_aligned(a->after[i]) &&
              is_aligned(a->r[i]) && is_aligned(a->d[i]) && is_aligned(a->d_far[0][i]) &&
              is_aligned(a->d_far[1][i]);
    return all ? 4 : 1;
}

static __global__ void zero_losses_kernel(double *first, double *second)
{
    *(threadIdx.x == 0 ? first : second) = 0;
}

/* One launch: two memory fills would be two more gaps before a kernel of a few microseconds. */
int phys_zero_losses(const phys_kernel_args *a, assay_stream stream)
{
    if (a->loss[0] == NULL || a->scratch != NULL)
        return PHYS_OK;
    zero_losses_kernel<<<1, 2, 0, stream>>>(a->loss[0], a->loss[1]);
    return assay_launch_status();
}

unsigned phys_set_tiles(phys_kernel_args *a, int64_t x, int64_t y, int64_t z)
{
    const int64_t max_blocks = INT32_MAX;
    const int64_t tiles_x = assay_ceil_div(a->nx, x), tiles_y = assay_ceil_div(a->ny, y);
    const int64_t tiles_z = assay_ceil_div(a->nz, z);

    a->tiles_x = static_cast<int>(tiles_x);
    a->tiles_y = static_cast<int>(tiles_y);
    a->planes  = static_cast<int>(z);
    /* Each factor is below 2^31, so the first product fits. The second is compared by division. */
    if (tiles_x * tiles_y > max_blocks / tiles_z)
        return 0;
    return static_cast<unsigned>(tiles_x * tiles_y * tiles_z);
}

/* Tiles of a plane. */
static int64_t count_columns(const phys_kernel_args *a, int64_t x, int64_t y)
{
    return assay_ceil_div(a->nx, x) * assay_ceil_div(a->ny, y);
}

/* Enough planes that reading two more costs little, few enough that all processors of a large GPU
 * get several blocks. */
unsigned phys_set_march(phys_kernel_args *a, int64_t x, int64_t y, int64_t wanted_blocks)
{
    const int64_t least = 4, most = 64, planes = count_columns(a, x, y) * a->nz / wanted_blocks;

    return phys_set_tiles(a, x, y, planes < least ? least : planes > most ? most : planes);
}

/* A launch lasts as many waves as its blocks need. A wave lasts as long as a block: its own planes
 * and those that it reads beside them. */
unsigned phys_set_stream(phys_kernel_args *a, int64_t x, int64_t y, int64_t at_once, int64_t extra)
{
    const int64_t columns = count_columns(a, x, y), most_cuts = a->nz < 1024 ? a->nz : 1024;
    int64_t       best = a->nz, least = INT64_MAX;

    for (int64_t cuts = 1; cuts <= most_cuts; cuts++) {
        const int64_t planes = assay_ceil_div(a->nz, cuts);
        const int64_t blocks = columns * assay_ceil_div(a->nz, planes);
        const int64_t length = assay_ceil_div(blocks, at_once) * (planes + extra);

        if (length < least) {
            least = length;
            best  = planes;
        }
    }
    return phys_set_tiles(a, x, y, best);
}
