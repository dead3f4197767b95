# Stand-alone programs of the photon_propagate case.

set(photon ${CMAKE_SOURCE_DIR}/kernels/photon_propagate)
add_library(photon_detectors STATIC ${photon}/photon_mesh.c ${photon}/photon_mesh_obj.c ${photon}/photon_bvh.c
    ${photon}/photon_detector.c ${photon}/photon_detector_obj.c ${photon}/photon_materials.c)
target_compile_options(photon_detectors PRIVATE -ffp-contract=off)
target_link_libraries(photon_detectors PUBLIC trial)

# ---- no device; one thread, nothing for ThreadSanitizer ----
if(NOT ASSAY_SANITIZE STREQUAL "thread")
    foreach(program test_photon_mesh test_photon_tree)
        add_executable(${program} ${program}.c)
        target_link_libraries(${program} PRIVATE photon_detectors)
        assay_add_test(${program} LABELS quick COMMAND ${program})
    endforeach()
endif()
