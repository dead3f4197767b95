# The SQL of .sql files -> one C file with every text as bytes (ISO C does not guarantee string literals of that length),
# and its header: extern const char assay_sql_<name>[] for each text, and for each file a list for enumerations and tables:
# ASSAY_SQL_<FILE>(X) has X(<NAME>, <name>) for each of its texts, in the order of the file; ASSAY_SQL_ALL(X) has all.
#
#   cmake -DFILES=a.sql,b.sql -DHEADER=sql_texts.h -DSOURCE=sql_texts.c -DPLAIN=sql_texts.sql -P WriteSql.cmake
#
# PLAIN is for reading: every text as SQLite gets it, to be tried in its shell.
#
# A file has parts, each of which begins with one of these lines and ends before the next:
#   -- name: points            a text, which ends with a semicolon
#   -- fragment: worst(x)      replaces @worst(...)@ in every text, with $x replaced by what is between the parentheses;
#                              without (x), it replaces @worst@
# A file without such a line is one text with the name of the file.
cmake_minimum_required(VERSION 3.25)
string(REPLACE "," ";" files "${FILES}")

# ---- the files are divided into parts ----
set(names "")
set(fragments "")
set(all "")
set(lists "")
set(mark "-- (name|fragment): ")
foreach(file IN LISTS files)
    cmake_path(GET file STEM stem)
    file(READ ${file} rest)
    set(rest "\n${rest}")
    set(own "")
    string(REGEX MATCHALL "\n${mark}[^\n]*" lines "${rest}")
    if(NOT lines)
        string(SUBSTRING "${rest}" 1 -1 name_${stem})
        set(own ${stem})
    endif()
    foreach(line IN LISTS lines)
        string(FIND "${rest}" "${line}" begin)
        string(LENGTH "${line}" length)
        math(EXPR begin "${begin} + ${length}")
        string(SUBSTRING "${rest}" ${begin} -1 rest)
        set(end -1)
        if(rest MATCHES "\n${mark}")
            string(FIND "${rest}" "${CMAKE_MATCH_0}" end)
        endif()
        string(SUBSTRING "${rest}" 0 ${end} body)
        string(STRIP "${body}" body)
        if(NOT line MATCHES "^\n-- (name|fragment): ([a-z][a-z0-9_]*)(\\(x\\))?$")
            message(FATAL_ERROR "${file}: not a name: ${line}")
        endif()
        set(kind ${CMAKE_MATCH_1})
        set(name ${CMAKE_MATCH_2})
        set(parameter "${CMAKE_MATCH_3}")
        if(DEFINED ${kind}_${name})
            message(FATAL_ERROR "${file}: this name is there already: ${line}")
        endif()
        if(kind STREQUAL "name")
            if(parameter)
                message(FATAL_ERROR "${file}: only a fragment has a parameter: ${line}")
            elseif(NOT body MATCHES ";$")
                message(FATAL_ERROR "${file}: ${name} does not end with a semicolon")
            endif()
            list(APPEND own ${name})
        else()
            # Comments at the head of a fragment are only for readers of the file.
            string(REGEX REPLACE "^(--[^\n]*\n)+" "" body "${body}")
            list(APPEND fragments ${name})
            set(parameter_${name} "${parameter}")
        endif()
        set(${kind}_${name} "${body}")
    endforeach()
    if(own)
        list(APPEND names ${own})
        string(TOUPPER "${stem}" list)
        string(APPEND all " \\\n    ASSAY_SQL_${list}(X)")
        string(APPEND lists "#define ASSAY_SQL_${list}(X)")
        foreach(name IN LISTS own)
            string(TOUPPER "${name}" upper)
            string(APPEND lists " \\\n    X(${upper}, ${name})")
        endforeach()
        string(APPEND lists "\n\n")
    endif()
endforeach()

# ---- the texts, with fragments inserted ----
set(source "")
set(header "")
set(plain "")
foreach(name IN LISTS names)
    set(text "${name_${name}}")
    set(n_uses 0)
    while(text MATCHES "@([a-z][a-z0-9_]*)(\\(([^@]*)\\))?@")
        set(use "${CMAKE_MATCH_0}")
        set(fragment ${CMAKE_MATCH_1})
        set(argument "${CMAKE_MATCH_3}")
        if(NOT DEFINED fragment_${fragment})
            message(FATAL_ERROR "${name}: there is no fragment ${fragment}: ${use}")
        endif()
        if((parameter_${fragment} AND argument STREQUAL "") OR (NOT parameter_${fragment} AND CMAKE_MATCH_2))
            message(FATAL_ERROR "${name}: the fragment is ${fragment}${parameter_${fragment}}: ${use}")
        endif()
        math(EXPR n_uses "${n_uses} + 1")
        if(n_uses GREATER 1000)
            message(FATAL_ERROR "${name}: a fragment stands in itself: ${use}")
        endif()
        string(REPLACE "\$x" "${argument}" body "${fragment_${fragment}}")
        string(REPLACE "${use}" "${body}" text "${text}")
        set(is_used_${fragment} TRUE)
    endwhile()
    string(APPEND plain "-- name: ${name}\n${text}\n\n")
    string(HEX "${text}" bytes)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(................................................................................)" "\\1\n    " bytes "${bytes}")
    string(APPEND source "\nconst char assay_sql_${name}[] = {\n    ${bytes} 0\n};\n")
    string(APPEND header "extern const char assay_sql_${name}[];\n")
endforeach()
foreach(fragment IN LISTS fragments)
    if(NOT is_used_${fragment})
        message(FATAL_ERROR "no text has the fragment ${fragment}")
    endif()
endforeach()

file(WRITE ${PLAIN} "${plain}")
file(WRITE ${SOURCE} "/* Written by the build from the .sql files. */\n#include \"sql_texts.h\"\n${source}")
set(content "/* Written by the build from the .sql files: see cmake/WriteSql.cmake. */
#ifndef ASSAY_SQL_TEXTS_H
#define ASSAY_SQL_TEXTS_H

${lists}#define ASSAY_SQL_ALL(X)${all}

${header}
#endif
")
# The header is only written if a name changes, so that files which include it are not built again for a changed text.
set(old "")
if(EXISTS ${HEADER})
    file(READ ${HEADER} old)
endif()
if(NOT old STREQUAL content)
    file(WRITE ${HEADER} "${content}")
endif()
