/* Pieces that the reports' queries share. */
#ifndef ASSAY_STORE_QUERIES_H
#define ASSAY_STORE_QUERIES_H

#include "store_internal.h"

/* A query of the reports; ?1 is the run, and {...} are columns (assay_sql_expand). A list of them
 * ends with NULL. */
typedef struct assay_named_query {
    const char *name, *sql;
} assay_named_query;

extern const assay_named_query assay_number_queries[];  /* times and what stands behind them */
extern const assay_named_query assay_report_queries[];  /* of JSON, Markdown and HTML */
extern const assay_named_query assay_compare_queries[]; /* of comparisons and of history */
extern const assay_named_query assay_csv_queries[];
extern const assay_named_query assay_gate_queries[]; /* of gate and baseline */

/* Run r has times, or would have, had its kernels not failed; and no gate made it of a few points,
 * chosen because they were slower, to confirm another one. */
#define TIMED_RUN                                                                                  \
    "(instr(char(10) || r.options, char(10) || '--repeats=') = 0 AND (EXISTS (SELECT 1 FROM "      \
    "point AS p JOIN measurement AS m ON m.point_id = p.point_id WHERE p.run_id = r.run_id) OR "   \
    "(r.verb IN ('bench', 'run') AND EXISTS (SELECT 1 FROM verdicts AS v WHERE v.run_id = "        \
    "r.run_id AND v.is_timed AND v.outcome = 'failed'))))"

/* The check of a point that came nearest to its bound, or went farthest past it: NaN is beyond all.
 */
#define WORST_OF(point)                                                                            \
    "(SELECT k.check_id FROM check_result AS k WHERE k.point_id = " point ".point_id ORDER BY "    \
    "coalesce(k.worst_ratio, CASE WHEN k.verdict IN ('PASS', 'SKIPPED', 'UNSUPPORTED', "           \
    "'NOT_RUN') THEN -1.0 ELSE 9e999 END) DESC, k.check_id LIMIT 1)"
#define WORST_CHECK      WORST_OF("p")
#define WORST_CHECK_OF_V WORST_OF("v")

/* Of point p only if it passed: a number without a PASS is none, whatever the file says. */
#define JOIN_PASSED "JOIN verdict AS g ON g.point_id = p.point_id AND g.verdict = 'PASS' "

/* Rule columns of check w, in the order that the reports print them. */
#define RULE_COLUMNS "w.rule, w.c, w.u_out, w.u_acc, w.growth, w.max_ulp"

/* Speed-up k of row p (a point with regime and clock) against its declared baseline. One that no
 * clock can tell stands beside all of them. */
#define JOIN_SPEEDUP                                                                               \
    "LEFT JOIN compared AS k ON k.run_id = ?1 AND k.point_id = p.point_id AND k.kind = 'speedup' " \
    "AND k.against = p.baseline AND k.regime = p.regime AND (k.clock = p.clock OR (k.clock = '' "  \
    "AND k.ratio IS NULL)) "

#endif
