# OpenMP for the threads of the CPU backend; without it the library is whole, with one thread.
#
# Out: CLEARWAY_OPENMP_TARGET (to compile with), CLEARWAY_OPENMP_LIBRARIES (to link),
#      CLEARWAY_OPENMP_PC (the same for clearway.pc), all empty without it, and
#      CLEARWAY_OPENMP_SAYS, the part of the closing line that says so.

option(CLEARWAY_OPENMP "sort on several threads of the host" ON)
set(CLEARWAY_OPENMP_TARGET)
set(CLEARWAY_OPENMP_LIBRARIES)
set(CLEARWAY_OPENMP_PC)

if(NOT CLEARWAY_OPENMP)
    set(CLEARWAY_OPENMP_SAYS "one host thread (CLEARWAY_OPENMP=OFF)")
else()
    find_package(OpenMP QUIET COMPONENTS C)
    if(OpenMP_C_FOUND)
        set(CLEARWAY_OPENMP_TARGET OpenMP::OpenMP_C)
        set(CLEARWAY_OPENMP_LIBRARIES ${OpenMP_C_LIBRARIES})
        foreach(name ${OpenMP_C_LIB_NAMES}) # gomp pthread, or omp pthread
            # A library that lies beside others of the compiler needs its folder named.
            get_filename_component(folder "${OpenMP_${name}_LIBRARY}" DIRECTORY)
            if(name STREQUAL "omp")
                string(APPEND CLEARWAY_OPENMP_PC " -L${folder}")
            endif()
            string(APPEND CLEARWAY_OPENMP_PC " -l${name}")
        endforeach()
        set(CLEARWAY_OPENMP_SAYS "host threads (OpenMP ${OpenMP_C_VERSION})")
    else()
        set(CLEARWAY_OPENMP_SAYS
            "one host thread (${CMAKE_C_COMPILER_ID} has no OpenMP; clang needs libomp-dev)")
    endif()
endif()
