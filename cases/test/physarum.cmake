# Stand-alone programs of the physarum cases.

set(reference ${CMAKE_SOURCE_DIR}/reference)
set(physarum_parts agents field sense step)
list(TRANSFORM physarum_parts REPLACE "(.+)" "${reference}/physarum_\\1.c")
add_library(physarum_support STATIC physarum_test.c ${physarum_parts})
target_include_directories(physarum_support PUBLIC ${CMAKE_SOURCE_DIR}/harness)
target_compile_options(physarum_support PRIVATE -ffp-contract=off)
target_link_libraries(physarum_support PUBLIC assay_warnings assay_sanitizer m)

# ---- the reference: needs no device; one thread, nothing for ThreadSanitizer ----
if(NOT ASSAY_SANITIZE STREQUAL "thread")
    foreach(program test_physarum_differences)
        add_executable(${program} ${program}.c)
        target_compile_options(${program} PRIVATE -ffp-contract=off)
        target_link_libraries(${program} PRIVATE physarum_support)
        assay_add_test(${program} LABELS quick COMMAND ${program})
    endforeach()
endif()

# ---- real PyTorch on the CPU against the reference of torch semantics; 77 where there is none ----
if(NOT ASSAY_SANITIZE)
    assay_add_test(torch_physarum LABELS quick TIMEOUT 300
        COMMAND $<TARGET_FILE:assay> check physarum physarum_run --device host --tier quick
            --axis semantics=torch --variant torch_eager --db ${CMAKE_CURRENT_BINARY_DIR}/torch_physarum.db)
endif()
