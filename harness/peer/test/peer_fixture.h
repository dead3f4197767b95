/* What the tests of peers share: a runner with a single variant, a script in place of PyTorch. A
 * word tells the script how to behave. */
#ifndef ASSAY_TEST_PEER_FIXTURE_H
#define ASSAY_TEST_PEER_FIXTURE_H

#include "testing/run_fixture.h"

static inline int begin(void **state)
{
    assert_int_equal(setenv("ASSAY_PEERS", FAKE_PEERS, 1), 0);
    assert_int_equal(unsetenv("FAKE_PEER"), 0);
    assert_int_equal(unsetenv("ASSAY_PYTHON"), 0);
    (void)start_over(state);
    open_runner();
    return 0;
}

static inline int end(void **state)
{
    (void)state;
    assay_peer_end(runner.peer);
    close_runner();
    return 0;
}

static inline void be(const char *word)
{
    static const assay_section_name sections[] = { { "step_twice", "doubling" }, { NULL, NULL } };

    toy.variants[0] = (assay_variant) { .name         = "v",
                                        .peer         = { "fake_peer.py", word },
                                        .sections     = sections,
                                        .time_limit_s = strncmp(word, "hangs", 5) == 0 ? 0.2 : 10 };
}

static inline void check_point(const char *word, int64_t n, bool is_timed)
{
    assay_point point;

    be(word);
    point = point_of(0, n, is_timed);
    memset(&seen, 0, sizeof seen);
    assert_int_equal(assay_run_point(&runner, &point, &sink), ASSAY_OK);
    assert_int_equal(seen.n_verdicts, 1);
}

static inline void assert_found(assay_verdict verdict, const char *words)
{
    if (seen.verdict.verdict != verdict || !strstr(seen.verdict.reason, words))
        fail_msg("%s: \"%s\", not %s with \"%s\"", assay_verdict_text(seen.verdict.verdict),
                 seen.verdict.reason, assay_verdict_text(verdict), words);
}

#endif
