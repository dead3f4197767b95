# A suite: cases, their references, and their kernels built once for each device.
#
#   assay_case(axpy)       one line for each case. In the suite's folder there must be cases/axpy.c and reference/axpy.c,
#                          or folders of that name (cases/axpy/axpy.c and all other .c files beside it), and
#                          kernels/axpy/*.cu; kernels/axpy/*.c are CPU variants. SOURCES: further files, relative to the
#                          folder above cases/. Otherwise everything is in the caller's folder: NAME.c (definition and
#                          reference) beside NAME.cu, or beside the files that KERNELS names.
#                          KERNELS_OF: another case whose kernels this case uses, too, and whose reference it uses if it
#                          has no file of its own. C_OF_LAUNCHERS: the .c files of kernels/NAME are not CPU variants but
#                          parts of the launchers, and go into the kernel modules; those whose names end in _host.c or
#                          _cuda.c go only into the modules of that device.
#   assay_add_shards(...)  tests that divide a plan among all GPUs of a host (below)
#   assay_suite(assay)     at the end: the program `assay` (MAIN file, else main.c beside the call, else one that is
#                          generated), and the kernel modules assay_kernels_host.so and, with a CUDA compiler,
#                          assay_kernels_cuda.so. The target assay_lanes builds the program and its host module again for
#                          each sanitizer whose runtime is installed (assay_asan, assay_tsan, for `assay check --lane
#                          all`); the lanes in LANES asan tsan are part of the default build. The targets
#                          check_CASE_host and check_CASE_cuda build what one kernel needs, and check its case.
#   assay_add_checks(assay)
#                          after that, and after enable_testing(): for each case the tests check_CASE_host and
#                          check_CASE_cuda; the latter is skipped if there is no GPU (below)
#
#   assay_kernel_objects(objects assay host physics_loss ...)
#                          the object files of the kernels of these cases, for target_link_libraries of another program
#   assay_peers(DIR)       copies the scripts of peers (case.h) in DIR, and the modules that they import, to `peers`
#                          beside the program
#
# A case in a folder of its own is named with a slash: assay_case(selftest/faults) needs
# cases/selftest/faults.c and so on, and is the case `selftest_faults` in C.
#
# This tree uses these functions, and so does any project that uses assay in one of the ways of docs/installing.md. A suite
# has the cases that were named since the previous suite.

