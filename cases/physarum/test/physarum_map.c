/* Columns at a finite eps, and their sums. */
#include "physarum_map.h"

#include "physarum_test.h"

#include <math.h>

physarum_column physarum_column_at(const physarum_map *f, const physarum_image_of *at, int64_t i,
                                   double eps)
{
    const uint64_t piece   = f->apply(f->context, i, eps, at->other);
    double         squares = 0, sum = 0;

    for (int64_t k = 0; k < f->m; k++) {
        const double change = at->other[k] - at->y[k];

        squares += change * change;
        sum += change;
    }
    return (physarum_column) { .norm      = sqrt(squares) / eps,
                               .sum       = sum / eps,
                               .is_smooth = piece == at->piece };
}

physarum_local physarum_local_at(const physarum_map *f, const physarum_image_of *at,
                                 const physarum_group *group, double eps)
{
    const bool     is_all = group->count <= group->samples;
    const int64_t  drawn  = is_all ? group->count : group->samples;
    const double   count  = (double)group->count;
    physarum_local local  = { .drawn = drawn };
    double         smooth = 0, norms = 0;

    for (int64_t k = 0; k < drawn; k++) {
        const double          u = physarum_uniform(group->seed, (uint64_t)k);
        const int64_t         i = group->first + (is_all ? k : (int64_t)(u * count));
        const physarum_column c = physarum_column_at(f, at, i, eps);

        local.sensitivity += c.norm * count / (double)drawn;
        local.sum += c.sum / (double)drawn;
        smooth += c.is_smooth;
        norms += c.is_smooth ? c.norm : 0;
    }
    local.smooth   = smooth / (double)drawn;
    local.jacobian = smooth > 0 ? count * norms / smooth : NAN;
    return local;
}
