# What the code is compiled with, and the kinds of build.

# No kind of build given: optimised.  Inside another project that holds for this folder only.
get_property(many_kinds GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT CMAKE_BUILD_TYPE AND NOT many_kinds)
    if(CLEARWAY_ALONE)
        set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
    else()
        set(CMAKE_BUILD_TYPE RelWithDebInfo)
        message(NOTICE "clearway: CMAKE_BUILD_TYPE is not set; the library is built as RelWithDebInfo (-O2)")
    endif()
endif()
unset(many_kinds)

# Asserts stay on in everything but Release.  -O1 keeps the checked builds quick
# enough for the whole suite and their reports readable.
set(CLEARWAY_DEBUG_LEVEL 2 CACHE STRING "-g of this level: 1 has lines alone, and compiles in a fifth less time")
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g${CLEARWAY_DEBUG_LEVEL}")
set(CMAKE_C_FLAGS_SANITIZE "-O1 -g1 -fno-omit-frame-pointer \
-fsanitize=address,undefined -fno-sanitize-recover=all")
set(CMAKE_C_FLAGS_THREADS "-O1 -g1 -fno-omit-frame-pointer -fsanitize=thread")
set(CMAKE_C_FLAGS_MEMORY "-O1 -g1 -fno-omit-frame-pointer -fsanitize=memory")
set(CMAKE_C_FLAGS_COVERAGE "-O1 -g --coverage")

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Loops that may become vectors are marked with OpenMP's simd pragma, which needs no library.
include(CheckCCompilerFlag)
check_c_compiler_flag(-fopenmp-simd CLEARWAY_SIMD)

add_library(clearway_warnings INTERFACE)
target_compile_options(clearway_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:C>:-Wall;-Wextra;-Wno-missing-field-initializers>
    $<$<AND:$<COMPILE_LANGUAGE:C>,$<BOOL:${CLEARWAY_WERROR}>>:-Werror>
    # Under sanitizers, loops that are marked for it do not become vectors; clang would say so of each.
    $<$<AND:$<COMPILE_LANG_AND_ID:C,Clang>,$<CONFIG:Sanitize,Threads,Memory>>:-Wno-pass-failed>)

# For everything that sees the internals.  __FILE__ is relative to the source tree,
# because the machine names source lines in its messages.
add_library(clearway_flags INTERFACE)
target_link_libraries(clearway_flags INTERFACE clearway_warnings)
target_include_directories(clearway_flags INTERFACE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_compile_options(clearway_flags INTERFACE
    $<$<COMPILE_LANGUAGE:C>:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>)
# Thread-locals are read at every banked access, so they must not cost a call.  In a program the linker sees to that.  In
# a shared library this option does, but CUDA's runtime brings 4 KiB of its own, and a library that is loaded while the
# program runs (Python's import, dlopen) has no room for that beside the program's.
if(CLEARWAY_CUDA STREQUAL "OFF" AND NOT CLEARWAY_PYTHON)
    target_compile_options(clearway_flags INTERFACE
        $<$<COMPILE_LANGUAGE:C>:-ftls-model=initial-exec>)
endif()
if(CLEARWAY_SIMD)
    target_compile_options(clearway_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:-fopenmp-simd>)
    target_compile_definitions(clearway_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:CW_HAVE_SIMD>)
endif()
include(hardening)