# Options for kernel sources that the C++ compiler builds for the host device. There is no contraction, so that an
# expression means the same with every compiler.
# -Wno-pass-failed: clang need not unroll a loop that is to be unrolled on a GPU.
# -fno-gnu-unique: statics of templates belong to their file, like everything that is not exported (assay-cc).
# -fno-strict-aliasing: a value may be read through any type, as on a GPU.
# -O1: nothing is timed there. With -O2 compiling takes half as long again, and checking a tenth less.
# -g1: line numbers, for the report of where a kernel spins (harness/process/spin_place.h).
set(ASSAY_HOST_KERNEL_OPTIONS $<$<CONFIG:Release>:-O1> $<$<CONFIG:Release>:-g1> -ffp-contract=off -fno-math-errno -fno-strict-aliasing
    $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed> $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
# -fsanitize=alignment: a CPU loads a vector from any address, a GPU does not. The executor handles failed checks itself
# (alignment.cc), so no runtime is linked; the lane of AddressSanitizer links UBSan's. clang 14 does not check copies of a
# whole structure.
# -O0 with AddressSanitizer: optimising its checks takes longer than running them. -O0 takes a third of the time to compile,
# and a fifth more to check.
set(ASSAY_HOST_KERNEL_OPTIONS_asan ${ASSAY_HOST_KERNEL_OPTIONS} -O0)
list(APPEND ASSAY_HOST_KERNEL_OPTIONS -fsanitize=alignment)
# Volatile accesses on a GPU are relaxed atomics: the executor is told of each (harness/device/host/orders.cc).
set(volatile "$<$<CXX_COMPILER_ID:GNU>:--param=tsan-distinguish-volatile=1>"
    "$<$<CXX_COMPILER_ID:Clang>:SHELL:-mllvm -tsan-distinguish-volatile>")
set(ASSAY_HOST_KERNEL_OPTIONS_tsan ${ASSAY_HOST_KERNEL_OPTIONS} ${volatile} -O1)
if(ASSAY_SANITIZE STREQUAL "address")
    set(ASSAY_HOST_KERNEL_OPTIONS ${ASSAY_HOST_KERNEL_OPTIONS_asan})
elseif(ASSAY_SANITIZE STREQUAL "thread")
    list(APPEND ASSAY_HOST_KERNEL_OPTIONS ${volatile})
endif()

include(CheckCXXSourceCompiles)

# Variables of this file that functions read are in the cache: a project that includes assay as a subdirectory calls the
# functions from a folder that does not see other variables.
set(ASSAY_SUITE_FOLDER ${CMAKE_CURRENT_LIST_DIR} CACHE INTERNAL "")
foreach(options ASSAY_HOST_KERNEL_OPTIONS ASSAY_HOST_KERNEL_OPTIONS_asan ASSAY_HOST_KERNEL_OPTIONS_tsan)
    set(${options} "${${options}}" CACHE INTERNAL "")
endforeach()

# A case with all its files in the caller's folder.
function(assay_flat_case name)
    cmake_parse_arguments(arg "" "" "KERNELS;SOURCES" ${ARGN})
    set(arg_SOURCES ${name}.c ${arg_SOURCES})
    set_property(GLOBAL APPEND PROPERTY assay_case_symbols ${name})
    foreach(file ${arg_SOURCES} ${arg_KERNELS})
        set(list assay_kernel_sources)
        if(file IN_LIST arg_SOURCES)
            set(list assay_case_sources)
        endif()
        cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
        if(NOT EXISTS ${file})
            message(FATAL_ERROR "case '${name}' needs ${file}")
        endif()
        set_property(GLOBAL APPEND PROPERTY ${list} ${file})
        set_property(GLOBAL APPEND PROPERTY assay_files_of_${name} ${file})
    endforeach()
endfunction()

# The lanes besides `host` whose runtime is installed with this C++ compiler.
function(assay_find_runtimes output)
    set(lanes "")
    set(sanitizer_asan address,undefined)
    set(sanitizer_tsan thread)
    foreach(lane asan tsan)
        set(CMAKE_REQUIRED_FLAGS -fsanitize=${sanitizer_${lane}})
        check_cxx_source_compiles("int main(void) { return 0; }" ASSAY_HAS_RUNTIME_${lane})
        if(ASSAY_HAS_RUNTIME_${lane})
            list(APPEND lanes ${lane})
        endif()
    endforeach()
    set(${output} ${lanes} PARENT_SCOPE)
endfunction()

function(assay_case name)
    cmake_parse_arguments(arg "C_OF_LAUNCHERS" "ROOT;KERNELS_OF" "SOURCES;KERNELS" ${ARGN})
    if(NOT arg_KERNELS AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}.c AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cu)
        set(arg_KERNELS ${name}.cu)
    endif()
    if(arg_KERNELS)
        assay_flat_case(${name} KERNELS ${arg_KERNELS} SOURCES ${arg_SOURCES})
        return()
    endif()
    if(NOT arg_ROOT)
        cmake_path(GET CMAKE_CURRENT_SOURCE_DIR PARENT_PATH arg_ROOT)
        if(NOT EXISTS ${arg_ROOT}/cases/${name}.c AND NOT EXISTS ${arg_ROOT}/cases/${name}/${name}.c)
            set(arg_ROOT ${CMAKE_CURRENT_SOURCE_DIR})
        endif()
    endif()
    # Each side is one file, or all files of a folder of the case's own.
    foreach(side cases reference)
        set(files ${arg_ROOT}/${side}/${name}.c)
        if(IS_DIRECTORY ${arg_ROOT}/${side}/${name})
            file(GLOB files CONFIGURE_DEPENDS ${arg_ROOT}/${side}/${name}/*.c)
            list(PREPEND files ${arg_ROOT}/${side}/${name}/${name}.c)
            list(REMOVE_DUPLICATES files)
        elseif(side STREQUAL "reference" AND arg_KERNELS_OF AND NOT EXISTS ${files})
            continue()
        endif()
        list(APPEND sources ${files})
    endforeach()
    file(GLOB kernels CONFIGURE_DEPENDS ${arg_ROOT}/kernels/${name}/*.cu)
    file(GLOB cpu CONFIGURE_DEPENDS ${arg_ROOT}/kernels/${name}/*.c)
    list(TRANSFORM arg_SOURCES PREPEND ${arg_ROOT}/)
    list(APPEND sources ${arg_SOURCES})
    foreach(needed ${sources})
        if(NOT EXISTS ${needed})
            message(FATAL_ERROR "case '${name}' needs ${needed}")
        endif()
    endforeach()
    string(REPLACE "/" "_" symbol ${name})
    set_property(GLOBAL PROPERTY assay_files_of_${symbol} ${sources} ${cpu} ${kernels})
    if(arg_KERNELS_OF)
        string(REPLACE "/" "_" other ${arg_KERNELS_OF})
        set_property(GLOBAL APPEND PROPERTY assay_others_of_${symbol} ${other})
        set(kernels "")
        set(cpu "")
    elseif(NOT kernels AND NOT cpu)
        message(FATAL_ERROR "case '${name}' needs a kernel: ${arg_ROOT}/kernels/${name}/*.cu")
    endif()
    if(arg_C_OF_LAUNCHERS)
        list(APPEND kernels ${cpu})
        set(cpu "")
    endif()
    set_property(GLOBAL APPEND PROPERTY assay_case_symbols ${symbol})
    set_property(GLOBAL APPEND PROPERTY assay_case_sources ${sources} ${cpu})
    set_property(GLOBAL APPEND PROPERTY assay_kernel_sources ${kernels})
endfunction()

# The sorted table of cases: constant data, no constructors (a static library would drop them).
function(assay_write_case_table output)
    get_property(symbols GLOBAL PROPERTY assay_case_symbols)
    list(SORT symbols)
    set(text "/* Written by the build: the table of cases. */\n#include \"case.h\"\n\n")
    foreach(symbol ${symbols})
        string(APPEND text "extern const assay_case assay_case_${symbol};\n")
    endforeach()
    string(APPEND text "\nextern const assay_case *const assay_cases[];\nconst assay_case *const assay_cases[] = {\n")
    foreach(symbol ${symbols})
        string(APPEND text "    &assay_case_${symbol},\n")
    endforeach()
    string(APPEND text "    NULL,\n};\n")
    # OpenMP keeps its threads between variants. The harness must reach them, and is itself built without OpenMP.
    string(APPEND text "\n#ifdef _OPENMP\nvoid assay_each_openmp_thread(void (*fn)(void));\n"
        "void assay_each_openmp_thread(void (*fn)(void))\n{\n#pragma omp parallel\n    fn();\n}\n#endif\n")
    file(CONFIGURE OUTPUT ${output} CONTENT "${text}" @ONLY)
endfunction()

# PROGRAM.build beside the program: how it and its modules are built, and from what, for `check --watch`
# (harness/watch/build_file.h).
function(assay_write_build_file target)
    string(ASCII 9 tab)
    set(text "")
    foreach(kind host cuda)
        if(TARGET ${target}_kernels_${kind})
            set(words build ${kind} ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --config $<CONFIG>
                --target ${target} ${target}_kernels_${kind})
            list(JOIN words ${tab} line)
            string(APPEND text "${line}\n")
        endif()
    endforeach()
    if(TARGET ${target}_lanes)
        set(words build lanes ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --config $<CONFIG>
            --target ${target} ${target}_kernels_host ${target}_lanes)
        if(TARGET ${target}_kernels_cuda)
            list(APPEND words ${target}_kernels_cuda)
        endif()
        list(JOIN words ${tab} line)
        string(APPEND text "${line}\n")
    endif()
    get_property(symbols GLOBAL PROPERTY assay_case_symbols)
    foreach(case ${symbols})
        get_property(others GLOBAL PROPERTY assay_others_of_${case})
        foreach(owner ${case} ${others})
            get_property(files GLOBAL PROPERTY assay_files_of_${owner})
            foreach(file ${files})
                string(APPEND text "source${tab}${case}${tab}${file}\n")
            endforeach()
        endforeach()
    endforeach()
    file(GENERATE OUTPUT $<TARGET_FILE:${target}>.build CONTENT "${text}")
endfunction()

# Each .cu becomes a C++ source that includes it: one file can then be both CUDA and C++ in one build.
function(assay_host_sources output)
    set(wrapped "")
    foreach(source ${ARGN})
        string(MD5 hash ${source})
        string(SUBSTRING ${hash} 0 8 hash)
        cmake_path(GET source STEM stem)
        cmake_path(GET source PARENT_PATH folder)
        cmake_path(GET folder FILENAME folder)
        set(wrapper ${CMAKE_CURRENT_BINARY_DIR}/host_kernels/${folder}/${stem}_${hash}.cc)
        file(CONFIGURE OUTPUT ${wrapper} CONTENT "#include \"${source}\"\n" @ONLY)
        set_property(SOURCE ${wrapper} APPEND PROPERTY OBJECT_DEPENDS ${source})
        list(APPEND wrapped ${wrapper})
    endforeach()
    set(${output} ${wrapped} PARENT_SCOPE)
endfunction()

# Finds the translator of plain CUDA C++, in this tree or as installed.
function(assay_find_cc output)
    if(TARGET assay_cc)
        get_target_property(folder assay_cc RUNTIME_OUTPUT_DIRECTORY)
        set(${output} ${folder}/assay-cc PARENT_SCOPE)
    else()
        get_target_property(configurations assay::cc IMPORTED_CONFIGURATIONS)
        list(GET configurations 0 configuration)
        get_target_property(location assay::cc IMPORTED_LOCATION_${configuration})
        set(${output} ${location} PARENT_SCOPE)
    endif()
endfunction()

# Compiles the sources of a target in this language through assay-cc, which translates plain CUDA C++ for the host device
# (CXX). The sources are arguments, so that they are compiled again when assay-cc changes.
function(assay_compile_kernels target language)
    assay_find_cc(cc)
    add_dependencies(${target} assay::cc)
    set_property(SOURCE ${ARGN} APPEND PROPERTY OBJECT_DEPENDS ${cc})
    set(launchers ${cc} ${CMAKE_${language}_COMPILER_LAUNCHER})
    set_target_properties(${target} PROPERTIES ${language}_COMPILER_LAUNCHER "${launchers}")
    if(language STREQUAL "CXX")
        target_compile_definitions(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:ASSAY_HOST_KERNELS>)
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${ASSAY_HOST_KERNEL_OPTIONS}>)
    endif()
