/* The host device's integer intrinsics of plain CUDA, compared with plain arithmetic on 64 bits:
 * instructions on lanes for every pair of bytes, and words of all sizes. */
#include "executor_test.h"

#include "executor_video_list.h"

assay_launch_fn executor_lanes, executor_integers;

/* ---- what an instruction does with a lane's numbers; low and high are the lane's limits */

#define PLAIN(name, value)                                                                         \
    static int64_t name(int64_t x, int64_t y, int64_t z, int64_t low, int64_t high)                \
    {                                                                                              \
        (void)x, (void)y, (void)z, (void)low, (void)high;                                          \
        return value;                                                                              \
    }
#define PLAIN_SATURATED(name, value)                                                               \
    PLAIN(name, value)                                                                             \
    PLAIN(name##_saturated, name(x, y, z, low, high) < low    ? low                                \
                            : name(x, y, z, low, high) > high ? high                               \
                                                              : name(x, y, z, low, high))
#define PLAIN_RELU(name, value)                                                                    \
    PLAIN(name, value)                                                                             \
    PLAIN(name##_relu, name(x, y, z, low, high) < 0 ? 0 : name(x, y, z, low, high))
#define PLAIN_TEST(name, op)                                                                       \
    PLAIN(all_bits_if_##name, x op y ? -1 : 0)                                                     \
    PLAIN(one_if_##name, x op y ? 1 : 0)

static int64_t wrapped(int64_t x, int64_t low, int64_t high)
{
    const int64_t n = high - low + 1;

    return x < low ? x + n : x > high ? x - n : x;
}

PLAIN_SATURATED(sum, x + y)
PLAIN_SATURATED(difference, x - y)
PLAIN_SATURATED(size, x < 0 ? -x : x)
PLAIN_SATURATED(opposite, -x)
PLAIN(distance, x < y ? y - x : x - y)
PLAIN(mean_down, (x + y) / 2)
PLAIN(mean_away_from_zero, (x + y) / 2 + (x + y) % 2)
PLAIN_RELU(larger, x < y ? y : x)
PLAIN_RELU(smaller, x < y ? x : y)
PLAIN_RELU(largest, larger(larger(x, y, 0, low, high), z, 0, low, high))
PLAIN_RELU(least, smaller(smaller(x, y, 0, low, high), z, 0, low, high))
PLAIN_RELU(larger_of_sum, larger(wrapped(x + y, low, high), z, 0, low, high))
PLAIN_RELU(smaller_of_sum, smaller(wrapped(x + y, low, high), z, 0, low, high))
PLAIN_TEST(equal, ==)
PLAIN_TEST(unequal, !=)
PLAIN_TEST(not_less, >=)
PLAIN_TEST(greater, >)
PLAIN_TEST(not_greater, <=)
PLAIN_TEST(less, <)

static const struct {
    const char *name;
    unsigned    lanes;
    bool        is_signed;
    int64_t (*plain)(int64_t, int64_t, int64_t, int64_t, int64_t);
} instructions[] = {
#define ROW(function, call, lanes, is_signed, plain) { #function, lanes, is_signed, plain },
    VIDEO_LIST(ROW)
#undef ROW
};

/* ---- words */

enum {
    N_BYTE_PAIRS = 65536,
    N_EDGES      = 12,
    N_RANDOM     = 20000,
    N_WORDS      = N_BYTE_PAIRS + N_EDGES * N_EDGES * N_EDGES + N_RANDOM
};
static const unsigned edges[N_EDGES] = { 0,          1,           0x7fff,      0x8000,
                                         0xffff,     0x10000,     0x7fffffff,  0x80000000u,
                                         0x80008000, 0xffffffffu, 0x7fff8000u, 0x00ff80ffu };

static uint32_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) ^ (uint32_t)(*state >> 7);
}

/* Puts every pair of bytes into words, with other bytes in each lane. */
static void put_bytes(unsigned x, unsigned y, unsigned *word)
{
    word[0] = x | y << 8 | ((x + 85) & 255) << 16 | (~x & 255) << 24;
    word[1] = y | x << 8 | (y ^ 0x3c) << 16 | ((y + 1) & 255) << 24;
    word[2] = (x ^ y) | (x & y) << 8 | (~y & 255) << 16 | ((x + y) & 255) << 24;
}

static unsigned *make_words(void)
{
    unsigned *words = malloc(N_WORDS * 3 * sizeof *words), *at = words;
    uint64_t  seed = 7;

    assert_non_null(words);
    for (unsigned i = 0; i < N_BYTE_PAIRS; i++, at += 3)
        put_bytes(i % 256, i / 256, at);
    for (unsigned i = 0; i < N_EDGES * N_EDGES * N_EDGES; i++, at += 3) {
        at[0] = edges[i % N_EDGES];
        at[1] = edges[i / N_EDGES % N_EDGES];
        at[2] = edges[i / (N_EDGES * N_EDGES)];
    }
    for (unsigned i = 0; i < N_RANDOM * 3; i++)
        at[i] = next_random(&seed);
    return words;
}

static int64_t lane_of(unsigned word, unsigned lane, unsigned bits, bool is_signed)
{
    const int64_t part = (int64_t)((uint64_t)word >> lane * bits) & ((INT64_C(1) << bits) - 1);

    return is_signed && part >> (bits - 1) != 0 ? part - (INT64_C(1) << bits) : part;
}

static unsigned expected(int op, const unsigned *word)
{
    const unsigned n = instructions[op].lanes, bits = 32 / n;
    const bool     is_signed = instructions[op].is_signed;
    const int64_t  range = INT64_C(1) << bits, low = is_signed ? -range / 2 : 0;
    unsigned       result = 0;

    for (unsigned i = 0; i < n; i++) {
        const int64_t lane = instructions[op].plain(
            lane_of(word[0], i, bits, is_signed), lane_of(word[1], i, bits, is_signed),
            lane_of(word[2], i, bits, is_signed), low, low + range - 1);

        result |= (unsigned)(lane & (range - 1)) << i * bits;
    }
    return result;
}

static void test_lanes(void **state)
{
    const int64_t n     = N_WORDS;
    unsigned     *words = make_words(), *out = malloc(N_WORDS * N_VIDEO * sizeof *out);

    (void)state;
    assert_non_null(out);
    run_param(executor_lanes, words, N_WORDS * 3 * sizeof *words, out,
              N_WORDS * N_VIDEO * sizeof *out, &n);
    for (int op = 0; op < N_VIDEO; op++)
        for (int i = 0; i < N_WORDS; i++) {
            const unsigned want = expected(op, &words[3 * i]), got = out[op * N_WORDS + i];

            if (got != want)
                fail_msg("%s of %08x, %08x, %08x is %08x, not %08x", instructions[op].name,
                         words[3 * i], words[3 * i + 1], words[3 * i + 2], got, want);
        }
    free(words);
    free(out);
}

/* ---- the others */

/* Multiplies bytes of b, from `first` on, with numbers of a that have `bits` bits. */
static unsigned dot(const unsigned *word, unsigned bits, unsigned first, unsigned n, bool is_signed)
{
    int64_t sum = word[2];

    for (unsigned i = 0; i < n; i++)
        sum += lane_of(word[0], i, bits, is_signed) * lane_of(word[1], first + i, 8, is_signed);
    return (unsigned)(sum & 0xffffffff);
}

static unsigned sum_of_distances(const unsigned *word, unsigned bits, bool is_signed)
{
    int64_t sum = 0;

    for (unsigned i = 0; i < 32 / bits; i++)
        sum += distance(lane_of(word[0], i, bits, is_signed), lane_of(word[1], i, bits, is_signed),
                        0, 0, 0);
    return (unsigned)sum;
}

static void check_products(const struct video_more *m, const unsigned *word)
{
    assert_int_equal((unsigned)m->dp4a, dot(word, 8, 0, 4, true));
    assert_int_equal((unsigned)m->dp4a_v, dot(word, 8, 0, 4, true));
    assert_int_equal(m->dp4a_u, dot(word, 8, 0, 4, false));
    assert_int_equal(m->dp4a_vu, dot(word, 8, 0, 4, false));
    assert_int_equal((unsigned)m->dp2a_lo, dot(word, 16, 0, 2, true));
    assert_int_equal((unsigned)m->dp2a_lo_v, dot(word, 16, 0, 2, true));
    assert_int_equal((unsigned)m->dp2a_hi, dot(word, 16, 2, 2, true));
    assert_int_equal((unsigned)m->dp2a_hi_v, dot(word, 16, 2, 2, true));
    assert_int_equal(m->dp2a_lo_u, dot(word, 16, 0, 2, false));
    assert_int_equal(m->dp2a_lo_vu, dot(word, 16, 0, 2, false));
    assert_int_equal(m->dp2a_hi_u, dot(word, 16, 2, 2, false));
    assert_int_equal(m->dp2a_hi_vu, dot(word, 16, 2, 2, false));
}

/* Is the first of the two the larger (smaller) one, or equal? */
static unsigned is_first(const unsigned *word, unsigned bits, unsigned lane, bool is_signed, int of)
{
    const int64_t x = lane_of(word[0], lane, bits, is_signed);
    const int64_t y = lane_of(word[1], lane, bits, is_signed);

    return of > 0 ? x >= y : x <= y;
}

static void check_comparisons(const struct video_more *m, const unsigned *word)
{
    unsigned first = 0;

    for (unsigned i = 0; i < 4; i++) { /* larger or smaller, signed or not */
        const int  of        = i < 2 ? 1 : -1;
        const bool is_signed = i % 2 == 0;

        first |= is_first(word, 32, 0, is_signed, of) << i;
        first |= is_first(word, 16, 0, is_signed, of) << (4 + 2 * i);
        first |= is_first(word, 16, 1, is_signed, of) << (5 + 2 * i);
    }
    assert_int_equal(m->first, first);
    assert_int_equal(m->larger_s, word[first & 1 ? 0 : 1]);
    assert_int_equal(m->larger_u, word[first & 2 ? 0 : 1]);
    assert_int_equal(m->smaller_s, word[first & 4 ? 0 : 1]);
    assert_int_equal(m->smaller_u, word[first & 8 ? 0 : 1]);
    for (unsigned i = 0; i < 4; i++) {
        const unsigned got[] = { m->larger_s2, m->larger_u2, m->smaller_s2, m->smaller_u2 };
        const unsigned low = first >> (4 + 2 * i) & 1, high = first >> (5 + 2 * i) & 1;

        assert_int_equal(got[i], (word[!low] & 0xffff) | (word[!high] & 0xffff0000u));
    }
    assert_int_equal(m->sads2, sum_of_distances(word, 16, true));
    assert_int_equal(m->sads4, sum_of_distances(word, 8, true));
    assert_int_equal(m->sadu2, sum_of_distances(word, 16, false));
    assert_int_equal(m->sadu4, sum_of_distances(word, 8, false));
}

/* The high half of a signed product, computed from the halves of its factors. */
static int64_t high_product(int64_t v, int64_t w)
{
    const uint64_t a = (uint64_t)v, b = (uint64_t)w;
    const uint64_t low = (a & 0xffffffffu) * (b & 0xffffffffu);
    const uint64_t one = (a >> 32) * (b & 0xffffffffu) + (low >> 32);
    const uint64_t two = (a & 0xffffffffu) * (b >> 32) + (one & 0xffffffffu);
    const uint64_t top = (a >> 32) * (b >> 32) + (one >> 32) + (two >> 32);

    return (int64_t)(top - (v < 0 ? b : 0) - (w < 0 ? a : 0));
}

static void check_scalars(const struct video_more *m, const unsigned *word)
{
    const int64_t s = (int)word[0], t = (int)word[1],
                  v     = (int64_t)((uint64_t)word[0] << 32 | word[2]),
                  w     = (int64_t)((uint64_t)word[1] << 32 | word[0]);
    const uint64_t both = (uint64_t)word[1] << 32 | word[0], a = word[0], b = word[1];
    const unsigned shift = word[2] % 40 > 32 ? 32 : word[2] % 40;

    assert_int_equal(m->funnel_l, shift == 32 ? word[0] : (unsigned)(both << shift >> 32));
    assert_int_equal(m->funnel_r, (unsigned)(both >> shift));
    assert_int_equal(m->hadd, s + t >= 0 ? (s + t) / 2 : -((1 - s - t) / 2));
    assert_int_equal(m->rhadd, s + t >= 0 ? (s + t + 1) / 2 : (s + t) / 2);
    assert_int_equal(m->uhadd, (a + b) / 2);
    assert_int_equal(m->urhadd, (a + b + 1) / 2);
    assert_int_equal(m->sad, (unsigned)(((s < t ? t - s : s - t) + word[2]) & 0xffffffff));
    assert_int_equal(m->umin, a < b ? a : b);
    assert_int_equal(m->umax, a < b ? b : a);
    assert_true(m->mul64hi == high_product(v, w));
    assert_true(m->llmin == (v < w ? v : w) && m->llmax == (v < w ? w : v));
    assert_true(m->ullmin == ((uint64_t)v < (uint64_t)w ? (uint64_t)v : (uint64_t)w));
    assert_true(m->ullmax == ((uint64_t)v < (uint64_t)w ? (uint64_t)w : (uint64_t)v));
}

static void test_integers(void **state)
{
    const int64_t      n     = N_WORDS;
    unsigned          *words = make_words();
    struct video_more *out   = malloc(N_WORDS * sizeof *out);

    (void)state;
    assert_non_null(out);
    run_param(executor_integers, words, N_WORDS * 3 * sizeof *words, out, N_WORDS * sizeof *out,
              &n);
    for (int i = 0; i < N_WORDS; i++) {
        check_products(&out[i], &words[3 * i]);
        check_comparisons(&out[i], &words[3 * i]);
        check_scalars(&out[i], &words[3 * i]);
    }
    free(words);
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_integers),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
