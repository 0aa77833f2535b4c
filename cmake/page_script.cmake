# viewer/*.{html,css,js} -> one page -> a C array.  Run as a script:
#
#   cmake -DVIEWER=viewer -DPAGE=page.html -DARRAY=page_data.c -P cmake/page_script.cmake
#
# page.html names its parts as /*@file@*/.  Where it says <!--@data@--> the tool puts what the page
# shows, so the array is split there.
cmake_minimum_required(VERSION 3.18)

file(READ ${VIEWER}/page.html page)
file(GLOB parts RELATIVE ${VIEWER} ${VIEWER}/*.css ${VIEWER}/*.js)
foreach(part ${parts})
    file(READ ${VIEWER}/${part} text)
    string(REPLACE "/*@${part}@*/" "${text}" page "${page}")
endforeach()
if(page MATCHES "/\\*@([a-z.]+)@\\*/")
    message(FATAL_ERROR "viewer/page.html names a part that is not there: ${CMAKE_MATCH_1}")
endif()
file(WRITE ${PAGE} "${page}")

string(FIND "${page}" "<!--@data@-->" split)
if(split LESS 0)
    message(FATAL_ERROR "viewer/page.html has no place for data")
endif()
file(READ ${PAGE} bytes HEX)
string(FIND "${bytes}" "3c212d2d4064617461402d2d3e" split) # the same mark, in bytes
math(EXPR split "${split} / 2")
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)"
    "\\1\n" bytes "${bytes}")
file(WRITE ${ARRAY} "/* made from viewer/ by cmake/page_script.cmake */
#include \"page.h\"

const size_t page_split = ${split};
const unsigned char page_bytes[] = {
${bytes}};
const size_t page_size = sizeof page_bytes;
")