endfunction()

# Host code in C that launchers of a module of this kind call: the object library TARGET_c, without files that are only for
# the other device.
function(assay_module_c target kind)
    set(other _cuda)
    if(kind STREQUAL "cuda")
        set(other _host)
    endif()
    list(FILTER ARGN EXCLUDE REGEX "${other}\\.c$")
    add_library(${target}_c OBJECT ${ARGN})
    set_target_properties(${target}_c PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF C_VISIBILITY_PRESET hidden)
    target_link_libraries(${target}_c PRIVATE assay::device_${kind})
    target_compile_options(${target}_c PRIVATE -ffp-contract=off)
    if(kind STREQUAL "cuda")
        target_include_directories(${target}_c SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
    endif()
endfunction()

# A loadable kernel module of one kind (host, cuda; asan, tsan: host, for the program of that lane) from .cu sources and .c
# files of launchers. Also for a user's own modules (--kernels FILE). It is linked from the object library TARGET_objects,
# which takes the options for its compiler.
function(assay_kernel_module target kind)
    set(kernels ${ARGN})
    set(c_sources ${ARGN})
    list(FILTER kernels EXCLUDE REGEX "\\.c$")
    list(FILTER c_sources INCLUDE REGEX "\\.c$")
    set(c_objects "")
    if(c_sources)
        assay_module_c(${target} ${kind} ${c_sources})
        set(c_objects $<TARGET_OBJECTS:${target}_c>)
    endif()
    if(kind STREQUAL "cuda")
        set(sources ${kernels})
        set(language CUDA)
    else()
        assay_host_sources(sources ${kernels})
        set(language CXX)
    endif()
    # assay_compile_kernels reads this from its caller's scope.
    if(DEFINED ASSAY_HOST_KERNEL_OPTIONS_${kind})
        set(ASSAY_HOST_KERNEL_OPTIONS ${ASSAY_HOST_KERNEL_OPTIONS_${kind}} -g)
    endif()
    add_library(${target}_objects OBJECT ${sources})
    set_target_properties(${target}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS ON UNITY_BUILD OFF
        CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden)
    target_link_libraries(${target}_objects PRIVATE assay::device_${kind})
    # A `main` in a file of kernels is renamed, so that it does no harm.
    foreach(source ${sources})
        string(MD5 hash ${source})
        string(SUBSTRING ${hash} 0 8 hash)
        set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS main=assay_main_${hash})
    endforeach()
    assay_compile_kernels(${target}_objects ${language} ${sources})
    if(kind STREQUAL "cuda")
        # Host code that launches on the default stream uses its thread's stream, which is the harness's.
        # -lineinfo lets compute-sanitizer and the profilers name file and line, and changes no instruction.
        target_compile_options(${target}_objects PRIVATE --default-stream=per-thread -lineinfo
            $<$<CXX_COMPILER_ID:GNU>:-Xcompiler=-fno-gnu-unique>)
    endif()
    # The order matters: the static memory of the launchers lies between these two (harness/device/module_statics.h).
    foreach(side begin end)
        if(NOT TARGET assay_statics_${side})
            add_library(assay_statics_${side} OBJECT ${ASSAY_SUITE_FOLDER}/statics_${side}.c)
            set_target_properties(assay_statics_${side} PROPERTIES POSITION_INDEPENDENT_CODE ON)
        endif()
    endforeach()
    add_library(${target} MODULE $<TARGET_OBJECTS:assay_statics_begin> $<TARGET_OBJECTS:${target}_objects> ${c_objects}
        $<TARGET_OBJECTS:assay_statics_end>)
    set_target_properties(${target} PROPERTIES PREFIX "" LINKER_LANGUAGE ${language})
    assay_find_cc(cc)
    add_custom_command(TARGET ${target} PRE_LINK COMMAND ${cc} --apart $<TARGET_OBJECTS:${target}_objects>
        COMMAND_EXPAND_LISTS VERBATIM)
    target_link_libraries(${target} PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,assay::device_${kind}>)
    target_link_options(${target} PRIVATE LINKER:--build-id)
