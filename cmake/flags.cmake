# What the code is compiled with, and the kinds of build.

if(NOT CMAKE_BUILD_TYPE AND CLEARWAY_ALONE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

# Asserts stay on in everything but Release.  -O1 keeps the checked builds quick
# enough for the whole suite and their reports readable.
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g")
set(CMAKE_C_FLAGS_SANITIZE "-O1 -g1 -fno-omit-frame-pointer \
-fsanitize=address,undefined -fno-sanitize-recover=all")
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
    $<$<AND:$<COMPILE_LANGUAGE:C>,$<BOOL:${CLEARWAY_WERROR}>>:-Werror>)

# For everything that sees the internals.  __FILE__ is relative to the source tree,
# because the machine names source lines in its messages; thread-locals are read at
# every banked access, so they must not cost a call.
add_library(clearway_flags INTERFACE)
target_link_libraries(clearway_flags INTERFACE clearway_warnings)
target_include_directories(clearway_flags INTERFACE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_compile_options(clearway_flags INTERFACE
    $<$<COMPILE_LANGUAGE:C>:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>
    $<$<COMPILE_LANGUAGE:C>:-ftls-model=initial-exec>)
if(CLEARWAY_SIMD)
    target_compile_options(clearway_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:-fopenmp-simd>)
    target_compile_definitions(clearway_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:CW_HAVE_SIMD>)
endif()
