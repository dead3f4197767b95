/* The metric of a row, texts that outlive it, and the conditions of numbers. */
#include "store_cells.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells ---- */

static void append(char *to, size_t size, const char *text, size_t length)
{
    const size_t end = strlen(to);

    (void)assay_text_set(to + end, size - end, "%.*s", (int)length, text);
}

assay_status assay_cell_metric(assay_cursor *row, assay_regime *regime, assay_clock *clock)
{
    const char  *regime_word = assay_row_text(row, "regime");
    const char  *clock_word  = assay_row_text(row, "clock");
    assay_status st          = ASSAY_OK;

    ASSAY_REQUIRE(assay_regime_find(regime_word, regime) && assay_clock_find(clock_word, clock),
                  ASSAY_E_DATABASE,
                  "this release does not know the regime '%.20s' by the clock '%.20s'", regime_word,
                  clock_word);
out:
    return st;
}

assay_status assay_store_each_row(assay_store *store, const char *query_name, int64_t run_id,
                                  assay_status (*visit)(void *context, assay_cursor *row),
                                  void *context)
{
    assay_cursor *row = NULL;
    assay_status  st;

    ASSAY_CHECK(assay_store_query(store, query_name, run_id, &row));
    while (assay_cursor_next(row, &st))
        ASSAY_CHECK(visit(context, row));
out:
    assay_cursor_close(row);
    return st;
}

/* ---- reasons for doubt ---- */

static const double MOST_BELIEVED = 0.1; /* of an uncertainty */

enum {
    FEWEST_SAMPLES =
        6 /* with fewer samples, the extremes miss the median in more than 5 % of cases */
};

/* Half of the median's 95 % interval, estimated from the quartiles of a normal distribution: 1.82
 * times their distance, divided by the square root of the number of samples. */
static double half_interval(assay_cursor *row)
{
    const double distance = assay_row_number(row, "q3_ns") - assay_row_number(row, "q1_ns");

    return 1.82 * distance / sqrt(assay_row_number(row, "n_samples")) /
           assay_row_number(row, "median_ns");
}

/* Processes differ more than samples of one process: takes the wider one. */
double assay_cell_uncertainty(assay_cursor *row)
{
    return fmax(assay_row_number(row, "process_spread") / 2, half_interval(row));
}

char *assay_cell_doubt(assay_cursor *row, char *text, size_t size)
{
    const double n_samples = assay_row_number(row, "n_samples"), half = assay_cell_uncertainty(row);
    const struct {
        bool        holds;
        const char *word;
    } doubts[] = {
        { assay_row_count(row, "decides") != 1, ASSAY_DOUBT_UNDECIDED },
        { !(n_samples >= FEWEST_SAMPLES), "few samples" },
        { isnan(half) && n_samples >= FEWEST_SAMPLES, "no interval" },
        { half > MOST_BELIEVED, "noise" },
        { assay_row_number(row, "n_throttled") > n_samples, "mostly throttled" },
        { assay_row_count(row, "is_below_floor") != 0, "near the floor" },
        { assay_row_number(row, "share_of_ceiling") > 1, "above the ceiling" },
    };

    text[0] = '\0';
    for (size_t i = 0; i < sizeof doubts / sizeof doubts[0]; i++) {
        if (!doubts[i].holds)
            continue;
        append(text, size, text[0] ? ", " : "", 2);
        append(text, size, doubts[i].word, strlen(doubts[i].word));
    }
    return text;
}

/* ---- memory ---- */

bool assay_grow(void **items, int64_t n, int64_t *capacity, size_t size)
{
    const int64_t more = *capacity ? 2 * *capacity : 64;
    void         *new_items;

    if (n < *capacity)
        return true;
    new_items = realloc(*items, (size_t)more * size);
    if (!new_items)
        return false;
    *items    = new_items;
    *capacity = more;
    return true;
}

const char *assay_texts_keep(assay_texts *texts, const char *text)
{
    char *copy;

    if (texts->status != ASSAY_OK)
        return "";
    if (texts->n == texts->capacity) {
        const size_t capacity = texts->capacity ? 2 * texts->capacity : 256;
        char       **items    = realloc(texts->items, capacity * sizeof *items);

        if (items) {
            texts->items    = items;
            texts->capacity = capacity;
        }
    }
    copy = texts->n < texts->capacity ? strdup(text) : NULL;
    if (!copy) {
        texts->status = ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory for texts of a database");
        return "";
    }
    texts->items[texts->n++] = copy;
    return copy;
}

void assay_texts_free(assay_texts *texts)
{
    if (!texts)
        return;
    for (size_t i = 0; i < texts->n; i++)
        free(texts->items[i]);
    free(texts->items);
    *texts = (assay_texts) { .n = 0 };
}

/* ---- conditions ---- */

static const struct {
    const char *column, *words;
} conditions_of[] = {
#define X(name, column, words) [ASSAY_CONDITION_##name] = { column, words },
    ASSAY_CONDITION_MAP(X)
#undef X
};

const char *const assay_condition_across[] = { "device", "driver", "toolkit",
                                               "policy", "tuning", NULL };

const char *assay_condition_name(assay_condition condition)
{
    return conditions_of[condition].words;
}

void assay_conditions_read(assay_cursor *row, assay_texts *texts, assay_conditions *conditions)
{
    for (int i = 0; i < ASSAY_N_CONDITIONS; i++)
        conditions->value[i] =
            assay_texts_keep(texts, assay_row_text(row, conditions_of[i].column));
}

static const char *or_none(const char *text) { return *text ? text : "none"; }

/* Compares word by word if both are lists of the same length, else as a whole. */
static void append_difference(char *to, size_t size, const char *a, const char *b)
{
    const char *separator = "";

    if (!strchr(a, '=') || !strchr(b, '=')) {
        append(to, size, or_none(a), 400);
        append(to, size, " / ", 3);
        append(to, size, or_none(b), 400);
        return;
    }
    while (*a || *b) {
        const size_t n_a = strcspn(a, " "), n_b = strcspn(b, " ");

        if (n_a != n_b || memcmp(a, b, n_a) != 0) {
            append(to, size, separator, strlen(separator));
            append(to, size, n_a ? a : "none", n_a ? n_a : 4);
            append(to, size, " / ", 3);
            append(to, size, n_b ? b : "none", n_b ? n_b : 4);
            separator = ", ";
        }
        a += n_a + (a[n_a] == ' ');
        b += n_b + (b[n_b] == ' ');
    }
}

int assay_conditions_differ(const assay_conditions *a, const assay_conditions *b,
                            const char *except, char *to, size_t size)
{
    int n = 0;

    to[0] = '\0';
    for (int i = 0; i < ASSAY_N_CONDITIONS; i++) {
        const char *name = conditions_of[i].words;

        if (strcmp(a->value[i], b->value[i]) == 0 || (except && strcmp(except, name) == 0))
            continue;
        if (n++ > 0)
            append(to, size, "; ", 2);
        append(to, size, name, strlen(name));
        append(to, size, " ", 1);
        append_difference(to, size, a->value[i], b->value[i]);
    }
    return n;
}
