/* Orders for qsort and bsearch. */
#include "sort.h"

#include <string.h>

int assay_compare_int64s(const void *a, const void *b)
{
    return assay_order_int64(*(const int64_t *)a, *(const int64_t *)b);
}

int assay_compare_doubles(const void *a, const void *b)
{
    return assay_order_double(*(const double *)a, *(const double *)b);
}

int assay_compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}
