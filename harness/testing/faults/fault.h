/* A library for LD_PRELOAD that lets one call of a program fail: the first one whose call stack, as
 * far as it lies in the program and its kernel modules, has not failed in an earlier run. ci/faults
 * starts a command with it again and again, until every such stack has failed once.
 *
 * Environment: ASSAY_FAULT_PROGRAM  the program whose calls may fail; what it starts is left alone
 *              ASSAY_FAULT_SEEN     file of stacks that failed before, ASSAY_FAULT_N_SEEN numbers
 * of 8 bytes, zero at first ASSAY_FAULT_RUN      file of one fault_run, zero at first: what fails
 * in this run, in whichever process ASSAY_FAULT_KINDS    kinds that may fail, with commas around
 * each: ",memory,sql,"; unset: all ASSAY_FAULT_PART     "I/N": only stacks whose hash leaves I when
 * divided by N; unset: all */
#ifndef ASSAY_FAULT_H
#define ASSAY_FAULT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    FAULT_N_SEEN   = 1 << 20, /* slots of the file of stacks, open addressing */
    FAULT_N_FRAMES = 32       /* of the program and its modules; deeper ones do not count */
};

/* One run's file, in this machine's byte order; read by ci/faults. */
typedef struct fault_run {
    _Atomic uint32_t has_failed; /* 1: a call was chosen; 2: all members below are set */
    uint32_t         n_frames;
    int64_t          pid;
    uint64_t         hash;
    char             kind[16];
    char             call[32];
    char             by[24];                 /* object that called; "": the program or a module */
    uint64_t         offset[FAULT_N_FRAMES]; /* return addresses, from the start of the object */
    char object[FAULT_N_FRAMES][24]; /* "": the program; otherwise the end of the module's name */
} fault_run;

/* Must this call fail? At most once a run. Keeps errno. */
bool fault_now(const char *kind, const char *call);

/* Returns the function that this one replaces. */
void *fault_real(const char *name);

/* Changes the module's table of device functions in place, so that each of them may fail. */
void fault_device_wrap(void *handle);

#endif
