# Writes build_info.h if it changed: version, commit, compilers. Run at every build.
set(commit "")
set(dirty 0)
set(branch "")
set(committed "")
set(diff "")
if(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} rev-parse HEAD
        OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(failed)
        set(commit "")
    else()
        execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} status --porcelain --untracked-files=no
            OUTPUT_VARIABLE changes ERROR_QUIET)
        execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} symbolic-ref --quiet --short HEAD
            OUTPUT_VARIABLE branch OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        execute_process(COMMAND ${CMAKE_COMMAND} -E env TZ=UTC ${GIT} -C ${SOURCE_DIR} show --no-patch
            --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd HEAD
            OUTPUT_VARIABLE committed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(changes)
            set(dirty 1)
            # Only tracked files count: a new file is included once it is added to git.
            execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} diff --binary --no-ext-diff --no-color HEAD
                OUTPUT_VARIABLE changes ERROR_QUIET)
            string(SHA256 diff "${changes}")
        endif()
    endif()
endif()
string(STRIP "${CUDA_COMPILER}" CUDA_COMPILER)
# A branch's name may contain almost any character, and the header must stay valid C.
string(REGEX REPLACE "[\"\\\\]" "_" branch "${branch}")
set(content "/* Written by the build. */
#define ASSAY_VERSION \"${VERSION}\"
#define ASSAY_GIT_COMMIT \"${commit}\"
#define ASSAY_GIT_DIRTY ${dirty}
#define ASSAY_GIT_BRANCH \"${branch}\"
#define ASSAY_GIT_COMMIT_UTC \"${committed}\"
#define ASSAY_GIT_DIFF_HASH \"${diff}\"
#define ASSAY_COMPILER \"${COMPILER}\"
#define ASSAY_CUDA_COMPILER \"${CUDA_COMPILER}\"
#define ASSAY_CUDA_TOOLKIT \"${CUDA_TOOLKIT}\"
#define ASSAY_CUDA_ARCHITECTURES \"${CUDA_ARCHITECTURES}\"
#define ASSAY_CUPTI_VERSION \"${CUPTI}\"
#define ASSAY_BENCHMARK_VERSION \"${BENCHMARK}\"
#define ASSAY_BUILD_TYPE \"${BUILD_TYPE}\"
#define ASSAY_BUILD_FLAGS \"${BUILD_FLAGS}\"
")
set(old "")
if(EXISTS ${OUTPUT})
    file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL content)
    file(WRITE ${OUTPUT} "${content}")
endif()