endfunction()

# Kernels are compiled once; other programs link the objects of the module. The objects are link items
# (target_link_libraries), since only a whole object library can be used as sources.
function(assay_kernel_objects output suite kind)
    list(JOIN ARGN "|" folders)
    set(objects "$<TARGET_OBJECTS:${suite}_kernels_${kind}_objects>")
    set(${output} "$<FILTER:${objects},INCLUDE,kernels/(${folders})/[^/]*$>" PARENT_SCOPE)
endfunction()

# A program and its cases for one lane: host, asan or tsan.
function(assay_suite_program target lane main table)
    get_property(case_sources GLOBAL PROPERTY assay_case_sources)
    add_library(${target}_cases STATIC ${table} ${case_sources})
    target_link_libraries(${target}_cases PUBLIC assay::assay)
    target_compile_options(${target}_cases PRIVATE -ffp-contract=off)
    set_target_properties(${target}_cases PROPERTIES UNITY_BUILD OFF)
    if(NOT lane STREQUAL "host")
        target_link_libraries(${target}_cases PUBLIC assay::sanitizer_${lane})
        target_compile_options(${target}_cases PRIVATE -O1 -g)
    endif()
    # ThreadSanitizer does not see the synchronisation in OpenMP's library, and would report races everywhere.
    if(TARGET OpenMP::OpenMP_C AND NOT ASSAY_SANITIZE STREQUAL "thread" AND NOT lane STREQUAL "tsan")
        target_link_libraries(${target}_cases PRIVATE OpenMP::OpenMP_C)
    else()
        target_compile_options(${target}_cases PRIVATE -Wno-unknown-pragmas)
    endif()
    add_executable(${target} ${main})
    target_link_libraries(${target} PRIVATE ${target}_cases)
    target_link_options(${target} PRIVATE LINKER:--build-id)
