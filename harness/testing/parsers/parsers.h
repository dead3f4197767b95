/* Readers of text or bytes from outside, each as one function of any bytes: for libFuzzer
 * (ci/fuzz_parsers), and for an ordinary test that replays the corpora beside this file. A reader
 * may refuse its input; it must not crash, hang or leak. */
#ifndef ASSAY_TEST_PARSERS_H
#define ASSAY_TEST_PARSERS_H

#include <stddef.h>
#include <stdint.h>

typedef struct parser {
    const char *name;                            /* also the name of its folder in corpus/ */
    void (*take)(const char *text, size_t size); /* a zero byte follows the text */
} parser;

extern const parser parsers[]; /* the last has no name */

/* Returns the path of a file with these bytes; it is the same path each time. */
const char *parser_file(const char *text, size_t size);

/* X(name): parser_<name> reads it. */
#define PARSER_MAP(X)                                                                              \
    X(csv)            /* a file for assay import, only its cells */                                \
    X(import)         /* the same, with the meaning of its columns, into a database */             \
    X(known_failures) /* known_failures.txt */                                                     \
    X(found)          /* fuzz_found.txt */                                                         \
    X(build_file)     /* PROGRAM.build of --watch, and messages of compilers */                    \
    X(words)          /* keys of points, axis and tuning words, expressions */                     \
    X(options)        /* values of command-line options */                                         \
    X(run_options)    /* options that a database stores for resume */                              \
    X(peer)           /* answers of a peer */                                                      \
    X(message)        /* messages of a worker to its parent */                                     \
    X(translate)      /* plain CUDA, preprocessed */                                               \
    X(kernels)        /* a .cu file for assay new */                                               \
    X(survey)         /* messages of compilers for assay survey */                                 \
    X(cubin)          /* GPU code from CUPTI */                                                    \
    X(module)         /* a kernel module's file */                                                 \
    X(symbol)         /* names of C++ functions */

#define X(name) void parser_##name(const char *text, size_t size);
PARSER_MAP(X)
#undef X

#endif
