/* assay profile: counting is a run like any other. What needs no GPU is answered here. */
#include "cli.h"

#include "base/text.h"
#include "cupti/counters.h"

/* The chip that --chip names; otherwise that of the GPU here, if CUPTI can name it. */
static assay_status choose_chip(const assay_cli *cli, const assay_cupti_api *api, char *chip,
                                size_t size)
{
    if (cli->profile.chip[0])
        (void)assay_text_set(chip, size, "%s", cli->profile.chip);
    else if (api->chip_name(cli->target.gpu > 0 ? cli->target.gpu : 0, chip, size) != ASSAY_OK)
        return ASSAY_FAIL(ASSAY_E_USAGE, "no GPU here to ask: name the chip, e.g. --chip GH100");
    return ASSAY_OK;
}

static assay_status tell(const assay_cli *cli)
{
    assay_status           st = ASSAY_OK;
    char                   why[1024], chip[64];
    const assay_cupti_api *api = assay_cupti_load(why, sizeof why);

    ASSAY_REQUIRE(api, ASSAY_E_UNSUPPORTED, "%s", why);
    ASSAY_CHECK(choose_chip(cli, api, chip, sizeof chip));
    if (cli->profile.list_metrics)
        ASSAY_CHECK(assay_counters_list(api, chip, cli->profile.list_metrics, stdout));
    else
        ASSAY_CHECK(assay_counters_dry_run(api, chip, cli->counting.metrics, stdout));
out:
    return st;
}

int assay_command_profile(const assay_cli *cli)
{
    if (!cli->profile.dry_run && !cli->profile.list_metrics)
        return assay_cli_run(cli, ASSAY_RUN_PROFILE);
    const assay_status st = tell(cli);

    if (st == ASSAY_OK)
        return ASSAY_EXIT_PASS;
    (void)assay_cli_failed(st);
    return st == ASSAY_E_UNSUPPORTED ? ASSAY_EXIT_SKIPPED : ASSAY_EXIT_USAGE;
}
