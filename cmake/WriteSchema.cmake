# schema.sql -> a C file with the same text: extern const char assay_schema_sql[]. As bytes, because ISO C promises no
# string literal of that length.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)" "\\1\n    " bytes "${bytes}")
file(WRITE ${OUTPUT} "/* Written by the build from schema.sql. */
extern const char assay_schema_sql[];
const char assay_schema_sql[] = {
    ${bytes} 0
};
")
