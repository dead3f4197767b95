/* The scan of BlockScan and WarpScan, which alone include it. */
#ifndef ASSAY_HOST_CUB_SCAN_H
#define ASSAY_HOST_CUB_SCAN_H

#include "host/cub/collective.h"

namespace cub
{

template <typename T, int N> struct assay_cub_scan_storage {
    T items[N];
    T prefix;
};

enum assay_cub_scan_kind {
    ASSAY_CUB_EXCLUSIVE,
    ASSAY_CUB_INCLUSIVE
};

/* For a Group (assay_cub_block or assay_cub_warp) with this storage. Each thread has n items. */
template <typename T, typename Group> class assay_cub_scan : public Group
{
  public:
    using typename Group::TempStorage;

  protected:
    using Group::Group;

    /* Without an initial value, the result of rank 0 in an exclusive scan is undefined. */
    template <assay_cub_scan_kind KIND, typename Op> void scan(const T *in, T *out, int n, Op &op,
                                                               const T *initial, T *aggregate,
                                                               const char *file, int line)
    {
        share(in, n, op, file, line);
        spread<KIND>(in, out, n, op, initial, aggregate);
    }

    /* The first 32 threads call the callback, since each may keep a state; the result of rank 0 is
     * the prefix. */
    template <assay_cub_scan_kind KIND, typename Op, typename Callback> void
    scan_from(const T *in, T *out, int n, Op &op, Callback &callback, const char *file, int line)
    {
        share(in, n, op, file, line);
        if (this->rank_ < 32) {
            const T prefix = callback(total());

            if (this->rank_ == 0)
                this->storage_.prefix = prefix;
        }
        this->barrier(file, line);
        const T prefix = this->storage_.prefix;

        spread<KIND>(in, out, n, op, &prefix, nullptr);
    }

    /* Takes one value of each rank and replaces each item by the scan up to it. */
    template <typename Op> void share(const T *in, int n, Op &op, const char *file, int line)
    {
        T partial = in[0];

        this->require(Group::SIZE, file, line);
        for (int i = 1; i < n; i++)
            partial = static_cast<T>(op(partial, in[i]));
        this->storage_.items[this->rank_] = partial;
        this->barrier(file, line);
        if (this->rank_ == 0)
            assay_cub_scan_in_place(this->storage_.items, Group::SIZE, op);
        this->barrier(file, line);
    }

    T total(void) const { return this->storage_.items[Group::SIZE - 1]; }

    template <assay_cub_scan_kind KIND, typename Op>
    void spread(const T *in, T *out, int n, Op &op, const T *initial, T *aggregate)
    {
        T    carry  = in[0];
        bool exists = this->rank_ > 0;

        if (exists)
            carry = this->storage_.items[this->rank_ - 1];
        if (initial)
            carry = exists ? static_cast<T>(op(*initial, carry)) : *initial;
        if (aggregate)
            *aggregate = total();
        walk<KIND>(in, out, n, op, carry, exists || initial);
    }

  private:
    /* `in` and `out` may be the same. */
    template <assay_cub_scan_kind KIND, typename Op>
    static void walk(const T *in, T *out, int n, Op &op, T carry, bool exists)
    {
        for (int i = 0; i < n; i++) {
            const T own  = in[i];
            const T next = exists ? static_cast<T>(op(carry, own)) : own;

            if (KIND == ASSAY_CUB_INCLUSIVE)
                out[i] = next;
            else
                out[i] = exists ? carry : assay_cub_no_result(own);
            carry  = next;
            exists = true;
        }
    }
};

} // namespace cub

#endif
