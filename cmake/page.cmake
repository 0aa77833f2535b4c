# The tool's pages as C arrays in the build folder, the viewer, the calculator and the gallery: CLEARWAY_PAGE.
set(script ${PROJECT_SOURCE_DIR}/cmake/page_script.cmake)
set(shared ${PROJECT_SOURCE_DIR}/viewer/theme.css)
set(CLEARWAY_PAGE)
foreach(page "viewer|viewer|page" "viewer/conflicts|calculator|calculator" "viewer/gallery|gallery|gallery")
    string(REPLACE "|" ";" page "${page}")
    list(GET page 0 folder)
    list(GET page 1 name)
    list(GET page 2 file)
    set(from ${PROJECT_SOURCE_DIR}/${folder})
    set(to ${PROJECT_BINARY_DIR}/viewer)
    file(GLOB parts CONFIGURE_DEPENDS ${from}/*.html ${from}/*.css ${from}/*.js)
    add_custom_command(OUTPUT ${to}/${name}_data.c
        COMMAND ${CMAKE_COMMAND} -DVIEWER=${from} -DSHARED=${shared} -DNAME=page_${name}
            -DPAGE=${to}/${file}.html -DARRAY=${to}/${name}_data.c -P ${script}
        DEPENDS ${parts} ${shared} ${script}
        COMMENT "Packing the ${name}"
        VERBATIM)
    list(APPEND CLEARWAY_PAGE ${to}/${name}_data.c)
endforeach()
