# Stand-alone programs of mlp_grad: CPU against CUDA.

set(mlp_kernel_folder ${CMAKE_SOURCE_DIR}/kernels/mlp_grad)
add_library(mlp_support STATIC mlp_test.c ${CMAKE_SOURCE_DIR}/reference/mlp_grad.c ${mlp_kernel_folder}/cpu_ref.c)
target_link_libraries(mlp_support PUBLIC phys_support)
target_compile_options(mlp_support PRIVATE -ffp-contract=off)

add_executable(test_mlp_cpu_ref test_mlp_cpu_ref.c)
target_link_libraries(test_mlp_cpu_ref PRIVATE mlp_support)
assay_add_test(test_mlp_cpu_ref LABELS quick COMMAND test_mlp_cpu_ref)

# On the host executor a library of plain loops stands in for cuBLAS.
assay_kernel_objects(host_kernels assay host mlp_grad)
add_library(mlp_host STATIC phys_device_host.c)
target_link_libraries(mlp_host INTERFACE ${host_kernels})
target_link_libraries(mlp_host PUBLIC mlp_support assay::device_host ${CMAKE_DL_LIBS})
add_library(fake_cublas MODULE fake_cublas.c)
target_link_libraries(fake_cublas PRIVATE assay_warnings assay_sanitizer)
add_executable(test_mlp_compare_host test_mlp_compare.c)
target_link_libraries(test_mlp_compare_host PRIVATE mlp_host)
add_dependencies(test_mlp_compare_host fake_cublas)
assay_add_test(test_mlp_compare_host LABELS quick TIMEOUT 600
    COMMAND env ASSAY_CUBLAS_LIBRARY=$<TARGET_FILE:fake_cublas> $<TARGET_FILE:test_mlp_compare_host>)

if(ASSAY_HAS_CUDA)
    assay_kernel_objects(cuda_kernels assay cuda mlp_grad)
    add_executable(test_mlp_compare test_mlp_compare.c phys_device_cuda.c)
    target_include_directories(test_mlp_compare SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
    target_link_libraries(test_mlp_compare PRIVATE ${cuda_kernels} mlp_support CUDA::cudart_static ${CMAKE_DL_LIBS})
    set_target_properties(test_mlp_compare PROPERTIES LINKER_LANGUAGE CXX) # the kernels are link items
    assay_add_test(test_mlp_compare LABELS gpu TIMEOUT 300 SERIAL COMMAND test_mlp_compare)
    assay_list_gpu_program(test_mlp_compare)
elseif(NOT ASSAY_SANITIZE)
    assay_skip_test(test_mlp_compare gpu "built without a CUDA compiler")
endif()
