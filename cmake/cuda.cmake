# CUDA is built when there is something to build and an nvcc that works.
#
# Out: CLEARWAY_CUDA_SOURCES, CLEARWAY_CUDA_LIBRARIES (both empty without CUDA) and
#      CLEARWAY_CUDA_SAYS, the part of the closing line that says so.

set(CLEARWAY_CUDA_SOURCES)
set(CLEARWAY_CUDA_LIBRARIES)
file(GLOB cuda_sources CONFIGURE_DEPENDS src/backend/cuda/*.cu)

if(CLEARWAY_CUDA STREQUAL "OFF")
    set(CLEARWAY_CUDA_SAYS "CUDA no (CLEARWAY_CUDA=OFF)")
elseif(NOT cuda_sources)
    set(CLEARWAY_CUDA_SAYS "CUDA no (no .cu sources)")
else()
    # sm_80 as machine code, which 8.6 and 8.9 run too; sm_90; and PTX, from which drivers make code for 10.0, 12.0 and
    # what comes after.  For one GPU only: -DCMAKE_CUDA_ARCHITECTURES=86-real.
    set(CMAKE_CUDA_ARCHITECTURES "80-real;90-real;90-virtual" CACHE STRING "GPUs to build for")
    find_program(CLEARWAY_NVCC nvcc PATHS /usr/local/cuda PATH_SUFFIXES bin)
    if(CLEARWAY_NVCC)
        if(NOT CMAKE_CUDA_COMPILER)
            set(CMAKE_CUDA_COMPILER ${CLEARWAY_NVCC} CACHE FILEPATH "")
        endif()
        # In a scratch project first: an nvcc that cannot compile must not end the build.
        if(NOT CLEARWAY_NVCC_WORKS)
            file(WRITE ${PROJECT_BINARY_DIR}/try-cuda/try.cu "__global__ void k(void) {}\n")
            execute_process(
                COMMAND ${CMAKE_CUDA_COMPILER} -c try.cu -o try.o
                WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/try-cuda
                RESULT_VARIABLE failed OUTPUT_FILE try.log ERROR_FILE try.log)
            if(NOT failed)
                set(CLEARWAY_NVCC_WORKS ON CACHE INTERNAL "")
            endif()
        endif()
    endif()

    if(NOT CLEARWAY_NVCC)
        set(CLEARWAY_CUDA_SAYS "CUDA no (nvcc not found)")
    elseif(NOT CLEARWAY_NVCC_WORKS)
        set(CLEARWAY_CUDA_SAYS "CUDA no (nvcc does not work, see try-cuda/try.log)")
    else()
        enable_language(CUDA)
        find_package(CUDAToolkit REQUIRED)
        set(CMAKE_CUDA_STANDARD 17)
        set(CMAKE_CUDA_STANDARD_REQUIRED ON)
        set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
        set(CMAKE_CUDA_FLAGS_RELWITHDEBINFO "-O2 -g -lineinfo")
        target_compile_options(clearway_warnings INTERFACE
            $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>
            $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${CLEARWAY_WERROR}>>:-Werror=all-warnings>)
        target_compile_definitions(clearway_flags INTERFACE CW_HAVE_CUDA=1)
        set(CLEARWAY_CUDA_SOURCES ${cuda_sources} ${CLEARWAY_CUDA_INSTANCES})
        set(CLEARWAY_CUDA_LIBRARIES CUDA::cudart_static)
        string(REPLACE ";" " " targets "${CMAKE_CUDA_ARCHITECTURES}")
        set(CLEARWAY_CUDA_SAYS "CUDA ${CMAKE_CUDA_COMPILER_VERSION} (${targets})")
        # Said once for each list of GPUs, because it takes minutes and nobody expects that.
        if(NOT "${CLEARWAY_CUDA_TOLD}" STREQUAL "${targets}")
            list(LENGTH CLEARWAY_CUDA_SOURCES count)
            message(NOTICE "clearway: ${count} CUDA files will be compiled for ${targets}, which takes minutes.\n"
                "  For the GPU of this machine only: -DCMAKE_CUDA_ARCHITECTURES=native; without CUDA: -DCLEARWAY_CUDA=OFF\n"
                "  (with make: CMAKE_FLAGS=-DCMAKE_CUDA_ARCHITECTURES=native, or CUDA=OFF)")
            set(CLEARWAY_CUDA_TOLD "${targets}" CACHE INTERNAL "")
        endif()
    endif()
endif()

if(CLEARWAY_CUDA STREQUAL "ON" AND NOT CLEARWAY_CUDA_SOURCES)
    message(FATAL_ERROR "CLEARWAY_CUDA=ON, but: ${CLEARWAY_CUDA_SAYS}")
endif()
