/* Copies beside computation: a stream whose photons come from the host, whose records go there, or
 * both; the same events computed without a copy; and the same copies without an event. */
#include "photon_stream.h"

#include "../../../kernels/photon_session/photon_arena.h"

#include <math.h>

enum {
    SLOTS        = 4,
    UPLOADS      = 2, /* one is packed while the other is copied */
    RECORD_WORDS = 6 * PHOTON_GENERATIONS
};

enum {
    EVENTS_S,
    PHOTONS_S,
    TOGETHER_NS,
    COMPUTE_NS,
    PACK_NS,
    COPY_NS,
    COPY_BYTES_S,
    LATENCY_NS, /* of an event in the stream, and until its first part */
    FIRST_PART_NS,
    HIDDEN_SHARE,
    HIDEABLE_SHARE,
    FIGURES
};
static const stream_figure_about figures[FIGURES] = {
    { "events_s", true },     { "photons_s", true },       { "together_ns", true },
    { "compute_ns", true },   { "pack_ns", true },         { "copy_ns", true },
    { "copy_bytes_s", true }, { "mean_latency_ns", true }, { "mean_first_part_ns", true },
    { "hidden_share", true }, { "hideable_share", true },
};

static const struct {
    const char *name;
    stream_way  way;
    int64_t     zero_copy_most;
} ways[] = {
    { "none", { .is_given = false }, -1 }, /* the others are compared with this one */
    { "photons", { .is_given = true }, -1 },
    { "device_photons", { .is_given = true, .is_on_device = true }, -1 }, /* no copies */
    { "records", { .wants_records = true }, -1 },
    { "parts", { .wants_parts = true }, -1 },
    { "both", { .is_given = true, .wants_records = true }, -1 },
    { "direct_records", { .wants_records = true }, INT64_MAX }, /* copies without the copy engine */
};
enum {
    WAYS = sizeof ways / sizeof *ways
};

/* ---- copies alone, while there is no session */

typedef struct copies {
    size_t up, down; /* bytes of an event */
    char  *device, *pinned;
} copies;

static copies copies_of(int64_t photons, stream_way way)
{
    const int64_t pages = 4 * PHOTON_REALS * photon_arena_lanes(photons);

    const int64_t down = way.wants_parts     ? (int64_t)sizeof(photon_end_row)
                         : way.wants_records ? 4 * RECORD_WORDS
                                             : 0; /* a photon, or its end */

    return (copies) { .up   = way.is_given && !way.is_on_device ? (size_t)pages : 0,
                      .down = (size_t)(down * photons) };
}

/* Copies both ways at once, each on the stream that a session has for it. */
static bool copy(photon_runtime *runtime, const copies *c, int n)
{
    bool works = true;

    for (int k = 0; works && k < n; k++)
        works =
            (c->up == 0 ||
             photon_runtime_copy(runtime, PHOTON_STREAM_UPLOAD, c->device, c->pinned, c->up)) &&
            (c->down == 0 || photon_runtime_copy(runtime, PHOTON_STREAM_DOWNLOAD, c->pinned + c->up,
                                                 c->device + c->up, c->down));
    return photon_runtime_wait(runtime, PHOTON_STREAM_UPLOAD) &&
           photon_runtime_wait(runtime, PHOTON_STREAM_DOWNLOAD) && works;
}

/* Nanoseconds for each of n events, after one that does not count. */
static bool time_copies(photon_runtime *runtime, copies c, int n, double *copy_ns)
{
    uint64_t begun;
    bool     works;

    c.device = photon_runtime_alloc(runtime, c.up + c.down);
    c.pinned = photon_runtime_pin(runtime, c.up + c.down);
    works    = c.device && c.pinned && copy(runtime, &c, 1);
    begun    = stream_now_ns();
    works    = works && copy(runtime, &c, n);
    *copy_ns = (double)(stream_now_ns() - begun) / n;
    photon_runtime_unpin(runtime, c.pinned);
    photon_runtime_release(runtime, c.device);
    return works || stream_fail("copies", PHOTON_SESSION_NO_MEMORY);
}

/* ---- streams */

