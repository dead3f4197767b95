/* The files of SQLite, with a fault at the n-th write. */
#include "fault_vfs.h"

#include <sqlite3.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct fault_file {
    sqlite3_file  base;
    sqlite3_file *real; /* placed after this structure */
} fault_file;

static sqlite3_vfs  fault_vfs;
static sqlite3_vfs *real_vfs;
static fault_kind   armed;
static long         at, n_calls;

static int count_call(void)
{
    n_calls++;
    if (armed == FAULT_KILL && n_calls == at)
        _exit(FAULT_EXIT);
    if (armed == FAULT_SLOW)
        (void)usleep(3000);
    return armed == FAULT_FULL && n_calls >= at;
}

/* Counts a call that writes no bytes; true if the disk is full. */
static int meets_fault(void)
{
    const int is_full = count_call();

    if (armed == FAULT_TORN && n_calls == at)
        _exit(FAULT_EXIT);
    return is_full;
}

static sqlite3_file *real_of(sqlite3_file *file) { return ((fault_file *)file)->real; }

static int file_close(sqlite3_file *file) { return real_of(file)->pMethods->xClose(real_of(file)); }

static int file_read(sqlite3_file *file, void *to, int n, sqlite3_int64 offset)
{
    return real_of(file)->pMethods->xRead(real_of(file), to, n, offset);
}

static int file_write(sqlite3_file *file, const void *from, int n, sqlite3_int64 offset)
{
    sqlite3_file *real    = real_of(file);
    const int     is_full = count_call();

    if (n_calls == at && (is_full || armed == FAULT_TORN))
        (void)real->pMethods->xWrite(real, from, n / 2, offset);
    if (n_calls == at && armed == FAULT_TORN)
        _exit(FAULT_EXIT);
    return is_full ? SQLITE_FULL : real->pMethods->xWrite(real, from, n, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    (void)meets_fault();
    return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

static int file_sync(sqlite3_file *file, int flags)
{
    (void)file;
    (void)flags;
    return meets_fault() ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int file_lock(sqlite3_file *file, int lock)
{
    return real_of(file)->pMethods->xLock(real_of(file), lock);
}

static int file_unlock(sqlite3_file *file, int lock)
{
    return real_of(file)->pMethods->xUnlock(real_of(file), lock);
}

static int file_check_reserved(sqlite3_file *file, int *answer)
{
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), answer);
}

static int file_control(sqlite3_file *file, int op, void *argument)
{
    return real_of(file)->pMethods->xFileControl(real_of(file), op, argument);
}

static int file_sector_size(sqlite3_file *file)
{
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int file_characteristics(sqlite3_file *file)
{
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static int file_shm_map(sqlite3_file *file, int page, int size, int extends, void volatile **memory)
{
    if (extends && meets_fault())
        return SQLITE_IOERR_SHMSIZE;
    return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extends, memory);
}

static int file_shm_lock(sqlite3_file *file, int offset, int n, int flags)
{
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, n, flags);
}

static void file_shm_barrier(sqlite3_file *file)
{
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int file_shm_unmap(sqlite3_file *file, int removes)
{
    return real_of(file)->pMethods->xShmUnmap(real_of(file), removes);
}

static const sqlite3_io_methods methods = {
    .iVersion               = 2, /* 2: no memory maps, which would bypass the writes here */
    .xClose                 = file_close,
    .xRead                  = file_read,
    .xWrite                 = file_write,
    .xTruncate              = file_truncate,
    .xSync                  = file_sync,
    .xFileSize              = file_size,
    .xLock                  = file_lock,
    .xUnlock                = file_unlock,
    .xCheckReservedLock     = file_check_reserved,
    .xFileControl           = file_control,
    .xSectorSize            = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
    .xShmMap                = file_shm_map,
    .xShmLock               = file_shm_lock,
    .xShmBarrier            = file_shm_barrier,
    .xShmUnmap              = file_shm_unmap,
};

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
    fault_file *mine = (fault_file *)file;
    int         rc;

    (void)vfs;
    mine->base.pMethods = NULL;
    mine->real          = (sqlite3_file *)(mine + 1);
    if ((flags & SQLITE_OPEN_CREATE) && name && access(name, F_OK) != 0 && meets_fault())
        return SQLITE_CANTOPEN;
    rc = real_vfs->xOpen(real_vfs, name, mine->real, flags, out);
    if (mine->real->pMethods)
        mine->base.pMethods = &methods;
    return rc;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int syncs)
{
    (void)vfs;
    (void)syncs;
    (void)meets_fault();
    return real_vfs->xDelete(real_vfs, name, 0);
}

void fault_vfs_install(void)
{
    real_vfs = sqlite3_vfs_find(NULL);
    if (!real_vfs || real_vfs == &fault_vfs)
        abort();
    fault_vfs          = *real_vfs;
    fault_vfs.zName    = "fault";
    fault_vfs.szOsFile = (int)sizeof(fault_file) + real_vfs->szOsFile;
    fault_vfs.xOpen    = vfs_open;
    fault_vfs.xDelete  = vfs_delete;
    if (sqlite3_vfs_register(&fault_vfs, 1) != SQLITE_OK)
        abort();
}

void fault_vfs_arm(fault_kind kind, long n)
{
    armed   = kind;
    at      = n;
    n_calls = 0;
}

int fault_vfs_has_come(void) { return at > 0 && n_calls >= at; }
