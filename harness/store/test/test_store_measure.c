/* What the store keeps of measurements and comparisons, and which comparisons it refuses. */
#include "testing/store_raw.h"

#include <math.h>

/* ---- comparisons ---- */

/* A point measured cold by the event clock. */
static void measure(fixture *f, int64_t id, double event_ns)
{
    begin_checked(f, id);
    put_measurement(f, id, ASSAY_REGIME_COLD, event_ns);
}

/* The event clock gives speed-ups only if both kernels are long enough for it. */
static void test_event_clock(void **state)
{
    static const struct {
        double      base_ns, own_ns;
        const char *kind;
        bool        is_known, is_refused;
    } pairs[] = {
        { 60000, 40000, "speedup", true, false },  { 60000, 29999, "speedup", true, true },
        { 29999, 60000, "speedup", true, true },   { 29999, 29999, "aa", true, false },
        { 20000, 10000, "speedup", false, false }, { 30000, 30000, "speedup", true, false },
    };
    fixture *f = *state;

    open_store(f);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const int64_t         run = begin_run(f, (char[]) { 'r', (char)('0' + i), 0 });
        const assay_point_row a   = a_point("axpy", "naive", "", 64),
                              b   = a_point("axpy", "vec4", "naive", 64);
        const int64_t        base = plan_point(f, run, &a), own = plan_point(f, run, &b);
        assay_comparison_row row = a_comparison(ASSAY_REGIME_COLD, 1.5);

        row.clock = ASSAY_CLOCK_EVENT;
        (void)snprintf(row.kind, sizeof row.kind, "%s", pairs[i].kind);
        row.is_known = pairs[i].is_known;
        measure(f, base, pairs[i].base_ns);
        finish_passed(f, base);
        measure(f, own, pairs[i].own_ns);
        if (pairs[i].is_refused) {
            assert_fails(assay_store_put_comparison(f->store, own, &row), ASSAY_E_INTERNAL,
                         "no speed-up of so short a kernel by the event clock");
        } else {
            assert_ok(assay_store_put_comparison(f->store, own, &row));
            finish_passed(f, own);
        }
    }
    /* A comparison with an unknown result is stored without a number, whatever the row held. */
    assert_string_equal(ask(f->path, "SELECT count(*) || ' ' || sum(ratio IS NULL AND lo IS NULL) "
                                     "FROM comparison WHERE NOT is_known"),
                        "1 1");
}

static void add_comparison(fixture *f, int64_t run, int64_t n, double ratio, double lo, double hi,
                           bool is_known)
{
    const assay_point_row a   = a_point("axpy", "naive", "", n),
                          b   = a_point("axpy", "vec4", "naive", n);
    const int64_t        base = plan_point(f, run, &a), own = plan_point(f, run, &b);
    assay_comparison_row row = a_comparison(ASSAY_REGIME_COLD, ratio);

    row.lo       = lo;
    row.hi       = hi;
    row.is_known = is_known;
    (void)snprintf(row.reason, sizeof row.reason, "%s", is_known ? "" : "the clocks disagree");
    begin_checked(f, own);
    assert_ok(assay_store_put_comparison(f->store, own, &row));
    finish_passed(f, own);
    if (n == 5)
        fail_point(f, base, "wrong");
    else if (n != 6)
        pass_point(f, base, 0.5, 0);
}

/* The result of a comparison; there is no ratio against a variant that did not pass. */
static void test_findings(void **state)
{
    const double  nan = (double)NAN;
    fixture      *f   = *state;
    const int64_t run = (open_store(f), begin_run(f, "run-1"));

    add_comparison(f, run, 1, 1.5, 1.4, 1.6, true);
    add_comparison(f, run, 2, 0.5, 0.4, 0.6, true);
    add_comparison(f, run, 3, 1.01, 0.99, 1.03, true);
    add_comparison(f, run, 4, 1.5, nan, nan, true);
    add_comparison(f, run, 5, 1.5, 1.4, 1.6, true); /* against a wrong variant */
    add_comparison(f, run, 6, 1.5, 1.4, 1.6, true); /* against a variant that has not finished */
    add_comparison(f, run, 7, 1.5, 1.4, 1.6, false);
    assert_string_equal(
        ask(f->path,
            "SELECT group_concat(finding || ' ' || coalesce(speedup, '-') || ' ' || "
            "coalesce(lo, '-') || reason, '; ') FROM (SELECT * FROM speedup ORDER BY axes)"),
        "FASTER 1.5 1.4; SLOWER 0.5 0.4; NO_DIFFERENCE 1.01 0.99; NO_INTERVAL 1.5 -; CANNOT_TELL - "
        "-naive: WRONG_VALUE; CANNOT_TELL - -naive: not finished; CANNOT_TELL - -the clocks "
        "disagree");
}

