# What `make install` puts under PREFIX: headers, both libraries, clearway.pc, the CMake package, the licence;
# the tool, its manual pages and its completion for bash, zsh and fish.

install(FILES include/clearway.h include/clearway.hpp include/clearway_distributed.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright) # the name that Debian looks for
# zsh reads site-functions, and Debian's zsh vendor-completions below /usr.
set(CLEARWAY_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr" AND EXISTS /etc/debian_version)
    set(CLEARWAY_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
endif()
set_target_properties(clearway_shared PROPERTIES EXPORT_NAME clearway)
set_target_properties(clearway_lib PROPERTIES EXPORT_NAME clearway_static)
install(TARGETS clearway_lib clearway_shared EXPORT clearway
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET clearway_cli)
    install(TARGETS clearway_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(FILES cmake/completion.bash
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME clearway)
    install(FILES cmake/completion.zsh DESTINATION ${CLEARWAY_ZSH_DIR} RENAME _clearway)
    install(FILES cmake/completion.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME clearway.fish)
    install(FILES ${CLEARWAY_MAN} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# Manual pages of the API, if `make docs` has made them.
install(DIRECTORY ${PROJECT_BINARY_DIR}/docs/man/man3 DESTINATION ${CMAKE_INSTALL_MANDIR} OPTIONAL)

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

# find_package(clearway COMPONENTS mpi): clearway::clearway_mpi, which needs MPI.
if(TARGET clearway_mpi_shared)
    install(FILES include/clearway_mpi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    set_target_properties(clearway_mpi_shared PROPERTIES EXPORT_NAME clearway_mpi)
    set_target_properties(clearway_mpi_lib PROPERTIES EXPORT_NAME clearway_mpi_static)
    if(TARGET clearway_mpi_cli)
        install(TARGETS clearway_mpi_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    endif()
    install(TARGETS clearway_mpi_lib clearway_mpi_shared EXPORT clearway_mpi
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT clearway_mpi NAMESPACE clearway:: FILE clearwayMpiTargets.cmake
        DESTINATION ${package})
endif()

if(TARGET clearway_nccl_lib)
    install(FILES include/clearway_nccl.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(TARGETS clearway_nccl_lib ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

# The .pc file finds its prefix from where it lies, since PREFIX is only known when installing.
file(RELATIVE_PATH CLEARWAY_PC_UP
    /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
set(CLEARWAY_PC_PRIVATE "-lm -lpthread")
if(CLEARWAY_CUDA_SOURCES)
    string(APPEND CLEARWAY_PC_PRIVATE " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt -lpthread -lstdc++")
endif()
configure_file(cmake/clearway.pc.in clearway.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/clearway.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# All that is installed and nothing else, which is what `make install` builds.
add_custom_target(clearway_installed)
foreach(target clearway_lib clearway_shared clearway_cli clearway_man
    clearway_mpi_lib clearway_mpi_shared clearway_mpi_cli clearway_nccl_lib)
    if(TARGET ${target})
        add_dependencies(clearway_installed ${target})
    endif()
endforeach()
