/* The CSV report, read back by a parser of its own. */
#include "testing/report_timed.h"

#include "base/csv_read.h"

/* ---- a reader of RFC 4180 ---- */

enum {
    MAX_FIELDS = 192,
    MAX_LINES  = 64
};

typedef struct {
    char *field[MAX_LINES][MAX_FIELDS];
    int   n_fields[MAX_LINES];
    int   n_lines;
    char *storage;
} csv;

/* Reads one field at *from, and writes it without escapes to *to; both move on. Returns the
 * character that ended the field. */
static char read_field(const char **from, char **to)
{
    const bool quoted = **from == '"';
    char       end;

    if (quoted)
        (*from)++;
    for (;;) {
        if (**from == '\0')
            break;
        if (quoted && **from == '"') {
            if ((*from)[1] != '"') {
                (*from)++;
                break;
            }
            (*from)++;
        } else if (!quoted && strchr(",\r", **from)) {
            break;
        }
        if (!quoted)
            assert_null(strchr("\"\n", **from)); /* such a field must be quoted */
        *(*to)++ = *(*from)++;
    }
    *(*to)++ = '\0';
    end      = **from;
    assert_true(end == ',' || end == '\r');
    *from += end == '\r' ? 2 : 1;
    if (end == '\r')
        assert_int_equal((*from)[-1], '\n'); /* CR LF, always both */
    return end;
}

/* Caller frees storage. */
static csv parse_csv(const char *text)
{
    csv   c  = { .storage = malloc(2 * strlen(text) + 2) };
    char *to = c.storage;

    assert_non_null(c.storage);
    while (*text) {
        int  n   = 0;
        char end = ',';

        assert_true(c.n_lines < MAX_LINES);
        while (end == ',') {
            assert_true(n < MAX_FIELDS);
            c.field[c.n_lines][n++] = to;
            end                     = read_field(&text, &to);
        }
        c.n_fields[c.n_lines++] = n;
        assert_int_equal(n, c.n_fields[0]);
    }
    return c;
}

static const char *csv_get(const csv *c, int line, const char *column)
{
    for (int i = 0; i < c->n_fields[0]; i++)
        if (strcmp(c->field[0][i], column) == 0)
            return c->field[line][i];
    print_error("no column %s\n", column);
    fail();
    return NULL;
}

static double csv_number(const csv *c, int line, const char *column)
{
    char        *end;
    const char  *text  = csv_get(c, line, column);
    const double value = strtod(text, &end);

    assert_true(end != text && *end == '\0');
    return value;
}

/* ---- csv ---- */

/* Other programs read these columns: new ones may be added at the end, none is moved or renamed. */
static const char header[] =
    "run_uuid,started_utc,host,device,device_uuid,driver,lane,assay_version,git_commit,git_dirty,"
    "case,case_version,variant,baseline,config,key,seed,cells,state,verdict,outcome,reason,"
    "worst_input,worst_output,worst_ratio,rule,c,u_out,u_acc,growth,max_ulp,regime,clock,decides,"
    "decision,tuning,n_samples,n_blocks,n_processes,launches_per_sample,median_ns,mean_ns,min_ns,"
    "p05_ns,q1_ns,q3_ns,p95_ns,max_ns,stdev_ns,process_spread,median_cycles,sm_clock_mhz,"
    "n_throttled,n_discarded,stop_reason,flush_bytes,n_warmup,wall_s,nvml,budget_s,"
    "target_relative_error,min_samples,max_samples,block_medians_ns,block_samples,block_processes,"
    "launches,workspace_bytes,device_bytes,peak_bytes,bytes_declared,bytes_moved,flops,gb_per_s,"
    "own_gb_per_s,gflop_per_s,floor_ns,is_below_floor,ceiling_bytes_per_s,ceiling_flops,"
    "share_of_ceiling,speedup,speedup_lo,speedup_hi,speedup_pairs,speedup_processes,"
    "speedup_finding,speedup_reason,counted_dram_bytes,counted_l2_bytes,counted_fp32_flops,"
    "counted_fp64_flops,registers,local_bytes,shared_bytes,code_hashes,verb,run_reason,run_seed,"
    "ended_utc,exit_status,binary_id,kernels_id,compiler,cuda_compiler,cuda_toolkit,build_type,"
    "runtime_version,compute_capability,sm_count,memory_bytes,l2_bytes,case_what,axis_kinds,"
    "is_reference,is_timed,expected,finished_utc,worst_verdict,worst_reason,worst_is_invariant,"
    "worst_seed,worst_runs,worst_terms,worst_why,mad_ns,median_lo_ns,median_hi_ns,median_interval,"
    "lag1,drift_ns,energy_j,working_set_bytes,policy_n_processes,policy_n_blocks,policy_max_calls,"
    "policy_sample_target_ns,policy_warm_window,policy_max_warmup,policy_rewarm,"
    "policy_warm_agreement,policy_warm_share,policy_flush_kind,policy_short_ns,policy_floor_factor,"
    "policy_ceiling_margin,policy_clock_gap_ns,policy_clock_gap_share,policy_invalid_reasons,"
    "policy_graph_calls,policy_graph_target_ns,policy_confident_samples,policy_clock_tie,"
    "policy_method,block_sequence,block_cycles,block_clock_mhz,block_throttled,block_discarded,"
    "speedup_clock,kernels,metrics,variant_what,rate_fact,rate_along,giga_per_s,tuned,tuned_by\r\n";