/* The only point of a run of its own. */
static int64_t plan_one(fixture *f)
{
    const int64_t         run = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p   = a_point("axpy", "vec4", "naive", 64);

    return plan_point(f, run, &p);
}

/* ---- measurements ---- */

/* Every field of a row is stored; equal policies share a row. */
static void test_measurement_columns(void **state)
{
    fixture              *f  = *state;
    const int64_t         id = plan_one(f);
    assay_measurement_row m  = a_measurement(ASSAY_REGIME_HOT, 40000);

    m.process_spread      = 0.004;
    m.median_cycles       = 79200;
    m.sm_clock_mhz        = 1980;
    m.n_throttled         = 3;
    m.n_discarded         = 1;
    m.decides             = true;
    m.floor_ns            = 2000;
    m.ceiling_bytes_per_s = 3e12;
    m.ceiling_flops       = 6e13;
    (void)strcpy(m.nvml, "no NVML");
    (void)strcpy(m.tuning, "block=256");
    (void)strcpy(m.decision, "long enough for events");
    begin_checked(f, id);
    put_row(f, id, &m);
    m.clock = ASSAY_CLOCK_RECORD;
    assert_fails(assay_store_put_measurement(f->store, id, &m, (double[]) { 1, 2, 3, 4 }, NULL,
                                             (assay_block[]) { a_block(4, 0), a_block(0, 1) }),
                 ASSAY_E_INTERNAL, "UNIQUE"); /* two clocks that decide */
    m.clock = ASSAY_CLOCK_EVENT;
    begin_checked(f, id);
    put_row(f, id, &m);
    m.clock          = ASSAY_CLOCK_RECORD;
    m.decides        = false;
    m.is_below_floor = true;
    m.policy.n_blocks++;
    put_row(f, id, &m);
    put_measurement(f, id, ASSAY_REGIME_COLD, 50000);
    finish_passed(f, id);
    assert_string_equal(ask(f->path, "SELECT count(*) FROM policy"), "2");
    assert_string_equal(
        ask(f->path,
            "SELECT m.process_spread || ' ' || m.median_cycles || ' ' || m.sm_clock_mhz || "
            "' ' || m.n_throttled || m.n_discarded || m.n_processes || m.decides || "
            "m.is_below_floor || ' ' || m.floor_ns || ' ' || m.ceiling_bytes_per_s || ' ' "
            "|| m.ceiling_flops || m.nvml || m.tuning || m.decision FROM measurement AS m "
            "WHERE measurement_id = 1"),
        "0.004 79200.0 1980.0 31210 2000.0 3000000000000.0 60000000000000.0no "
        "NVMLblock=256long enough for events");
    assert_string_equal(
        ask(f->path,
            "SELECT n_processes || ' ' || n_blocks || ' ' || budget_s || ' ' || "
            "target_relative_error || ' ' || min_samples || ' ' || max_samples || ' ' || max_calls "
            "|| ' ' || "
            "sample_target_ns || ' ' || warm_window || ' ' || max_warmup || ' ' || rewarm || ' ' "
            "|| "
            "warm_agreement || ' ' || warm_share || ' ' || flush_kind || ' ' || short_ns || ' ' || "
            "floor_factor || ' ' || ceiling_margin || ' ' || clock_gap_ns || ' ' || "
            "clock_gap_share "
            "|| ' ' || invalid_reasons || ' ' || graph_calls || ' ' || graph_target_ns || ' ' || "
            "clock_tie FROM policy WHERE policy_id = 1"),
        "3 4 0.25 0.01 4 100 32 20000.0 5 200 2 0.02 0.25 read 30000.0 3.0 0.05 1000.0 0.02 236 20 "
        "1000.0 0.25");
    assert_string_equal(ask(f->path, "SELECT peak_bytes FROM verdicts"), "8192");
}

