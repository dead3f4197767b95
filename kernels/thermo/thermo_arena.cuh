/* A workspace that is cut into arrays. */
#ifndef ASSAY_THERMO_ARENA_CUH
#define ASSAY_THERMO_ARENA_CUH

#include "kernel.h"

/* Hands out arrays one after another, each aligned to 256 bytes. Without memory it only counts. */
class thermo_arena
{
  public:
    explicit thermo_arena(void *memory) : base_(static_cast<char *>(memory)) {}
    template <typename T> T *take(int64_t count)
    {
        const size_t at = bytes_;

        bytes_ += (static_cast<size_t>(count) * sizeof(T) + 255) / 256 * 256;
        return base_ ? reinterpret_cast<T *>(base_ + at) : nullptr;
    }
    size_t bytes() const { return bytes_; }

  private:
    char  *base_;
    size_t bytes_ = 0;
};

#endif
