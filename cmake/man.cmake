# Manual pages: clearway.1 from docs/man, and one for each command from what its --help says, so that
# they cannot fall behind.  CLEARWAY_MAN lists the pages; a tool for another machine has none.
set(CLEARWAY_MAN)
set(script ${PROJECT_SOURCE_DIR}/cmake/man_script.cmake)
set(main ${PROJECT_SOURCE_DIR}/cli/main.c)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${main})
file(STRINGS ${main} rows REGEX "^    {\"[a-z]+\", ")
if(NOT CMAKE_CROSSCOMPILING)
    set(commands)
    set(CLEARWAY_MAN ${PROJECT_BINARY_DIR}/man/clearway.1)
    foreach(row IN LISTS rows)
        string(REGEX REPLACE "^    {\"([a-z]+)\".*" "\\1" name "${row}")
        list(APPEND commands ${name})
        list(APPEND CLEARWAY_MAN ${PROJECT_BINARY_DIR}/man/clearway-${name}.1)
    endforeach()
    string(REPLACE ";" "," joined "${commands}")
    add_custom_command(OUTPUT ${CLEARWAY_MAN}
        COMMAND ${CMAKE_COMMAND} -DTOOL=$<TARGET_FILE:clearway_cli> -DCOMMANDS=${joined}
            -DPROJECT_VERSION=${PROJECT_VERSION} -DOUT=${PROJECT_BINARY_DIR}/man
            -DOVERVIEW=${PROJECT_SOURCE_DIR}/docs/man/clearway.1.in -P ${script}
        DEPENDS clearway_cli ${script} ${PROJECT_SOURCE_DIR}/docs/man/clearway.1.in
        COMMENT "Writing manual pages"
        VERBATIM)
    add_custom_target(clearway_man ALL DEPENDS ${CLEARWAY_MAN})
endif()
