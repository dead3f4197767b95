/* SQLite's calls that may fail. After a failure the connection reports it, as a real one would. */
#include "fault.h"

#include <sqlite3.h>
#include <stddef.h>

static __thread int failed_with;

/* Each new call clears the failure before it. */
static bool fails(const char *call, int code)
{
    failed_with = fault_now("sql", call) ? code : 0;
    return failed_with != 0;
}

/* X(call, parameters, arguments, code, what else is to be done) */
#define SQL_MAP(X)                                                                                 \
    X(sqlite3_step, (sqlite3_stmt * s), (s), SQLITE_IOERR, (void)0)                                \
    X(sqlite3_prepare_v2,                                                                          \
      (sqlite3 * db, const char *sql, int size, sqlite3_stmt **s, const char **tail),              \
      (db, sql, size, s, tail), SQLITE_IOERR, *s = NULL)                                           \
    X(sqlite3_prepare_v3,                                                                          \
      (sqlite3 * db, const char *sql, int size, unsigned flags, sqlite3_stmt **s,                  \
       const char **tail),                                                                         \
      (db, sql, size, flags, s, tail), SQLITE_IOERR, *s = NULL)                                    \
    X(sqlite3_exec,                                                                                \
      (sqlite3 * db, const char *sql, int (*row)(void *, int, char **, char **), void *data,       \
       char **message),                                                                            \
      (db, sql, row, data, message), SQLITE_IOERR,                                                 \
      message ? (void)(*message = sqlite3_mprintf("disk I/O error")) : (void)0)                    \
    X(sqlite3_open_v2, (const char *path, sqlite3 **db, int flags, const char *vfs),               \
      (path, db, flags, vfs), SQLITE_CANTOPEN, *db = NULL)                                         \
    X(sqlite3_bind_blob64,                                                                         \
      (sqlite3_stmt * s, int i, const void *data, sqlite3_uint64 size, void (*end)(void *)),       \
      (s, i, data, size, end), SQLITE_NOMEM, (void)0)                                              \
    X(sqlite3_bind_text64,                                                                         \
      (sqlite3_stmt * s, int i, const char *text, sqlite3_uint64 size, void (*end)(void *),        \
       unsigned char encoding),                                                                    \
      (s, i, text, size, end, encoding), SQLITE_NOMEM, (void)0)                                    \
    X(sqlite3_bind_int64, (sqlite3_stmt * s, int i, sqlite3_int64 value), (s, i, value),           \
      SQLITE_RANGE, (void)0)                                                                       \
    X(sqlite3_bind_double, (sqlite3_stmt * s, int i, double value), (s, i, value), SQLITE_RANGE,   \
      (void)0)                                                                                     \
    X(sqlite3_create_function_v2,                                                                  \
      (sqlite3 * db, const char *name, int n, int text, void *data,                                \
       void (*one)(sqlite3_context *, int, sqlite3_value **),                                      \
       void (*next)(sqlite3_context *, int, sqlite3_value **), void (*last)(sqlite3_context *),    \
       void (*end)(void *)),                                                                       \
      (db, name, n, text, data, one, next, last, end), SQLITE_NOMEM, (void)0)                      \
    X(sqlite3_backup_step, (sqlite3_backup * b, int n), (b, n), SQLITE_IOERR, (void)0)

#define X(call, parameters, arguments, code, more)                                                 \
    int call parameters                                                                            \
    {                                                                                              \
        static __typeof__(&call) real;                                                             \
                                                                                                   \
        if (fails(#call, code)) {                                                                  \
            more;                                                                                  \
            return code;                                                                           \
        }                                                                                          \
        if (!real)                                                                                 \
            *(void **)&real = fault_real(#call);                                                   \
        return real arguments;                                                                     \
    }
SQL_MAP(X)
#undef X

sqlite3_backup *sqlite3_backup_init(sqlite3 *to, const char *name, sqlite3 *from, const char *other)
{
    static __typeof__(&sqlite3_backup_init) real;

    if (fails("sqlite3_backup_init", SQLITE_NOMEM))
        return NULL;
    if (!real)
        *(void **)&real = fault_real("sqlite3_backup_init");
    return real(to, name, from, other);
}

const char *sqlite3_errmsg(sqlite3 *db)
{
    static __typeof__(&sqlite3_errmsg) real;

    if (!real)
        *(void **)&real = fault_real("sqlite3_errmsg");
    return failed_with ? sqlite3_errstr(failed_with) : real(db);
}

#define CODE(call)                                                                                 \
    int call(sqlite3 *db)                                                                          \
    {                                                                                              \
        static __typeof__(&call) real;                                                             \
                                                                                                   \
        if (!real)                                                                                 \
            *(void **)&real = fault_real(#call);                                                   \
        return failed_with ? failed_with : real(db);                                               \
    }
CODE(sqlite3_errcode)
CODE(sqlite3_extended_errcode)
