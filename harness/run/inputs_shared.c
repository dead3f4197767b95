/* Contents of buffers in a file in memory, record after record. A kernel's host code may have
 * written to the file by mistake, so nothing is used before its digest was compared. */
#include "inputs_shared.h"

#include "base/parallel.h"
#include "buffers_internal.h"
#include "machine/environment.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static const uint64_t MAGIC      = 0x3173747570736120; /* and the version of what follows */
static const double   MOST_SHARE = 0.1;                /* of free host memory, for one record */

enum {
    PAGE  = 4096,
    CHUNK = 1 << 22 /* bytes that one thread copies at a time */
};

typedef struct record_head {
    uint64_t magic;
    char     case_name[ASSAY_NAME_SIZE];
    int64_t  axis[ASSAY_MAX_AXES][3];
    int64_t  input;
    uint64_t seed;
    int64_t  n_bytes; /* of the contents: one buffer after the other, from the next page on */
    uint64_t content; /* digest of the contents */
    uint64_t head;    /* digest of everything before */
} record_head;

/* ---- a record's head ---- */

static size_t bytes_of(const assay_inputs *inputs, int b)
{
    return inputs->initial[b] ? assay_buffer_bytes(&inputs->shape.buf[b]) : 0;
}

static uint64_t digest_contents(const assay_inputs *inputs)
{
    uint64_t sum = 0;

    for (int b = 0; b < inputs->n_buffers; b++)
        sum = 31 * sum + assay_buffers_digest_here(inputs->initial[b], bytes_of(inputs, b));
    return sum;
}

static uint64_t digest_head(const record_head *head)
{
    return assay_buffers_digest_here(head, offsetof(record_head, head));
}

/* Fills in everything but the digests. */
static void describe(const assay_inputs *inputs, record_head *head)
{
    memset(head, 0, sizeof *head); /* also the padding */
    head->magic = MAGIC;
    head->input = inputs->input;
    head->seed  = inputs->seed;
    (void)strncpy(head->case_name, inputs->definition->name, sizeof head->case_name - 1);
    for (int a = 0; a < ASSAY_MAX_AXES; a++)
        memcpy(head->axis[a], inputs->axis[a].i, sizeof head->axis[a]);
    for (int b = 0; b < inputs->n_buffers; b++)
        head->n_bytes += (int64_t)bytes_of(inputs, b);
}

static bool is_of(const record_head *head, const record_head *wanted)
{
    return memcmp(head, wanted, offsetof(record_head, content)) == 0;
}

/* ---- copying ---- */

typedef struct copy_job {
    int            fd;
    off_t          at;
    unsigned char *bytes;
    bool           writes;
    _Atomic bool   is_broken;
} copy_job;

static void copy_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    copy_job *job = context;

    (void)chunk;
    while (begin < end && !job->is_broken) {
        const size_t  n    = (size_t)(end - begin);
        const ssize_t done = job->writes
                                 ? pwrite(job->fd, job->bytes + begin, n, job->at + (off_t)begin)
                                 : pread(job->fd, job->bytes + begin, n, job->at + (off_t)begin);

        if (done <= 0 && !(done < 0 && errno == EINTR))
            job->is_broken = true;
        begin += done > 0 ? done : 0;
    }
}

static bool copy_contents(const assay_inputs *inputs, int fd, off_t at, bool writes)
{
    bool is_whole = true;

    for (int b = 0; b < inputs->n_buffers && is_whole; b++) {
        copy_job job = { .fd = fd, .at = at, .bytes = inputs->initial[b], .writes = writes };

        assay_parallel_for((int64_t)bytes_of(inputs, b), CHUNK, copy_chunk, &job);
        at += (off_t)bytes_of(inputs, b);
        is_whole = !job.is_broken;
    }
    return is_whole;
}

/* ---- records ---- */

static off_t next_page(off_t at) { return (at + PAGE - 1) / PAGE * PAGE; }

/* *at: the record of these inputs or, if false, the offset for the next record. */
static bool find(int fd, const record_head *wanted, off_t *at, record_head *head)
{
    *at = 0;
    while (pread(fd, head, sizeof *head, *at) == (ssize_t)sizeof *head && head->magic == MAGIC &&
           head->head == digest_head(head) && head->n_bytes >= 0) {
        if (is_of(head, wanted))
            return true;
        *at = next_page(*at + PAGE + (off_t)head->n_bytes);
    }
    return false;
}

bool assay_inputs_load(assay_inputs *inputs, int fd)
{
    record_head wanted, head;
    off_t       at;

    if (fd <= 0)
        return false;
    describe(inputs, &wanted);
    return find(fd, &wanted, &at, &head) && copy_contents(inputs, fd, at + PAGE, false) &&
           digest_contents(inputs) == head.content;
}

void assay_inputs_save(const assay_inputs *inputs, int fd)
{
    record_head wanted, head;
    off_t       at;

    if (fd <= 0)
        return;
    describe(inputs, &wanted);
    if ((double)wanted.n_bytes > MOST_SHARE * (double)assay_environment_free_bytes())
        return;
    (void)find(fd, &wanted, &at, &head); /* a damaged record is written again */
    wanted.content = digest_contents(inputs);
    wanted.head    = digest_head(&wanted);
    /* The head is written last: an incomplete record does not count. */
    if (copy_contents(inputs, fd, at + PAGE, true) &&
        pwrite(fd, &wanted, sizeof wanted, at) != (ssize_t)sizeof wanted)
        (void)ftruncate(fd, at);
}
