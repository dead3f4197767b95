/* A device: the functions behind which CUDA and the host executor look the same. Each kernel module
 * (a shared object: kernels_cuda, kernels_host or a user's own) carries one implementation and
 * exports it through assay_module_api(). */
#ifndef ASSAY_DEVICE_H
#define ASSAY_DEVICE_H

#include "kernel.h"
#include "status.h"

#include <stdbool.h>

/* What a file is compiled for: the sanitizer of its lane, "" for none. The host executor itself is
 * built without -fsanitize=thread, with ASSAY_TSAN. */
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
    ASSAY_FLUSH_WRITE, /* leaves dirty lines, which the timed kernel's misses write back */
    ASSAY_FLUSH_READ   /* leaves clean lines */
} assay_flush;

/* Facts read from the device; 0 or "" where unknown. */
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
    bool    can_time; /* false: the device checks kernels but its times mean nothing */
} assay_device_info;

typedef enum assay_fault_kind {
    ASSAY_FAULT_NONE = 0,
    ASSAY_FAULT_LAUNCH,      /* refused: too many threads, too much shared memory, no image */
    ASSAY_FAULT_ADDRESS,     /* illegal or misaligned address */
    ASSAY_FAULT_BARRIER,     /* threads of a block wait at different barriers */
    ASSAY_FAULT_DEADLOCK,    /* nothing can run on */
    ASSAY_FAULT_HIDDEN_SYNC, /* the launcher waited for the stream */
    ASSAY_FAULT_OTHER,
    ASSAY_FAULT_MEMORY, /* within the host device: no memory to run threads in; it fails by a status
                         */
    ASSAY_FAULT_PEER,   /* of no device: a peer gave no answer, and what that means was found */
    ASSAY_FAULT_FLOAT_MODE,  /* it left another floating-point mode behind; all else is well */
    ASSAY_FAULT_MISUSE,      /* a warp operation or grid.sync() where CUDA does not define it */
    ASSAY_FAULT_IDLE,        /* some of its calls launch nothing, and others do */
    ASSAY_FAULT_UNSUPPORTED, /* within the host device: it has not what the kernel asked for; it
                              * fails by a status
                              */
} assay_fault_kind;

/* What went wrong while a kernel ran. */
typedef struct assay_fault {
    assay_fault_kind kind;
    char             text[512]; /* with file:line where the device knows it; of FAULT_NONE: a remark
                                   on what was enqueued, for a reader of a wrong answer, or, of
                                   wait, a note on what is right; "" none */
} assay_fault;

/* Order in which the host executor runs threads and blocks; the GPU has its own. */
typedef enum assay_order {
    ASSAY_ASCENDING,
    ASSAY_DESCENDING,
    ASSAY_SHUFFLED,
    ASSAY_UNFAIR, /* warps have priorities, and one runs while others wait; on one OS thread */
} assay_order;
typedef struct assay_schedule {
    assay_order order;
    uint64_t    seed;
} assay_schedule;

/* ---- launches that a case declares, worked out for one point ---- */

enum {
    ASSAY_MAX_KERNEL_PARAMETERS = 32
};

/* A kernel of a module, as its device knows it. */
typedef struct assay_kernel_entry {
    const char *name;      /* as the source has it; NULL: `signature` holds it, too */
    const char *signature; /* mangled: of the function, or of its type */
    const void *kernel;    /* for the device that listed it */
} assay_kernel_entry;

