/* Two sides from a file of timing runs, and their comparison. */
#ifndef ASSAY_TEST_SIDES_FIXTURE_H
#define ASSAY_TEST_SIDES_FIXTURE_H

#include "testing/timed_fixture.h"

#include "store/series/store_compare.h"

/* Two sides of one file, and the table of their comparison. */
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

static inline void put_four(fixture *f)
{
    timed other = a_timed("cc-3", 1000), open = a_timed("dd-4", 1000);

    put(f, a_timed("aa-1", 1000));
    put(f, a_timed("ab-2", 1010));
    other.commit = "abc999";
    other.binary = "77aa";
    put(f, other);
    open.is_open = true;
    put(f, open);
    set_start(f, "aa-1", "2026-01-01T00:00:00.000Z");
    set_start(f, "ab-2", "2026-01-02T00:00:00.000Z");
    set_start(f, "cc-3", "2026-01-03T00:00:00.000Z");
    set_start(f, "dd-4", "2026-01-04T00:00:00.000Z");
}

#endif
