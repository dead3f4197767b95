/* The parent with real workers: they are this test program, started again, on the device of
 * plain memory. Its cases are those of all_cases(). */
#ifndef ASSAY_TEST_SUPERVISE_FIXTURE_H
#define ASSAY_TEST_SUPERVISE_FIXTURE_H

#include "assay.h"
#include "supervise/supervise.h"
#include "testing/run_fixture.h"
#include "testing/store_raw.h"

enum {
    KERNEL_NS = 100000
};

static assay_case_table all_cases(void);

/* ---- the module: this program itself ---- */

static bool refuses_copies; /* the device fails, and no kernel is to blame */

static inline assay_status open_device(int index, assay_device **d, assay_device_info *info)
{
    (void)index;
    memset(info, 0, sizeof *info);
    (void)strcpy(info->kind, "host");
    (void)strcpy(info->name, "plain memory");
    info->can_time = true;
    refuses_copies = false;
    *d             = (assay_device *)(void *)&toy_gpu;
    return ASSAY_OK;
}

static inline void close_device(assay_device *d) { (void)d; }

static inline assay_status copy(assay_device *d, void *to, const void *from, size_t bytes)
{
    return refuses_copies ? ASSAY_E_DEVICE : memory_api.copy(d, to, from, bytes);
}

const assay_device_api *assay_module_api(void)
{
    static assay_device_api api;

    api       = memory_api;
    api.open  = open_device;
    api.close = close_device;
    api.copy  = copy;
    return &api;
}

/* ---- launchers; `own` counts the calls of a launcher in its process ---- */

/* A check makes about a dozen calls, the timing in one process hundreds. */
static inline bool is_timed_now(int *own) { return ++*own > 60; }

#define TIMED_LAUNCHER(name, ns, trouble)                                                          \
    LAUNCHER(name, {                                                                               \
        static int own;                                                                            \
        toy_gpu.clock_ns += (ns)-TOY_LAUNCH_NS;                                                    \
        if (is_timed_now(&own)) {                                                                  \
            trouble;                                                                               \
        }                                                                                          \
    })
TIMED_LAUNCHER(steady, KERNEL_NS, (void)0)
TIMED_LAUNCHER(twice_as_fast, KERNEL_NS / 2, (void)0)

/* ---- a case with the variant under test between two sound ones ---- */

#define CASE_WITH(name_, ...)                                                                      \
    CASE_OF(name_, { .name = "base", .launch = "steady" },                                         \
            { .name = "middle", .baseline = "base", __VA_ARGS__ },                                 \
            { .name = "last", .launch = "twice_as_fast", .baseline = "base" })
#define CASE(name_, launcher) CASE_WITH(name_, .launch = launcher)

/* ---- running ---- */

static assay_supervise_options options;
static int                     n_left_out; /* the first variants of a case are not run */
static const char *tuned_with; /* the values that an earlier search chose; NULL if there was none */

static inline int start(void **state)
{
    n_left_out              = 0;
    tuned_with              = NULL;
    options                 = (assay_supervise_options) { .module_path = "",
                                                          .can_time    = true,
                                                          .lane        = ASSAY_LANE_HOST,
                                                          .cases       = all_cases(),
                                                          .policy      = assay_policy_default(),
                                                          .times       = true,
                                                          .is_quiet    = true };
    options.policy.budget_s = 10; /* the number of samples decides, not the speed of this machine */
    options.policy.min_samples = options.policy.max_samples = 6;
    return set_up(state);
}

/* Points of a case, checked and timed: "base/n=40/block=64". */
static inline void supervise_points(fixture *f, const assay_case *c, int n,
                                    const char *const *names)
{
    assay_run_row           run  = a_run("11111111-2222-4333-8444-555555555555");
    const assay_device_info info = a_device();
    assay_point             points[3];
    assay_point_row         rows[3];
    int64_t                 ids[3], run_id;

    (void)strcpy(run.lane, "host");
    for (int i = 0; i < n; i++) {
        char key[64];

        (void)snprintf(key, sizeof key, "%s/%s", c->name, names[i]);
        assert_ok(assay_point_parse(all_cases(), key, &points[i]));
        assert_true(!tuned_with || assay_point_tuning_take(&points[i], tuned_with));
        points[i].seed     = 7;
        points[i].is_timed = true;
        assay_point_row_fill(&points[i], ASSAY_LANE_HOST, &rows[i]);
    }
    assert_ok(assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store));
    assert_ok(assay_store_begin_run(f->store, &run, &info, &run_id));
    assert_ok(assay_store_plan(f->store, run_id, c->what, c->version, rows, n, ids));
    assert_ok(assay_supervise(f->store, run_id, points, ids, n, &options));
    assay_store_close(f->store);
    f->store = NULL;
}

/* Runs the variants of a case. */
static inline void supervise(fixture *f, const assay_case *c)
{
    char        names[3][48];
    const char *all[3];
    int         n = 0;

    for (const assay_variant *v = c->variants + n_left_out; n < 3 && v->name; v++, n++) {
        (void)snprintf(names[n], sizeof names[n], "%s/n=%d", v->name, N);
        all[n] = names[n];
    }
    supervise_points(f, c, n, all);
}

/* A value that the file has for a variant: `what` of the table or join `from`, where p is the
 * point. */
static inline const char *of(const fixture *f, const char *variant, const char *what,
                             const char *from)
{
    char sql[512];

    (void)snprintf(sql, sizeof sql, "SELECT %s FROM point AS p %s WHERE p.variant = '%s'", what,
                   from, variant);
    return ask(f->path, sql);
}

static inline void assert_verdict(const fixture *f, const char *variant, const char *verdict,
                                  const char *words)
{
    const bool  passes = strcmp(verdict, "PASS") == 0;
    const char *reason;

    assert_string_equal(of(f, variant, "v.verdict", "JOIN verdict AS v USING (point_id)"), verdict);
    reason = of(f, variant, "v.reason", "JOIN verdict AS v USING (point_id)");
    if (!reason || !strstr(reason, words))
        fail_msg("\"%s\" does not say \"%s\"", reason ? reason : "", words);
    /* No verdict, no number: a PASS has three metrics, each measured by all processes. */
    assert_string_equal(of(f, variant, "count(*)", "JOIN measurement AS m USING (point_id)"),
                        passes ? "3" : "0");
    if (!passes)
        return;
    assert_string_equal(
        of(f, variant, "min(m.n_processes)", "JOIN measurement AS m USING (point_id)"),
        options.in_process ? "1" : "3");
    assert_string_equal(of(f, variant, "count(*)",
                           "JOIN measurement AS m USING (point_id) JOIN sample_block AS b USING "
                           "(measurement_id)"),
                        options.in_process ? "6" : "18");
}

static inline const char *comparison(const fixture *f, const char *variant, const char *what)
{
    return of(f, variant, what,
              "JOIN comparison AS c ON c.point_id = p.point_id AND c.regime = 'cold'");
}

#endif
