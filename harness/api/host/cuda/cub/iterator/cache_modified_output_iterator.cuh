/* cub::CacheModifiedOutputIterator: caches make no difference here. */
#ifndef ASSAY_HOST_CUB_CACHE_MODIFIED_OUTPUT_ITERATOR_CUH
#define ASSAY_HOST_CUB_CACHE_MODIFIED_OUTPUT_ITERATOR_CUH

#include "host/cub/iterator.h"
#include "host/cuda/cub/thread/thread_store.cuh"

namespace cub
{

template <CacheStoreModifier MODIFIER, typename Value, typename Offset = ptrdiff_t>
class CacheModifiedOutputIterator
    : public assay_cub_iterator<CacheModifiedOutputIterator<MODIFIER, Value, Offset>, Value,
                                Value &, Offset>
{
  public:
    explicit CacheModifiedOutputIterator(Value *to) : to_(to) {}
    Value &at(Offset i) const { return to_[i]; }

  private:
    Value *to_;
};

} // namespace cub

#endif
