/* The report of a survey of files. */
#ifndef ASSAY_REPORT_SURVEY_H
#define ASSAY_REPORT_SURVEY_H

#include "survey/survey.h"

#include <stdio.h>

/* "text" and "csv"; NULL-terminated. */
extern const char *const assay_report_survey_formats[];
/* all: every reason, and every file that is not taken (CSV always has all files). The caller checks
 * the stream. */
assay_status assay_report_survey(const assay_survey *survey, const char *format, bool all,
                                 FILE *out);

#endif
