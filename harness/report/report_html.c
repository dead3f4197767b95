/* The HTML report: one page that needs no other file. The build joins template, style, chart
 * library and scripts (cmake/EmbedReport.cmake); here the run's JSON goes between its two halves.
 */
#include "report_json.h"

extern const char assay_page_before_data[], assay_page_after_data[];

assay_status assay_report_html(const assay_report *report)
{
    assay_status st;

    (void)fputs(assay_page_before_data, report->out);
    ASSAY_CHECK(assay_report_json_for_page(report));
    (void)fputs(assay_page_after_data, report->out);
out:
    return st;
}