static void test_csv(void **state)
{
    fixture *f = *state;
    char    *text;
    csv      c;

    (void)write_run(f);
    text = report_of(f, 0, "csv");
    assert_int_equal(strncmp(text, header, sizeof header - 1), 0);
    c = parse_csv(text);
    /* header; naive cold; vec4 cold and hot; seven points without any */
    assert_int_equal(c.n_lines, 1 + 1 + 2 + 7);
    assert_string_equal(c.field[0][0], "run_uuid");
    for (int i = 0; i < c.n_fields[0]; i++) /* no name occurs twice */
        for (int k = 0; k < i; k++)
            assert_string_not_equal(c.field[0][i], c.field[0][k]);
    assert_string_equal(csv_get(&c, 1, "case"), "axpy");
    assert_string_equal(csv_get(&c, 1, "key"), "axpy/naive/n=1000000");
    assert_string_equal(csv_get(&c, 1, "config"), "n=1000000");
    assert_string_equal(csv_get(&c, 1, "device_uuid"), "GPU-1234");
    assert_string_equal(csv_get(&c, 1, "block_samples"), "2;2");
    assert_string_equal(csv_get(&c, 1, "block_processes"), "0;1");
    assert_true(csv_number(&c, 1, "median_ns") == 20000);
    assert_true(csv_number(&c, 1, "q1_ns") == 20000 * 0.95); /* to the last bit */
    assert_true(csv_number(&c, 1, "gb_per_s") == 600);
    assert_true(csv_number(&c, 1, "gflop_per_s") == 100);
    assert_string_equal(csv_get(&c, 1, "bytes_moved"), "");
    assert_string_equal(csv_get(&c, 3, "regime"), "hot");
    assert_true(csv_number(&c, 3, "own_gb_per_s") == 3000);
    assert_true(csv_number(&c, 3, "u_out") == ASSAY_U32_ROUNDOFF);
    /* points without a measurement: verdict and empty numbers */
    assert_string_equal(csv_get(&c, 5, "key"), "axpy/vec4/n=65");
    assert_string_equal(csv_get(&c, 5, "verdict"), "WRONG_VALUE");
    assert_string_equal(csv_get(&c, 5, "outcome"), "failed");
    assert_string_equal(csv_get(&c, 5, "worst_ratio"), "inf");
    assert_string_equal(csv_get(&c, 5, "seed"), "18446744073709551615");
    assert_string_equal(csv_get(&c, 5, "median_ns"), "");
    assert_string_equal(csv_get(&c, 5, "regime"), "");
    assert_string_equal(csv_get(&c, 5, "block_medians_ns"), "");
    assert_string_equal(csv_get(&c, 6, "outcome"), "caught");
    assert_string_equal(csv_get(&c, 10, "state"), "ready");
    assert_string_equal(csv_get(&c, 10, "verdict"), "");
    free(c.storage);
    free(text);
}

