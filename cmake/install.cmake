# What `make install` puts under PREFIX: header, both libraries, tool, clearway.pc.

install(FILES include/clearway.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS clearway_lib clearway_shared
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET clearway_cli)
    install(TARGETS clearway_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# The .pc file finds its prefix from where it lies, since PREFIX is only known when installing.
file(RELATIVE_PATH CLEARWAY_PC_UP
    /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
set(CLEARWAY_PC_PRIVATE "-lm${CLEARWAY_OPENMP_PC}")
if(CLEARWAY_CUDA_SOURCES)
    string(APPEND CLEARWAY_PC_PRIVATE " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt -lpthread -lstdc++")
endif()
configure_file(cmake/clearway.pc.in clearway.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/clearway.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