endfunction()

# The kernel module of a program, beside it, where it looks first. `kind`: as in the module's name; `lane`: how it is built.
function(assay_suite_module target kind lane)
    assay_kernel_module(${target}_kernels_${kind} ${lane} ${ARGN})
    get_target_property(folder ${target} RUNTIME_OUTPUT_DIRECTORY)
    if(NOT folder)
        set(folder ${CMAKE_CURRENT_BINARY_DIR})
    endif()
    set_target_properties(${target}_kernels_${kind} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${folder})
endfunction()

# The lanes asan and tsan: the program and its host module, built again as TARGET_LANE for --lane. The target TARGET_lanes
# builds all of them; the lanes in LANES are also part of the default build.
function(assay_suite_lanes target main table)
    get_property(kernel_sources GLOBAL PROPERTY assay_kernel_sources)
    list(REMOVE_DUPLICATES kernel_sources)
    assay_find_runtimes(lanes)
    foreach(lane ${ARGN})
        if(NOT lane IN_LIST lanes OR NOT TARGET assay::device_${lane})
            message(FATAL_ERROR "assay_suite: there is no lane '${lane}' here: asan, tsan, as far as the compiler has them")
        endif()
    endforeach()
    add_custom_target(${target}_lanes)
    foreach(lane ${lanes})
        if(TARGET assay::device_${lane})
            assay_suite_program(${target}_${lane} ${lane} ${main} ${table})
            assay_suite_module(${target}_${lane} host ${lane} ${kernel_sources})
            add_dependencies(${target}_${lane} ${target}_${lane}_kernels_host)
            add_dependencies(${target}_lanes ${target}_${lane})
            if(NOT lane IN_LIST ARGN)
                set(parts ${target}_${lane} ${target}_${lane}_cases ${target}_${lane}_kernels_host
                    ${target}_${lane}_kernels_host_objects)
                if(TARGET ${target}_${lane}_kernels_host_c)
                    list(APPEND parts ${target}_${lane}_kernels_host_c)
                endif()
                set_target_properties(${parts} PROPERTIES EXCLUDE_FROM_ALL ON)
            endif()
        endif()
    endforeach()
