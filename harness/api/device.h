/* A device: the functions behind which CUDA and the host device look the same. Each kernel module
 * (a shared object: kernels_cuda, kernels_host or a user's own) has one implementation and exports
 * it through assay_module_api(). Addresses called `memory` are on the device, except `to` of
 * download and `from` of upload, which are on the host. */
#ifndef ASSAY_DEVICE_H
#define ASSAY_DEVICE_H

#include "kernel.h"
#include "status.h"

#include <stdbool.h>

/* The sanitizer that this file is compiled for, "" for none. The host device itself is built with
 * ASSAY_TSAN instead of -fsanitize=thread. */
#ifndef ASSAY_SANITIZER
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASSAY_SANITIZER "address"
#elif __has_feature(thread_sanitizer)
#define ASSAY_SANITIZER "thread"
#endif
#endif
#if !defined(ASSAY_SANITIZER) && defined(__SANITIZE_ADDRESS__)
#define ASSAY_SANITIZER "address"
#elif !defined(ASSAY_SANITIZER) && (defined(__SANITIZE_THREAD__) || defined(ASSAY_TSAN))
#define ASSAY_SANITIZER "thread"
#elif !defined(ASSAY_SANITIZER)
#define ASSAY_SANITIZER ""
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ASSAY_DEVICE_ABI = 6,
    ASSAY_N_MARKS    = 2
};

typedef struct assay_device assay_device;
typedef struct assay_graph  assay_graph;

typedef enum assay_flush {
    ASSAY_FLUSH_WRITE, /* leaves dirty cache lines, which misses of the timed kernel write back */
    ASSAY_FLUSH_READ   /* leaves clean cache lines */
} assay_flush;

/* What is known of a device; 0 or "" where unknown. */
typedef struct assay_device_info {
    char    kind[8];   /* "cuda" or "host" */
    char    name[128]; /* "NVIDIA H100 80GB HBM3"; the CPU's model for the host */
    char    uuid[64];
    char    pci_bus_id[32];
    char    driver[32];                           /* "580.159.04" */
    int     runtime_version, driver_cuda_version; /* 13000 is 13.0 */
    int     compute_capability;                   /* 90 is 9.0 */
    int     sm_count, sm_clock_khz, memory_clock_khz, memory_bus_bits, ecc;
    int64_t memory_bytes, memory_free_bytes, l2_bytes;
    bool    can_time; /* false: it checks kernels, but its times mean nothing */
} assay_device_info;

typedef enum assay_fault_kind {
    ASSAY_FAULT_NONE = 0,
    ASSAY_FAULT_LAUNCH,      /* refused: too many threads, too much shared memory, no code
                              */
    ASSAY_FAULT_ADDRESS,     /* illegal or misaligned address */
    ASSAY_FAULT_BARRIER,     /* threads of a block wait at different barriers */
    ASSAY_FAULT_DEADLOCK,    /* every thread waits for another one */
    ASSAY_FAULT_HIDDEN_SYNC, /* the launcher waited for the stream */
    ASSAY_FAULT_OTHER,
    ASSAY_FAULT_MEMORY,      /* host device, internal: no memory for threads; becomes a status
                              */
    ASSAY_FAULT_PEER,        /* from a peer: it gave no answer, and the verdict is known
                              */
    ASSAY_FAULT_FLOAT_MODE,  /* it changed the floating-point mode; all else is well */
    ASSAY_FAULT_MISUSE,      /* a warp operation or grid.sync() where CUDA does not define it */
    ASSAY_FAULT_IDLE,        /* some of its calls launch kernels, and others launch none */
    ASSAY_FAULT_UNSUPPORTED, /* host device, internal: it lacks what the kernel uses; becomes a
                              * status
                              */
} assay_fault_kind;

/* What went wrong while a kernel ran. */
typedef struct assay_fault {
    assay_fault_kind kind;
    char text[512]; /* a sentence, with file:line if the device knows it. With FAULT_NONE: a remark
                       that helps to explain a wrong answer or, from wait, a note on right code; ""
                       none */
} assay_fault;

