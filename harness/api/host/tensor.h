/* PTX's matrix instructions of a warp on registers: mma.sync, ldmatrix, stmatrix, movmatrix. All 32
 * lanes must take part; PTX documents which lane holds which element. Products are exact. Sums are
 * in the accumulator's arithmetic in ascending order. A GPU adds in another order, so results need
 * a tolerance. */
#ifndef ASSAY_HOST_TENSOR_H
#define ASSAY_HOST_TENSOR_H

#include "address_space.h"
#include "narrow_float.h"
#include "warp.h"

/* ---- memory that the lanes of a warp share for one instruction */

/* It is on the stack of lane 0, which leaves last. T has room for the data of all lanes. */
template <typename T> class assay_host_warp_board
{
  public:
    assay_host_warp_board(const char *file, int line)
        : file_(file), line_(line), shared_(assay_host_shuffle(ALL, &own_, 0, file, line))
    {
    }
    ~assay_host_warp_board() { __syncwarp(ALL, file_, line_); }
    assay_host_warp_board(const assay_host_warp_board &)            = delete;
    assay_host_warp_board &operator=(const assay_host_warp_board &) = delete;

    T *operator->() { return shared_; }
    /* Every lane has stored its part. */
    void complete() { __syncwarp(ALL, file_, line_); }

  private:
    static constexpr unsigned ALL = 0xffffffffu;

    const char *file_;
    int         line_;
    T           own_;
    T          *shared_;
};

/* ---- elements in registers: how many lie in one, the type of their sums, the value of the i-th */

template <typename T> struct assay_tensor_of; /* of a format, int8_t, uint8_t, assay_tf32, double */

template <int EXPONENT_BITS, int FRACTION_BITS, bool HAS_INFINITY>
struct assay_tensor_of<assay_narrow<EXPONENT_BITS, FRACTION_BITS, HAS_INFINITY>> {
    using format                      = assay_narrow<EXPONENT_BITS, FRACTION_BITS, HAS_INFINITY>;
    using sum                         = float;
    using word                        = uint32_t;
    static constexpr unsigned BITS    = 1 + EXPONENT_BITS + FRACTION_BITS;
    static constexpr unsigned IN_WORD = 32 / BITS;

    static float value(uint32_t word, unsigned i)
    {
        return format::to_float(word >> BITS * i & ((1u << BITS) - 1u));
    }
};

template <typename T> struct assay_tensor_of_byte {
    using sum                         = int64_t;
    using word                        = uint32_t;
    static constexpr unsigned IN_WORD = 4;

    static int64_t value(uint32_t word, unsigned i) { return static_cast<T>(word >> 8 * i); }
};
template <> struct assay_tensor_of<int8_t> : assay_tensor_of_byte<int8_t> {
};
template <> struct assay_tensor_of<uint8_t> : assay_tensor_of_byte<uint8_t> {
};

/* The first 19 bits of an fp32; the others are ignored. */
struct assay_tf32 {
};
template <> struct assay_tensor_of<assay_tf32> {
    using sum                         = float;
    using word                        = uint32_t;
    static constexpr unsigned IN_WORD = 1;

    static float value(uint32_t word, unsigned)
    {
        return assay_host_unpack<float>(word & 0xffffe000u);
    }
};
template <> struct assay_tensor_of<double> {
    using sum                         = double;
    using word                        = double;
    static constexpr unsigned IN_WORD = 1;

    static double value(double word, unsigned) { return word; }
};

/* ---- accumulators: two of a lane's elements of one row, from registers and back */

template <typename T> struct assay_accumulator; /* float, int, assay_binary16, double */

