/* cub::ConstantInputIterator by its documentation. */
#ifndef ASSAY_HOST_CUB_CONSTANT_INPUT_ITERATOR_CUH
#define ASSAY_HOST_CUB_CONSTANT_INPUT_ITERATOR_CUH

#include "host/cub/iterator.h"

namespace cub
{

template <typename Value, typename Offset = ptrdiff_t> class ConstantInputIterator
    : public assay_cub_iterator<ConstantInputIterator<Value, Offset>, Value, Value, Offset>
{
  public:
    explicit ConstantInputIterator(const Value &value) : value_(value) {}
    Value at(Offset) const { return value_; }

  private:
    Value value_;
};

} // namespace cub

#endif
