# How this tree registers its tests. Names contain the sanitizer of the build (asan.test_fill), so that ci/test can run the
# three builds in one ctest. Every test has a label: quick, gpu, full (only run on request), or default for all others.

set(ASSAY_TEST_PREFIX "")
if(ASSAY_SANITIZE STREQUAL "address")
    set(ASSAY_TEST_PREFIX "asan.")
elseif(ASSAY_SANITIZE STREQUAL "thread")
    set(ASSAY_TEST_PREFIX "tsan.")
endif()

# Several hundred programs are linked, most of them with the whole harness: gold takes a third of the default linker's time.
include(CheckLinkerFlag)
check_linker_flag(C -fuse-ld=gold ASSAY_HAS_GOLD)
set(ASSAY_TEST_LINKER $<$<AND:$<BOOL:${ASSAY_HAS_GOLD}>,$<LINK_LANGUAGE:C,CXX>>:-fuse-ld=gold>)

# These take longer than three seconds alone on two cores, and so are not `quick`, though registered so. `ctest -L quick`
# is for frequent use during work, and takes less than a minute; ci/test runs all tests.
set(ASSAY_LONG_TESTS
    "^(check_format|photon_stream_|torch_)" "^test_(phys_cuda|thermo|physarum|photon)_" "^test_cli_(bench|database|history|import|mutant|peer|programs|resume|survey|tuning|wrong_answers)"
    "^test_(compare_simulated|compare_unlike|cupti_counters|executor_faults|mlp_compare|nightly|peer|peer_trace|store_faults|store_safety|study|supervise|supervise_groups|supervise_records)"
    "^report_page$")
# Label full: statistics by simulation, laws of physics over many steps, hundreds of processes that die, a package or a
# gallery of everything, the example (test_ways_in builds it against a moved installation). Under a sanitizer also tests
# that start many processes or copy large databases: `assay check` of each case runs the same code there.
set(ASSAY_FULL_TESTS "^test_(compare_simulated|compare_unlike|example|gallery|package|photon_tree|thermo_many_host)$"
    "^photon_stream_cadence")
if(ASSAY_SANITIZE)
    list(APPEND ASSAY_FULL_TESTS "^test_(case_pictures|cli_wrong_answers|steps|store_faults)$"
        "^test_(physarum_laws|thermo_dt|phys_cpu_ref|phys_cuda_nonfused_vs_cpu_host)$"
        "^test_(peer|peer_trace|supervise|supervise_beside|supervise_groups|supervise_peers|supervise_records)$"
        "^test_(store_calibrate|store_history|store_merge|store_migrate|trend)$")
endif()
# These take long under ThreadSanitizer, and `assay check` runs the same kernels in that lane.
if(ASSAY_SANITIZE STREQUAL "thread")
    list(APPEND ASSAY_FULL_TESTS "^test_(physarum_sort|physarum_resident|photon_session_checkpoint_host)$")
endif()
set(ASSAY_SHORT_TESTS "_ref$")

# assay_add_test(name [LABELS ...] [SERIAL] COMMAND ...); exit status 77 is a skip.
# The timeout only ends tests that hang: it is long enough for any machine under any load, and does not measure speed.
function(assay_add_test name)
    cmake_parse_arguments(arg "SERIAL" "" "LABELS;COMMAND" ${ARGN})
    if(NOT arg_LABELS)
        set(arg_LABELS default)
    endif()
    foreach(long IN LISTS ASSAY_LONG_TESTS)
        if(arg_LABELS STREQUAL "quick" AND name MATCHES "${long}")
            set(arg_LABELS default)
            foreach(short IN LISTS ASSAY_SHORT_TESTS)
                if(name MATCHES "${short}")
                    set(arg_LABELS quick)
                endif()
            endforeach()
            break()
        endif()
    endforeach()
    foreach(full IN LISTS ASSAY_FULL_TESTS)
        if(name MATCHES "${full}")
            set(arg_LABELS full)
        endif()
    endforeach()
    set(test ${ASSAY_TEST_PREFIX}${name})
    add_test(NAME ${test} COMMAND ${arg_COMMAND})
    # OpenMP threads that wait for each other must not take CPU time from other tests.
    set_tests_properties(${test} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 1800 SKIP_RETURN_CODE 77
        ENVIRONMENT OMP_WAIT_POLICY=passive)
    if(arg_SERIAL)
        set_tests_properties(${test} PROPERTIES RUN_SERIAL ON)
    endif()
    # Long tests begin first, so that no core waits for one at the end. From the second run on ctest knows measured times.
    if(NOT arg_LABELS STREQUAL "quick")
        set_tests_properties(${test} PROPERTIES COST 10)
    endif()
endfunction()

# A test that cannot be built here stays visible: it is registered, and prints why it is skipped.
function(assay_skip_test name label reason)
    assay_add_test(${name} LABELS ${label} COMMAND sh -c "echo 'skipped: ${reason}' && exit 77")
endfunction()

# The programs that need a GPU, one name on each line, for ci/gpu, which may run without ctest.
function(assay_list_gpu_program name)
    set_property(GLOBAL APPEND PROPERTY assay_gpu_programs ${name})
endfunction()
function(assay_write_gpu_programs)
    get_property(programs GLOBAL PROPERTY assay_gpu_programs)
    list(JOIN programs "\n" text)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/gpu_programs.txt CONTENT "${text}\n" @ONLY)
endfunction()
