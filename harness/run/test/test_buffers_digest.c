/* Digests of buffers, on the device of plain memory and in this process; arming again; guard
 * zones. */
#include "run/buffers.h"
#include "testing/run_fixture.h"

/* Small buffers are copied to the host, large ones only have a digest. */
enum {
    LARGE = 20000
};

static assay_buffers buffers;
static assay_inputs  inputs;

static void make(assay_memory_space space, int64_t n)
{
    const assay_point point = point_of(0, n, false);

    assert_int_equal(assay_inputs_make(&inputs, &point, ASSAY_INPUT_EXACT, 0), ASSAY_OK);
    assert_int_equal(assay_buffers_create(space, &inputs.shape, 0, &buffers), ASSAY_OK);
    assert_int_equal(assay_buffers_arm(&buffers, &inputs, 0, false), ASSAY_OK);
}

static const assay_memory_space on_device = { .api = &memory_api };
static const assay_memory_space at_home   = { .api = NULL };

static int stop(void **state)
{
    (void)state;
    assay_buffers_free(&buffers);
    assay_inputs_free(&inputs);
    assert_int_equal(toy_gpu.bytes_used, 0);
    return 0;
}

typedef struct digests {
    uint64_t in[ASSAY_MAX_BUFFERS], out[ASSAY_MAX_BUFFERS];
} digests;

static digests digest(void)
{
    digests d;

    assert_int_equal(assay_buffers_digest(&buffers, &inputs, false, d.in), ASSAY_OK);
    assert_int_equal(assay_buffers_digest(&buffers, &inputs, true, d.out), ASSAY_OK);
    return d;
}

/* Computed by hand: the digest of one word, 5, is mix((0 << 32 | 5) + 0x9e3779b97f4a7c15). */
static void a_digest_is_as_written(void **state)
{
    const uint32_t words[2] = { 5, 0 };
    uint64_t       z        = 5 + 0x9e3779b97f4a7c15u, one;

    (void)state;
    z ^= z >> 30;
    z *= 0xbf58476d1ce4e5b9u;
    z ^= z >> 27;
    z *= 0x94d049bb133111ebu;
    one = z ^ z >> 31;
    assert_true(toy_digest(words, 4) == one);
    assert_true(toy_digest(words, 0) == 0);
    assert_true(toy_digest(words, 1) == one); /* zero bytes complete the last word */
    assert_true(toy_digest(words, 8) != one); /* the zero at index 1 counts */
    assert_true(toy_digest(words, 8) == toy_digest(words, 5));
}

static void device_and_process_agree(void **state)
{
    static const int64_t sizes[] = { 0, 1, 2, 3, 5, 40, 1023 };

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        digests there, here;

        make(on_device, sizes[i]);
        there = digest();
        (void)stop(state);
        make(at_home, sizes[i]);
        here = digest();
        (void)stop(state);
        assert_memory_equal(&there, &here, sizeof there);
    }
}

static void digests_are_of_their_own_buffers(void **state)
{
    (void)state;
    for (int home = 0; home < 2; home++) {
        digests before, after;

        make(home ? at_home : on_device, N);
        before = digest();
        /* x is an input, y an output, z both (and no constant input), w is scratch. */
        assert_true(before.in[0] != 0 && before.out[0] == 0);
        assert_true(before.in[1] == 0 && before.out[1] != 0);
        assert_true(before.in[2] == 0 && before.out[2] != 0);
        assert_true(before.in[3] == 0 && before.out[3] == 0);
        ((float *)buffers.data[3])[0] = 5;
        after                         = digest();
        assert_memory_equal(&before, &after, sizeof before);
        for (int b = 0; b < 3; b++) {
            ((unsigned char *)buffers.data[b])[4 * N - 1] ^= 1; /* the last byte */
            after = digest();
            assert_int_equal(after.in[b] != before.in[b], b == 0);
            assert_int_equal(after.out[b] != before.out[b], b > 0);
            before = after;
        }
        (void)stop(state);
    }
}

static void exchanged_elements_are_another_digest(void **state)
{
    float  *y;
    float   first;
    digests before, after;

    (void)state;
    make(on_device, N);
    y = buffers.data[1];
    for (int i = 0; i < N; i++)
        y[i] = (float)i;
    before = digest();
    first  = y[0];
    y[0]   = y[7];
    y[7]   = first;
    after  = digest();
    assert_true(before.out[1] != after.out[1]);
}

/* z is an INOUT buffer that is large enough for a digest. The next run restores it from the
 * device's own copy. It is uploaded again if that copy was changed, or if other contents are
 * wanted. */
