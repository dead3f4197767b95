/* Faults: the first one of a launch is kept, as text, and stops the launch. */
#include "executor.h"
#include "host/plain_launch.h"

#include <algorithm>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The file's name without its directories, as in all messages of the harness. */
assay_text assay_site_text(const assay_site &site)
{
    const char *slash = site.file ? strrchr(site.file, '/') : nullptr;
    assay_text  text;

    if (site.file)
        (void)snprintf(text.text, sizeof text.text, "%s:%d", slash ? slash + 1 : site.file,
                       site.line);
    else
        (void)snprintf(text.text, sizeof text.text, "(not known)");
    return text;
}

const char *assay_warp_op_text(unsigned op)
{
    static const char *const texts[ASSAY_N_WARP_OPS] = {
        "__syncwarp",        "a shuffle",         "__ballot_sync",     "__any_sync",
        "__all_sync",        "__match_any_sync",  "__match_all_sync",  "__reduce_add_sync",
        "__reduce_min_sync", "__reduce_max_sync", "__reduce_min_sync", "__reduce_max_sync",
        "__reduce_and_sync", "__reduce_or_sync",  "__reduce_xor_sync", "__activemask",
    };

    return op < ASSAY_N_WARP_OPS ? texts[op] : "?";
}

const char *assay_block_op_text(unsigned op)
{
    static const char *const texts[ASSAY_N_BLOCK_OPS] = { "__syncthreads", "__syncthreads_count",
                                                          "__syncthreads_and", "__syncthreads_or" };

    return op < ASSAY_N_BLOCK_OPS ? texts[op] : "?";
}

static std::string hex(unsigned mask)
{
    char text[16];

    (void)snprintf(text, sizeof text, "0x%08x", mask);
    return text;
}

/* What a thread is doing; threads that do the same have the same words. */
static std::string doing(const assay_thread &thread)
{
    const std::string site = assay_site_text(thread.site).text;

    switch (thread.state) {
    case ASSAY_THREAD_FRESH:
        return "not begun";
    case ASSAY_THREAD_DONE:
        return "exited";
    case ASSAY_THREAD_BARRIER:
        return std::string("in ") + assay_block_op_text(thread.op) + " at " + site;
    case ASSAY_THREAD_WARP:
        return std::string("in ") + assay_warp_op_text(thread.op) + ", mask " + hex(thread.mask) +
               ", at " + site;
    case ASSAY_THREAD_ACTIVE:
        return "in __activemask at " + site;
    case ASSAY_THREAD_GRID:
        return "in grid.sync() at " + site;
    case ASSAY_THREAD_PART:
        return "in " + assay_part_text(thread) + " at " + site;
    case ASSAY_THREAD_PHASE:
        return "in a wait for a barrier in memory (" + assay_mbarrier_text(thread) + ") at " + site;
    default:
        return (thread.has_polled ? "polling at " : "running, last seen at ") + site;
    }
}

std::string assay_fault_threads(const assay_block *block)
{
    struct group {
        std::string text;
        unsigned    n, first;
    };
    std::vector<group> groups;
    std::string        all;

    for (const assay_thread &thread : block->threads) {
        const std::string text = doing(thread);
        const auto        same = std::find_if(groups.begin(), groups.end(),
                                              [&text](const group &g) { return g.text == text; });

        if (same != groups.end())
            same->n++;
        else
            groups.push_back({ text, 1, thread.rank });
    }
    std::stable_sort(groups.begin(), groups.end(),
                     [](const group &a, const group &b) { return a.n > b.n; });
    for (const group &g : groups)
        all += (all.empty() ? "" : "; ") + std::to_string(g.n) +
               (g.n == 1 ? " thread (" : " threads (") + (g.n == 1 ? "" : "first ") +
               std::to_string(g.first) + ") " + g.text;
    return all;
}

static void raise(assay_block *block, assay_fault_kind kind, const char *format, va_list list)
{
    assay_launch *launch = block->launch;
    assay_fault  *fault  = &launch->fault;
    int           length;

    if (launch->has_fault.exchange(true))
        return;
    fault->kind = kind;
    length      = snprintf(fault->text, sizeof fault->text,
                           "kernel %s, block (%u,%u,%u): ", launch->request->kernel, block->index.x,
                           block->index.y, block->index.z);
    if (length >= 0 && static_cast<size_t>(length) < sizeof fault->text)
        (void)vsnprintf(fault->text + length, sizeof fault->text - static_cast<size_t>(length),
                        format, list);
}

void assay_fault_raise(assay_block *block, assay_fault_kind kind, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    raise(block, kind, format, list);
    va_end(list);
}

void assay_fault_stop(assay_thread *thread, assay_fault_kind kind, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    raise(thread->block, kind, format, list);
    va_end(list);
    /* The launch is stopped: this thread is never resumed, and its stack is taken back. */
    for (;;)
        assay_fiber_leave(&thread->block->worker->home, thread->fiber, false);
}

void assay_host_unsupported(const char *what, const char *reason, const char *file, int line)
{
    assay_worker *worker = assay_worker_self;

    if (!worker || !worker->current)
        assay_abort(file, line, what);
    assay_fault_stop(worker->current, ASSAY_FAULT_UNSUPPORTED, "%s%s%s at %s", reason,
                     reason[0] ? ": " : "the host device does not support this: ", what,
                     assay_site_text({ file, line }).text);
}

void assay_host_failed_assertion(const char *condition, const char *file, int line)
{
    assay_worker *worker = assay_worker_self;

    if (!worker || !worker->current)
        assay_abort(file, line, condition);
    assay_fault_stop(worker->current, ASSAY_FAULT_OTHER, "assertion failed: %s at %s, thread %u",
                     condition, assay_site_text({ file, line }).text, worker->current->rank);
}

void assay_host_trap(const char *what, const char *file, int line)
{
    assay_worker *worker = assay_worker_self;

    if (!worker || !worker->current)
        assay_abort(file, line, what);
    assay_fault_stop(worker->current, ASSAY_FAULT_OTHER, "%s at %s, thread %u", what,
                     assay_site_text({ file, line }).text, worker->current->rank);
}
