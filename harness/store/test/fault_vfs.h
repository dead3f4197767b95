/* The files of SQLite, with a fault at the n-th write: for tests of what such a fault leaves
 * behind. */
#ifndef ASSAY_TEST_FAULT_VFS_H
#define ASSAY_TEST_FAULT_VFS_H

typedef enum fault_kind {
    FAULT_NONE,
    FAULT_KILL, /* the process ends before the write, as by a signal */
    FAULT_TORN, /* half of the data is written, then the process ends */
    FAULT_FULL, /* half of the data is written, then the disk is full, and stays full */
    FAULT_SLOW, /* each write takes some milliseconds */
} fault_kind;

enum {
    FAULT_EXIT = 9 /* the exit status of the process */
};

/* From now on all files that SQLite opens in this process go through it. Nothing is flushed to
 * the disk, since processes are killed here and the power does not fail. */
void fault_vfs_install(void);

/* Sets the fault to the n-th call (from 1) that changes, creates or removes a file; counts from
 * here. */
void fault_vfs_arm(fault_kind kind, long n);

/* Has the fault happened? */
int fault_vfs_has_come(void);

#endif
