# CLEARWAY_MAP: the version script of the shared library.  It exports what its headers declare with
# CW_API, with the version before 1.0 that the soname has too, and nothing else.

set(names)
foreach(file clearway.h clearway_distributed.h)
    set(file ${PROJECT_SOURCE_DIR}/include/${file})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} header)
    string(REGEX MATCHALL "CW_API [^(;]*cw_[a-z0-9_]*\\(" declared "${header}")
    foreach(line ${declared})
        string(REGEX REPLACE ".*[^a-z0-9_](cw_[a-z0-9_]*)\\(" "\\1" name "${line}")
        string(APPEND names "        ${name};\n")
    endforeach()
endforeach()
set(CLEARWAY_MAP ${PROJECT_BINARY_DIR}/clearway.map)
file(CONFIGURE OUTPUT ${CLEARWAY_MAP} CONTENT
"CLEARWAY_${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} {
    global:
@names@    local:
        *;
};
" @ONLY)

check_linker_flag(C "LINKER:--version-script=${CLEARWAY_MAP}" CLEARWAY_VERSION_SCRIPT)
if(CLEARWAY_VERSION_SCRIPT)
    target_link_options(clearway_shared PRIVATE LINKER:--version-script=${CLEARWAY_MAP})
    set_target_properties(clearway_shared PROPERTIES LINK_DEPENDS ${CLEARWAY_MAP})
endif()
