/* The worse of two exit statuses. */
#include "exit_status.h"

#include <stddef.h>

static const int order[] = {
#define X(name, number, words) number,
    ASSAY_EXIT_MAP(X)
#undef X
};

/* Its rank in the order; a status outside the table has the rank of ASSAY_EXIT_USAGE. */
static size_t rank_of(int status)
{
    size_t usage = 0;

    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        if (order[i] == status)
            return i;
        if (order[i] == ASSAY_EXIT_USAGE)
            usage = i;
    }
    return usage;
}

int assay_exit_worse(int a, int b)
{
    const size_t rank_a = rank_of(a), rank_b = rank_of(b);

    return order[rank_a < rank_b ? rank_a : rank_b];
}
