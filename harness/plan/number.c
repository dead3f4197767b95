/* Whole numbers as a person writes them. */
#include "number.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The longer ones first. */
static const struct {
    const char *word;
    int64_t     base;
    int         power;
} units[] = {
    { "Ki", 1024, 1 }, { "Mi", 1024, 2 }, { "Gi", 1024, 3 }, { "Ti", 1024, 4 },
    { "k", 1000, 1 },  { "M", 1000, 2 },  { "G", 1000, 3 },  { "T", 1000, 4 },
};

static bool read_digits(const char **text, int64_t *number)
{
    char *end = NULL;

    if (**text < '0' || **text > '9')
        return false;
    if (**text == '0' && (*text)[1] >= '0' && (*text)[1] <= '9')
        return false;
    errno   = 0;
    *number = strtoll(*text, &end, 10);
    if (errno)
        return false;
    *text = end;
    return true;
}

/* number * base^power */
static bool scale(int64_t *number, int64_t base, int64_t power)
{
    for (; power > 0 && *number != 0 && base != 1; power--)
        if (__builtin_mul_overflow(*number, base, number))
            return false;
    return true;
}

static bool raise_to(const char **text, int64_t base, int64_t factor, int64_t *number)
{
    int64_t power = 0;

    ++*text;
    *number = factor;
    return read_digits(text, &power) && scale(number, base, power);
}

bool assay_number_read(const char **text, int64_t *number)
{
    if (!read_digits(text, number))
        return false;
    if (**text == '^')
        return raise_to(text, *number, 1, number);
    if (**text == 'e')
        return raise_to(text, 10, *number, number);
    for (size_t u = 0; u < sizeof units / sizeof units[0]; u++) {
        const size_t length = strlen(units[u].word);

        if (strncmp(*text, units[u].word, length) != 0)
            continue;
        *text += length;
        return scale(number, units[u].base, units[u].power);
    }
    return true;
}

bool assay_number_range_read(const char *text, assay_number_range *range)
{
    bool is_product;

    *range = (assay_number_range) { .factor = 1 };
    if (!assay_number_read(&text, &range->first) || strncmp(text, "..", 2) != 0)
        return false;
    text += 2;
    if (!assay_number_read(&text, &range->last) || (*text != '*' && *text != '+'))
        return false;
    is_product = *text++ == '*';
    if (!assay_number_read(&text, is_product ? &range->factor : &range->step) || *text)
        return false;
    return range->first <= range->last &&
           (is_product ? range->factor > 1 && range->first > 0 : range->step > 0);
}

bool assay_number_range_next(const assay_number_range *range, int64_t *number)
{
    int64_t next;

    if (__builtin_mul_overflow(*number, range->factor, &next) ||
        __builtin_add_overflow(next, range->step, &next) || next > range->last)
        return false;
    *number = next;
    return true;
}