typedef struct {
    int  n;
    char text[512];
} seen;

static assay_status see_process(void *context, const assay_process_row *row)
{
    seen        *s    = context;
    const size_t used = strlen(s->text);

    if (s->n++ == 20)
        return ASSAY_FAIL(ASSAY_E_IO, "seen enough");
    (void)snprintf(s->text + used, sizeof s->text - used, "%s/%s/%s %lld/%lld=%.6g%s %lld %lld; ",
                   row->key, assay_regime_text(row->regime), assay_clock_text(row->clock),
                   (long long)row->process, (long long)row->n_processes, row->time_ns,
                   row->decides ? "*" : "", (long long)row->bytes_declared, (long long)row->cells);
    return ASSAY_OK;
}

static const assay_block plain_block = { .n_samples      = 1,
                                         .median_cycles  = (double)NAN,
                                         .sm_clock_mhz   = (double)NAN,
                                         .energy_j       = (double)NAN,
                                         .power_before_w = (double)NAN,
                                         .power_after_w  = (double)NAN };

/* Two processes of two blocks each; the blocks of the second process lie around those of the
 * first. The third process has no valid block. */
static void put_three_processes(fixture *f, int64_t id, const assay_measurement_row *row)
{
    static const struct {
        int    process;
        double median_ns;
    } of[] = { { 1, 20000 }, { 0, 10000 }, { 0, 40000 }, { 1, 45000 }, { 2, 0 } };
    static const double   times[] = { 20000, 10000, 40000, 45000 };
    assay_measurement_row m       = *row;
    assay_block           blocks[5];

    for (int k = 0; k < 5; k++) {
        blocks[k]           = plain_block;
        blocks[k].process   = of[k].process;
        blocks[k].order     = k;
        blocks[k].median_ns = of[k].median_ns;
    }
    blocks[4].n_samples   = 0;
    blocks[4].n_throttled = 7;
    blocks[4].median_ns   = (double)NAN;
    m.n_samples           = 4;
    m.n_blocks            = 5;
    assert_ok(assay_store_put_measurement(f->store, id, &m, times, NULL, blocks));
}

/* As comparisons use them: each process gives one number, the geometric mean of its blocks,
 * wherever they lie. */
static void test_each_process(void **state)
{
    fixture              *f  = *state;
    const int64_t         id = plan_one(f);
    assay_measurement_row m  = a_measurement(ASSAY_REGIME_HOT, 25000);
    seen                  s  = { 0 };

    m.decides = true;
    begin_checked(f, id);
    put_three_processes(f, id, &m);
    put_measurement(f, id, ASSAY_REGIME_COLD, 50000);
    finish_passed(f, id);
    assert_ok(assay_store_each_process(f->store, 1, false, see_process, &s));
    assert_string_equal(s.text, "axpy/vec4/n=64/hot/event 0/3=20000* 12000000 64; "
                                "axpy/vec4/n=64/hot/event 1/3=30000* 12000000 64; "
                                "axpy/vec4/n=64/hot/event 2/3=nan* 12000000 64; ");
    s = (seen) { 0 };
    assert_ok(assay_store_each_process(f->store, 1, true, see_process, &s));
    assert_int_equal(s.n, 5);
    assert_non_null(strstr(s.text, "axpy/vec4/n=64/cold/event 0/2=52500 12000000 64; "));
    s.n = 20;
    assert_fails(assay_store_each_process(f->store, 1, true, see_process, &s), ASSAY_E_IO,
                 "enough");
    s.n = 0;
    assert_ok(assay_store_each_process(f->store, 2, true, see_process, &s));
    assert_int_equal(s.n, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(event_clock),
        TEST(findings),
        TEST(measurement_columns),
        TEST(each_process),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
