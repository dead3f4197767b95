# Finds a CUDA compiler if one is wanted. Sets ASSAY_HAS_CUDA, and ASSAY_NO_CUDA: "" or the reason why there is none.
#
# Kernels are compiled to machine code for sm_80 and sm_90, and to PTX of sm_90 for later cards. CMAKE_CUDA_ARCHITECTURES or
# the environment variable CUDAARCHS override this.

include(CheckLanguage)

set(ASSAY_HAS_CUDA OFF)
set(ASSAY_NO_CUDA "assay was built with ASSAY_CUDA=OFF")
if(NOT ASSAY_CUDA STREQUAL "OFF")
    if(NOT CMAKE_CUDA_COMPILER)
        find_program(ASSAY_NVCC nvcc HINTS /usr/local/cuda/bin ENV CUDA_HOME PATH_SUFFIXES bin)
        if(ASSAY_NVCC)
            set(CMAKE_CUDA_COMPILER ${ASSAY_NVCC})
        endif()
    endif()
    if(NOT CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
        set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
    endif()
    if(CMAKE_CUDA_COMPILER)
        enable_language(CUDA)
        find_package(CUDAToolkit REQUIRED)
        if(CUDAToolkit_VERSION VERSION_LESS 12.8) # the atomics in kernel.h are built into nvcc since then
            message(FATAL_ERROR "CUDA ${CUDAToolkit_VERSION} is too old for kernel.h: 12.8 or newer, or -DASSAY_CUDA=OFF")
        endif()
        set(CMAKE_CUDA_STANDARD 17)
        set(CMAKE_CUDA_STANDARD_REQUIRED ON)
        set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
        set(ASSAY_HAS_CUDA ON)
        set(ASSAY_NO_CUDA "")
    elseif(ASSAY_CUDA STREQUAL "ON")
        message(FATAL_ERROR "ASSAY_CUDA=ON, but there is no CUDA compiler (nvcc) here")
    else()
        set(ASSAY_NO_CUDA "no CUDA compiler (nvcc) was found where assay was built")
        message(STATUS "No CUDA compiler: only the host kernel module is built")
    endif()
endif()
