/* cub::CountingInputIterator by its documentation. */
#ifndef ASSAY_HOST_CUB_COUNTING_INPUT_ITERATOR_CUH
#define ASSAY_HOST_CUB_COUNTING_INPUT_ITERATOR_CUH

#include "host/cub/iterator.h"

namespace cub
{

template <typename Value, typename Offset = ptrdiff_t> class CountingInputIterator
    : public assay_cub_iterator<CountingInputIterator<Value, Offset>, Value, Value, Offset>
{
  public:
    explicit CountingInputIterator(const Value &start) : start_(start) {}
    Value at(Offset i) const { return static_cast<Value>(start_ + static_cast<Value>(i)); }

  private:
    Value start_;
};

} // namespace cub

#endif