template <> struct assay_accumulator<float> {
    using word                        = uint32_t;
    static constexpr unsigned IN_WORD = 1;

    static float value(const uint32_t *words, unsigned i)
    {
        return assay_host_unpack<float>(words[i]);
    }
    static void put(uint32_t *words, unsigned i, float value, bool)
    {
        words[i] = static_cast<uint32_t>(assay_host_pack(value));
    }
};
template <> struct assay_accumulator<assay_binary16> {
    using word                        = uint32_t;
    static constexpr unsigned IN_WORD = 2;

    static float value(const uint32_t *words, unsigned i)
    {
        return assay_tensor_of<assay_binary16>::value(words[i / 2], i % 2);
    }
    static void put(uint32_t *words, unsigned i, float value, bool)
    {
        const unsigned at = 16 * (i % 2);

        words[i / 2] = (words[i / 2] & ~(0xffffu << at)) | assay_binary16::from_float(value) << at;
    }
};
template <> struct assay_accumulator<int> {
    using word                        = uint32_t;
    static constexpr unsigned IN_WORD = 1;

    static int64_t value(const uint32_t *words, unsigned i)
    {
        return static_cast<int32_t>(words[i]);
    }
    static void put(uint32_t *words, unsigned i, int64_t value, bool saturates)
    {
        if (saturates)
            value = value < INT32_MIN ? INT32_MIN : value > INT32_MAX ? INT32_MAX : value;
        words[i] = static_cast<uint32_t>(value);
    }
};
template <> struct assay_accumulator<double> {
    using word                        = double;
    static constexpr unsigned IN_WORD = 1;

    static double value(const double *words, unsigned i) { return words[i]; }
    static void   put(double *words, unsigned i, double value, bool) { words[i] = value; }
};

/* ---- mma.sync: D (M x 8) = A (M x K, by rows) * B (K x 8, by columns) + C */

/* The position of element i of register r in this lane. Four lanes share a row of A, each with
 * adjacent elements. Registers with odd numbers are eight rows lower; every two registers continue
 * the row. */
template <unsigned IN_WORD> struct assay_mma_place {
    static unsigned a_row(unsigned lane, unsigned r) { return lane / 4 + 8 * (r % 2); }
    static unsigned a_column(unsigned lane, unsigned r, unsigned i)
    {
        return lane % 4 * IN_WORD + i + 4 * IN_WORD * (r / 2);
    }
    static unsigned b_row(unsigned lane, unsigned r, unsigned i)
    {
        return lane % 4 * IN_WORD + i + 4 * IN_WORD * r;
    }
    static unsigned b_column(unsigned lane) { return lane / 4; }
};

template <typename Sum, unsigned M, unsigned N, unsigned K> struct assay_mma_matrices {
    Sum a[M][K], b[K][N];

    Sum product(unsigned row, unsigned column, Sum sum) const
    {
        for (unsigned k = 0; k < K; k++)
            sum += a[row][k] * b[k][column];
        return sum;
    }
};

/* A and B: element types as above, of the same size; Acc: type of the accumulators. Registers are
 * numbered as in PTX. d may be c. saturates: .satfinite of integers. */
template <unsigned M, unsigned K, typename A, typename B, typename Acc> inline void
assay_mma(typename assay_accumulator<Acc>::word *d, const typename assay_tensor_of<A>::word *a,
          const typename assay_tensor_of<B>::word     *b,
          const typename assay_accumulator<Acc>::word *c, bool saturates, ASSAY_HOST_SITE)
{
    using sum                  = typename assay_tensor_of<A>::sum;
    constexpr unsigned IN_WORD = assay_tensor_of<A>::IN_WORD;
    using place                = assay_mma_place<IN_WORD>;
    static_assert(IN_WORD == assay_tensor_of<B>::IN_WORD, "elements of one size");
    const unsigned                                          lane = assay_host_lane();
    assay_host_warp_board<assay_mma_matrices<sum, M, 8, K>> board(file, line);

    for (unsigned r = 0; r < M * K / (32 * IN_WORD); r++)
        for (unsigned i = 0; i < IN_WORD; i++)
            board->a[place::a_row(lane, M == 8 ? 0 : r)]
                    [place::a_column(lane, M == 8 ? 2 * r : r, i)] =
                assay_tensor_of<A>::value(a[r], i);
    for (unsigned r = 0; r < 8 * K / (32 * IN_WORD); r++)
        for (unsigned i = 0; i < IN_WORD; i++)
            board->b[place::b_row(lane, r, i)][place::b_column(lane)] =
                assay_tensor_of<B>::value(b[r], i);
    board.complete();
    for (unsigned i = 0; i < M * 8 / 32; i++)
        assay_accumulator<Acc>::put(d, i,
                                    board->product(lane / 4 + 8 * (i / 2), lane % 4 * 2 + i % 2,
                                                   assay_accumulator<Acc>::value(c, i)),
                                    saturates);
}

