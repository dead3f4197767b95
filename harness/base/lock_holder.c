/* Finds the process that holds a lock on a file, in the system's list of locks. */
#include "lock.h"

#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* The name of the process, which it may have chosen itself. */
static void read_name(long pid, char *name, size_t size)
{
    char  path[64];
    FILE *file;

    (void)snprintf(path, sizeof path, "/proc/%ld/comm", pid);
    file    = fopen(path, "re");
    name[0] = '\0';
    if (file && !fgets(name, (int)size, file))
        name[0] = '\0';
    if (file)
        (void)fclose(file);
    name[strcspn(name, "\n")] = '\0';
    (void)assay_text_make_safe(name);
}

/* Reads a line of /proc/locks: the process, if the line is a write lock on this file. */
static long read_holder(const char *line, const struct stat *about)
{
    unsigned           major_number = 0, minor_number = 0;
    unsigned long long inode = 0;
    long               pid   = 0;
    char               kind[16];

    if (sscanf(line, "%*s %*s %*s %15s %ld %x:%x:%llu", kind, &pid, &major_number, &minor_number,
               &inode) != 5)
        return 0;
    return strcmp(kind, "WRITE") == 0 && inode == about->st_ino &&
                   major_number == major(about->st_dev) && minor_number == minor(about->st_dev) &&
                   pid != (long)getpid()
               ? pid
               : 0;
}

bool assay_lock_find_holder(const char *path, char *holder, size_t size)
{
    FILE       *locks = NULL;
    struct stat about;
    char        line[256], name[64];
    long        pid = 0;

    if (stat(path, &about) == 0)
        locks = fopen("/proc/locks", "re");
    while (locks && pid <= 0 && fgets(line, sizeof line, locks))
        pid = read_holder(line, &about);
    if (locks)
        (void)fclose(locks);
    if (pid <= 0)
        return false;
    read_name(pid, name, sizeof name);
    (void)assay_text_set(holder, size, name[0] ? "process %ld (%s)" : "process %ld", pid, name);
    return true;
}
