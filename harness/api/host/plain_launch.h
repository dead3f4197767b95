/* Launches as plain CUDA C++ writes them. The translator (harness/translate) turns K<<<...>>>(...)
 * into a call of assay_host_configure, which keeps the configuration, and a call of K. A __global__
 * function that is called takes the configuration and launches itself, by assay_host_enter. */
#ifndef ASSAY_HOST_PLAIN_LAUNCH_H
#define ASSAY_HOST_PLAIN_LAUNCH_H

#include "device_calls.h"

#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

#pragma GCC visibility push(hidden)

/* Sets the configuration of the next __global__ function that this OS thread calls. Inside a kernel
 * this would be a launch from the device, which the host device does not support. */
void assay_host_set_configuration(const assay_launch_request *request);

/* Called by a __global__ function. True: launch with *request. False: it was called without a
 * configuration, which is a launch error. */
bool assay_host_take_configuration(assay_launch_request *request);

/* Each __global__ function has a unique key. To learn it, the function is called in a mode in which
 * it stores the key and returns before it reads its parameters; so its type need not be known. */
bool        assay_host_is_asked(const void *key);
const void *assay_host_key_of(const void *kernel);

/* Ends the launch, since the host device does not support what it uses. `reason` may be "". */
[[noreturn]] void assay_host_unsupported(const char *what, const char *reason, const char *file,
                                         int line);

/* For assert: ends the launch or, in host code, the program. */
[[noreturn]] void assay_host_failed_assertion(const char *condition, const char *file, int line);

/* A kernel that a case may launch by its name. */
struct assay_host_kernel_entry {
    const char *name; /* as in the source, with scopes and template arguments */
    const char *type; /* of the function, from typeid */
    void (*kernel)(void);
    void (*call)(void (*kernel)(void), void *const *arguments); /* the address of each argument */
    assay_host_kernel_entry *next;
};
void                           assay_host_make_known(assay_host_kernel_entry *entry);
const assay_host_kernel_entry *assay_host_kernels(void);

#pragma GCC visibility pop

/* ---- what the translator writes */

constexpr size_t assay_host_larger(size_t a, size_t b) { return a < b ? b : a; }

/* kernel: its name in the launch; NULL: its name in the definition. */
inline assay_launch_request assay_host_request(const char *kernel, const char *file, int line,
                                               dim3 grid, dim3 block, size_t bytes, void *stream)
{
    assay_launch_request request {};

    request.kernel        = kernel;
    request.file          = file;
    request.line          = line;
    request.grid          = grid;
    request.block         = block;
    request.dynamic_bytes = bytes;
    request.stream        = stream;
    return request;
}

inline void assay_host_configure(const char *kernel, const char *file, int line, dim3 grid,
                                 dim3 block, size_t bytes = 0, struct CUstream_st *stream = nullptr)
{
    const assay_launch_request request =
        assay_host_request(kernel, file, line, grid, block, bytes, stream);

    assay_host_set_configuration(&request);
}

/* Runs one thread, with its own copy of the parameters. */
template <typename Body> inline void assay_host_run_thread(void *body)
{
    Body thread = *static_cast<const Body *>(body);

    thread();
}

/* key: the kernel's name, at an address that no other kernel has. max_threads: from
 * __launch_bounds__, or 0. */
template <typename Body>
inline void assay_host_enter(const char *key, const Body &body, unsigned max_threads)
{
    assay_launch_request request;

    if (!assay_host_take_configuration(&request))
        return;
    if (!request.kernel)
        request.kernel = key;
    request.function    = key;
    request.max_threads = max_threads;
    request.invoke      = assay_host_run_thread<Body>;
    request.arguments   = const_cast<Body *>(&body);
    assay_host_launch(&request);
}

/* ---- kernels by address and by name */

template <typename... P> inline const void *assay_host_key_of(void (*kernel)(P...))
{
    return assay_host_key_of(reinterpret_cast<const void *>(kernel));
}

template <typename... P, size_t... I> inline void
assay_host_call_with(void (*kernel)(P...), void *const *arguments, std::index_sequence<I...>)
{
    (void)arguments;
    kernel(*static_cast<typename std::remove_reference<P>::type *>(arguments[I])...);
}

class __attribute__((visibility("hidden"))) assay_host_kernel
{
  public:
    template <typename... P> assay_host_kernel(void (*kernel)(P...), const char *name)
        : entry_ { name, typeid(void(P...)).name(), reinterpret_cast<void (*)(void)>(kernel),
                   call<P...>, nullptr }
    {
        assay_host_make_known(&entry_);
    }

  private:
    template <typename... P> static void call(void (*kernel)(void), void *const *arguments)
    {
        assay_host_call_with(reinterpret_cast<void (*)(P...)>(kernel), arguments,
                             std::index_sequence_for<P...>());
    }
    assay_host_kernel_entry entry_;
};

#endif
