/* Ranges of sessions on a GPU, in the domain "photon_session". Nsight Systems shows them; when no
 * tool watches, a call returns at once. */
#include "session_ranges.h"

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>

static nvtxDomainHandle_t domain;

static void create_domain(void) { domain = nvtxDomainCreateA("photon_session"); }

static nvtxEventAttributes_t event_of(const char *what)
{
    static pthread_once_t once  = PTHREAD_ONCE_INIT;
    nvtxEventAttributes_t event = { .version     = NVTX_VERSION,
                                    .size        = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                    .messageType = NVTX_MESSAGE_TYPE_ASCII };

    (void)pthread_once(&once, create_domain); /* fails only for a wrong `once` */
    event.message.ascii = what;
    return event;
}

void session_range_push(const char *what)
{
    const nvtxEventAttributes_t event = event_of(what);

    (void)nvtxDomainRangePushEx(domain, &event); /* returns the depth, or that no tool watches */
}

void session_range_pop(void) { (void)nvtxDomainRangePop(domain); }

uint64_t session_range_start(const char *what, int64_t number)
{
    nvtxEventAttributes_t event = event_of(what);

    event.payloadType     = NVTX_PAYLOAD_TYPE_INT64;
    event.payload.llValue = number;
    return nvtxDomainRangeStartEx(domain, &event);
}

void session_range_end(uint64_t range) { nvtxDomainRangeEnd(domain, range); }
#else
void session_range_push(const char *what) { (void)what; }

void session_range_pop(void) {}

uint64_t session_range_start(const char *what, int64_t number)
{
    (void)what, (void)number;
    return 0;
}

void session_range_end(uint64_t range) { (void)range; }
#endif
