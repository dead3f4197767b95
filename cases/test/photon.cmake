# Stand-alone programs of the cases photon_propagate and photon_queue.

find_package(Threads REQUIRED)

set(photon ${CMAKE_SOURCE_DIR}/kernels/photon_propagate)
set(reference ${CMAKE_SOURCE_DIR}/reference)
set(photon_bulbs ${CMAKE_SOURCE_DIR}/cases/data/photon_bulbs.obj) # what photon_mesh_write bulbs writes
add_library(photon_support STATIC ${photon}/photon_mesh.c ${photon}/photon_mesh_obj.c ${photon}/photon_mesh_file.c ${photon}/photon_bvh.c
    ${photon}/photon_detector.c ${photon}/photon_detector_obj.c ${photon}/photon_materials.c ${photon}/cpu_omp.c
    ${reference}/photon_propagate.c ${reference}/photon_propagate_draw.c ${reference}/photon_propagate_step.c
    ${reference}/photon_propagate_surface.c ${reference}/photon_propagate_trace.c)
target_include_directories(photon_support PUBLIC ${CMAKE_SOURCE_DIR}/harness)
target_compile_options(photon_support PRIVATE -ffp-contract=off -Wno-unknown-pragmas) # without OpenMP: one thread
target_link_libraries(photon_support PUBLIC trial)

# ---- no device; one thread, nothing for ThreadSanitizer ----
if(NOT ASSAY_SANITIZE STREQUAL "thread")
    foreach(program test_photon_mesh test_photon_tree test_photon_laws test_photon_surfaces test_photon_errors)
        add_executable(${program} ${program}.c photon_test.c)
        target_compile_options(${program} PRIVATE -ffp-contract=off)
        target_link_libraries(${program} PRIVATE photon_support)
        assay_add_test(${program} LABELS quick COMMAND ${program})
    endforeach()
    add_executable(test_photon_mesh_file test_photon_mesh_file.c photon_mesh_text.c)
    target_link_libraries(test_photon_mesh_file PRIVATE photon_support)
    assay_add_test(test_photon_mesh_file LABELS quick COMMAND test_photon_mesh_file ${photon_bulbs})
endif()
add_executable(photon_mesh_write photon_mesh_write.c photon_mesh_text.c)
target_link_libraries(photon_mesh_write PRIVATE photon_support)

# ---- what a queue that answers promises ----
assay_host_sources(promise ${CMAKE_CURRENT_SOURCE_DIR}/photon_promise.cu)
add_executable(test_photon_promise test_photon_promise.c ${promise})
target_compile_definitions(test_photon_promise PRIVATE $<$<COMPILE_LANGUAGE:CXX>:ASSAY_HOST_KERNELS>)
target_link_libraries(test_photon_promise PRIVATE trial assay::device_host)
assay_add_test(test_photon_promise LABELS quick COMMAND test_photon_promise)

# ---- the judge of photon_queue ----
set(queue ${CMAKE_SOURCE_DIR}/kernels/photon_queue)
add_executable(test_photon_queue_judge test_photon_queue_judge.c ${CMAKE_SOURCE_DIR}/cases/photon_queue_shape.c
    ${CMAKE_SOURCE_DIR}/cases/photon_queue_compare.c ${queue}/cpu_ref.c ${queue}/cpu_threads.c
    ${reference}/photon_queue.c)
target_include_directories(test_photon_queue_judge PRIVATE ${CMAKE_SOURCE_DIR}/harness)
target_link_libraries(test_photon_queue_judge PRIVATE trial Threads::Threads)
assay_add_test(test_photon_queue_judge LABELS quick COMMAND test_photon_queue_judge)

# ---- all kernels: the same histories, on the host executor and on a GPU ----
set(photon_case ${CMAKE_SOURCE_DIR}/cases/photon_propagate.c ${CMAKE_SOURCE_DIR}/cases/photon_propagate_compare.c
    ${CMAKE_SOURCE_DIR}/cases/photon_propagate_inputs.c ${CMAKE_SOURCE_DIR}/cases/photon_propagate_mesh.c)
assay_kernel_objects(photon_host_kernels assay host photon_propagate)
add_executable(test_photon_histories_host test_photon_histories.c ${photon_case} phys_device_host.c)
target_compile_options(test_photon_histories_host PRIVATE -ffp-contract=off)
target_link_libraries(test_photon_histories_host PRIVATE ${photon_host_kernels} photon_support launched
    assay::device_host)
if(ASSAY_SANITIZE)
    set(labels full) # check_photon_propagate_host runs the same kernels
else()
    set(labels quick)
endif()
assay_add_test(test_photon_histories_host LABELS ${labels} TIMEOUT 600 COMMAND test_photon_histories_host)

# Those of graph are launched by a GPU alone.
assay_add_test(test_photon_sections LABELS quick
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_photon_sections.sh ${photon} ${CMAKE_SOURCE_DIR}/cases/photon_propagate.c)

if(ASSAY_HAS_CUDA)
    assay_kernel_objects(photon_cuda_kernels assay cuda photon_propagate)
    add_executable(test_photon_histories test_photon_histories.c ${photon_case} phys_device_cuda.c)
    target_compile_definitions(test_photon_histories PRIVATE PHOTON_TEST_HAS_GRAPHS)
    target_include_directories(test_photon_histories SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
    target_link_libraries(test_photon_histories PRIVATE ${photon_cuda_kernels} photon_support CUDA::cudart_static)
    set_target_properties(test_photon_histories PROPERTIES LINKER_LANGUAGE CXX) # the kernels are link items
    assay_add_test(test_photon_histories LABELS gpu TIMEOUT 300 SERIAL COMMAND test_photon_histories)
    assay_list_gpu_program(test_photon_histories)
elseif(NOT ASSAY_SANITIZE)
    assay_skip_test(test_photon_histories gpu "built without a CUDA compiler")
endif()
