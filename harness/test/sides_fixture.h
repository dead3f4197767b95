/* Two sides out of a file of timing runs, held against each other. */
#ifndef ASSAY_TEST_SIDES_FIXTURE_H
#define ASSAY_TEST_SIDES_FIXTURE_H

#include "timed_fixture.h"

#include "store_compare.h"

/* Two sides of one file, and their table. */
typedef struct both {
    assay_side         a, b;
    assay_change_table table;
} both;

static const assay_side_filter everything = { .n_cases = 0 };

static inline void hold(fixture *f, both *x, const char *a, const char *b, const char *across)
{
    const assay_compare_rule rule = assay_compare_rule_default();

    memset(x, 0, sizeof *x);
    assert_ok(assay_side_read(a, f->path, &everything, &x->a));
    assert_ok(assay_side_read(b, f->path, &everything, &x->b));
    assert_ok(assay_change_find(&x->a, &x->b, &rule, across, &x->table));
}

static inline void let_go(both *x)
{
    assay_change_free(&x->table);
    assay_side_free(&x->b);
    assay_side_free(&x->a);
}

static inline void put(fixture *f, timed t)
{
    open_store(f);
    (void)put_run(f, &t);
    assay_store_close(f->store);
    f->store = NULL;
}

#endif
