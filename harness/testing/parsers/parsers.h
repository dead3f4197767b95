/* What reads text or bytes of somebody else's, each as one function of any bytes: for libFuzzer
 * (ci/fuzz_parsers), and for the replay of the corpora beside this file by an ordinary test. A
 * reader may refuse; it must not crash, hang or leak. */
#ifndef ASSAY_TEST_PARSERS_H
#define ASSAY_TEST_PARSERS_H

#include <stddef.h>
#include <stdint.h>

typedef struct parser {
    const char *name;                            /* of its folder in corpus/ */
    void (*take)(const char *text, size_t size); /* text ends with a zero byte behind `size` */
} parser;

extern const parser parsers[]; /* the last has no name */

/* A file that holds these bytes, the same one each time. */
const char *parser_file(const char *text, size_t size);

/* X(name): parser_<name> takes it. */
#define PARSER_MAP(X)                                                                              \
    X(csv)            /* a file for assay import, as far as its cells */                           \
    X(import)         /* the same, with what the columns mean, into a database */                  \
    X(known_failures) /* known_failures.txt */                                                     \
    X(found)          /* fuzz_found.txt */                                                         \
    X(build_file)     /* PROGRAM.build of --watch, and what a compiler says */                     \
    X(words)          /* keys of points, axis and tuning words, expressions */                     \
    X(options)        /* values of options of the command line */                                  \
    X(run_options)    /* options that a database stores for resume */                              \
    X(peer)           /* what a peer answers */                                                    \
    X(message)        /* what a worker sends to its parent */                                      \
    X(translate)      /* plain CUDA, preprocessed */                                               \
    X(kernels)        /* a .cu file for assay new */                                               \
    X(survey)         /* what a compiler says to assay survey */                                   \
    X(cubin)          /* GPU code that CUPTI hands over */                                         \
    X(module)         /* a kernel module's file */                                                 \
    X(symbol)         /* names of C++ functions */

#define X(name) void parser_##name(const char *text, size_t size);
PARSER_MAP(X)
#undef X

#endif
