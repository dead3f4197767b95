/* cub::WarpScan by its documentation. */
#ifndef ASSAY_HOST_CUB_WARP_SCAN_CUH
#define ASSAY_HOST_CUB_WARP_SCAN_CUH

#include "host/cub/scan.h"

namespace cub
{

template <typename T, int LOGICAL_WARP_THREADS = 32> class WarpScan
    : public assay_cub_scan<
          T, assay_cub_warp<assay_cub_scan_storage<T, LOGICAL_WARP_THREADS>, LOGICAL_WARP_THREADS>>
{
    using base = assay_cub_scan<
        T, assay_cub_warp<assay_cub_scan_storage<T, LOGICAL_WARP_THREADS>, LOGICAL_WARP_THREADS>>;

  public:
    using typename base::TempStorage;

    explicit WarpScan(TempStorage &storage) : base("WarpScan", storage) {}

    void InclusiveSum(T input, T &output, ASSAY_HOST_SITE)
    {
        InclusiveScan(input, output, assay_cub_plus(), file, line);
    }
    void InclusiveSum(T input, T &output, T &warp_aggregate, ASSAY_HOST_SITE)
    {
        InclusiveScan(input, output, assay_cub_plus(), warp_aggregate, file, line);
    }
    void ExclusiveSum(T input, T &output, ASSAY_HOST_SITE)
    {
        ExclusiveScan(input, output, T {}, assay_cub_plus(), file, line);
    }
    void ExclusiveSum(T input, T &output, T &warp_aggregate, ASSAY_HOST_SITE)
    {
        ExclusiveScan(input, output, T {}, assay_cub_plus(), warp_aggregate, file, line);
    }

/* The four forms of a scan. */
#define ASSAY_HOST_CUB_WARP_SCAN(name, kind)                                                       \
    template <typename Op> void name(T input, T &output, Op op, ASSAY_HOST_SITE)                   \
    {                                                                                              \
        base::template scan<kind>(&input, &output, 1, op, nullptr, nullptr, file, line);           \
    }                                                                                              \
    template <typename Op> void name(T input, T &output, T initial, Op op, ASSAY_HOST_SITE)        \
    {                                                                                              \
        base::template scan<kind>(&input, &output, 1, op, &initial, nullptr, file, line);          \
    }                                                                                              \
    template <typename Op>                                                                         \
    void name(T input, T &output, Op op, T &warp_aggregate, ASSAY_HOST_SITE)                       \
    {                                                                                              \
        base::template scan<kind>(&input, &output, 1, op, nullptr, &warp_aggregate, file, line);   \
    }                                                                                              \
    template <typename Op>                                                                         \
    void name(T input, T &output, T initial, Op op, T &warp_aggregate, ASSAY_HOST_SITE)            \
    {                                                                                              \
        base::template scan<kind>(&input, &output, 1, op, &initial, &warp_aggregate, file, line);  \
    }
    ASSAY_HOST_CUB_WARP_SCAN(InclusiveScan, ASSAY_CUB_INCLUSIVE)
    ASSAY_HOST_CUB_WARP_SCAN(ExclusiveScan, ASSAY_CUB_EXCLUSIVE)
#undef ASSAY_HOST_CUB_WARP_SCAN

    /* Both at once. */
    template <typename Op>
    void Scan(T input, T &inclusive_output, T &exclusive_output, Op op, ASSAY_HOST_SITE)
    {
        both(input, inclusive_output, exclusive_output, op, nullptr, file, line);
    }
    template <typename Op>
    void Scan(T input, T &inclusive_output, T &exclusive_output, T initial, Op op, ASSAY_HOST_SITE)
    {
        both(input, inclusive_output, exclusive_output, op, &initial, file, line);
    }

    T Broadcast(T input, unsigned src_lane, ASSAY_HOST_SITE)
    {
        base::require(static_cast<int>(src_lane) + 1, file, line);
        if (base::rank_ == static_cast<int>(src_lane))
            base::storage_.prefix = input;
        base::barrier(file, line);
        return base::storage_.prefix;
    }

  private:
    template <typename Op> void both(T input, T &inclusive, T &exclusive, Op &op, const T *initial,
                                     const char *file, int line)
    {
        base::share(&input, 1, op, file, line);
        base::template spread<ASSAY_CUB_INCLUSIVE>(&input, &inclusive, 1, op, initial, nullptr);
        base::template spread<ASSAY_CUB_EXCLUSIVE>(&input, &exclusive, 1, op, initial, nullptr);
    }
};

} // namespace cub

#endif
