# The version stands in one place, include/clearway.h; CMake reads it there, and
# configures again when the header changes.
set(header ${CMAKE_CURRENT_SOURCE_DIR}/include/clearway.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
file(STRINGS ${header} line REGEX "^#define CW_VERSION +\"[0-9]+\\.[0-9]+\\.[0-9]+\"")
if(NOT line)
    message(FATAL_ERROR "include/clearway.h does not define CW_VERSION as \"x.y.z\"")
endif()
string(REGEX REPLACE ".*\"([0-9.]+)\".*" "\\1" CLEARWAY_VERSION "${line}")
unset(header)
unset(line)
