# cmake --install, and the package that find_package finds in the build tree. Two components, which are the packages of cpack
# (AssayPackage.cmake):
#
#   program      the program in bin, its kernel modules and assay_cupti.so in lib/assay, the scripts of peers in
#                share/assay/peers: harness/base/places.h says how each is found; its manual page, and completion for bash and
#                zsh
#   development  the libraries in lib, the headers of cases and kernels in include/assay (of sessions of photon propagation in
#                include/assay/photon), assay-cc in bin, the package of
#                CMake in lib/cmake/assay, and assay.pc in lib/pkgconfig

include(CMakePackageConfigHelpers)

set(assay_package lib/cmake/assay)
# What links a tree with a sanitizer is built with that sanitizer, too.
set(assay_exported assay_sanitizer)
set_target_properties(assay_cc PROPERTIES EXPORT_NAME cc)
foreach(name assay device_host device_cuda device_asan device_tsan sanitizer_asan sanitizer_tsan photon_session_host
        photon_session_cuda)
    if(TARGET assay::${name})
        get_target_property(real assay::${name} ALIASED_TARGET)
        set_target_properties(${real} PROPERTIES EXPORT_NAME ${name})
        list(APPEND assay_exported ${real})
    endif()
endforeach()

# ---- the program ----
install(TARGETS assay RUNTIME DESTINATION bin COMPONENT program)
add_custom_target(assay_program DEPENDS assay) # builds everything in this component
foreach(module assay_kernels_host assay_kernels_cuda assay_cupti)
    if(TARGET ${module})
        add_dependencies(assay_program ${module})
        install(TARGETS ${module} LIBRARY DESTINATION lib/assay COMPONENT program)
    endif()
endforeach()
install(DIRECTORY reference/torch/ DESTINATION share/assay/peers COMPONENT program FILES_MATCHING PATTERN "*.py")
install(FILES python/assay_variants.py DESTINATION share/assay/peers COMPONENT program)
# A wheel contains the Python package only where Python looks for it.
if(NOT DEFINED SKBUILD)
    install(DIRECTORY python/assay/ DESTINATION share/assay/peers/assay COMPONENT program FILES_MATCHING PATTERN "*.py")
endif()
install(FILES LICENSE DESTINATION share/doc/assay COMPONENT program RENAME copyright)
# The program writes its manual page and its shell completions during the installation.
foreach(form "man|assay.1|share/man/man1" "bash|assay|share/bash-completion/completions" "zsh|_assay|share/zsh/site-functions")
    string(REPLACE "|" ";" form ${form})
    list(GET form 0 format)
    list(GET form 1 file)
    list(GET form 2 place)
    file(MAKE_DIRECTORY ${ASSAY_GENERATED}/help/${format})
    install(CODE "execute_process(COMMAND $<TARGET_FILE:assay> help --format ${format}
        --output ${ASSAY_GENERATED}/help/${format}/${file} COMMAND_ERROR_IS_FATAL ANY)" COMPONENT program)
    install(FILES ${ASSAY_GENERATED}/help/${format}/${file} DESTINATION ${place} COMPONENT program)
endforeach()

# ---- files for building programs ----
install(TARGETS ${assay_exported} EXPORT assay ARCHIVE DESTINATION lib COMPONENT development)
install(TARGETS assay_cc EXPORT assay RUNTIME DESTINATION bin COMPONENT development)
install(DIRECTORY harness/api/ DESTINATION include/assay COMPONENT development
    FILES_MATCHING PATTERN "*.h" PATTERN "*.cuh" PATTERN test EXCLUDE)
foreach(header ${PHOTON_SESSION_HEADERS})
    cmake_path(GET header PARENT_PATH folder)
    install(FILES kernels/${header} DESTINATION include/assay/photon/${folder} COMPONENT development)
endforeach()
# Headers such as <cuda/atomic> have no suffix.
install(DIRECTORY harness/api/host/cuda/cuda DESTINATION include/assay/host/cuda COMPONENT development)

install(EXPORT assay NAMESPACE assay:: FILE assay-targets.cmake DESTINATION ${assay_package} COMPONENT development)
export(EXPORT assay NAMESPACE assay:: FILE ${PROJECT_BINARY_DIR}/assay-targets.cmake)

# The package is written twice: the installed one includes files beside it, the one of the build tree includes the sources.
set(installed ${ASSAY_GENERATED}/installed)
foreach(tree "${installed}|\${CMAKE_CURRENT_LIST_DIR}" "${PROJECT_BINARY_DIR}|${PROJECT_SOURCE_DIR}/cmake")
    string(REGEX REPLACE "\\|.*" "" place "${tree}")
    string(REGEX REPLACE ".*\\|" "" ASSAY_FUNCTIONS "${tree}")
    configure_package_config_file(cmake/assay-config.cmake.in ${place}/assay-config.cmake
        INSTALL_DESTINATION ${assay_package})
    write_basic_package_version_file(${place}/assay-config-version.cmake COMPATIBILITY SameMinorVersion)
endforeach()
install(FILES ${installed}/assay-config.cmake ${installed}/assay-config-version.cmake
    cmake/AssaySuite.cmake cmake/AssayCuda.cmake cmake/statics_begin.c cmake/statics_end.c
    DESTINATION ${assay_package} COMPONENT development)
install(PROGRAMS cmake/assay_check cmake/assay_shard DESTINATION ${assay_package} COMPONENT development)

set(ASSAY_PC_REQUIRES "sqlite3 zlib")
if(ASSAY_HAS_GBENCH)
    string(APPEND ASSAY_PC_REQUIRES " benchmark")
endif()
get_target_property(ASSAY_PC_FLAGS assay_sanitizer INTERFACE_LINK_OPTIONS)
if(NOT ASSAY_PC_FLAGS)
    set(ASSAY_PC_FLAGS "")
endif()
list(JOIN ASSAY_PC_FLAGS " " ASSAY_PC_FLAGS)
configure_file(cmake/assay.pc.in ${installed}/assay.pc @ONLY)
install(FILES ${installed}/assay.pc DESTINATION lib/pkgconfig COMPONENT development)