static void inout_goes_up_once(void **state)
{
    int32_t *z, first, *initial;

    (void)state;
    make(on_device, LARGE);
    z       = buffers.data[2];
    initial = inputs.initial[2];
    first   = z[0];
    z[0] += 1;
    initial[0] += 7; /* an upload would show this */
    assert_int_equal(assay_buffers_arm(&buffers, &inputs, 1, false), ASSAY_OK);
    assert_int_equal(z[0], first);
    ((int32_t *)buffers.pristine[2])[5] += 1; /* a stray write of a launch */
    initial[0] = first;
    z[0] += 1;
    assert_int_equal(assay_buffers_arm(&buffers, &inputs, 2, false), ASSAY_OK);
    assert_memory_equal(z, initial, LARGE * sizeof *z);
    assert_memory_equal(buffers.pristine[2], initial, LARGE * sizeof *z);
    initial[0] += 7;
    inputs.seed++;
    assert_int_equal(assay_buffers_arm(&buffers, &inputs, 0, false), ASSAY_OK);
    assert_memory_equal(z, initial, LARGE * sizeof *z);
    assert_memory_equal(buffers.pristine[2], initial, LARGE * sizeof *z);
}

static void armed_again_is_as_armed(void **state)
{
    digests armed, again;
    float  *w;

    (void)state;
    make(on_device, N);
    armed = digest();
    w     = buffers.data[3];
    for (int i = 0; i < N; i++) {
        ((float *)buffers.data[1])[i]   = 1;
        ((int32_t *)buffers.data[2])[i] = 2;
        w[i]                            = 3;
    }
    assert_int_equal(assay_buffers_rearm(&buffers, &inputs, 0), ASSAY_OK);
    again = digest();
    assert_memory_equal(&armed, &again, sizeof armed);
    assert_true(w[0] == 3); /* scratch is as the last call left it */
}

/* Collects after a launch that does nothing, or that changes the last byte of x. */
static void collect(int64_t n, bool spoils_input)
{
    assay_collected collected;
    assay_verdict   verdict;
    char            reason[ASSAY_REASON_SIZE];

    ((unsigned char *)buffers.data[0])[4 * n - 1] ^= spoils_input;
    assert_int_equal(assay_buffers_collect(&buffers, &inputs, 0, NULL, &collected, &verdict, reason,
                                           sizeof reason),
                     ASSAY_OK);
    assert_int_equal(verdict, spoils_input ? ASSAY_INPUT_CHANGED : ASSAY_PASS);
    assay_collected_free(&collected);
}

static int64_t uploads_of_arming(void)
{
    toy_gpu.n_uploads = 0;
    assert_int_equal(assay_buffers_arm(&buffers, &inputs, 0, false), ASSAY_OK);
    return toy_gpu.n_uploads;
}

static void seen_intact_stays(int64_t n)
{
    digests armed, again;
    int64_t all;

    make(on_device, n);
    armed = digest();
    collect(n, true);
    all   = uploads_of_arming();
    again = digest();
    assert_memory_equal(&armed, &again, sizeof armed);
    collect(n, false);
    assert_int_equal(uploads_of_arming(), all - 1);
    again = digest();
    assert_memory_equal(&armed, &again, sizeof armed);
    /* Armed twice without collecting in between. */
    ((unsigned char *)buffers.data[0])[4 * n - 1] ^= 1;
    assert_int_equal(uploads_of_arming(), all);
    again = digest();
    assert_memory_equal(&armed, &again, sizeof armed);
    /* The same shape with other contents. */
    collect(n, false);
    inputs.seed++;
    ((float *)inputs.initial[0])[0] += 1;
    assert_int_equal(uploads_of_arming(), all + (n == LARGE)); /* z as well */
    assert_true(((float *)buffers.data[0])[0] == ((float *)inputs.initial[0])[0]);
    assert_int_equal(assay_buffers_digest(&buffers, &inputs, false, armed.in), ASSAY_OK);
    assert_memory_equal(armed.in, buffers.armed_digest, sizeof armed.in);
}

static void only_what_was_seen_intact_stays(void **state)
{
    seen_intact_stays(N);
    (void)stop(state);
    seen_intact_stays(LARGE);
}

