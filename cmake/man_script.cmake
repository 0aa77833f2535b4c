# Manual pages from the tool's own help.  Run as a script with TOOL, COMMANDS (a,b,c), OVERVIEW,
# PROJECT_VERSION and OUT.
cmake_minimum_required(VERSION 3.18)

function(says result)
    execute_process(COMMAND ${TOOL} ${ARGN} OUTPUT_VARIABLE text RESULT_VARIABLE failed)
    if(failed)
        message(FATAL_ERROR "${TOOL} ${ARGN}: ${failed}")
    endif()
    set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Text as roff takes it: backslashes, hyphens that are to stay hyphens, quotes at a line's beginning.
function(escaped result text)
    string(REPLACE "\\" "\\e" text "${text}")
    string(REPLACE "-" "\\-" text "${text}")
    string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" text "${text}")
    set(${result} "${text}" PARENT_SCOPE)
endfunction()

# The part of `text` from its first line that begins with two spaces and a hyphen, and what is before it.
function(split_options text before options after)
    string(REGEX MATCH "\n(  --?[^\n]*\n(                       [^\n]*\n|  --?[^\n]*\n)*)" table "${text}")
    string(FIND "${text}" "${table}" at)
    string(LENGTH "${table}" length)
    string(SUBSTRING "${text}" 0 ${at} head)
    math(EXPR at "${at} + ${length}")
    string(SUBSTRING "${text}" ${at} -1 tail)
    set(${before} "${head}" PARENT_SCOPE)
    set(${options} "${table}" PARENT_SCOPE)
    set(${after} "${tail}" PARENT_SCOPE)
endfunction()

says(list help)
string(REPLACE "," ";" COMMANDS "${COMMANDS}")
set(entries)
set(see_also)
foreach(name IN LISTS COMMANDS)
    string(REGEX MATCH "\n  ${name} +([^\n]*)" line "${list}")
    set(summary "${CMAKE_MATCH_1}")
    says(help help ${name})
    split_options("${help}" before options after)
    string(REGEX REPLACE "^usage: ([^\n]*\n(       [^\n]*\n)*)(.*)" "\\1" usage "${before}")
    string(REGEX REPLACE "^usage: ([^\n]*\n(       [^\n]*\n)*)(.*)" "\\3" before "${before}")
    string(REGEX REPLACE "\n       " "\n" usage "${usage}")
    # each option: its line becomes a tagged paragraph, lines below it are its text
    string(REGEX REPLACE "\n                       " " " options "${options}")
    escaped(options "${options}")
    string(REGEX REPLACE "\n  (\\\\-[^\n]*[^ \n])  +([^ \n][^\n]*)" "\n.TP\n.B \\1\n\\2" options "${options}")
    string(REGEX REPLACE "\n  (\\\\-[^ \n]+( [A-Z|a-z]+)?) ([^\n]*)" "\n.TP\n.B \\1\n\\3" options "${options}")
    foreach(part summary usage before after)
        escaped(${part} "${${part}}")
    endforeach()
    string(TOUPPER "clearway\\-${name}" title)
    set(page ".TH ${title} 1 \"\" \"Clearway ${PROJECT_VERSION}\" \"Clearway\"
.SH NAME
clearway\\-${name} \\- ${summary}
.SH SYNOPSIS
.nf
${usage}.fi
.SH DESCRIPTION
${before}
.SH OPTIONS${options}")
    string(STRIP "${after}" after)
    if(after)
        string(APPEND page ".SH NOTES\n.nf\n${after}\n.fi\n")
    endif()
    string(APPEND page ".SH SEE ALSO\n.BR clearway (1)\n")
    file(WRITE ${OUT}/clearway-${name}.1 "${page}")
    string(APPEND entries ".TP\n.B ${name}\n${summary}\n")
    string(APPEND see_also ".BR clearway\\-${name} (1),\n")
endforeach()
string(REGEX REPLACE ",\n$" "" see_also "${see_also}")
string(STRIP "${entries}" entries)
file(READ ${OVERVIEW} overview)
string(REPLACE "@PROJECT_VERSION@" "${PROJECT_VERSION}" overview "${overview}")
string(REPLACE "@COMMANDS@" "${entries}" overview "${overview}")
string(REPLACE "@SEE_ALSO@" "${see_also}" overview "${overview}")
file(WRITE ${OUT}/clearway.1 "${overview}")
