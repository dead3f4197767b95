# Stand-alone programs of the thermo cases.

# ---- the references of thermo's particles ----
foreach(program test_thermo_scatter_ref test_thermo_gather_ref)
    add_executable(${program} ${program}.c thermo_test.c
        ${CMAKE_SOURCE_DIR}/reference/thermo_scatter.c ${CMAKE_SOURCE_DIR}/reference/thermo_gather.c)
    target_include_directories(${program} PRIVATE ${CMAKE_SOURCE_DIR}/harness)
    target_compile_options(${program} PRIVATE -ffp-contract=off)
    target_link_libraries(${program} PRIVATE trial)
    assay_add_test(${program} LABELS quick COMMAND ${program})
endforeach()

# ---- gas: the reference, and what the case does not compare, on the host executor ----
add_library(gas_reference STATIC)
foreach(case thermo_gas thermo_step)
    target_sources(gas_reference PRIVATE ${CMAKE_SOURCE_DIR}/reference/${case}.c ${CMAKE_SOURCE_DIR}/cases/${case}.c)
endforeach()
target_sources(gas_reference PRIVATE ${CMAKE_SOURCE_DIR}/reference/thermo_potential.c
    ${CMAKE_SOURCE_DIR}/reference/thermo_transform.c)
target_link_libraries(gas_reference PUBLIC trial ${CMAKE_DL_LIBS})
target_include_directories(gas_reference PUBLIC ${CMAKE_SOURCE_DIR}/harness)
target_compile_options(gas_reference PRIVATE -ffp-contract=off)
if(NOT ASSAY_SANITIZE STREQUAL "thread")
    foreach(program test_thermo_gas_ref test_thermo_step_ref)
        add_executable(${program} ${program}.c)
        target_link_libraries(${program} PRIVATE gas_reference)
        assay_add_test(${program} LABELS quick COMMAND ${program})
    endforeach()
endif()
set(test_thermo_gas_variants_kernels thermo_gas)
set(test_thermo_step_kernels thermo_step thermo_scatter) # whose deposits it uses
foreach(program test_thermo_gas_variants test_thermo_step)
    assay_kernel_objects(host_kernels assay host ${${program}_kernels})
    add_executable(${program} ${program}.c)
    target_link_libraries(${program} PRIVATE ${host_kernels} gas_reference launched assay::device_host ${CMAKE_DL_LIBS})
    set(labels quick)
    if(ASSAY_SANITIZE STREQUAL "thread" AND program STREQUAL "test_thermo_step")
        set(labels full) # minutes; check_thermo_step_host runs the same kernels
    endif()
    assay_add_test(${program} LABELS ${labels} TIMEOUT 600 COMMAND ${program})
endforeach()

# ---- the peers of the deposit: exit status 77 where no python has PyTorch ----
if(NOT ASSAY_SANITIZE)
    assay_add_test(torch_thermo_scatter LABELS quick COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/with_torch
        ${CMAKE_CURRENT_SOURCE_DIR}/test_torch_thermo_scatter.py ${CMAKE_SOURCE_DIR}/reference/torch)
endif()
