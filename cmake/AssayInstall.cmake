# cmake --install: the program in bin, its kernel modules in lib/assay (where the program looks for them), the
# libraries in lib, the scripts of peers in share/assay/peers, the headers of cases and kernels in include/assay, and the package in lib/cmake/assay.

include(CMakePackageConfigHelpers)

set(assay_package lib/cmake/assay)
# A consumer of a sanitized tree is sanitized as well.
set(assay_exported assay_sanitizer)
set_target_properties(assay_cc PROPERTIES EXPORT_NAME cc)
foreach(name assay device_host device_cuda device_asan device_tsan sanitizer_asan sanitizer_tsan)
    if(TARGET assay::${name})
        get_target_property(real assay::${name} ALIASED_TARGET)
        set_target_properties(${real} PROPERTIES EXPORT_NAME ${name})
        list(APPEND assay_exported ${real})
    endif()
endforeach()
install(TARGETS ${assay_exported} EXPORT assay ARCHIVE DESTINATION lib)
install(EXPORT assay NAMESPACE assay:: FILE assay-targets.cmake DESTINATION ${assay_package})

install(TARGETS assay RUNTIME DESTINATION bin)
install(TARGETS assay_cc EXPORT assay RUNTIME DESTINATION bin)
foreach(kind host cuda)
    if(TARGET assay_kernels_${kind})
        install(TARGETS assay_kernels_${kind} LIBRARY DESTINATION lib/assay)
    endif()
endforeach()

# Peers are looked for here, unless ASSAY_PEERS names another folder.
install(DIRECTORY reference/torch/ DESTINATION share/assay/peers FILES_MATCHING PATTERN "*.py")

install(DIRECTORY harness/api/ DESTINATION include/assay FILES_MATCHING PATTERN "*.h" PATTERN "*.cuh" PATTERN test EXCLUDE)
# <cuda/atomic> and the like have names without a suffix.
install(DIRECTORY harness/api/host/cuda/cuda DESTINATION include/assay/host/cuda)

configure_package_config_file(cmake/assay-config.cmake.in ${CMAKE_BINARY_DIR}/assay-config.cmake
    INSTALL_DESTINATION ${assay_package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/assay-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/assay-config.cmake ${CMAKE_BINARY_DIR}/assay-config-version.cmake
    cmake/AssaySuite.cmake cmake/AssayCuda.cmake cmake/statics_begin.c cmake/statics_end.c
    DESTINATION ${assay_package})
install(PROGRAMS cmake/assay_check cmake/assay_shard DESTINATION ${assay_package})
