# Warnings, sanitizers, and the facts about its build that a binary contains: only for the targets of this tree.

# ---- warnings: they are errors here, but not if this tree is part of another build, and they are not exported ----
set(werror "")
set(cuda_werror "")
if(PROJECT_IS_TOP_LEVEL)
    set(werror -Werror)
    set(cuda_werror -Werror=all-warnings)
endif()
add_library(assay_warnings INTERFACE)
target_compile_options(assay_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:C>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;${werror}>
    $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wshadow;${werror}>
    $<$<COMPILE_LANGUAGE:CUDA>:${cuda_werror};-Xcompiler=-Wall,-Wextra>)
# The options are copied and assay_warnings is not linked, since exported targets must not require it.
function(assay_warn target)
    target_compile_options(${target} PRIVATE $<TARGET_PROPERTY:assay_warnings,INTERFACE_COMPILE_OPTIONS>)
endfunction()

# ---- sanitizers ----
set(ASSAY_FLAGS_asan -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
set(ASSAY_FLAGS_tsan -fsanitize=thread -fno-omit-frame-pointer)
# For a whole build: everything that a program loads must be built with the sanitizer.
add_library(assay_sanitizer INTERFACE)
set(flags "")
if(ASSAY_SANITIZE STREQUAL "address")
    set(flags ${ASSAY_FLAGS_asan})
elseif(ASSAY_SANITIZE STREQUAL "thread")
    set(flags ${ASSAY_FLAGS_tsan})
elseif(ASSAY_SANITIZE)
    message(FATAL_ERROR "ASSAY_SANITIZE is '${ASSAY_SANITIZE}': empty, address or thread")
endif()
target_compile_options(assay_sanitizer INTERFACE ${flags})
target_link_options(assay_sanitizer INTERFACE ${flags})
# For the lanes of a suite in a build without a sanitizer: cases and kernels are built with it, libassay is not.
set(ASSAY_BUILT_LANES "")
if(NOT ASSAY_SANITIZE)
    assay_find_runtimes(ASSAY_BUILT_LANES)
endif()
foreach(lane ${ASSAY_BUILT_LANES})
    add_library(assay_sanitizer_${lane} INTERFACE)
    add_library(assay::sanitizer_${lane} ALIAS assay_sanitizer_${lane})
    target_compile_options(assay_sanitizer_${lane} INTERFACE ${ASSAY_FLAGS_${lane}})
    target_link_options(assay_sanitizer_${lane} INTERFACE ${ASSAY_FLAGS_${lane}})
endforeach()

# ---- facts about its build that a binary contains ----
find_package(Git QUIET)
set(ASSAY_GENERATED ${PROJECT_BINARY_DIR}/generated)
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type_upper)
find_package(CUDAToolkit QUIET)
find_package(benchmark 1.7 QUIET CONFIG)
set(toolkit "")
set(cupti "")
if(ASSAY_HAS_CUDA)
    set(toolkit "${CUDAToolkit_VERSION}")
endif()
if(TARGET CUDA::cupti AND NOT ASSAY_SANITIZE AND NOT ASSAY_CUDA STREQUAL "OFF")
    find_file(ASSAY_CUPTI_VERSION_HEADER cupti_version.h NO_DEFAULT_PATH
        PATHS ${CUDAToolkit_CUPTI_INCLUDE_DIR} ${CUDAToolkit_INCLUDE_DIRS} PATH_SUFFIXES . extras/CUPTI/include)
    mark_as_advanced(ASSAY_CUPTI_VERSION_HEADER)
    if(ASSAY_CUPTI_VERSION_HEADER)
        file(STRINGS ${ASSAY_CUPTI_VERSION_HEADER} cupti REGEX "define CUPTI_API_VERSION +[0-9]+")
        string(REGEX REPLACE ".*CUPTI_API_VERSION +([0-9]+).*" "\\1" cupti "${cupti}")
    endif()
endif()
add_custom_target(assay_build_info
    COMMAND ${CMAKE_COMMAND}
        -DOUTPUT=${ASSAY_GENERATED}/build_info.h
        -DSOURCE_DIR=${PROJECT_SOURCE_DIR}
        -DGIT=${GIT_EXECUTABLE}
        -DVERSION=${PROJECT_VERSION}
        "-DCOMPILER=${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}"
        "-DCUDA_COMPILER=${CMAKE_CUDA_COMPILER_ID} ${CMAKE_CUDA_COMPILER_VERSION}"
        -DCUDA_TOOLKIT=${toolkit}
        "-DCUDA_ARCHITECTURES=$<JOIN:${CMAKE_CUDA_ARCHITECTURES}, >"
        -DCUPTI=${cupti}
        -DBENCHMARK=${benchmark_VERSION}
        -DBUILD_TYPE=${CMAKE_BUILD_TYPE}
        "-DBUILD_FLAGS=${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${build_type_upper}} sanitize=${ASSAY_SANITIZE} cuda=${CMAKE_CUDA_ARCHITECTURES}"
        -P ${PROJECT_SOURCE_DIR}/cmake/WriteBuildInfo.cmake
    BYPRODUCTS ${ASSAY_GENERATED}/build_info.h
    VERBATIM)
