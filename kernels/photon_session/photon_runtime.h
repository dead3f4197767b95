/* What a session needs of a device: memory, streams, marks on them, and the resident kernel.
 * photon_runtime_cuda.c is for a GPU, photon_runtime_host.c for the host device. Once a kernel is
 * resident, only release and unpin wait for the whole device. */
#ifndef PHOTON_RUNTIME_H
#define PHOTON_RUNTIME_H

#include "photon_session.h"
#include "session_mail.h"

typedef struct photon_runtime photon_runtime;

/* The pool: one stream for each kind of work. */
typedef enum photon_stream {
    PHOTON_STREAM_UPLOAD,
    PHOTON_STREAM_DOWNLOAD,
    PHOTON_STREAM_INITIALIZE,
    PHOTON_STREAM_PROPAGATE,
    PHOTON_STREAM_REDUCE,
    PHOTON_STREAMS
} photon_stream;

/* Numbers of marks: of a slot's upload, its download and its part, and of the telemetry. */
enum {
    PHOTON_MARK_UPLOAD    = 0,
    PHOTON_MARK_DOWNLOAD  = SESSION_SLOTS,
    PHOTON_MARK_PART      = 2 * SESSION_SLOTS,
    PHOTON_MARK_TELEMETRY = 3 * SESSION_SLOTS,
    PHOTON_MARKS
};

typedef enum photon_resident {
    PHOTON_RESIDENT_RUNS,
    PHOTON_RESIDENT_ENDED,
    PHOTON_RESIDENT_FAILED
} photon_resident;

/* Number of the calling thread's current device. */
int photon_runtime_current(void);

/* NO_DEVICE, NO_MEMORY. The caller closes. */
photon_session_status photon_runtime_open(int device, photon_runtime **runtime);
void                  photon_runtime_close(photon_runtime *runtime); /* accepts NULL */

/* Threads of a block of the resident kernel if a configuration does not say. */
int photon_runtime_block(const photon_runtime *runtime);

/* Device memory; memory that host and device see at the same address. NULL: there is none. */
void *photon_runtime_alloc(photon_runtime *runtime, size_t bytes);
void  photon_runtime_release(photon_runtime *runtime, void *memory); /* accepts NULL */
void *photon_runtime_pin(photon_runtime *runtime, size_t bytes);
void  photon_runtime_unpin(photon_runtime *runtime, void *memory); /* accepts NULL */

/* Is all of it memory of the device, aligned to words? */
bool photon_runtime_holds(const photon_runtime *runtime, const void *memory, size_t bytes);

/* These enqueue; false: the device reports an error. One side of a copy is device memory, the other
 * is pinned. */
bool photon_runtime_copy(photon_runtime *runtime, photon_stream stream, void *to, const void *from,
                         size_t bytes);
bool photon_runtime_zero(photon_runtime *runtime, photon_stream stream, void *memory, size_t bytes);
bool photon_runtime_mark(photon_runtime *runtime, photon_stream stream, int mark);
/* Is the work before the mark done? An error counts as no: the resident kernel will show it. */
bool photon_runtime_is_past(photon_runtime *runtime, int mark);
/* Waits for one stream. */
bool photon_runtime_wait(photon_runtime *runtime, photon_stream stream);

/* session_plan on this device. */
bool photon_runtime_plan(photon_runtime *runtime, session_launch *launch);
/* Launches the resident kernel: one at a time. `launch` is copied. */
bool            photon_runtime_launch(photon_runtime *runtime, const session_launch *launch);
photon_resident photon_runtime_resident(photon_runtime *runtime);
/* Call after it has ended. */
void photon_runtime_join(photon_runtime *runtime);

#endif
