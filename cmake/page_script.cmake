# viewer/*.{html,css,js} -> one page -> a C array.  Run as a script:
#
#   cmake -DVIEWER=viewer -DSHARED=viewer/theme.css -DNAME=page_viewer -DPAGE=page.html \
#       -DARRAY=viewer_data.c -P cmake/page_script.cmake
#
# page.html names its parts as /*@file@*/.  Where it says <!--@data@--> the tool puts what the page
# shows, so the array is split there.
cmake_minimum_required(VERSION 3.18)

file(READ ${VIEWER}/page.html page)
file(GLOB parts ${VIEWER}/*.css ${VIEWER}/*.js)
foreach(path ${parts} ${SHARED})
    file(READ ${path} text)
    get_filename_component(part ${path} NAME)
    string(REPLACE "/*@${part}@*/" "${text}" page "${page}")
endforeach()
if(page MATCHES "/\\*@([a-z.]+)@\\*/")
    message(FATAL_ERROR "${VIEWER}/page.html names a part that is not there: ${CMAKE_MATCH_1}")
endif()
file(WRITE ${PAGE} "${page}")

string(FIND "${page}" "<!--@data@-->" split)
if(split LESS 0)
    message(FATAL_ERROR "${VIEWER}/page.html has no place for data")
endif()
file(READ ${PAGE} bytes HEX)
string(FIND "${bytes}" "3c212d2d4064617461402d2d3e" split) # the same mark, in bytes
math(EXPR split "${split} / 2")
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)"
    "\\1\n" bytes "${bytes}")
file(WRITE ${ARRAY} "/* made from viewer/ by cmake/page_script.cmake */
#include \"cli/viewer/page.h\"

static const unsigned char bytes[] = {
${bytes}};
const struct page ${NAME} = {bytes, sizeof bytes, ${split}};
")