typedef struct assay_planned_argument {
    int           buffer; /* the address of this one, or -1: the bytes */
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
    const char *sanitizer; /* ASSAY_SANITIZER of its build: a program takes only its own */

    /* Devices of this kind here; with 0, `why` says what is missing and what to do. */
    int (*count)(char *why, size_t size);
    /* Opens device `index`; `info` is filled. Caller closes. */
    assay_status (*open)(int index, assay_device **device, assay_device_info *info);
    void (*close)(assay_device *device); /* accepts NULL */
    /* The sentence behind the last failed call of this module. */
    const char *(*message)(void);

    /* Memory. alloc aligns to 256 bytes and never returns NULL with ASSAY_OK (0 bytes included). */
    assay_status (*alloc)(assay_device *device, size_t bytes, void **memory);
    void (*release)(assay_device *device, void *memory); /* accepts NULL */
    assay_status (*upload)(assay_device *device, void *to, const void *from, size_t bytes);
    assay_status (*download)(assay_device *device, void *to, const void *from, size_t bytes);
    /* Enqueues a copy inside the device on the launch stream. */
    assay_status (*copy)(assay_device *device, void *to, const void *from, size_t bytes);
    /* Enqueues the setting of all these bytes to one value, on the launch stream. */
    assay_status (*set)(assay_device *device, void *memory, int byte, size_t bytes);
    /* Forbids (or allows again) every access to these bytes by kernels where the build can watch it
     * (AddressSanitizer); otherwise does nothing. */
    void (*forbid)(assay_device *device, const void *memory, size_t bytes, bool forbidden);

    /* Host executor: the order of the launches that follow. The GPU ignores it. */
    void (*schedule)(assay_device *device, const assay_schedule *schedule);
    /* Calls the launcher on the launch stream. An error number it returns is a fault, not a status.
     */
    assay_status (*enqueue)(assay_device *device, assay_launch_fn *launch, const assay_args *args,
                            assay_fault *fault);
    /* Waits for everything enqueued. Without a fault, the text may hold a note. After a fault the
     * device may be unusable: close it. */
    assay_status (*wait)(assay_device *device, assay_fault *fault);
    /* Does the launcher return without waiting and without allocating? FAULT_HIDDEN_SYNC if not. On
     * CUDA the launch is captured into a graph and thrown away, on the host it runs. `launches`:
     * kernels per call, -1 if unknown. */
    assay_status (*probe)(assay_device *device, assay_launch_fn *launch, const assay_args *args,
                          int *launches, assay_fault *fault);

    /* ---- what one launcher could leave for the next ---- */

    /* A digest of what the launchers of this module keep in static memory; 0 if the module was
     * linked without the two objects that enclose it (cmake/statics_begin.c). On CUDA the first
     * launch of a kernel changes it: the compiler's own code keeps a handle. */
    uint64_t (*statics)(void);
    /* How many attributes and limits launchers have set through the runtime so far. */
    int64_t (*n_settings)(void);
    /* Puts back what they were. False: not everything can be, this process should serve no more. */
    bool (*undo_settings)(assay_device *device);

    /* Device memory free now; 0 unknown. */
    int64_t (*free_bytes)(assay_device *device);

    /* ---- evidence that stays on the device ---- */

    /* A 64-bit digest of these bytes, after everything enqueued: with w[i] the 32-bit words (the
     * last one filled up with zero bytes), the sum modulo 2^64 of mix((i << 32 | w[i]) +
     * 0x9e3779b97f4a7c15), mix(z) being: z ^= z >> 30; z *= 0xbf58476d1ce4e5b9; z ^= z >> 27; z *=
     * 0x94d049bb133111eb; z ^= z >> 31. The same on every device. */
    assay_status (*digest)(assay_device *device, const void *memory, size_t bytes,
                           uint64_t *digest);

    /* ---- timing (can_time only) ---- */

    /* Enqueues writes (or reads) over twice the L2, and first ends the persistence of lines that
     * kernels have asked it to keep. */
    assay_status (*flush_cache)(assay_device *device, assay_flush kind);
    /* A closed gate holds the stream until it is opened. As it lets go it reads the SM's clocks. */
    assay_status (*gate_close)(assay_device *device);
    assay_status (*gate_open)(assay_device *device, bool *was_adequate); /* false: it timed out */
    assay_status (*mark)(assay_device *device,
                         int           slot); /* enqueues an event, slot < ASSAY_N_MARKS */
    assay_status (*elapsed)(assay_device *device,
                            double       *time_ns); /* slot 0 to slot 1, after wait */
    /* Enqueues the second reading of the SM's clocks, behind what is timed. */
    assay_status (*clock_end)(assay_device *device);
    /* The SM's mean clock from the gate to clock_end, after wait: cycles over nanoseconds of the
     * global timer. NaN if the two were read on different SMs or no time had passed. */
    assay_status (*sm_clock)(assay_device *device, double *mhz);
    /* n_calls of the launcher as one CUDA graph, ready to be launched. A launcher that cannot be
     * captured is a fault (as in probe), and so is one of which some calls add nothing to the graph
     * (FAULT_IDLE): *graph is NULL then. */
    assay_status (*graph_make)(assay_device *device, assay_launch_fn *launch,
                               const assay_args *args, int n_calls, assay_graph **graph,
                               assay_fault *fault);
    assay_status (*graph_launch)(assay_device *device, assay_graph *graph); /* enqueues it */
    void (*graph_free)(assay_device *device, assay_graph *graph);           /* accepts NULL */

    /* ---- kernels without a launcher ---- */

    /* Kernel number i of this module; false: there are not so many. */
    bool (*kernel)(int i, assay_kernel_entry *entry);
    /* A launcher: enqueues the kernels of args->plan. */
    assay_launch_fn *launch_plan;
} assay_device_api;

/* Exported by every kernel module. */
typedef const assay_device_api      *assay_module_api_fn(void);
ASSAY_EXPORT const assay_device_api *assay_module_api(void);

#ifdef __cplusplus
}
#endif
#endif
