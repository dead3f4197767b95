/* cub::BlockScan by its documentation. All algorithms are one here: what differs is their speed on
 * a GPU. */
#ifndef ASSAY_HOST_CUB_BLOCK_SCAN_CUH
#define ASSAY_HOST_CUB_BLOCK_SCAN_CUH

#include "host/cub/scan.h"

namespace cub
{

enum BlockScanAlgorithm {
    BLOCK_SCAN_RAKING,
    BLOCK_SCAN_RAKING_MEMOIZE,
    BLOCK_SCAN_WARP_SCANS
};

template <typename T, int X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1>
class BlockScan
    : public assay_cub_scan<T, assay_cub_block<assay_cub_scan_storage<T, X * Y * Z>, X, Y, Z>>
{
    using base = assay_cub_scan<T, assay_cub_block<assay_cub_scan_storage<T, X * Y * Z>, X, Y, Z>>;

  public:
    using typename base::TempStorage;

    explicit BlockScan(TempStorage &storage, ASSAY_HOST_SITE)
        : base("BlockScan", storage, file, line)
    {
    }
    explicit BlockScan(ASSAY_HOST_SITE) : base("BlockScan", file, line) {}

/* All forms of a scan: of one item a thread, and of several. An aggregate is of the inputs alone.
 */
#define ASSAY_HOST_CUB_BLOCK_SCAN(name, kind)                                                      \
    template <typename Op> void name(T input, T &output, Op op, ASSAY_HOST_SITE)                   \
    {                                                                                              \
        base::template scan<kind>(&input, &output, 1, op, nullptr, nullptr, file, line);           \
    }                                                                                              \
    template <typename Op> void name(T input, T &output, T initial, Op op, ASSAY_HOST_SITE)        \
    {                                                                                              \
        base::template scan<kind>(&input, &output, 1, op, &initial, nullptr, file, line);          \
    }                                                                                              \
    template <typename Op>                                                                         \
    void name(T input, T &output, Op op, T &block_aggregate, ASSAY_HOST_SITE)                      \
    {                                                                                              \
        base::template scan<kind>(&input, &output, 1, op, nullptr, &block_aggregate, file, line);  \
    }                                                                                              \
    template <typename Op>                                                                         \
    void name(T input, T &output, T initial, Op op, T &block_aggregate, ASSAY_HOST_SITE)           \
    {                                                                                              \
        base::template scan<kind>(&input, &output, 1, op, &initial, &block_aggregate, file, line); \
    }                                                                                              \
    template <typename Op, typename Callback>                                                      \
    void name(T input, T &output, Op op, Callback &callback, ASSAY_HOST_SITE)                      \
    {                                                                                              \
        base::template scan_from<kind>(&input, &output, 1, op, callback, file, line);              \
    }                                                                                              \
    template <int N, typename Op> void name(T(&input)[N], T(&output)[N], Op op, ASSAY_HOST_SITE)   \
    {                                                                                              \
        base::template scan<kind>(input, output, N, op, nullptr, nullptr, file, line);             \
    }                                                                                              \
    template <int N, typename Op>                                                                  \
    void name(T(&input)[N], T(&output)[N], T initial, Op op, ASSAY_HOST_SITE)                      \
    {                                                                                              \
        base::template scan<kind>(input, output, N, op, &initial, nullptr, file, line);            \
    }                                                                                              \
    template <int N, typename Op>                                                                  \
    void name(T(&input)[N], T(&output)[N], Op op, T &block_aggregate, ASSAY_HOST_SITE)             \
    {                                                                                              \
        base::template scan<kind>(input, output, N, op, nullptr, &block_aggregate, file, line);    \
    }                                                                                              \
    template <int N, typename Op>                                                                  \
    void name(T(&input)[N], T(&output)[N], T initial, Op op, T &block_aggregate, ASSAY_HOST_SITE)  \
    {                                                                                              \
        base::template scan<kind>(input, output, N, op, &initial, &block_aggregate, file, line);   \
    }                                                                                              \
    template <int N, typename Op, typename Callback>                                               \
    void name(T(&input)[N], T(&output)[N], Op op, Callback &callback, ASSAY_HOST_SITE)             \
    {                                                                                              \
        base::template scan_from<kind>(input, output, N, op, callback, file, line);                \
    }
    ASSAY_HOST_CUB_BLOCK_SCAN(InclusiveScan, ASSAY_CUB_INCLUSIVE)
    ASSAY_HOST_CUB_BLOCK_SCAN(ExclusiveScan, ASSAY_CUB_EXCLUSIVE)
#undef ASSAY_HOST_CUB_BLOCK_SCAN

/* The forms of a sum. */
#define ASSAY_HOST_CUB_BLOCK_SUM(name, kind)                                                       \
    void name(T input, T &output, ASSAY_HOST_SITE) { sum<kind>(&input, &output, 1, file, line); }  \
    void name(T input, T &output, T &block_aggregate, ASSAY_HOST_SITE)                             \
    {                                                                                              \
        sum<kind>(&input, &output, 1, file, line, &block_aggregate);                               \
    }                                                                                              \
    template <typename Callback>                                                                   \
    void name(T input, T &output, Callback &callback, ASSAY_HOST_SITE)                             \
    {                                                                                              \
        assay_cub_plus op;                                                                         \
                                                                                                   \
        base::template scan_from<kind>(&input, &output, 1, op, callback, file, line);              \
    }                                                                                              \
    template <int N> void name(T(&input)[N], T(&output)[N], ASSAY_HOST_SITE)                       \
    {                                                                                              \
        sum<kind>(input, output, N, file, line);                                                   \
    }                                                                                              \
    template <int N> void name(T(&input)[N], T(&output)[N], T &block_aggregate, ASSAY_HOST_SITE)   \
    {                                                                                              \
        sum<kind>(input, output, N, file, line, &block_aggregate);                                 \
    }                                                                                              \
    template <int N, typename Callback>                                                            \
    void name(T(&input)[N], T(&output)[N], Callback &callback, ASSAY_HOST_SITE)                    \
    {                                                                                              \
        assay_cub_plus op;                                                                         \
                                                                                                   \
        base::template scan_from<kind>(input, output, N, op, callback, file, line);                \
    }
    ASSAY_HOST_CUB_BLOCK_SUM(InclusiveSum, ASSAY_CUB_INCLUSIVE)
    ASSAY_HOST_CUB_BLOCK_SUM(ExclusiveSum, ASSAY_CUB_EXCLUSIVE)
#undef ASSAY_HOST_CUB_BLOCK_SUM

  private:
    /* An exclusive one begins with 0. */
    template <assay_cub_scan_kind KIND>
    void sum(const T *in, T *out, int n, const char *file, int line, T *aggregate = nullptr)
    {
        assay_cub_plus op;
        const T        zero {};

        base::template scan<KIND>(in, out, n, op, KIND == ASSAY_CUB_EXCLUSIVE ? &zero : nullptr,
                                  aggregate, file, line);
    }
};

} // namespace cub

#endif
