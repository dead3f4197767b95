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
foreach(part step_deposit step_log potential transform)
    target_sources(gas_reference PRIVATE ${CMAKE_SOURCE_DIR}/reference/thermo_${part}.c)
endforeach()
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
set(test_thermo_dt_kernels thermo_gas)
set(test_thermo_step_kernels thermo_step thermo_scatter) # whose deposits it uses
foreach(program test_thermo_gas_variants test_thermo_dt test_thermo_step)
    assay_kernel_objects(host_kernels assay host ${${program}_kernels})
    add_executable(${program} ${program}.c)
    target_link_libraries(${program} PRIVATE ${host_kernels} gas_reference launched assay::device_host ${CMAKE_DL_LIBS})
    if(program STREQUAL "test_thermo_step")
        target_sources(${program} PRIVATE step_test.c step_log_test.c phys_device_host.c)
    endif()
    set(labels quick)
    if(ASSAY_SANITIZE STREQUAL "thread" AND program MATCHES "_(dt|step)$")
        set(labels full) # long; check_thermo_gas_host and check_thermo_step_host run the same kernels
    endif()
    assay_add_test(${program} LABELS ${labels} TIMEOUT 600 COMMAND ${program})
endforeach()

# ---- many steps: a few ways on a small grid, all of them on larger ones; on the host executor and on a GPU ----
set(step_parts test_thermo_many.c step_laws.c step_test.c)
assay_kernel_objects(step_host_kernels assay host ${test_thermo_step_kernels})
add_executable(test_thermo_many_host ${step_parts} phys_device_host.c)
target_link_libraries(test_thermo_many_host PRIVATE ${step_host_kernels} gas_reference assay::device_host ${CMAKE_DL_LIBS})
set(labels quick)
if(ASSAY_SANITIZE)
    set(labels full) # minutes; check_thermo_step_host runs the same kernels
endif()
assay_add_test(test_thermo_many_host LABELS ${labels} TIMEOUT 900 COMMAND test_thermo_many_host quick)
if(NOT ASSAY_SANITIZE)
    assay_add_test(test_thermo_many_large_host LABELS full TIMEOUT 1800 COMMAND test_thermo_many_host full)
endif()
if(ASSAY_HAS_CUDA)
    assay_kernel_objects(step_cuda_kernels assay cuda ${test_thermo_step_kernels})
    add_executable(test_thermo_many ${step_parts} phys_device_cuda.c)
    target_include_directories(test_thermo_many SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
    target_link_libraries(test_thermo_many PRIVATE ${step_cuda_kernels} gas_reference CUDA::cudart_static ${CMAKE_DL_LIBS})
    set_target_properties(test_thermo_many PROPERTIES LINKER_LANGUAGE CXX) # the kernels are link items
    assay_add_test(test_thermo_many LABELS gpu TIMEOUT 600 SERIAL COMMAND test_thermo_many full)
    assay_list_gpu_program(test_thermo_many)
elseif(NOT ASSAY_SANITIZE)
    assay_skip_test(test_thermo_many gpu "built without a CUDA compiler")
endif()

# ---- the peers of the deposit: exit status 77 where no python has PyTorch ----
if(NOT ASSAY_SANITIZE)
    assay_add_test(torch_thermo_scatter LABELS quick COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/with_torch
        ${CMAKE_CURRENT_SOURCE_DIR}/test_torch_thermo_scatter.py ${CMAKE_SOURCE_DIR}/reference/torch)
endif()
