/* cub::ThreadLoad: caches make no difference here. */
#ifndef ASSAY_HOST_CUB_THREAD_LOAD_CUH
#define ASSAY_HOST_CUB_THREAD_LOAD_CUH

namespace cub
{

enum CacheLoadModifier {
    LOAD_DEFAULT,
    LOAD_CA,
    LOAD_CG,
    LOAD_CS,
    LOAD_CV,
    LOAD_LDG,
    LOAD_VOLATILE
};

template <CacheLoadModifier MODIFIER = LOAD_DEFAULT, typename Iterator>
inline auto ThreadLoad(Iterator from)
{
    return *from;
}

} // namespace cub

#endif
