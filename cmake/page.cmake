# The viewer's page as a C array in the build folder: CLEARWAY_PAGE.
set(viewer ${PROJECT_SOURCE_DIR}/viewer)
set(script ${PROJECT_SOURCE_DIR}/cmake/page_script.cmake)
set(CLEARWAY_PAGE ${PROJECT_BINARY_DIR}/viewer/page_data.c)
file(GLOB parts CONFIGURE_DEPENDS ${viewer}/*.html ${viewer}/*.css ${viewer}/*.js)
add_custom_command(OUTPUT ${CLEARWAY_PAGE}
    COMMAND ${CMAKE_COMMAND} -DVIEWER=${viewer} -DPAGE=${PROJECT_BINARY_DIR}/viewer/page.html
        -DARRAY=${CLEARWAY_PAGE} -P ${script}
    DEPENDS ${parts} ${script}
    COMMENT "Packing the viewer"
    VERBATIM)
