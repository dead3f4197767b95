/* Names that are accepted, the files beside the case, and the list of what was found. */
#include "scaffold.h"

#include <ctype.h>
#include <string.h>

assay_status assay_scaffold_check_name(const char *name)
{
    /* Of a target of CMake's own, and of main.c, which the build takes for the program's. */
    static const char *const others[] = { "all",  "clean",   "edit_cache",    "help", "install",
                                          "main", "package", "rebuild_cache", "test" };
    assay_status             st       = ASSAY_OK;
    bool                     is_word  = !isdigit((unsigned char)name[0]) && name[0];

    for (const char *p = name; *p; p++)
        is_word &= isalnum((unsigned char)*p) || *p == '_';
    ASSAY_REQUIRE(is_word && strlen(name) < ASSAY_FOUND_NAME - 8, ASSAY_E_USAGE,
                  "a case's name is a short word of letters, digits and '_', as in C: '%s' is none",
                  name);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        ASSAY_REQUIRE(strcmp(name, others[i]) != 0, ASSAY_E_USAGE,
                      "'%s' means something else to the build: another name for the case", name);
out:
    return st;
}

assay_status assay_scaffold_check_file(const char *file)
{
    const size_t n  = strlen(file);
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(n > 3 && strcmp(file + n - 3, ".cu") == 0, ASSAY_E_USAGE,
                  "'%s' does not end in .cu, by which compilers know a file of kernels", file);
    ASSAY_REQUIRE(!file[strcspn(file, "\"\\$;#*()@\n\r\t")], ASSAY_E_USAGE,
                  "the name of '%s' has a character that C or CMake would read as something else",
                  file);
out:
    return st;
}

static assay_status written(FILE *out, const char *what)
{
    return ferror(out) ? ASSAY_FAIL(ASSAY_E_IO, "cannot write %s", what) : ASSAY_OK;
}

assay_status assay_scaffold_kernel(const char *name, FILE *out)
{
    (void)fprintf(out,
                  "/* %s: one kernel to start from. */\n"
                  "__global__ void %s_kernel(const float *x, float *y, float a, int n)\n"
                  "{\n"
                  "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                  "\n"
                  "    if (i < n)\n"
                  "        y[i] = a * x[i];\n"
                  "}\n",
                  name, name);
    return written(out, "the kernel");
}

assay_status assay_scaffold_build(const char *name, const char *file, FILE *out)
{
    (void)fprintf(out,
                  "# %s: the case in %s.c with the kernels of %s.\n"
                  "#\n"
                  "#   cmake -S . -B build -DCMAKE_PREFIX_PATH=/where/assay/is/installed\n"
                  "#   cmake --build build\n"
                  "#   build/%s check --device host     without it: on the GPU, if there is one\n"
                  "cmake_minimum_required(VERSION 3.25)\n"
                  "project(%s LANGUAGES C CXX)\n"
                  "\n"
                  "if(NOT CMAKE_BUILD_TYPE)\n"
                  "    set(CMAKE_BUILD_TYPE Release)\n"
                  "endif()\n"
                  "set(CMAKE_C_STANDARD 17)\n"
                  "set(CMAKE_CXX_STANDARD 17)\n"
                  "set(CMAKE_POSITION_INDEPENDENT_CODE ON)\n"
                  "# The program looks for its kernel modules beside itself.\n"
                  "set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})\n"
                  "set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})\n"
                  "\n"
                  "find_package(assay REQUIRED)\n"
                  "\n"
                  "assay_case(%s KERNELS \"%s\")\n"
                  "assay_suite(%s)\n"
                  "enable_testing()\n"
                  "assay_add_checks(%s)\n",
                  name, name, file, name, name, name, file, name, name);
    return written(out, "CMakeLists.txt");
}

void assay_scaffold_list(const char *file, const assay_found *found, FILE *out)
{
    (void)fprintf(out, "%s: %d kernel%s, %d host function%s that launch or take a stream\n", file,
                  found->n_kernels, found->n_kernels == 1 ? "" : "s", found->n_launchers,
                  found->n_launchers == 1 ? "" : "s");
    for (int i = 0; i < found->n_kernels; i++) {
        const assay_found_kernel *k = &found->kernel[i];

        (void)fprintf(out, "  line %d: %s(%s): %s%s\n", k->line, k->name, k->written,
                      k->why[0] ? "no variant: " : "a variant", k->why);
    }
    for (int i = 0; i < found->n_launchers; i++)
        (void)fprintf(out, "  line %d: %s(%s): a host function\n", found->launcher[i].line,
                      found->launcher[i].name, found->launcher[i].written);
    for (const char *at = found->notes; *at; at += strcspn(at, "\n") + 1)
        (void)fprintf(out, "  %.*s\n", (int)strcspn(at, "\n"), at);
}
