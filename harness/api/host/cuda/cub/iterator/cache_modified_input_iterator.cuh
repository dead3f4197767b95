/* cub::CacheModifiedInputIterator: caches make no difference here. */
#ifndef ASSAY_HOST_CUB_CACHE_MODIFIED_INPUT_ITERATOR_CUH
#define ASSAY_HOST_CUB_CACHE_MODIFIED_INPUT_ITERATOR_CUH

#include "host/cub/iterator.h"
#include "host/cuda/cub/thread/thread_load.cuh"

namespace cub
{

template <CacheLoadModifier MODIFIER, typename Value, typename Offset = ptrdiff_t>
class CacheModifiedInputIterator
    : public assay_cub_iterator<CacheModifiedInputIterator<MODIFIER, Value, Offset>, Value, Value,
                                Offset>
{
  public:
    explicit CacheModifiedInputIterator(const Value *from) : from_(from) {}
    Value at(Offset i) const { return from_[i]; }

  private:
    const Value *from_;
};

} // namespace cub

#endif
