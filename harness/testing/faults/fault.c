/* Decides which call fails: walks the stack, and reads the files that all processes of all runs
 * share. */
#include "fault.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic uint64_t *seen;
static fault_run        *run;
static char              kinds[128];
static unsigned          part, n_parts = 1;

/* Set while this library works: walking a stack may allocate, and calls of this library do not
 * count as calls of the program. */
static __thread bool is_inside __attribute__((tls_model("initial-exec")));

void *fault_real(const char *name)
{
    void *real = dlsym(RTLD_NEXT, name);

    if (!real)
        abort();
    return real;
}

static void *map(const char *variable, size_t size)
{
    const char *path = getenv(variable);
    const int   file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void       *memory;

    if (file < 0)
        return NULL;
    memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    (void)close(file);
    return memory == MAP_FAILED ? NULL : memory;
}

__attribute__((constructor)) static void begin(void)
{
    const char *program = getenv("ASSAY_FAULT_PROGRAM"), *words = getenv("ASSAY_FAULT_KINDS");
    const char *share          = getenv("ASSAY_FAULT_PART");
    char        self[PATH_MAX] = "";
    void       *frame;

    is_inside = true;
    (void)backtrace(&frame, 1); /* loads what backtrace needs */
    if (program && readlink("/proc/self/exe", self, sizeof self - 1) > 0 &&
        strcmp(program, self) == 0) {
        (void)snprintf(kinds, sizeof kinds, "%s", words ? words : "");
        if (share && (sscanf(share, "%u/%u", &part, &n_parts) != 2 || n_parts == 0))
            abort();
        seen = map("ASSAY_FAULT_SEEN", FAULT_N_SEEN * sizeof *seen);
        run  = seen ? map("ASSAY_FAULT_RUN", sizeof *run) : NULL;
    }
    is_inside = false;
}

static bool is_wanted(const char *kind)
{
    char word[24];

    (void)snprintf(word, sizeof word, ",%s,", kind);
    return !kinds[0] || strstr(kinds, word);
}

/* Is this address in the program or a kernel module? If so, gives its offset there and the object's
 * name. */
static bool is_ours(void *address, uint64_t *offset, char *object, size_t size)
{
    struct dl_find_object found;
    const char           *name, *slash;

    if (_dl_find_object(address, &found) != 0)
        return false;
    name    = found.dlfo_link_map->l_name;
    slash   = strrchr(name, '/');
    *offset = (uint64_t)((char *)address - (char *)found.dlfo_link_map->l_addr);
    if (name[0] && (!slash || strncmp(slash, "/assay_", 7) != 0))
        return false;
    (void)snprintf(object, size, "%s", name[0] ? slash + 1 : "");
    return true;
}

/* Finds the caller: the first object on the stack that is not this library. */
static void find_caller(void *const *frames, int n, char *name, size_t size)
{
    struct dl_find_object self, found;
    const char           *path = "", *slash;

    name[0] = '\0';
    if (_dl_find_object((void *)(uintptr_t)&begin, &self) != 0)
        return;
    for (int i = 0; i < n; i++)
        if (_dl_find_object(frames[i], &found) == 0 && found.dlfo_link_map != self.dlfo_link_map) {
            path = found.dlfo_link_map->l_name;
            break;
        }
    slash = strrchr(path, '/');
    if (slash && strncmp(slash, "/assay_", 7) != 0)
        (void)snprintf(name, size, "%s", slash + 1);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
    return hash ^ hash >> 29;
}

/* Takes the part of the stack in the program and its modules. Returns its hash, 0 if there is
 * none. */
static uint64_t walk(fault_run *to, const char *kind, const char *call)
{
    enum {
        DEEPEST = 96
    };
    void     *frames[DEEPEST];
    const int n    = backtrace(frames, DEEPEST);
    uint64_t  hash = 0;

    to->n_frames = 0;
    for (int i = 0; i < n && to->n_frames < FAULT_N_FRAMES; i++) {
        const uint32_t k = to->n_frames;

        if (!is_ours(frames[i], &to->offset[k], to->object[k], sizeof to->object[k]))
            continue;
        hash = mix(mix(hash, to->offset[k]), (unsigned char)to->object[k][0]);
        to->n_frames++;
    }
    for (const char *text = kind; to->n_frames && *text; text++)
        hash = mix(hash, (unsigned char)*text);
    (void)snprintf(to->kind, sizeof to->kind, "%s", kind);
    (void)snprintf(to->call, sizeof to->call, "%s", call);
    find_caller(frames, n, to->by, sizeof to->by);
    return hash;
}

static _Atomic uint64_t *find(uint64_t hash)
{
    uint64_t at = hash % FAULT_N_SEEN;

    while (atomic_load(&seen[at]) != 0 && atomic_load(&seen[at]) != hash)
        at = (at + 1) % FAULT_N_SEEN;
    return &seen[at];
}

static bool choose(const char *kind, const char *call)
{
    fault_run      here;
    const uint64_t hash = walk(&here, kind, call);
    uint32_t       no   = 0;

    if (hash == 0 || hash % n_parts != part || atomic_load(find(hash)) == hash)
        return false;
    if (!atomic_compare_exchange_strong(&run->has_failed, &no, 1))
        return false;
    atomic_store(find(hash), hash);
    here.hash = hash;
    here.pid  = getpid();
    memcpy((char *)run + sizeof run->has_failed, (char *)&here + sizeof here.has_failed,
           sizeof here - sizeof here.has_failed);
    atomic_store(&run->has_failed, 2);
    return true;
}

bool fault_now(const char *kind, const char *call)
{
    const int number = errno;
    bool      fails;

    if (!run || is_inside || atomic_load(&run->has_failed) || !is_wanted(kind))
        return false;
    is_inside = true;
    fails     = choose(kind, call);
    is_inside = false;
    errno     = number;
    return fails;
}