/* Equal outputs of two runs share their memory; outputs that differ in one byte do not. */
static void equal_outputs_are_shared(void **state)
{
    static const int64_t sizes[] = { N, LARGE };

    for (size_t i = 0; i < 2; i++) {
        assay_collected first, second;
        assay_verdict   verdict;
        char            reason[ASSAY_REASON_SIZE];

        make(on_device, sizes[i]);
        assert_int_equal(assay_buffers_collect(&buffers, &inputs, 0, NULL, &first, &verdict, reason,
                                               sizeof reason),
                         ASSAY_OK);
        ((unsigned char *)buffers.data[2])[0] ^= 1;
        assert_int_equal(assay_buffers_collect(&buffers, &inputs, 0, &first, &second, &verdict,
                                               reason, sizeof reason),
                         ASSAY_OK);
        assert_true(second.is_shared[1] && second.out[1] == first.out[1]);
        assert_true(!second.is_shared[2] && second.out[2] != first.out[2]);
        assert_memory_equal(second.out[2], buffers.data[2], 4 * (size_t)sizes[i]);
        assay_collected_free(&second);
        assay_collected_free(&first);
        (void)stop(state);
    }
}

/* Each run has another poison, so that unwritten memory differs between runs. */
static void poisons_differ_by_run(void **state)
{
    digests first, second;

    (void)state;
    make(on_device, N);
    first = digest();
    assert_int_equal(assay_buffers_rearm(&buffers, &inputs, 1), ASSAY_OK);
    second = digest();
    assert_true(first.out[1] != second.out[1]);
    assert_true(first.out[2] == second.out[2]);
}

static void guards_are_judged_where_they_are(void **state)
{
    assay_verdict verdict;
    char          reason[ASSAY_REASON_SIZE] = "";

    (void)state;
    make(on_device, N);
    assert_int_equal(
        assay_buffers_judge_guards(&buffers, &inputs, 0, &verdict, reason, sizeof reason),
        ASSAY_OK);
    assert_int_equal(verdict, ASSAY_PASS);
    for (int b = 0; b < 4; b++)
        for (int behind = 0; behind < 2; behind++) {
            float *stray = (float *)buffers.data[b] + (behind ? N + 3 : -2);
            float  kept  = *stray;

            *stray = 1;
            assert_int_equal(
                assay_buffers_judge_guards(&buffers, &inputs, 0, &verdict, reason, sizeof reason),
                ASSAY_OK);
            assert_int_equal(verdict, ASSAY_OUT_OF_BOUNDS);
            assert_int_equal(reason[strlen("wrote outside '")], "xyzw"[b]);
            *stray = kept;
        }
}

/* If a device call fails, the status has the device's sentence. */
static assay_status fails(assay_device *d, const void *memory, size_t bytes, uint64_t *sum)
{
    (void)d, (void)memory, (void)bytes, (void)sum;
    return ASSAY_E_DEVICE;
}

static void a_device_that_fails(void **state)
{
    assay_device_api broken = memory_api;
    uint64_t         digest_of[ASSAY_MAX_BUFFERS];

    (void)state;
    broken.digest = fails;
    make(on_device, N);
    buffers.space.api = &broken;
    assert_failed_with(assay_buffers_digest(&buffers, &inputs, true, digest_of), ASSAY_E_DEVICE,
                       "plain memory failed");
    (void)stop(state); /* while its table still exists */
}

static void a_small_output_comes_home(void **state)
{
    (void)state;
    for (int home = 0; home < 2; home++) {
        float found[4] = { 0, 0, 0, -1 };

        make(home ? at_home : on_device, 3);
        for (int i = 0; i < 3; i++)
            ((float *)buffers.data[1])[i] = (float)i + 1;
        assert_int_equal(assay_buffers_download(&buffers, 1, found, sizeof found), ASSAY_OK);
        assert_true(found[0] == 1 && found[2] == 3 && found[3] == -1);
        /* No more is copied than there is room for. */
        found[1] = -1;
        assert_int_equal(assay_buffers_download(&buffers, 1, found, sizeof found[0]), ASSAY_OK);
        assert_true(found[0] == 1 && found[1] == -1);
        (void)stop(state);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start_over, stop)
    const struct CMUnitTest tests[] = {
        TEST(a_digest_is_as_written),
        TEST(device_and_process_agree),
        TEST(digests_are_of_their_own_buffers),
        TEST(exchanged_elements_are_another_digest),
        TEST(inout_goes_up_once),
        TEST(armed_again_is_as_armed),
        TEST(only_what_was_seen_intact_stays),
        TEST(equal_outputs_are_shared),
        TEST(poisons_differ_by_run),
        TEST(guards_are_judged_where_they_are),
        TEST(a_device_that_fails),
        TEST(a_small_output_comes_home),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
