# Tests the texts that cmake/WriteSql.cmake writes from .sql files, and which files it refuses:
#   cmake -DSCRIPT=.../WriteSql.cmake -DFOLDER=an_empty_folder -P write_sql.cmake
file(MAKE_DIRECTORY ${FOLDER})
set(header ${FOLDER}/sql_texts.h)
set(source ${FOLDER}/sql_texts.c)
set(plain ${FOLDER}/sql_texts.sql)

# Runs the script on one file with this text; sets `result` and `said`.
function(write_sql text)
    file(WRITE ${FOLDER}/some.sql "${text}")
    execute_process(
        COMMAND ${CMAKE_COMMAND} -DFILES=${FOLDER}/some.sql -DHEADER=${header} -DSOURCE=${source}
            -DPLAIN=${plain} -P ${SCRIPT}
        RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE said)
    string(REGEX REPLACE "[ \n]+" " " said "${said}")
    set(result ${result} PARENT_SCOPE)
    set(said "${said}" PARENT_SCOPE)
endfunction()

# A file with this text is refused with these words.
function(expect_refusal words text)
    write_sql("${text}")
    string(FIND "${said}" "${words}" at)
    if(result EQUAL 0 OR at EQUAL -1)
        message(SEND_ERROR "not refused with '${words}': ${text}\n${result}: ${said}")
    endif()
endfunction()

# The C file has this text with this name.
function(expect_text name text)
    file(READ ${source} written)
    string(HEX "${text}" expected)
    string(REGEX MATCH "assay_sql_${name}\\[\\] = {([^}]*)}" found "${written}")
    string(REGEX REPLACE "0x|[, \n]" "" bytes "${CMAKE_MATCH_1}")
    if(NOT bytes STREQUAL "${expected}0")
        message(SEND_ERROR "${name} is not '${text}': ${bytes}")
    endif()
endfunction()

write_sql("-- All of them.\n
-- fragment: twice(x)\n-- Not part of it.\n$x || $x\n
-- fragment: both\n(@twice(a)@, '\\')\n
-- name: one\n-- A comment; it stays.\nSELECT @both@, @twice(b[1] || ';')@;\n
-- name: one_more\nSELECT 1;\nSELECT 2;\n")
if(NOT result EQUAL 0)
    message(FATAL_ERROR "refused: ${said}")
endif()
expect_text(one "-- A comment; it stays.\nSELECT (a || a, '\\'), b[1] || ';' || b[1] || ';';")
expect_text(one_more "SELECT 1;\nSELECT 2;")
file(READ ${plain} written)
if(NOT written STREQUAL "-- name: one\n-- A comment; it stays.\nSELECT (a || a, '\\'), b[1] || ';' || b[1] || ';';\n\n-- name: one_more\nSELECT 1;\nSELECT 2;\n\n")
    message(SEND_ERROR "not the texts alone: ${written}")
endif()
file(READ ${header} written)
if(NOT written MATCHES "ASSAY_SQL_SOME\\(X\\)[ \\\n]*X\\(ONE, one\\)[ \\\n]*X\\(ONE_MORE, one_more\\)\n")
    message(SEND_ERROR "no list of the file: ${written}")
endif()
write_sql("-- A schema.\nCREATE TABLE t (a);\n")
expect_text(some "-- A schema.\nCREATE TABLE t (a);\n")

expect_refusal("one does not end with a semicolon" "-- name: one\nSELECT 1\n")
expect_refusal("one does not end with a semicolon" "-- name: one\n\n-- name: two\nSELECT 1;\n")
expect_refusal("this name is there already: -- name: one" "-- name: one\nSELECT 1;\n\n-- name: one\nSELECT 2;\n")
expect_refusal("not a name: -- name: One!" "-- name: One!\nSELECT 1;\n")
expect_refusal("this name is there already: -- fragment: f" "-- fragment: f\n1\n-- fragment: f\n2\n-- name: a\nSELECT @f@;\n")
expect_refusal("only a fragment has a parameter: -- name: one(x)" "-- name: one(x)\nSELECT $x;\n")
expect_refusal("one: there is no fragment f: @f@" "-- name: one\nSELECT @f@;\n")
expect_refusal("one: the fragment is f(x): @f@" "-- fragment: f(x)\n$x\n-- name: one\nSELECT @f@;\n")
expect_refusal("one: the fragment is f: @f(2)@" "-- fragment: f\n1\n-- name: one\nSELECT @f(2)@;\n")
expect_refusal("one: a fragment stands in itself" "-- fragment: f\n(@f@)\n-- name: one\nSELECT @f@;\n")
expect_refusal("no text has the fragment f" "-- fragment: f\n1\n-- name: one\nSELECT 1;\n")
