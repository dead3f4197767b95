/* SQLite's files, with a fault at the n-th of their writes: for tests of what such a fault leaves.
 */
#ifndef ASSAY_TEST_FAULT_VFS_H
#define ASSAY_TEST_FAULT_VFS_H

typedef enum fault_kind {
    FAULT_NONE,
    FAULT_KILL, /* the process ends in front of it, as by a signal */
    FAULT_TORN, /* half of what is written arrives, then the process ends */
    FAULT_FULL, /* half of what is written arrives, then the disk is full, and stays so */
    FAULT_SLOW, /* each of them takes some milliseconds */
} fault_kind;

enum {
    FAULT_EXIT = 9 /* the status with which the process ends */
};

/* All files that SQLite opens from now on in this process go through it. Nothing is flushed to the
 * disk: processes are killed here, and no power fails. */
void fault_vfs_install(void);

/* Arms it for the n-th (from 1) of the calls that change a file, make or remove one; counts anew.
 */
void fault_vfs_arm(fault_kind kind, long n);

/* Has the fault come? */
int fault_vfs_has_come(void);

#endif