endfunction()

function(assay_suite target)
    cmake_parse_arguments(arg "" "MAIN" "LANES" ${ARGN})
    if(NOT arg_MAIN)
        set(arg_MAIN ${CMAKE_CURRENT_SOURCE_DIR}/main.c)
        if(NOT EXISTS ${arg_MAIN})
            set(arg_MAIN ${CMAKE_CURRENT_BINARY_DIR}/${target}_main.c)
            file(CONFIGURE OUTPUT ${arg_MAIN} @ONLY CONTENT "#include <assay.h>\nextern const assay_case *const assay_cases[];\n\
int main(int argc, char **argv) { return assay_main(argc, argv, assay_cases); }\n")
        endif()
    endif()
    get_property(kernel_sources GLOBAL PROPERTY assay_kernel_sources)
    list(REMOVE_DUPLICATES kernel_sources) # a file may define two cases
    set(table ${CMAKE_CURRENT_BINARY_DIR}/${target}_cases.c)
    assay_write_case_table(${table})
    find_package(OpenMP QUIET COMPONENTS C)
    assay_suite_program(${target} host ${arg_MAIN} ${table})
    assay_suite_module(${target} host host ${kernel_sources})
    # CMake enables a language for a folder: if assay enabled it as a subdirectory, it is not known here.
    if(TARGET assay::device_cuda AND NOT ASSAY_CUDA STREQUAL "OFF")
        if(CMAKE_CUDA_COMPILER_LOADED)
            assay_suite_module(${target} cuda cuda ${kernel_sources})
        else()
            message(WARNING "assay_suite(${target}) builds no CUDA kernels, as this project has not enabled the language: "
                "project(... LANGUAGES C CXX CUDA), or ASSAY_CUDA=OFF")
        endif()
    endif()
    if(NOT ASSAY_SANITIZE)
        assay_suite_lanes(${target} ${arg_MAIN} ${table} ${arg_LANES})
    endif()
    assay_write_build_file(${target})
    # Targets that build only what the check of one case needs: the short way from a changed kernel to its verdict.
    get_property(symbols GLOBAL PROPERTY assay_case_symbols)
    # These cases belong to this suite; the next suite begins with none.
    set_target_properties(${target} PROPERTIES ASSAY_CASES "${symbols}")
    foreach(list assay_case_symbols assay_case_sources assay_kernel_sources)
        set_property(GLOBAL PROPERTY ${list} "")
    endforeach()
    foreach(kind host cuda)
        foreach(case ${symbols})
            if(TARGET ${target}_kernels_${kind} AND NOT TARGET check_${case}_${kind})
                add_custom_target(check_${case}_${kind} COMMAND ${target} check ${case} --device ${kind}
                    DEPENDS ${target}_kernels_${kind} WORKING_DIRECTORY ${CMAKE_BINARY_DIR} USES_TERMINAL VERBATIM)
            endif()
        endforeach()
    endforeach()
