/* The findings of doctor. */
#include "findings.h"

#include "base/text.h"

#include <stdarg.h>

void assay_finding_put(assay_findings *findings, const char *what, const char *state,
                       const char *format, ...)
{
    char    text[4096];
    va_list list;

    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (!findings->is_json) {
        (void)fprintf(findings->json.out, "%-10s %-8s %s\n", what, state, text);
        return;
    }
    assay_json_open_line(&findings->json);
    assay_json_add_text(&findings->json, "what", what);
    assay_json_add_text(&findings->json, "state", state);
    assay_json_add_text(&findings->json, "text", text);
    assay_json_close(&findings->json, '}');
}

void assay_findings_begin(assay_findings *findings, FILE *out, bool is_json)
{
    *findings = (assay_findings) { .json = { .out = out }, .is_json = is_json };
    if (!is_json)
        return;
    assay_json_open(&findings->json, NULL, '{');
    assay_json_add_text(&findings->json, "format", "assay doctor");
    assay_json_add_count(&findings->json, "format_version", 1);
    assay_json_open(&findings->json, "findings", '[');
}

void assay_findings_end(assay_findings *findings)
{
    if (!findings->is_json)
        return;
    assay_json_close(&findings->json, ']');
    assay_json_close(&findings->json, '}');
    (void)fputc('\n', findings->json.out);
}
