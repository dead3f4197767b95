/* What the case, its launchers and its CPU variants share. */
#ifndef SELFTEST_TRICKS_CASE_H
#define SELFTEST_TRICKS_CASE_H

/* Buffers. */
enum {
    X,
    Y
};

enum {
    TRICKS_MOST = 1024 /* elements of a point: launchers that keep answers have room for one
                        * point */
};

#endif
