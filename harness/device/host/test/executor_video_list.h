/* The instructions on lanes that test_executor_video.c tests: X(function, how it is called, lanes,
 * is_signed, what it does with a lane's numbers). Shared by the test and its kernel. */
#ifndef ASSAY_TEST_EXECUTOR_VIDEO_LIST_H
#define ASSAY_TEST_EXECUTOR_VIDEO_LIST_H

#define VIDEO_BOTH(X, function, call, is_signed, plain)                                            \
    X(function##2, call, 2, is_signed, plain)                                                      \
    X(function##4, call, 4, is_signed, plain)
#define VIDEO_TESTS(X, name, is_signed, plain)                                                     \
    VIDEO_BOTH(X, __vcmp##name, TWO, is_signed, all_bits_if_##plain)                               \
    VIDEO_BOTH(X, __vset##name, TWO, is_signed, one_if_##plain)
/* With and without a limit at 0, for a word and for two lanes. */
#define VIDEO_THREE(X, name, plain)                                                                \
    X(name##_s32, THREE_SIGNED, 1, 1, plain)                                                       \
    X(name##_u32, THREE, 1, 0, plain)                                                              \
    X(name##_s16x2, THREE, 2, 1, plain)                                                            \
    X(name##_u16x2, THREE, 2, 0, plain)                                                            \
    X(name##_s32_relu, THREE_SIGNED, 1, 1, plain##_relu)                                           \
    X(name##_s16x2_relu, THREE, 2, 1, plain##_relu)

#define VIDEO_LIST(X)                                                                              \
    VIDEO_BOTH(X, __vadd, TWO, 0, sum)                                                             \
    VIDEO_BOTH(X, __vaddss, TWO, 1, sum_saturated)                                                 \
    VIDEO_BOTH(X, __vaddus, TWO, 0, sum_saturated)                                                 \
    VIDEO_BOTH(X, __vsub, TWO, 0, difference)                                                      \
    VIDEO_BOTH(X, __vsubss, TWO, 1, difference_saturated)                                          \
    VIDEO_BOTH(X, __vsubus, TWO, 0, difference_saturated)                                          \
    VIDEO_BOTH(X, __vabsdiffs, TWO, 1, distance)                                                   \
    VIDEO_BOTH(X, __vabsdiffu, TWO, 0, distance)                                                   \
    VIDEO_BOTH(X, __vavgs, TWO, 1, mean_away_from_zero)                                            \
    VIDEO_BOTH(X, __vavgu, TWO, 0, mean_away_from_zero)                                            \
    VIDEO_BOTH(X, __vhaddu, TWO, 0, mean_down)                                                     \
    VIDEO_BOTH(X, __vmaxs, TWO, 1, larger)                                                         \
    VIDEO_BOTH(X, __vmaxu, TWO, 0, larger)                                                         \
    VIDEO_BOTH(X, __vmins, TWO, 1, smaller)                                                        \
    VIDEO_BOTH(X, __vminu, TWO, 0, smaller)                                                        \
    VIDEO_BOTH(X, __vabs, ONE, 1, size)                                                            \
    VIDEO_BOTH(X, __vabsss, ONE, 1, size_saturated)                                                \
    VIDEO_BOTH(X, __vneg, ONE, 1, opposite)                                                        \
    VIDEO_BOTH(X, __vnegss, ONE, 1, opposite_saturated)                                            \
    VIDEO_TESTS(X, eq, 0, equal)                                                                   \
    VIDEO_TESTS(X, ne, 0, unequal)                                                                 \
    VIDEO_TESTS(X, ges, 1, not_less)                                                               \
    VIDEO_TESTS(X, geu, 0, not_less)                                                               \
    VIDEO_TESTS(X, gts, 1, greater)                                                                \
    VIDEO_TESTS(X, gtu, 0, greater)                                                                \
    VIDEO_TESTS(X, les, 1, not_greater)                                                            \
    VIDEO_TESTS(X, leu, 0, not_greater)                                                            \
    VIDEO_TESTS(X, lts, 1, less)                                                                   \
    VIDEO_TESTS(X, ltu, 0, less)                                                                   \
    VIDEO_THREE(X, __viaddmax, larger_of_sum)                                                      \
    VIDEO_THREE(X, __viaddmin, smaller_of_sum)                                                     \
    VIDEO_THREE(X, __vimax3, largest)                                                              \
    VIDEO_THREE(X, __vimin3, least)                                                                \
    X(__vimax_s32_relu, TWO_SIGNED, 1, 1, larger_relu)                                             \
    X(__vimin_s32_relu, TWO_SIGNED, 1, 1, smaller_relu)                                            \
    X(__vimax_s16x2_relu, TWO, 2, 1, larger_relu)                                                  \
    X(__vimin_s16x2_relu, TWO, 2, 1, smaller_relu)

#define VIDEO_COUNT(function, call, lanes, is_signed, plain) +1
enum {
    N_VIDEO = 0 VIDEO_LIST(VIDEO_COUNT)
};

/* Results that are not one value for each lane. */
struct video_more {
    unsigned           sads2, sads4, sadu2, sadu4;
    unsigned           larger_s, larger_u, smaller_s, smaller_u;
    unsigned           larger_s2, larger_u2, smaller_s2, smaller_u2;
    unsigned           first; /* 12 bits: which of the two was it? */
    unsigned           dp4a_u, dp4a_vu, dp2a_lo_u, dp2a_hi_u, dp2a_lo_vu, dp2a_hi_vu;
    int                dp4a, dp4a_v, dp2a_lo, dp2a_hi, dp2a_lo_v, dp2a_hi_v;
    unsigned           funnel_l, funnel_r, uhadd, urhadd, sad, umin, umax;
    int                hadd, rhadd;
    long long          mul64hi, llmin, llmax;
    unsigned long long ullmin, ullmax;
};

#endif