endfunction()

# Copied, not linked: the build tree may be used on another machine.
function(assay_peers folder)
    set(output ${CMAKE_CURRENT_BINARY_DIR})
    if(CMAKE_RUNTIME_OUTPUT_DIRECTORY)
        set(output ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
    endif()
    file(GLOB scripts CONFIGURE_DEPENDS ${folder}/*.py)
    # The package that every script imports, and the script that serves files of --script: from this tree, or as installed.
    foreach(place ../python ../../../share/assay/peers)
        set(side ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${place})
        if(EXISTS ${side}/assay/peer.py)
            list(APPEND scripts ${side}/assay_variants.py)
            file(GLOB modules CONFIGURE_DEPENDS ${side}/assay/*.py)
            foreach(module ${modules})
                cmake_path(GET module FILENAME name)
                configure_file(${module} ${output}/peers/assay/${name} COPYONLY)
            endforeach()
        endif()
    endforeach()
    foreach(script ${scripts})
        cmake_path(GET script FILENAME name)
        configure_file(${script} ${output}/peers/${name} COPYONLY)
    endforeach()
endfunction()

# Adds the tests NAME_shard_1 to NAME_shard_N, each with one part of the points that a command of assay selects and with a
# GPU of its own, and NAME_merge, which merges their databases into NAME.db. ctest gives each GPU of --resource-spec-file
# (assay doctor --resource-spec FILE) to one test at a time; without that file all these tests are skipped.
#
#   assay_add_shards(bench COUNT 8 PROGRAM $<TARGET_FILE:assay> LABELS gpu TIMEOUT 3600 ARGUMENTS bench axpy)
function(assay_add_shards name)
    cmake_parse_arguments(arg "" "COUNT;PROGRAM;TIMEOUT" "LABELS;ARGUMENTS" ${ARGN})
    if(NOT arg_COUNT OR NOT arg_PROGRAM OR NOT arg_ARGUMENTS)
        message(FATAL_ERROR "assay_add_shards needs COUNT, PROGRAM and ARGUMENTS")
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 1800)
    endif()
    set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/assay_shard)
    set(tests "")
    set(files "")
    foreach(shard RANGE 1 ${arg_COUNT})
        set(test ${name}_shard_${shard})
        set(file ${CMAKE_CURRENT_BINARY_DIR}/${test}.db)
        add_test(NAME ${test} COMMAND ${script} run ${file} ${arg_PROGRAM} ${arg_ARGUMENTS}
            --device cuda --shard ${shard}/${arg_COUNT})
        set_tests_properties(${test} PROPERTIES RESOURCE_GROUPS "gpus:1")
        list(APPEND tests ${test})
        list(APPEND files ${file})
    endforeach()
    add_test(NAME ${name}_merge COMMAND ${script} merge ${CMAKE_CURRENT_BINARY_DIR}/${name}.db
        ${arg_PROGRAM} ${files})
    set_tests_properties(${name}_merge PROPERTIES DEPENDS "${tests}")
    set_tests_properties(${tests} ${name}_merge PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT}
        SKIP_RETURN_CODE 77)
endfunction()

# Adds a test: the edge sizes of a case, checked by the program of a suite. DEVICE: host or cuda. A test on cuda ends with
# 77 if there is no GPU, and no other one runs at the same time.
#
#   assay_add_check(check_axpy_long SUITE assay CASE axpy DEVICE host LABELS full ARGUMENTS --axis n=1000000)
function(assay_add_check name)
    cmake_parse_arguments(arg "" "SUITE;CASE;DEVICE" "LABELS;ARGUMENTS" ${ARGN})
    add_test(NAME ${name} COMMAND ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/assay_check $<TARGET_FILE:${arg_SUITE}> ${arg_CASE}
        ${arg_DEVICE} ${CMAKE_CURRENT_BINARY_DIR}/${name}.db ${arg_ARGUMENTS})
    # OpenMP threads that wait for each other must not take CPU time from other tests.
    set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 1800 SKIP_RETURN_CODE 77
        ENVIRONMENT OMP_WAIT_POLICY=passive)
    if(arg_DEVICE STREQUAL "cuda")
        set_tests_properties(${name} PROPERTIES RESOURCE_LOCK gpu)
    endif()
endfunction()

# Adds check_CASE_host and check_CASE_cuda for each case of a suite, so that `ctest -R check_CASE` is a gate on any machine.
# Tests on the GPU have the label gpu, the others LABELS. If ASSAY_CHECK_ARGUMENTS_CASE is set before, it has further options
# of `assay check` for that case on the host, where kernels are slow. A build with a sanitizer has no kernels for a GPU.
# PREFIX is put before the names.
function(assay_add_checks suite)
    cmake_parse_arguments(arg "" "PREFIX" "LABELS" ${ARGN})
    get_target_property(symbols ${suite} ASSAY_CASES)
    foreach(case ${symbols})
        set(common SUITE ${suite} CASE ${case})
        assay_add_check(${arg_PREFIX}check_${case}_host DEVICE host LABELS ${arg_LABELS} ${common}
            ARGUMENTS ${ASSAY_CHECK_ARGUMENTS_${case}})
        if(NOT ASSAY_SANITIZE)
            assay_add_check(${arg_PREFIX}check_${case}_cuda DEVICE cuda LABELS gpu ${common})
        endif()
    endforeach()
endfunction()
