# The Python package's extension, clearway/_clearway.abi3.so: CPython's limited API from 3.10 on, so that one file
# serves all later versions.  pip builds it by pyproject.toml; -DCLEARWAY_PYTHON=ON by hand.
if(CMAKE_VERSION VERSION_LESS 3.18)
    message(FATAL_ERROR "the Python package needs CMake 3.18")
endif()
find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)

file(GLOB extension CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/ext/*.c)
add_library(clearway_python MODULE ${extension})
target_include_directories(clearway_python PRIVATE ${Python_INCLUDE_DIRS})
target_compile_definitions(clearway_python PRIVATE Py_LIMITED_API=0x030A0000)
target_link_libraries(clearway_python PRIVATE clearway_lib clearway_flags)
set_target_properties(clearway_python PROPERTIES
    PREFIX "" OUTPUT_NAME _clearway SUFFIX .abi3.so
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python)
if(NOT APPLE)
    target_link_options(clearway_python PRIVATE -Wl,--exclude-libs,ALL)
endif()
install(TARGETS clearway_python DESTINATION clearway COMPONENT python)
string(APPEND says ", Python")