static bool time_stream(stream *s, stream_way way, int64_t zero_copy_most, int n,
                        double run[STREAM_FIGURES])
{
    const photon_session_config config = { .slots          = SLOTS,
                                           .zero_copy_most = zero_copy_most,
                                           .part_ends = way.wants_parts ? STREAM_PART_ENDS : 0 };
    const bool                  works  = stream_begin(s, &config, way) && stream_run(s, n, run);

    return stream_end(s) && works;
}

/* Hidden is the part of packing and copies, as long as they take alone, that does not lengthen the
 * stream. At most everything but the longest of the three can be hidden. */
static void set_shares(double f[FIGURES])
{
    const double moving = f[PACK_NS] + f[COPY_NS], all = f[COMPUTE_NS] + moving;
    const double longest = fmax(f[COMPUTE_NS], fmax(f[PACK_NS], f[COPY_NS]));

    f[HIDDEN_SHARE]   = (all - f[TOGETHER_NS]) / moving;
    f[HIDEABLE_SHARE] = (all - longest) / moving;
}

/* compute_ns: of the way without copies. */
static void set_figures(const double run[STREAM_FIGURES], int n, double compute_ns,
                        double f[FIGURES])
{
    for (int k = 0; k < FIGURES; k++)
        f[k] = (double)NAN;
    f[EVENTS_S]      = run[STREAM_EVENTS_S];
    f[PHOTONS_S]     = run[STREAM_PHOTONS_S];
    f[TOGETHER_NS]   = run[STREAM_WALL_NS] / n;
    f[COMPUTE_NS]    = compute_ns;
    f[PACK_NS]       = run[STREAM_PACK_NS];
    f[LATENCY_NS]    = run[STREAM_LATENCY_NS];
    f[FIRST_PART_NS] = run[STREAM_FIRST_PART_NS];
}

static bool measure_way(stream *s, int way, const stream_group *g, double *compute_ns,
                        double f[FIGURES])
{
    const copies c          = copies_of(g->shape.photons, ways[way].way);
    const bool   has_copies = c.up + c.down > 0;
    double       run[STREAM_FIGURES], copy_ns = 0;

    if (has_copies && !time_copies(s->rig.device->runtime, c, g->n, &copy_ns))
        return false;
    if (!time_stream(s, ways[way].way, ways[way].zero_copy_most, g->n, run))
        return false;
    if (way == 0)
        *compute_ns = run[STREAM_WALL_NS] / g->n;
    set_figures(run, g->n, *compute_ns, f);
    if (has_copies) {
        f[COPY_NS]      = copy_ns;
        f[COPY_BYTES_S] = (double)(c.up + c.down) / copy_ns * 1e9;
        set_shares(f);
    }
    return true;
}

/* All ways in turn. */
static bool measure_repeat(stream *s, stream_table *t)
{
    double figure[FIGURES], compute_ns = 0;
    bool   works = true;

    for (int way = 0; works && way < WAYS; way++) {
        works = measure_way(s, way, t->group, &compute_ns, figure);
        if (works)
            stream_table_set(t, way, figure, &figure[TOGETHER_NS], s->digest);
        else
            t->failed = s->is_wrong ? way : -1;
    }
    return works;
}

static bool measure_size(const stream_question *q, int64_t photons)
{
    stream_group g = {
        .shape     = { .mesh = q->mesh, .photons = photons, .slots = SLOTS, .uploads = UPLOADS },
        .n_rows    = WAYS,
        .figure    = figures,
        .n_figures = FIGURES,
        .n         = photons < 1000000 ? 10 * q->events : q->events,
        .n_samples = 1
    };
    stream_table table;
    stream       s;
    bool         is_wanted, works;

    for (int way = 0; way < WAYS; way++)
        g.row[way].variant = ways[way].name;
    works = stream_group_begin(q, &g, &table, &is_wanted);
    if (!is_wanted)
        return works;
    works = stream_open(&s, &g.shape);
    while (works && stream_wants_repeat(&table))
        works = measure_repeat(&s, &table);
    return stream_finish(q, &s, &table, works);
}

bool stream_measure_overlap(const stream_question *q)
{
    return stream_each_size(q, 1000, 1000000, measure_size);
}
