/* A GPU for the stand-alone physics loss programs. */
#include "phys_device.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

static cudaEvent_t           start_event, stop_event;
static struct cudaDeviceProp properties;
static cudaError_t           last_error;

static bool succeeded(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
    return error == cudaSuccess;
}

const char *phys_device_message(void) { return cudaGetErrorString(last_error); }

/* There is no GPU, or no driver for it; any other error comes from a GPU that is there. */
static bool is_absent(cudaError_t error, int count)
{
    return error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver ||
           (error == cudaSuccess && count == 0);
}

bool phys_device_open(char *why, size_t size)
{
    int               count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);

    if (is_absent(error, count)) {
        (void)snprintf(why, size, "no CUDA device: %s",
                       error == cudaSuccess ? "none is visible" : cudaGetErrorString(error));
        return false;
    }
    if (succeeded(error) && succeeded(cudaSetDevice(0)) &&
        succeeded(cudaGetDeviceProperties(&properties, 0)) &&
        succeeded(cudaEventCreate(&start_event)) && succeeded(cudaEventCreate(&stop_event)))
        return true;
    (void)snprintf(why, size, "CUDA device 0 cannot be used: %s", phys_device_message());
    return false;
}

const char *phys_device_name(void) { return properties.name; }
bool        phys_device_can_time(void) { return true; }

void *phys_device_alloc(size_t bytes)
{
    void *memory = NULL;

    return succeeded(cudaMalloc(&memory, bytes)) ? memory : NULL;
}

/* A failure here is a sticky error, which an earlier call reported. */
void phys_device_release(void *memory) { (void)succeeded(cudaFree(memory)); }

bool phys_device_upload(void *to, const void *from, size_t bytes)
{
    return succeeded(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}

bool phys_device_download(void *to, const void *from, size_t bytes)
{
    return succeeded(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}

bool phys_device_copy(void *to, const void *from, size_t bytes)
{
    return succeeded(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, NULL));
}

bool phys_device_wait(void) { return succeeded(cudaDeviceSynchronize()); }

bool phys_device_start(void) { return succeeded(cudaEventRecord(start_event, NULL)); }

double phys_device_stop_ms(void)
{
    float time_ms = -1;

    if (!succeeded(cudaEventRecord(stop_event, NULL)) ||
        !succeeded(cudaEventSynchronize(stop_event)) ||
        !succeeded(cudaEventElapsedTime(&time_ms, start_event, stop_event)))
        return -1;
    return (double)time_ms;
}
