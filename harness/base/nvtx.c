/* Ranges for NVIDIA's own tools. */
#include "nvtx.h"

#if defined(ASSAY_HAS_NVTX)
#include "text.h"

#include <nvtx3/nvToolsExt.h>

static nvtxDomainHandle_t domain(void)
{
    static nvtxDomainHandle_t handle;

    if (!handle)
        handle = nvtxDomainCreateA("assay");
    return handle;
}

void assay_nvtx_push(const char *what, const char *key)
{
    char                  text[256];
    nvtxEventAttributes_t event = { .version     = NVTX_VERSION,
                                    .size        = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                    .messageType = NVTX_MESSAGE_TYPE_ASCII };

    event.message.ascii = assay_text_set(text, sizeof text, "%s %s", what, key);
    (void)nvtxDomainRangePushEx(domain(),
                                &event); /* its depth, or a negative number if no tool watches */
}

void assay_nvtx_pop(void) { (void)nvtxDomainRangePop(domain()); }
#else
void assay_nvtx_push(const char *what, const char *key) { (void)what, (void)key; }
void assay_nvtx_pop(void) {}
#endif
