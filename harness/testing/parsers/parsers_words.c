/* Readers of words: points, options, and messages of other processes. */
#include "parsers.h"

#include "command/cli_internal.h"
#include "command/run_options.h"
#include "peer/peer_internal.h"
#include "plan/expression.h"
#include "plan/plan.h"
#include "process/pipe.h"
#include "testing/toy_case.h"

#include <string.h>

static const assay_case_table cases = toy_cases;

void parser_words(const char *text, size_t size)
{
    assay_value    value;
    assay_term     terms[8];
    assay_point    point;
    assay_shape    shape;
    unsigned       given = 0;
    int            n     = 0;
    const unsigned first = size ? (unsigned char)text[0] : 0;

    if (assay_point_parse(cases, text, &point) == ASSAY_OK)
        (void)assay_point_tuning_take(&point, text);
    (void)assay_value_parse(&toy_double, (int)(first % 2), text, &value);
    if (assay_point_parse(cases, "double/naive/n=8/flavour=plain", &point) != ASSAY_OK)
        return;
    (void)assay_point_tuning_parse(&point, text, &given);
    assay_point_shape(&point, (assay_input) { 0 }, &shape);
    (void)assay_expression_list(text, &point, &shape, terms, 8, &n);
}

/* Reads the text by each option that takes a value, into a command line of its own. */
void parser_options(const char *text, size_t size)
{
    static assay_cli cli;

    (void)size;
    for (int i = 0; i < assay_n_options; i++) {
        const assay_option *option = &assay_options[i];

        memset(&cli, 0, sizeof cli);
        if (option->read)
            (void)option->read(text, (char *)&cli + option->member);
    }
}

void parser_run_options(const char *text, size_t size)
{
    assay_run_options options;
    assay_run_request request;

    (void)size;
    memset(&options, 0, sizeof options);
    memset(&request, 0, sizeof request);
    assay_run_options_read(text, &options, &request);
}

/* Reads the lines of one answer, divided as the parent does. */
void parser_peer(const char *text, size_t size)
{
    static assay_peer_reply reply;
    assay_peer_fact         facts[ASSAY_PEER_MOST_FACTS];
    int64_t                 number;
    int                     n = 0;

    if (size >= sizeof reply.text)
        return;
    memcpy(reply.text, text, size + 1);
    if (!assay_peer_parse(&reply, size))
        return;
    (void)assay_peer_facts(&reply, facts, &n);
    (void)assay_peer_number(&reply, "version", 1, 9, &number);
    (void)assay_peer_value(&reply, "device");
}

void parser_message(const char *text, size_t size)
{
    static assay_message message;

    memset(&message, 0, sizeof message);
    memcpy(&message, text, size < sizeof message ? size : sizeof message);
    (void)assay_message_judge(&message, 3);
}
