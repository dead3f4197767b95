/* SQL functions that the program's queries use. The schema does not use them, so any SQLite can
 * read its views. */
#include "base/text.h"
#include "store_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A whole number gets ".0", as SQLite writes it. */
static void with_fraction(char *text, size_t size)
{
    char       *power = strchr(text, 'e');
    char        tail[16];
    const char *rest = "";

    if (strchr(text, '.'))
        return;
    if (power) {
        (void)snprintf(tail, sizeof tail, "%s", power);
        rest   = tail;
        *power = '\0';
    }
    (void)snprintf(text + strlen(text), size - strlen(text), ".0%s", rest);
}

/* assay_exact(x): the shortest text that strtod reads back as the same number; '' for NULL. For
 * some numbers printf and CAST of SQLite are wrong by one unit in the last place. */
static void exact(sqlite3_context *context, int n, sqlite3_value **values)
{
    const double value = sqlite3_value_double(values[0]);
    char         text[40];

    (void)n;
    if (sqlite3_value_type(values[0]) == SQLITE_NULL) {
        sqlite3_result_text(context, "", 0, SQLITE_STATIC);
        return;
    }
    if (isfinite(value))
        with_fraction(assay_text_exact(text, sizeof text, value), sizeof text);
    else
        (void)snprintf(text, sizeof text, "%s", value > 0 ? "inf" : "-inf");
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

assay_status assay_store_add_functions(sqlite3 *db, const char *path)
{
    const int rc = sqlite3_create_function_v2(
        db, "assay_exact", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, exact, NULL, NULL, NULL);

    return rc == SQLITE_OK ? ASSAY_OK : assay_store_fail(db, path, rc);
}
