# What `make install` puts under PREFIX: header, both libraries, clearway.pc, the CMake package;
# the tool, its manual pages and its completion for bash.

install(FILES include/clearway.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set_target_properties(clearway_shared PROPERTIES EXPORT_NAME clearway)
set_target_properties(clearway_lib PROPERTIES EXPORT_NAME clearway_static)
install(TARGETS clearway_lib clearway_shared EXPORT clearway
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET clearway_cli)
    install(TARGETS clearway_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(FILES cmake/completion.bash
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME clearway)
    install(FILES ${CLEARWAY_MAN} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# find_package(clearway): clearway::clearway, and clearway::clearway_static.
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/clearway)
configure_package_config_file(cmake/package.cmake.in clearwayConfig.cmake
    INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/clearwayConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/clearwayConfig.cmake
    ${PROJECT_BINARY_DIR}/clearwayConfigVersion.cmake DESTINATION ${package})
install(EXPORT clearway NAMESPACE clearway:: FILE clearwayTargets.cmake DESTINATION ${package})

# The .pc file finds its prefix from where it lies, since PREFIX is only known when installing.
file(RELATIVE_PATH CLEARWAY_PC_UP
    /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
set(CLEARWAY_PC_PRIVATE "-lm -lpthread")
if(CLEARWAY_CUDA_SOURCES)
    string(APPEND CLEARWAY_PC_PRIVATE " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt -lpthread -lstdc++")
endif()
configure_file(cmake/clearway.pc.in clearway.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/clearway.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
