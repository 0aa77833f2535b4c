# Kernels: src/instances.def says which bodies are compiled, and with what defined.
#
# Out: CLEARWAY_EMULATED_INSTANCES, CLEARWAY_CUDA_INSTANCES: a source file for each line and set of shapes, in
#      the build folder.  A file is written only when it changes, so that nothing is compiled again for nothing.

set(definition ${PROJECT_SOURCE_DIR}/src/instances.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${definition})
set(CLEARWAY_EMULATED_INSTANCES)
set(CLEARWAY_CUDA_INSTANCES)

function(clearway_write_if_new path text)
    set(old)
    if(EXISTS ${path})
        file(READ ${path} old)
    endif()
    if(NOT old STREQUAL text)
        file(WRITE ${path} "${text}")
    endif()
endfunction()

# One source file: which shapes, then what the line says.
macro(clearway_instance machine file shapes text)
    set(path ${PROJECT_BINARY_DIR}/instances/${machine}/${file})
    set(mine)
    if(${machine} STREQUAL "cuda")
        set(mine "#define CW_CUDA_INSTANCE\n")
        list(APPEND CLEARWAY_CUDA_INSTANCES ${path})
    else()
        list(APPEND CLEARWAY_EMULATED_INSTANCES ${path})
    endif()
    clearway_write_if_new(${path}
        "/* Written by cmake/instances.cmake from src/instances.def. */\n${mine}${shapes}${text}")
endmacro()

file(STRINGS ${definition} lines REGEX "^[a-z]")
foreach(line IN LISTS lines)
    if(NOT line MATCHES "^([a-z0-9_]+) *\\| *([^|]*)\\| *([^|]+)(\\| *(same|small|large) *)?$")
        message(FATAL_ERROR "instances.def: not 'name | defines | bodies | mark': ${line}")
    endif()
    set(name ${CMAKE_MATCH_1})
    set(defines "${CMAKE_MATCH_2}")
    set(bodies "${CMAKE_MATCH_3}")
    set(mark "${CMAKE_MATCH_5}")
    string(REGEX MATCHALL "[^ ]+" defines "${defines}")
    string(REGEX MATCHALL "[^ ]+" bodies "${bodies}")
    set(text "#include \"dev/shapes.h\"\n")
    foreach(define IN LISTS defines)
        string(REPLACE "=" " " define "${define}")
        string(APPEND text "#define ${define}\n")
    endforeach()
    foreach(body IN LISTS bodies)
        if(NOT EXISTS ${PROJECT_SOURCE_DIR}/src/${body})
            message(FATAL_ERROR "instances.def: ${name}: there is no src/${body}")
        endif()
        string(APPEND text "#include \"${body}\"\n")
    endforeach()
    set(not_small)
    if(mark MATCHES "^(small|large)$")
        set(not_small "#define SHAPES_NOT_SMALL\n")
    endif()
    if(mark STREQUAL "same")
        clearway_instance(emulated ${name}.c "#define SHAPES 0\n#define SHAPES_SAME\n" "${text}")
    else()
        clearway_instance(emulated ${name}_tiny.c "#define SHAPES 0\n" "${text}")
        clearway_instance(emulated ${name}_large.c "#define SHAPES 2\n${not_small}" "${text}")
    endif()
    if(mark STREQUAL "small")
        clearway_instance(emulated ${name}_small.c "#define SHAPES 1\n" "${text}")
        clearway_instance(cuda ${name}_small.cu "#define SHAPES 1\n" "${text}")
    endif()
    clearway_instance(cuda ${name}.cu "#define SHAPES 2\n${not_small}" "${text}")
endforeach()

# They are two thirds of what there is to compile.  At -O1 and without a debugger's tables of variables that takes 40 s of
# processor time and not 70 (gcc 12).  Lanes spend their time in the emulator, not here: `clearway verify` takes 4 %
# longer.  The paper's kernels stay at -O2, because of gcc's false warnings at -O1.
set(quick ${CLEARWAY_EMULATED_INSTANCES})
list(FILTER quick EXCLUDE REGEX "/paper[^/]*$")
set_source_files_properties(${quick} PROPERTIES COMPILE_OPTIONS
    "$<$<CONFIG:RelWithDebInfo>:-O1;-g1>;$<$<CONFIG:Release>:-O1>")

# Under sanitizers few tests run a GPU's shapes, but compiling them took a fifth of the time.  At -O0 it takes a third of that.
set(rare ${CLEARWAY_EMULATED_INSTANCES})
list(FILTER rare INCLUDE REGEX "_(large|small)[.]c$")
set_property(SOURCE ${rare} APPEND PROPERTY COMPILE_OPTIONS "$<$<CONFIG:Sanitize>:-O0>")

# Where there is no array, kernels add 0 to a null pointer, as C++ allows and C does not.
set_property(SOURCE ${CLEARWAY_EMULATED_INSTANCES} APPEND PROPERTY COMPILE_OPTIONS
    "$<$<AND:$<CONFIG:Sanitize>,$<C_COMPILER_ID:Clang>>:-fno-sanitize=pointer-overflow>")