/* All values behind a time, and its blocks to the last bit. */
static void test_csv_timed(void **state)
{
    fixture *f = *state;
    double   first, second;
    char    *text, *end;
    csv      c;

    (void)write_timed_run(f);
    text = report_of(f, 0, "csv");
    c    = parse_csv(text);
    assert_int_equal(c.n_lines, 1 + 2 + 3);
    assert_string_equal(csv_get(&c, 4, "clock"), "record");
    assert_string_equal(csv_get(&c, 4, "decides"), "1");
    assert_string_equal(csv_get(&c, 4, "tuning"), "block=256");
    assert_string_equal(csv_get(&c, 4, "is_below_floor"), "1");
    assert_true(csv_number(&c, 4, "speedup") == 2.5);
    assert_true(csv_number(&c, 4, "speedup_lo") == 2.45);
    assert_string_equal(csv_get(&c, 4, "speedup_finding"), "FASTER");
    assert_true(csv_number(&c, 4, "counted_dram_bytes") == 12120000);
    assert_true(csv_number(&c, 4, "registers") == 32);
    assert_string_equal(csv_get(&c, 3, "code_hashes"), "9f86d081884c7d65;");
    assert_string_equal(csv_get(&c, 4, "code_hashes"), ""); /* in a point's first line only */
    assert_string_equal(csv_get(&c, 4, "policy_short_ns"), "30000");
    assert_string_equal(csv_get(&c, 4, "speedup_clock"), "record");
    assert_string_equal(csv_get(&c, 5, "speedup_clock"), "");
    assert_string_equal(csv_get(&c, 4, "worst_why"), "a sum of eight terms");
    assert_string_equal(csv_get(&c, 4, "expected"), "PASS");
    assert_string_equal(csv_get(&c, 4, "block_throttled"), "0;0");
    assert_true(csv_number(&c, 4, "ceiling_bytes_per_s") == 3e12);
    assert_true(csv_number(&c, 4, "process_spread") == 0.0042);
    assert_true(csv_number(&c, 4, "median_cycles") == 3900 * 1.98);
    assert_true(csv_number(&c, 4, "peak_bytes") == 8192);
    /* the speed-up is only in the line of its own regime and clock */
    assert_string_equal(csv_get(&c, 3, "clock"), "event");
    assert_string_equal(csv_get(&c, 3, "speedup"), "");
    assert_string_equal(csv_get(&c, 5, "regime"), "hot");
    assert_string_equal(csv_get(&c, 5, "speedup"), "");
    assert_string_equal(csv_get(&c, 5, "speedup_finding"), "CANNOT_TELL");
    assert_string_equal(csv_get(&c, 5, "speedup_reason"), "event: shorter than 30 us");
    assert_string_equal(csv_get(&c, 2, "n_throttled"), "3");
    assert_string_equal(csv_get(&c, 2, "nvml"), "no libnvidia-ml.so.1");
    first  = strtod(csv_get(&c, 4, "block_medians_ns"), &end);
    second = strtod(end + 1, NULL);
    assert_int_equal(*end, ';');
    assert_true(first == (3900 + 3900 * 1.1) / 2);
    assert_true(second == (3900 * 0.9 + 3900) / 2);
    free(c.storage);
    free(text);
}

/* Numbers whose shortest decimal form is long, and a block without samples. */
static void test_csv_blocks(void **state)
{
    const double samples[3]       = { 1.0 / 3, 1e17 / 7, 2.5e-300 };
    assay_block  blocks[4]        = { a_block(1, 0), a_block(0, 0), a_block(1, 1), a_block(1, -1) };
    const assay_check_row   check = a_check(0.5);
    const assay_verdict_row verdict = a_verdict(ASSAY_PASS, "");
    fixture                *f       = *state;
    const int64_t           run     = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row   p       = a_point("axpy", "naive", "", 1);
    const int64_t           id      = plan_point(f, run, &p);
    assay_measurement_row   m       = a_measurement(ASSAY_REGIME_HOT, 1);
    const char             *at;
    char                   *text, *end;
    csv                     c;

    m.n_samples         = 3;
    m.n_blocks          = 4;
    blocks[0].median_ns = samples[0];
    blocks[2].median_ns = samples[1];
    blocks[3].median_ns = samples[2];
    assert_ok(assay_store_begin_point(f->store, id));
    assert_ok(assay_store_put_check(f->store, id, &check));
    assert_ok(assay_store_put_measurement(f->store, id, &m, samples, NULL, blocks));
    assert_ok(assay_store_finish_point(f->store, id, &verdict));
    text = report_of(f, 0, "csv");
    c    = parse_csv(text);
    at   = csv_get(&c, 1, "block_medians_ns");
    assert_true(strtod(at, &end) == samples[0]);
    assert_int_equal(strncmp(end, ";;", 2), 0);
    assert_true(strtod(end + 2, &end) == samples[1]);
    assert_true(strtod(end + 1, &end) == samples[2]);
    assert_int_equal(*end, '\0');
    assert_string_equal(csv_get(&c, 1, "block_samples"), "1;0;1;1");
    assert_string_equal(csv_get(&c, 1, "block_processes"), "0;0;1;");
    free(c.storage);
    free(text);
}

/* The cell has the text, with an apostrophe before what a spreadsheet would run. */
static void assert_guarded(const char *cell, const char *text)
{
    if (assay_csv_is_formula(text))
        assert_int_equal(*cell++, '\'');
    assert_string_equal(cell, text);
}

/* Hostile names through CSV and back. */
static void test_csv_hostile(void **state)
{
    fixture *f    = *state;
    int      line = 1;
    char    *text;
    csv      c;

    (void)write_hostile_run(f);
    text = report_of(f, 0, "csv");
    c    = parse_csv(text);
    for (size_t i = 0; i < N_HOSTILE; i++) {
        char key[128];

        (void)snprintf(key, sizeof key, "evil/%s/n=%zu", hostile[i], i);
        assert_guarded(csv_get(&c, line, "variant"), hostile[i]);
        assert_string_equal(csv_get(&c, line, "key"), key);
        assert_guarded(csv_get(&c, line, "reason"), i % 2 ? "" : hostile[i]);
        line++;
    }
    assert_int_equal(c.n_lines, line);
    free(c.storage);
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(csv),
        TEST(csv_timed),
        TEST(csv_blocks),
        TEST(csv_hostile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
