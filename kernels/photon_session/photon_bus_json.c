/* A subscriber that writes each message as one JSON object a line. */
#include "photon_bus.h"

#include <inttypes.h>
#include <stdio.h>

static void write_sample(FILE *file, const photon_message *m)
{
    const photon_sample *const s = &m->sample;

    /* Whoever closes the file finds what could not be written. */
    (void)fprintf(file,
                  "{\"kind\":\"sample\",\"lost\":%" PRId64 ",\"number\":%" PRId64
                  ",\"time_ns\":%.0f,\"busy_warps\":%" PRId64 ",\"active_photons\":%" PRId64
                  ",\"spawn_queue\":%" PRId64 ",\"finished_photons\":%" PRId64
                  ",\"unfinished\":%" PRId64 "}\n",
                  m->n_lost, s->number, s->time_ns, s->busy_warps, s->active_photons,
                  s->spawn_queue, s->finished_photons, s->unfinished);
}

static void write_event(FILE *file, const photon_message *m)
{
    static const char *const status[] = {
#define X(name, sentence) #name,
        PHOTON_SESSION_STATUS_MAP(X)
#undef X
    };
    const photon_event_report *const e = &m->event;
    const photon_times *const        t = &e->times;

    (void)fprintf(file,
                  "{\"kind\":\"event\",\"lost\":%" PRId64 ",\"number\":%" PRId64
                  ",\"status\":\"%s\",\"detector\":%d,\"seed\":%" PRIu32 ",\"photons\":%" PRId64
                  ",\"spawned\":%" PRId64 ",\"queued_ns\":%.0f,\"pack_ns\":%.0f,\"upload_ns\":%.0f,"
                  "\"propagate_ns\":%.0f,\"answer_ns\":%.0f,\"download_ns\":%.0f,"
                  "\"total_ns\":%.0f}\n",
                  m->n_lost, e->number, status[e->status], e->detector, e->seed, e->photons,
                  e->n_spawned, t->queued_ns, t->pack_ns, t->upload_ns, t->propagate_ns,
                  t->answer_ns, t->download_ns, t->total_ns);
}

void photon_bus_write_json(void *context, const photon_message *message)
{
    if (message->kind == PHOTON_MESSAGE_SAMPLE)
        write_sample(context, message);
    else
        write_event(context, message);
}
