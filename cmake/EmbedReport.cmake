# The page of the HTML report -> a C file with its two halves, between which the run's JSON goes:
#   cmake -DPAGE=page.html -DSTYLE=page.css -DSCRIPTS=a.js,b.js -DCHART=chart.min.js -DOUTPUT=page.c -P EmbedReport.cmake
# CHART may be empty: a page without the library says so in place of a chart. The text is written as bytes, since ISO C does
# not guarantee string literals of that length.

cmake_minimum_required(VERSION 3.25)

file(READ ${PAGE} page)
file(READ ${STYLE} style)
set(chart "")
if(CHART)
    file(READ ${CHART} chart)
endif()
set(script "")
string(REPLACE "," ";" SCRIPTS "${SCRIPTS}")
foreach(file IN LISTS SCRIPTS)
    file(READ ${file} text)
    string(APPEND script "${text}")
endforeach()
foreach(part IN ITEMS style chart script)
    string(TOLOWER "${${part}}" lower)
    if(lower MATCHES "</(script|style)")
        message(FATAL_ERROR "the page's ${part} would end its own element")
    endif()
endforeach()

# Each piece replaces its mark; a regular expression is not used, since it would interpret the text of the piece.
function(put mark text)
    string(FIND "${page}" "${mark}" at)
    if(at LESS 0)
        message(FATAL_ERROR "${PAGE} has no ${mark}")
    endif()
    string(LENGTH "${mark}" length)
    math(EXPR end "${at} + ${length}")
    string(SUBSTRING "${page}" 0 ${at} before)
    string(SUBSTRING "${page}" ${end} -1 after)
    set(page "${before}${text}${after}" PARENT_SCOPE)
endfunction()
put("@SCRIPT@" "${script}")
put("@CHART@" "${chart}")
put("@STYLE@" "${style}")

function(to_bytes result text)
    string(HEX "${text}" bytes)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(................................................................................)" "\\1\n    "
        bytes "${bytes}")
    set(${result} "${bytes}" PARENT_SCOPE)
endfunction()
string(FIND "${page}" "@DATA@" at)
string(LENGTH "@DATA@" length)
math(EXPR end "${at} + ${length}")
string(SUBSTRING "${page}" 0 ${at} before)
string(SUBSTRING "${page}" ${end} -1 after)
to_bytes(before "${before}")
to_bytes(after "${after}")
file(WRITE ${OUTPUT} "/* Written by the build from harness/report/html. */
extern const char assay_page_before_data[], assay_page_after_data[];
const char assay_page_before_data[] = {
    ${before} 0
};
const char assay_page_after_data[] = {
    ${after} 0
};
")
