/* cub::TransformInputIterator by its documentation. */
#ifndef ASSAY_HOST_CUB_TRANSFORM_INPUT_ITERATOR_CUH
#define ASSAY_HOST_CUB_TRANSFORM_INPUT_ITERATOR_CUH

#include "host/cub/iterator.h"

namespace cub
{

template <typename Value, typename Op, typename Iterator, typename Offset = ptrdiff_t>
class TransformInputIterator
    : public assay_cub_iterator<TransformInputIterator<Value, Op, Iterator, Offset>, Value, Value,
                                Offset>
{
  public:
    TransformInputIterator(Iterator from, Op op) : from_(from), op_(op) {}
    Value at(Offset i) const { return static_cast<Value>(op_(from_[i])); }

  private:
    Iterator from_;
    Op       op_;
};

} // namespace cub

#endif
