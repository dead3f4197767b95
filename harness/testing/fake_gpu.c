/* A kernel module with one GPU of which only the facts exist. Under the name of the CUDA module it
 * lets tests run the command line as on a machine with a GPU. ASSAY_FAKE_GPU_BUS_ID is the GPU's
 * bus id, ASSAY_FAKE_GPU_UUIDS the uuids of several, separated by spaces. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct assay_device {
    int unused;
};

static int count(char *why, size_t size)
{
    const char *at = getenv("ASSAY_FAKE_GPU_UUIDS");
    int         n  = at ? 0 : 1;

    (void)snprintf(why, size, "%s", at && !*at ? "none was asked for" : "");
    for (; at && *at; at += strcspn(at, " "), at += *at == ' ')
        n++;
    return n;
}

static void read_uuid(int index, char *uuid, size_t size)
{
    const char *at = getenv("ASSAY_FAKE_GPU_UUIDS");

    for (; at && index > 0; index--)
        at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL;
    if (at)
        (void)snprintf(uuid, size, "%.*s", (int)strcspn(at, " "), at);
}

static assay_status open_it(int index, assay_device **device, assay_device_info *info)
{
    static assay_device one;
    const char         *place = getenv("ASSAY_FAKE_GPU_BUS_ID");

    memset(info, 0, sizeof *info);
    (void)snprintf(info->kind, sizeof info->kind, "cuda");
    (void)snprintf(info->name, sizeof info->name, "Imaginary GPU");
    (void)snprintf(info->pci_bus_id, sizeof info->pci_bus_id, "%s", place ? place : "0000:1B:00.0");
    read_uuid(index, info->uuid, sizeof info->uuid);
    info->can_time = true;
    *device        = &one;
    return ASSAY_OK;
}

static void close_it(assay_device *device) { (void)device; }

static const char *message(void) { return ""; }

const assay_device_api *assay_module_api(void)
{
    static const assay_device_api api = {
        .abi       = ASSAY_DEVICE_ABI,
        .kind      = "cuda",
        .sanitizer = ASSAY_SANITIZER,
        .count     = count,
        .open      = open_it,
        .close     = close_it,
        .message   = message,
    };

    return &api;
}
