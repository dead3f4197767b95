# How this tree registers its tests. Names carry the sanitizer of the build (asan.test_fill), so that ci/test can run
# the three builds in one ctest; every test has a label: quick, gpu, full (left out unless asked for), or default for what is none of these.

set(ASSAY_TEST_PREFIX "")
if(ASSAY_SANITIZE STREQUAL "address")
    set(ASSAY_TEST_PREFIX "asan.")
elseif(ASSAY_SANITIZE STREQUAL "thread")
    set(ASSAY_TEST_PREFIX "tsan.")
endif()

# assay_add_test(name [LABELS ...] [TIMEOUT s] [SERIAL] COMMAND ...); exit status 77 is a skip.
function(assay_add_test name)
    cmake_parse_arguments(arg "SERIAL" "TIMEOUT" "LABELS;COMMAND" ${ARGN})
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    if(NOT arg_LABELS)
        set(arg_LABELS default)
    endif()
    set(test ${ASSAY_TEST_PREFIX}${name})
    add_test(NAME ${test} COMMAND ${arg_COMMAND})
    set_tests_properties(${test} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77)
    if(arg_SERIAL)
        set_tests_properties(${test} PROPERTIES RUN_SERIAL ON)
    endif()
endfunction()

# A test that cannot be built here stays visible: it is there, and says why it is skipped.
function(assay_skip_test name label reason)
    assay_add_test(${name} LABELS ${label} COMMAND sh -c "echo 'skipped: ${reason}' && exit 77")
endfunction()

# The programs that need a GPU, for ci/gpu, which has no ctest at hand: one name a line.
function(assay_list_gpu_program name)
    set_property(GLOBAL APPEND PROPERTY assay_gpu_programs ${name})
endfunction()
function(assay_write_gpu_programs)
    get_property(programs GLOBAL PROPERTY assay_gpu_programs)
    list(JOIN programs "\n" text)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/gpu_programs.txt CONTENT "${text}\n" @ONLY)
endfunction()
