/* assay survey: which .cu files of a folder the host device takes unchanged. */
#include "cli.h"

#include "base/output.h"
#include "report/report_survey.h"
#include "survey/survey.h"

int assay_command_survey(const assay_cli *cli)
{
    const assay_survey_options options = { .roots      = cli->selection.cases,
                                           .n_roots    = cli->selection.n_cases,
                                           .includes   = cli->survey.includes,
                                           .n_includes = cli->survey.n_includes,
                                           .defines    = cli->survey.defines,
                                           .n_defines  = cli->survey.n_defines,
                                           .cxx        = cli->survey.cxx,
                                           .limit_s    = cli->survey.limit_s,
                                           .n_jobs     = cli->n_jobs };
    assay_survey               survey  = { .files = NULL };
    assay_output               output  = { .file = NULL };
    assay_status               st      = ASSAY_OK;

    ASSAY_REQUIRE(options.n_roots > 0, ASSAY_E_USAGE,
                  "survey takes folders of .cu files: assay survey ~/project/src");
    ASSAY_CHECK(assay_survey_run(&options, &survey));
    ASSAY_CHECK(assay_output_open(&output));
    ASSAY_CHECK(assay_report_survey(&survey, cli->format, cli->survey.is_verbose, output.file));
    ASSAY_CHECK(assay_output_write(&output, cli->output, NULL, 0));
out:
    assay_output_free(&output);
    assay_survey_free(&survey);
    return st == ASSAY_OK ? ASSAY_EXIT_PASS : assay_cli_failed(st);
}
