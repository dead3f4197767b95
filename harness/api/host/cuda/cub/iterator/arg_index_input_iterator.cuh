/* cub::ArgIndexInputIterator by its documentation. */
#ifndef ASSAY_HOST_CUB_ARG_INDEX_INPUT_ITERATOR_CUH
#define ASSAY_HOST_CUB_ARG_INDEX_INPUT_ITERATOR_CUH

#include "host/cub/iterator.h"
#include "host/cub/types.h"

namespace cub
{

template <typename Iterator, typename Offset = ptrdiff_t,
          typename Value = std::decay_t<decltype(*std::declval<Iterator>())>>
class ArgIndexInputIterator
    : public assay_cub_iterator<ArgIndexInputIterator<Iterator, Offset, Value>,
                                KeyValuePair<Offset, Value>, KeyValuePair<Offset, Value>, Offset>
{
  public:
    explicit ArgIndexInputIterator(Iterator from) : from_(from) {}
    KeyValuePair<Offset, Value> at(Offset i) const
    {
        return KeyValuePair<Offset, Value>(i, static_cast<Value>(from_[i]));
    }

  private:
    Iterator from_;
};

} // namespace cub

#endif
