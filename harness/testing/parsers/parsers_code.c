/* Readers of code: plain CUDA, kernels for `assay new`, compilers' output, cubins, symbols. */
#include "parsers.h"

#include "base/demangle.h"
#include "cupti/cupti_names.h"
#include "scaffold/scaffold.h"
#include "survey/survey_classify.h"
#include "translate/translate.h"

#include <stdio.h>
#include <stdlib.h>

/* Output that is written in full and thrown away. */
static FILE *sink(void)
{
    static FILE *file;

    if (!file)
        file = fopen("/dev/null", "w");
    if (!file)
        abort();
    return file;
}

void parser_translate(const char *text, size_t size)
{
    (void)assay_translate((assay_translate_text) { text, size }, (assay_translate_text) { "", 0 },
                          sink(), sink());
}

void parser_kernels(const char *text, size_t size)
{
    assay_found found;

    (void)size;
    if (assay_found_read(text, &found) != ASSAY_OK)
        return;
    if (found.n_kernels > 0 && assay_scaffold_case("own", "own.cu", &found, sink()) == ASSAY_OK)
        assay_scaffold_list("own.cu", &found, sink());
    assay_found_free(&found);
}

void parser_survey(const char *text, size_t size)
{
    assay_survey_reason reason;

    assay_survey_classify(text, size, &reason);
    (void)assay_survey_count_kernels(text, size);
    assay_survey_list_unknown(text, size, sink());
}

void parser_cubin(const char *text, size_t size)
{
    assay_names names = { 0 };

    (void)assay_names_add_code(&names, text, size);
    assay_names_free(&names);
}

void parser_symbol(const char *text, size_t size)
{
    char name[128];

    (void)size;
    (void)assay_demangle_short(text, name, sizeof name);
}
