/* The CUDA device: gate, cache flush, marks and clocks. */
#include "device_cuda.h"

#include <math.h>

/* Long compared with any queueing, yet short, since a launcher that fills the queue behind the gate
 * causes this wait at every sample. */
static const uint64_t GATE_TIMEOUT_NS = 250000000u;

/* Ends persistence, so that lines that a kernel made persist are not left for the next sample. Only
 * done if there is room set aside for such lines, since the reset waits for the device. */
static assay_status end_persistence(void)
{
    size_t       bytes = 0;
    assay_status st    = ASSAY_OK;

    ASSAY_CUDA_CHECK(cudaDeviceGetLimit(&bytes, cudaLimitPersistingL2CacheSize));
    if (bytes > 0)
        ASSAY_CUDA_CHECK(cudaCtxResetPersistingL2Cache());
out:
    return st;
}

assay_status assay_cuda_flush_cache(assay_device *device, assay_flush kind)
{
    static int (*const flushes[])(void *, size_t, uint32_t, assay_stream) = {
        [ASSAY_FLUSH_WRITE] = assay_device_enqueue_flush_write,
        [ASSAY_FLUSH_READ]  = assay_device_enqueue_flush_read,
    };
    assay_status st = ASSAY_OK;

    if ((unsigned)kind >= sizeof flushes / sizeof flushes[0])
        return assay_cuda_say(ASSAY_E_USAGE, "there is no kind %d of cache flush", (int)kind);
    st = end_persistence();
    if (st != ASSAY_OK)
        goto out;
    ASSAY_CUDA_CHECK_LAUNCH(
        flushes[kind](device->flush, device->flush_bytes, ++device->flush_salt, device->stream));
out:
    return st;
}

assay_status assay_cuda_gate_close(assay_device *device)
{
    assay_status st = ASSAY_OK;

    if (device->gate_is_closed)
        return assay_cuda_say(ASSAY_E_USAGE, "the gate is closed already");
    ASSAY_CUDA_CHECK_LAUNCH(assay_device_enqueue_gate(device->gate_device, device->ticket + 1,
                                                      GATE_TIMEOUT_NS, device->stream));
    device->ticket++;
    device->gate_is_closed = true;
out:
    return st;
}

assay_status assay_cuda_gate_open(assay_device *device, bool *was_adequate)
{
    *was_adequate = false;
    if (!device->gate_is_closed)
        return assay_cuda_say(ASSAY_E_USAGE, "the gate is open already");
    /* Read before opening. A gate that is not opened ends only by its time-out, so without one
     * everything queued until now has waited. */
    *was_adequate = __atomic_load_n(&device->gate->timed_out, __ATOMIC_ACQUIRE) != device->ticket;
    __atomic_store_n(&device->gate->opened, device->ticket, __ATOMIC_RELEASE);
    device->gate_is_closed = false;
    return ASSAY_OK;
}

assay_status assay_cuda_mark(assay_device *device, int slot)
{
    assay_status st = ASSAY_OK;

    if (slot < 0 || slot >= ASSAY_N_MARKS)
        return assay_cuda_say(ASSAY_E_USAGE, "there is no mark %d", slot);
    ASSAY_CUDA_CHECK(cudaEventRecord(device->mark[slot], device->stream));
out:
    return st;
}

assay_status assay_cuda_elapsed(assay_device *device, double *time_ns)
{
    float        time_ms = 0;
    assay_status st      = ASSAY_OK;

    ASSAY_CUDA_CHECK(cudaEventElapsedTime(&time_ms, device->mark[0], device->mark[1]));
    *time_ns = (double)time_ms * 1e6;
out:
    return st;
}

assay_status assay_cuda_clock_end(assay_device *device)
{
    assay_status st = ASSAY_OK;

    ASSAY_CUDA_CHECK_LAUNCH(assay_device_enqueue_clock(device->gate_device, device->stream));
out:
    return st;
}

double assay_cuda_mhz(const assay_clock_reading *first, const assay_clock_reading *second)
{
    /* Each SM counts its own cycles. */
    if (first->sm != second->sm || second->time_ns <= first->time_ns ||
        second->cycles <= first->cycles)
        return (double)NAN;
    return (double)(second->cycles - first->cycles) * 1e3 /
           (double)(second->time_ns - first->time_ns);
}

assay_status assay_cuda_sm_clock(assay_device *device, double *mhz)
{
    *mhz = assay_cuda_mhz(&device->gate->first, &device->gate->second);
    return ASSAY_OK;
}
