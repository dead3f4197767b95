/* cuda::thread_scope, and cuda::std as a second name of std, for host compilation. */
#ifndef ASSAY_HOST_THREAD_SCOPE_H
#define ASSAY_HOST_THREAD_SCOPE_H

#include <stddef.h>

namespace std
{
} // namespace std

namespace cuda
{

enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread,
};

/* A declaration here hides the one of the same name in std. */
namespace std
{
using namespace ::std;
} // namespace std

} // namespace cuda

#endif
