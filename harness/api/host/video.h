/* CUDA's instructions on two lanes of 16 bits, or four of 8, in one word (__vadd2, __vmaxu4, ...),
 * and its comparisons of two and three numbers at once (__vimax3_s32, ...). */
#ifndef ASSAY_HOST_VIDEO_H
#define ASSAY_HOST_VIDEO_H

#include <limits>
#include <stdint.h>

/* op(x, y, z) for each lane; the result is truncated to the lane. */
template <typename Lane, typename Op>
inline unsigned assay_host_lanes(unsigned a, unsigned b, unsigned c, Op op)
{
    constexpr unsigned BITS = 8 * sizeof(Lane), MASK = (1u << BITS) - 1u;
    unsigned           result = 0;

    for (unsigned at = 0; at < 32; at += BITS) {
        const int x = static_cast<Lane>(a >> at), y = static_cast<Lane>(b >> at),
                  z = static_cast<Lane>(c >> at);

        result |= (static_cast<unsigned>(op(x, y, z)) & MASK) << at;
    }
    return result;
}

template <typename T> inline T assay_host_least(T a, T b) { return b < a ? b : a; }
template <typename T> inline T assay_host_largest(T a, T b) { return a < b ? b : a; }

template <typename Lane> inline int assay_host_saturate_lane(int value)
{
    const int low = std::numeric_limits<Lane>::min(), high = std::numeric_limits<Lane>::max();

    return assay_host_least(assay_host_largest(value, low), high);
}
inline int assay_host_distance(int x, int y) { return x < y ? y - x : x - y; }

/* Defines one instruction for both widths. `value` is an expression of the lanes x and y, of type
 * `lane`. */
#define ASSAY_HOST_VIDEO_AS(name, lane_type, value)                                                \
    inline unsigned name(unsigned a, unsigned b)                                                   \
    {                                                                                              \
        using lane = lane_type;                                                                    \
        return assay_host_lanes<lane>(a, b, 0, [](int x, int y, int) -> int { return value; });    \
    }
