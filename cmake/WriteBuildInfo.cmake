# Writes build_info.h if it changed: version, commit, compilers. Run at every build.
set(commit "")
set(dirty 0)
if(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} rev-parse HEAD
        OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(failed)
        set(commit "")
    else()
        execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} status --porcelain --untracked-files=no
            OUTPUT_VARIABLE changes ERROR_QUIET)
        if(changes)
            set(dirty 1)
        endif()
    endif()
endif()
string(STRIP "${CUDA_COMPILER}" CUDA_COMPILER)
set(content "/* Written by the build. */
#define ASSAY_VERSION \"${VERSION}\"
#define ASSAY_GIT_COMMIT \"${commit}\"
#define ASSAY_GIT_DIRTY ${dirty}
#define ASSAY_COMPILER \"${COMPILER}\"
#define ASSAY_CUDA_COMPILER \"${CUDA_COMPILER}\"
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
