/* cub::ThreadStore: caches make no difference here. */
#ifndef ASSAY_HOST_CUB_THREAD_STORE_CUH
#define ASSAY_HOST_CUB_THREAD_STORE_CUH

namespace cub
{

enum CacheStoreModifier {
    STORE_DEFAULT,
    STORE_WB,
    STORE_CG,
    STORE_CS,
    STORE_WT,
    STORE_VOLATILE
};

template <CacheStoreModifier MODIFIER = STORE_DEFAULT, typename Iterator, typename T>
inline void ThreadStore(Iterator to, T value)
{
    *to = value;
}

} // namespace cub

#endif