#define ASSAY_HOST_VIDEO(name, sign, value)                                                        \
    ASSAY_HOST_VIDEO_AS(name##2, sign##16_t, value)                                                \
    ASSAY_HOST_VIDEO_AS(name##4, sign##8_t, value)
/* The same with one operand. */
#define ASSAY_HOST_VIDEO_OF_ONE_AS(name, lane_type, value)                                         \
    inline unsigned name(unsigned a)                                                               \
    {                                                                                              \
        using lane = lane_type;                                                                    \
        return assay_host_lanes<lane>(a, 0, 0, [](int x, int, int) -> int { return value; });      \
    }
#define ASSAY_HOST_VIDEO_OF_ONE(name, value)                                                       \
    ASSAY_HOST_VIDEO_OF_ONE_AS(name##2, int16_t, value)                                            \
    ASSAY_HOST_VIDEO_OF_ONE_AS(name##4, int8_t, value)

ASSAY_HOST_VIDEO(__vadd, uint, x + y)
ASSAY_HOST_VIDEO(__vaddss, int, assay_host_saturate_lane<lane>(x + y))
ASSAY_HOST_VIDEO(__vaddus, uint, assay_host_saturate_lane<lane>(x + y))
ASSAY_HOST_VIDEO(__vsub, uint, x - y)
ASSAY_HOST_VIDEO(__vsubss, int, assay_host_saturate_lane<lane>(x - y))
ASSAY_HOST_VIDEO(__vsubus, uint, assay_host_saturate_lane<lane>(x - y))
ASSAY_HOST_VIDEO(__vabsdiffs, int, assay_host_distance(x, y))
ASSAY_HOST_VIDEO(__vabsdiffu, uint, assay_host_distance(x, y))
ASSAY_HOST_VIDEO(__vavgu, uint, (x + y + 1) >> 1)
/* Half of an odd sum rounds away from zero. */
ASSAY_HOST_VIDEO(__vavgs, int, (x + y + (x + y >= 0)) >> 1)
ASSAY_HOST_VIDEO(__vhaddu, uint, (x + y) >> 1)
ASSAY_HOST_VIDEO(__vmaxs, int, assay_host_largest(x, y))
ASSAY_HOST_VIDEO(__vmaxu, uint, assay_host_largest(x, y))
ASSAY_HOST_VIDEO(__vmins, int, assay_host_least(x, y))
ASSAY_HOST_VIDEO(__vminu, uint, assay_host_least(x, y))

/* Comparisons give all bits of the lane if they hold, or the number 1. */
#define ASSAY_HOST_VIDEO_TEST(name, sign, op)                                                      \
    ASSAY_HOST_VIDEO(__vcmp##name, sign, x op y ? -1 : 0)                                          \
    ASSAY_HOST_VIDEO(__vset##name, sign, x op y ? 1 : 0)
#define ASSAY_HOST_VIDEO_ORDER(name, op)                                                           \
    ASSAY_HOST_VIDEO_TEST(name##s, int, op)                                                        \
    ASSAY_HOST_VIDEO_TEST(name##u, uint, op)
ASSAY_HOST_VIDEO_TEST(eq, uint, ==)
ASSAY_HOST_VIDEO_TEST(ne, uint, !=)
ASSAY_HOST_VIDEO_ORDER(ge, >=)
ASSAY_HOST_VIDEO_ORDER(gt, >)
ASSAY_HOST_VIDEO_ORDER(le, <=)
ASSAY_HOST_VIDEO_ORDER(lt, <)

ASSAY_HOST_VIDEO_OF_ONE(__vabs, x < 0 ? -x : x)
ASSAY_HOST_VIDEO_OF_ONE(__vabsss, assay_host_saturate_lane<lane>(x < 0 ? -x : x))
ASSAY_HOST_VIDEO_OF_ONE(__vneg, -x)
ASSAY_HOST_VIDEO_OF_ONE(__vnegss, assay_host_saturate_lane<lane>(-x))
#undef ASSAY_HOST_VIDEO_ORDER
#undef ASSAY_HOST_VIDEO_TEST
#undef ASSAY_HOST_VIDEO_OF_ONE
#undef ASSAY_HOST_VIDEO_OF_ONE_AS
#undef ASSAY_HOST_VIDEO
#undef ASSAY_HOST_VIDEO_AS

/* ---- the sum of all lanes' distances */

template <typename Lane> inline unsigned assay_host_sum_of_distances(unsigned a, unsigned b)
{
    unsigned sum = 0;

    for (unsigned at = 0; at < 32; at += 8 * sizeof(Lane))
        sum += static_cast<unsigned>(
            assay_host_distance(static_cast<Lane>(a >> at), static_cast<Lane>(b >> at)));
    return sum;
}
#define ASSAY_HOST_SAD(name, lane)                                                                 \
    inline unsigned name(unsigned a, unsigned b) { return assay_host_sum_of_distances<lane>(a, b); }
ASSAY_HOST_SAD(__vsads2, int16_t)
ASSAY_HOST_SAD(__vsads4, int8_t)
ASSAY_HOST_SAD(__vsadu2, uint16_t)
ASSAY_HOST_SAD(__vsadu4, uint8_t)
#undef ASSAY_HOST_SAD

/* ---- three operands: the larger of a + b, which wraps, and c; the largest of a, b, c. _relu: and
 * of 0. Each for a word of 32 bits, and for two lanes of 16. */

template <typename T> inline T assay_host_wrapping_sum(T a, T b)
{
    return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}
template <typename T> inline T assay_host_relu(T a) { return assay_host_largest(a, T(0)); }

/* `value` is made of x, y and z of the type T; s, s16 and so on are CUDA's names of it. */
#define ASSAY_HOST_OF_THREE(name, type, suffix, value)                                             \
    inline type name##32##suffix(type x, type y, type z)                                           \
    {                                                                                              \
        using lane = type;                                                                         \
        return value;                                                                              \
    }
#define ASSAY_HOST_OF_THREE_LANES(name, lane_type, suffix, value)                                  \
    inline unsigned name##16x2##suffix(unsigned a, unsigned b, unsigned c)                         \
    {                                                                                              \
        using lane = lane_type;                                                                    \
        return assay_host_lanes<lane>(a, b, c, [](int xx, int yy, int zz) -> int {                 \
            const lane x = static_cast<lane>(xx), y = static_cast<lane>(yy),                       \
                       z = static_cast<lane>(zz);                                                  \
            return value;                                                                          \
        });                                                                                        \
    }
#define ASSAY_HOST_THREE(name, value)                                                              \
    ASSAY_HOST_OF_THREE(name##_s, int, , value)                                                    \
    ASSAY_HOST_OF_THREE(name##_u, unsigned, , value)                                               \
    ASSAY_HOST_OF_THREE(name##_s, int, _relu, assay_host_relu<lane>(value))                        \
    ASSAY_HOST_OF_THREE_LANES(name##_s, int16_t, , value)                                          \
    ASSAY_HOST_OF_THREE_LANES(name##_u, uint16_t, , value)                                         \
    ASSAY_HOST_OF_THREE_LANES(name##_s, int16_t, _relu, assay_host_relu<lane>(value))

ASSAY_HOST_THREE(__viaddmax, assay_host_largest<lane>(assay_host_wrapping_sum<lane>(x, y), z))
ASSAY_HOST_THREE(__viaddmin, assay_host_least<lane>(assay_host_wrapping_sum<lane>(x, y), z))
ASSAY_HOST_THREE(__vimax3, assay_host_largest<lane>(assay_host_largest<lane>(x, y), z))
ASSAY_HOST_THREE(__vimin3, assay_host_least<lane>(assay_host_least<lane>(x, y), z))
#undef ASSAY_HOST_THREE
#undef ASSAY_HOST_OF_THREE_LANES
#undef ASSAY_HOST_OF_THREE

inline int      __vimax_s32_relu(int a, int b) { return __vimax3_s32(a, b, 0); }
inline int      __vimin_s32_relu(int a, int b) { return assay_host_relu(assay_host_least(a, b)); }
inline unsigned __vimax_s16x2_relu(unsigned a, unsigned b) { return __vimax3_s16x2(a, b, 0); }
inline unsigned __vimin_s16x2_relu(unsigned a, unsigned b)
{
    return __vimax3_s16x2(__vmins2(a, b), 0, 0);
}

/* ---- the larger (smaller) of two, and whether it is the first one, which it is in a tie */

#define ASSAY_HOST_WHICH(name, suffix, type, lane, compare, of_lanes)                              \
    inline type name##suffix##32(type a, type b, bool *is_first)                                   \
    {                                                                                              \
        *is_first = a compare b;                                                                   \
        return *is_first ? a : b;                                                                  \
    }                                                                                              \
    inline unsigned name##suffix##16x2(unsigned a, unsigned b, bool *is_high, bool *is_low)        \
    {                                                                                              \
        *is_high = static_cast<lane>(a >> 16) compare static_cast<lane>(b >> 16);                  \
        *is_low  = static_cast<lane>(a) compare static_cast<lane>(b);                              \
        return of_lanes(a, b);                                                                     \
    }
ASSAY_HOST_WHICH(__vibmax, _s, int, int16_t, >=, __vmaxs2)
ASSAY_HOST_WHICH(__vibmax, _u, unsigned, uint16_t, >=, __vmaxu2)
ASSAY_HOST_WHICH(__vibmin, _s, int, int16_t, <=, __vmins2)
ASSAY_HOST_WHICH(__vibmin, _u, unsigned, uint16_t, <=, __vminu2)
#undef ASSAY_HOST_WHICH

#endif
