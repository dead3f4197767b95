/* The arithmetic of a random-access iterator on its position. Only the iterators of host/cuda/cub
 * include it. */
#ifndef ASSAY_HOST_CUB_ITERATOR_H
#define ASSAY_HOST_CUB_ITERATOR_H

#include <algorithm>
#include <stddef.h>
#include <type_traits>
#include <utility>

namespace cub
{

/* Self has at(Offset), which returns the reference at that offset. Copies differ only in their
 * position. */
template <typename Self, typename Value, typename Reference, typename Offset>
class assay_cub_iterator
{
  public:
    using difference_type   = Offset;
    using value_type        = Value;
    using pointer           = Value *;
    using reference         = Reference;
    using iterator_category = std::random_access_iterator_tag;
    using self_type         = Self;

    Reference                              operator*() const { return self().at(position_); }
    template <typename Distance> Reference operator[](Distance n) const
    {
        return self().at(static_cast<Offset>(position_ + static_cast<Offset>(n)));
    }
    template <typename Distance> Self operator+(Distance n) const
    {
        Self moved = self();

        moved.position_ = static_cast<Offset>(position_ + static_cast<Offset>(n));
        return moved;
    }
    template <typename Distance> Self operator-(Distance n) const
    {
        Self moved = self();

        moved.position_ = static_cast<Offset>(position_ - static_cast<Offset>(n));
        return moved;
    }
    Offset operator-(const Self &other) const
    {
        return static_cast<Offset>(position_ - other.position_);
    }
    template <typename Distance> Self &operator+=(Distance n) { return own() = self() + n; }
    template <typename Distance> Self &operator-=(Distance n) { return own() = self() - n; }
    Self                              &operator++(void) { return *this += 1; }
    Self                               operator++(int)
    {
        const Self before = self();

        *this += 1;
        return before;
    }
    bool operator==(const Self &other) const { return position_ == other.position_; }
    bool operator!=(const Self &other) const { return position_ != other.position_; }
    bool operator<(const Self &other) const { return position_ < other.position_; }

  protected:
    Offset position_ = 0;

  private:
    const Self &self(void) const { return static_cast<const Self &>(*this); }
    Self       &own(void) { return static_cast<Self &>(*this); }
};

} // namespace cub

#endif