/* ---- 8 x 8 matrices of 16 bits between shared memory and registers */

/* A row of such a matrix, which must be aligned. */
struct __attribute__((aligned(16))) assay_matrix_row {
    uint16_t element[8];
};

/* The row whose address this lane gave, for N matrices: lane 8 * i + r gives row r of matrix i.
 * Addresses of other lanes are ignored. */
template <unsigned N>
inline assay_matrix_row *assay_matrix_address(uint32_t address, const char *file, int line)
{
    return assay_host_lane() < 8 * N
               ? static_cast<assay_matrix_row *>(assay_host_shared_pointer(address, file, line))
               : nullptr;
}

/* The two elements of a matrix that the lane holds: row and column of the first, and the step to
 * the second. */
struct assay_matrix_place {
    unsigned row, column;
    bool     is_transposed;

    explicit assay_matrix_place(bool is_transposed_)
        : row(assay_host_lane() / 4), column(assay_host_lane() % 4 * 2),
          is_transposed(is_transposed_)
    {
    }
    unsigned row_in_memory(unsigned i) const { return is_transposed ? column + i : row; }
    unsigned column_in_memory(unsigned i) const { return is_transposed ? row : column + i; }
};

/* ldmatrix.m8n8.xN(.trans).b16 */
template <unsigned N>
inline void assay_ldmatrix(uint32_t *d, uint32_t address, bool is_transposed, ASSAY_HOST_SITE)
{
    assay_matrix_row *const  mine = assay_matrix_address<N>(address, file, line);
    const assay_matrix_place place(is_transposed);

    for (unsigned n = 0; n < N; n++) {
        uint32_t word = 0;

        for (unsigned i = 0; i < 2; i++) {
            const assay_matrix_row row =
                *assay_host_shuffle(0xffffffffu, mine, 8 * n + place.row_in_memory(i), file, line);

            word |= static_cast<uint32_t>(row.element[place.column_in_memory(i)]) << 16 * i;
        }
        d[n] = word;
    }
}

/* stmatrix.m8n8.xN(.trans).b16 */
template <unsigned N> inline void assay_stmatrix(uint32_t address, const uint32_t *words,
                                                 bool is_transposed, ASSAY_HOST_SITE)
{
    assay_matrix_row *const  mine = assay_matrix_address<N>(address, file, line);
    const assay_matrix_place place(is_transposed);

    for (unsigned n = 0; n < N; n++)
        for (unsigned i = 0; i < 2; i++) {
            assay_matrix_row *row =
                assay_host_shuffle(0xffffffffu, mine, 8 * n + place.row_in_memory(i), file, line);

            row->element[place.column_in_memory(i)] = static_cast<uint16_t>(words[n] >> 16 * i);
        }
}

/* movmatrix.m8n8.trans.b16 */
inline uint32_t assay_movmatrix(uint32_t word, ASSAY_HOST_SITE)
{
    const unsigned row = assay_host_lane() / 4, column = assay_host_lane() % 4 * 2;
    uint32_t       result = 0;

    for (unsigned i = 0; i < 2; i++) {
        const uint32_t from =
            assay_host_shuffle(0xffffffffu, word, (column + i) * 4 + row / 2, file, line);

        result |= (from >> 16 * (row % 2) & 0xffffu) << 16 * i;
    }
    return result;
}

#endif
