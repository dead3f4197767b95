/* A checker of JSON, as strict as RFC 8259, for tests of what is written. */
#ifndef ASSAY_TEST_STRICT_JSON_H
#define ASSAY_TEST_STRICT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Each of these returns what follows the value, or NULL if there is no such value here. */
static const char *json_value(const char *at, int depth);

static inline const char *json_space(const char *at) { return at + strspn(at, " \t\r\n"); }

static inline const char *json_digits(const char *at)
{
    const size_t n = strspn(at, "0123456789");

    return n ? at + n : NULL;
}

static inline const char *json_number(const char *at)
{
    at += *at == '-';
    if (at[0] == '0' && at[1] >= '0' && at[1] <= '9')
        return NULL;
    at = json_digits(at);
    if (at && *at == '.')
        at = json_digits(at + 1);
    if (at && (*at == 'e' || *at == 'E'))
        at = json_digits(at + 1 + (at[1] == '+' || at[1] == '-'));
    return at;
}

/* Bytes above 0x7f must form valid UTF-8. */
static inline const char *json_character(const char *at)
{
    const unsigned char first = (unsigned char)*at;
    const int           more  = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;

    if (first < 0x20 || (first >= 0x80 && first < 0xc2) || first > 0xf4)
        return NULL;
    for (int i = 1; i <= more; i++) {
        if (((unsigned char)at[i] & 0xc0) != 0x80)
            return NULL;
    }
    return at + more + 1;
}

static inline const char *json_string(const char *at)
{
    if (*at++ != '"')
        return NULL;
    while (at && *at != '"') {
        if (*at != '\\')
            at = json_character(at);
        else if (at[1] == 'u')
            at = strspn(at + 2, "0123456789abcdefABCDEF") >= 4 ? at + 6 : NULL;
        else
            at = at[1] && strchr("\"\\/bfnrt", at[1]) ? at + 2 : NULL;
    }
    return at ? at + 1 : NULL;
}

/* Members between brackets; a member of an object begins with its key. */
static inline const char *json_list(const char *at, char close, int depth)
{
    at = json_space(at + 1);
    if (*at == close)
        return at + 1;
    for (;;) {
        if (close == '}') {
            at = json_string(at);
            at = at ? json_space(at) : NULL;
            if (!at || *at++ != ':')
                return NULL;
        }
        at = json_value(at, depth + 1);
        if (!at)
            return NULL;
        if (*at == close)
            return at + 1;
        if (*at++ != ',')
            return NULL;
        at = json_space(at);
    }
}

static const char *json_value(const char *at, int depth)
{
    static const char *const words[] = { "true", "false", "null" };
    const char              *end     = NULL;

    at = json_space(at);
    if (depth > 64)
        return NULL;
    if (*at == '{' || *at == '[')
        end = json_list(at, *at == '{' ? '}' : ']', depth);
    else if (*at == '"')
        end = json_string(at);
    else if (*at == '-' || (*at >= '0' && *at <= '9'))
        end = json_number(at);
    for (size_t i = 0; !end && i < sizeof words / sizeof words[0]; i++) {
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            end = at + strlen(words[i]);
    }
    return end ? json_space(end) : NULL;
}

/* Is the text one JSON value and nothing else? */
static inline bool json_is_valid(const char *text)
{
    const char *end = json_value(text, 0);

    return end && *end == '\0';
}

#endif
