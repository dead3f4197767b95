# Stand-alone programs of the physarum cases.

set(reference ${CMAKE_SOURCE_DIR}/reference)
set(physarum_parts advance agents field sense step)
list(TRANSFORM physarum_parts REPLACE "(.+)" "${reference}/physarum_\\1.c")
add_library(physarum_support STATIC physarum_test.c ${physarum_parts})
target_include_directories(physarum_support PUBLIC ${CMAKE_SOURCE_DIR}/harness)
target_compile_options(physarum_support PRIVATE -ffp-contract=off)
target_link_libraries(physarum_support PUBLIC trial)

# ---- the reference: needs no device; one thread, nothing for ThreadSanitizer ----
if(NOT ASSAY_SANITIZE STREQUAL "thread")
    add_library(physarum_extra STATIC physarum_toy.c physarum_image.c physarum_growth.c)
    target_compile_definitions(physarum_extra PRIVATE _POSIX_C_SOURCE=200809L)
    target_link_libraries(physarum_extra PUBLIC physarum_support)
    target_compile_options(physarum_extra PRIVATE -ffp-contract=off)
    foreach(program test_physarum_advance test_physarum_differences test_physarum_growth test_physarum_image
            test_physarum_toy)
        add_executable(${program} ${program}.c)
        target_compile_options(${program} PRIVATE -ffp-contract=off)
        target_compile_definitions(${program} PRIVATE _POSIX_C_SOURCE=200809L)
        target_link_libraries(${program} PRIVATE physarum_extra)
        assay_add_test(${program} LABELS quick COMMAND ${program})
    endforeach()
    foreach(program physarum_frames physarum_sensitivity) # for people to run
        add_executable(${program} ${program}.c)
        target_link_libraries(${program} PRIVATE physarum_extra)
    endforeach()
    assay_add_test(physarum_frames LABELS quick COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_physarum_frames.sh
        $<TARGET_FILE:physarum_frames> $<TARGET_FILE:physarum_sensitivity>)
endif()

# ---- the kernels on the host executor ----
assay_kernel_objects(host_kernels assay host physarum)
add_library(physarum_host INTERFACE)
target_link_libraries(physarum_host INTERFACE ${host_kernels} physarum_support assay::device_host)
foreach(program test_physarum_edge test_physarum_resident test_physarum_sort)
    add_executable(${program} ${program}.c physarum_call.c)
    target_link_libraries(${program} PRIVATE physarum_host)
    assay_add_test(${program} LABELS quick COMMAND ${program})
endforeach()

# ---- long runs, and what the cases' tables say against what is launched ----
if(NOT ASSAY_SANITIZE STREQUAL "thread") # minutes there; check_physarum_run_host runs the same kernels
    foreach(part physarum physarum_run physarum_shape physarum_bytes physarum_run_compare)
        list(APPEND physarum_tables ${CMAKE_SOURCE_DIR}/cases/${part}.c)
    endforeach()
    add_executable(test_physarum_laws test_physarum_laws.c physarum_call.c)
    add_executable(test_physarum_variants test_physarum_variants.c ${physarum_tables} ${reference}/physarum.c
        ${reference}/physarum_run.c ${CMAKE_SOURCE_DIR}/kernels/physarum/cpu_omp.c)
    target_compile_options(test_physarum_variants PRIVATE -Wno-unknown-pragmas) # without OpenMP: one thread
    target_link_libraries(test_physarum_laws PRIVATE physarum_host)
    target_link_libraries(test_physarum_variants PRIVATE physarum_host launched)
    assay_add_test(test_physarum_laws LABELS quick TIMEOUT 600 COMMAND test_physarum_laws)
    assay_add_test(test_physarum_variants LABELS quick COMMAND test_physarum_variants)
endif()

# ---- the sizes that the document's commands select ----
if(NOT ASSAY_SANITIZE)
    assay_add_test(physarum_study LABELS quick COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_physarum_study.sh
        $<TARGET_FILE:assay> ${CMAKE_SOURCE_DIR}/docs/physarum.md)
endif()

# ---- real PyTorch on the CPU against the reference of torch semantics; 77 where there is none ----
if(NOT ASSAY_SANITIZE)
    assay_add_test(torch_physarum LABELS quick TIMEOUT 300
        COMMAND $<TARGET_FILE:assay> check physarum physarum_run --device host --tier quick
            --axis semantics=torch --variant torch_eager --db ${CMAKE_CURRENT_BINARY_DIR}/torch_physarum.db)
endif()