/* The order in which the host device runs threads and blocks. A GPU has its own order. */
typedef enum assay_order {
    ASSAY_ASCENDING,
    ASSAY_DESCENDING,
    ASSAY_SHUFFLED,
    ASSAY_UNFAIR, /* by priorities of warps: one runs on while others wait; on one OS thread */
} assay_order;
typedef struct assay_schedule {
    assay_order order;
    uint64_t    seed;
} assay_schedule;

/* ---- launches that a case declares, evaluated for one point ---- */

enum {
    ASSAY_MAX_KERNEL_PARAMETERS = 32
};

/* A kernel of a module. */
typedef struct assay_kernel_entry {
    const char *name;      /* as in the source; NULL: it is part of `signature` */
    const char *signature; /* mangled name of the function or of its type */
    const void *kernel;    /* handle for the device that listed it */
} assay_kernel_entry;

typedef struct assay_planned_argument {
    int           buffer; /* >= 0: the address of this buffer; -1: `bytes` */
    unsigned char bytes[8] __attribute__((aligned(8)));
} assay_planned_argument;

typedef struct assay_planned_kernel {
    const void            *kernel;
    const char            *name;
    unsigned               grid[3], block[3];
    size_t                 shared_bytes;
    bool                   is_co_resident;
    int                    n_arguments;
    assay_planned_argument argument[ASSAY_MAX_KERNEL_PARAMETERS];
} assay_planned_kernel;

typedef struct assay_launch_plan {
    int                   n;
    assay_planned_kernel *kernel; /* [n] */
} assay_launch_plan;

