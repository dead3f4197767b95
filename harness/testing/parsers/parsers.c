/* The table of parsers, and the function that libFuzzer calls; ASSAY_PARSER names the parser. */
#include "parsers.h"

#include "status.h"

#include <stdlib.h>
#include <string.h>

const parser parsers[] = {
#define X(name) { #name, parser_##name },
    PARSER_MAP(X)
#undef X
        { 0 },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const parser *chosen;
    const char          *wanted = getenv("ASSAY_PARSER");
    char                *text   = malloc(size + 1);

    for (const parser *p = parsers; !chosen && p->name; p++)
        if (wanted && strcmp(p->name, wanted) == 0)
            chosen = p;
    if (!chosen || !text)
        abort();
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    chosen->take(text, size);
    assay_status_reset();
    free(text);
    return 0;
}