typedef struct assay_device_api {
    int         abi; /* ASSAY_DEVICE_ABI */
    const char *kind;
    const char *sanitizer; /* ASSAY_SANITIZER of its build; must be that of the program */

    /* Returns the number of devices of this kind on this machine. If it is 0, `why` says what is
     * missing and what to do. */
    int (*count)(char *why, size_t size);
    /* Opens device `index` and fills `info`. The caller closes the device. */
    assay_status (*open)(int index, assay_device **device, assay_device_info *info);
    void (*close)(assay_device *device); /* accepts NULL */
    /* The sentence for the last failed call of this module. */
    const char *(*message)(void);

    /* Memory. alloc aligns to 256 bytes. With ASSAY_OK it never gives NULL, even for 0 bytes. The
     * caller releases the memory. */
    assay_status (*alloc)(assay_device *device, size_t bytes, void **memory);
    void (*release)(assay_device *device, void *memory); /* accepts NULL */
    assay_status (*upload)(assay_device *device, void *to, const void *from, size_t bytes);
    assay_status (*download)(assay_device *device, void *to, const void *from, size_t bytes);
    /* Enqueues a copy inside the device on the launch stream. */
    assay_status (*copy)(assay_device *device, void *to, const void *from, size_t bytes);
    /* Enqueues the setting of all these bytes to one value on the launch stream. */
    assay_status (*set)(assay_device *device, void *memory, int byte, size_t bytes);
    /* Forbids, or allows again, all accesses of kernels to these bytes. Only a build with
     * AddressSanitizer can watch that; others do nothing. */
    void (*forbid)(assay_device *device, const void *memory, size_t bytes, bool forbidden);

    /* Sets the order of threads in the launches that follow. A GPU ignores it. */
    void (*schedule)(assay_device *device, const assay_schedule *schedule);
    /* Calls the launcher on the launch stream. If the launcher returns an error number, that is a
     * fault; the status is ASSAY_OK.
     */
    assay_status (*enqueue)(assay_device *device, assay_launch_fn *launch, const assay_args *args,
                            assay_fault *fault);
    /* Waits for everything enqueued. Without a fault, its text may hold a note. After a fault the
     * device may be unusable: close it. */
    assay_status (*wait)(assay_device *device, assay_fault *fault);
    /* Does the launcher return without waiting and without allocating memory? FAULT_HIDDEN_SYNC if
     * not. On CUDA the call is captured into a graph, which is thrown away; on the host device it
     * runs. `launches` gets the kernels per call, -1 if unknown. */
    assay_status (*probe)(assay_device *device, assay_launch_fn *launch, const assay_args *args,
                          int *launches, assay_fault *fault);

    /* ---- what one launcher can leave behind for the next ---- */

    /* A digest of this module's static memory, where launchers can keep data. 0 if the module was
     * linked without the two objects that enclose that memory (cmake/statics_begin.c). On CUDA the
     * first launch of a kernel changes it, since the compiler's own code keeps a handle there. */
    uint64_t (*statics)(void);
    /* How many attributes and limits the launchers have set through the CUDA runtime so far. */
    int64_t (*n_settings)(void);
    /* Restores these settings. False: some cannot be restored, and this process should run no more
     * kernels. */
    bool (*undo_settings)(assay_device *device);

    /* Bytes of device memory that are free now; 0: unknown. */
    int64_t (*free_bytes)(assay_device *device);

    /* ---- evidence that stays on the device ---- */

    /* A 64-bit digest of these bytes, taken after everything enqueued; the same on every device. It
     * is the sum modulo 2^64 of mix((i << 32 | w[i]) + 0x9e3779b97f4a7c15) over the 32-bit words
     * w[i], the last of which is filled up with zero bytes. mix(z) is the finalizer of SplitMix64:
     * z ^= z >> 30; z *= 0xbf58476d1ce4e5b9; z ^= z >> 27; z *= 0x94d049bb133111eb; z ^= z >> 31.
     */
    assay_status (*digest)(assay_device *device, const void *memory, size_t bytes,
                           uint64_t *digest);

    /* ---- timing (can_time only) ---- */

    /* Enqueues writes or reads of twice the size of the L2. Before that it resets cache lines that
     * kernels made persistent. */
    assay_status (*flush_cache)(assay_device *device, assay_flush kind);
    /* The gate is a kernel that holds the stream until it is opened. When it ends, it reads the
     * clocks of its SM: the cycle counter and the global timer. */
    assay_status (*gate_close)(assay_device *device);
    assay_status (*gate_open)(assay_device *device, bool *was_adequate); /* false: it timed out */
    assay_status (*mark)(assay_device *device,
                         int           slot); /* enqueues an event, slot < ASSAY_N_MARKS */
    assay_status (*elapsed)(assay_device *device,
                            double       *time_ns); /* from slot 0 to slot 1; after wait */
    /* Enqueues the second reading of the SM's clocks, after the timed work. */
    assay_status (*clock_end)(assay_device *device);
    /* The mean clock rate of the SM from the gate to clock_end: cycles divided by the time of the
     * global timer. Call it after wait. NaN if the two readings were on different SMs or no time
     * passed. */
    assay_status (*sm_clock)(assay_device *device, double *mhz);
    /* Makes one CUDA graph of n_calls calls of the launcher, ready to be launched. The caller frees
     * it. A launcher that cannot be captured is a fault, as in probe. So is one of which some calls
     * add nothing to the graph (FAULT_IDLE). With a fault, *graph is NULL. */
    assay_status (*graph_make)(assay_device *device, assay_launch_fn *launch,
                               const assay_args *args, int n_calls, assay_graph **graph,
                               assay_fault *fault);
    assay_status (*graph_launch)(assay_device *device, assay_graph *graph); /* enqueues it */
    void (*graph_free)(assay_device *device, assay_graph *graph);           /* accepts NULL */

    /* ---- kernels without a launcher ---- */

    /* Gives kernel number i of this module; false: there are not so many. */
    bool (*kernel)(int i, assay_kernel_entry *entry);
    /* A launcher that enqueues the kernels of args->plan. */
    assay_launch_fn *launch_plan;
} assay_device_api;

/* Exported by every kernel module. */
typedef const assay_device_api      *assay_module_api_fn(void);
ASSAY_EXPORT const assay_device_api *assay_module_api(void);

#ifdef __cplusplus
}
#endif
#endif
