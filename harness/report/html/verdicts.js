// Verdicts: by variant, and point by point.

const outcomeKinds = { passed: 'good', reference: 'plain', caught: 'good', failed: 'bad', skipped: 'plain', ready: 'warn' };
const verdictOf = (point) => point.verdict || 'not finished';

// From a thousandth of the bound to ten times it, on a log scale; the mark is the bound itself.
const placeOfRatio = (ratio) => Math.min(100, Math.max(0, 25 * (Math.log10(ratio) + 3)));

function ratioBar(point, ratio) {
    const isNaN_ = !known(ratio) && point.outcome === 'failed' && point.worst_output;
    if (!known(ratio) && !isNaN_) return null;
    const over = isNaN_ || !(ratio <= 1), text = isNaN_ ? 'NaN' : formatNumber(ratio, 3);
    const fill = make('span', { className: 'fill' + (over ? ' over' : '') }), bound = make('span', { className: 'bound' });
    fill.style.width = (isNaN_ ? 100 : placeOfRatio(ratio)) + '%';
    bound.style.left = '75%';
    return make('span', { className: 'ratio' }, make('span', { className: 'track', 'aria-hidden': 'true' }, fill, bound),
        make('span', { className: 'value' }, text));
}

const verdictColumns = [
    variantColumn((p) => p),
    staying(column('verdict', verdictOf, (p, v) => tag(outcomeKinds[p.outcome], v))),
    ...placeColumns((p) => p),
    column('worst error / bound', (p) => p.worst_ratio, ratioBar, 'right'),
    column('input', (p) => p.worst_input),
    column('output', (p) => p.worst_output),
    column('reason', (p) => p.reason || (p.outcome === 'reference' ? 'the reference: no check' : ''), null, 'long'),
    column('to repeat it', (p) => p.replay, (p, line) => line && commandLine(line), 'long'),
];

// ---- their summary ----

const outcomeNames = [['passed', 'passed'], ['failed', 'failed'], ['caught', 'broken on purpose, caught'], ['skipped', 'skipped'],
    ['reference', 'references (no check)'], ['ready', 'not finished']];
const countOutcomes = (points) => Object.fromEntries(outcomeNames.map(([name]) => [name, points.filter((p) => p.outcome === name).length]));
const isWorse = (a, b) => b === null || (known(a.worst_ratio) && !(known(b.worst_ratio) && a.worst_ratio <= b.worst_ratio));

// A case's variant in one row: how many points came out how, and the worst of those that were checked.
function summarise(points) {
    const failed = points.filter((p) => p.outcome === 'failed'), n = countOutcomes(points);
    const judged = failed.length ? failed : points.filter((p) => p.outcome === 'passed');
    const worst = failed.find((p) => p.worst_output && !known(p.worst_ratio)) || judged.reduce((w, p) => (isWorse(p, w) ? p : w), null);
    return { first: points[0], n, all: points.length, worst };
}

const summaryColumns = (rows) => [
    variantColumn((r) => r.first),
    ...(hasOneCase ? [] : [column('case', (r) => r.first.case_name, (r) => caseOf(r.first))]),
    column('points', (r) => r.all, (r, n) => formatCount(n), 'right'),
    ...outcomeNames.filter(([name]) => rows.some((r) => r.n[name])).map(([name]) => column(name === 'ready' ? 'not finished' : name, (r) => r.n[name],
        (r, n) => (name === 'failed' && n ? tag('bad', formatCount(n)) : formatCount(n)), 'right')),
    column('worst error / bound', (r) => r.worst && r.worst.worst_ratio, (r) => r.worst && ratioBar(r.worst, r.worst.worst_ratio), 'right'),
    column('in output', (r) => r.worst && r.worst.worst_output),
    column('of input', (r) => r.worst && r.worst.worst_input),
    column('at', (r) => r.worst && r.worst.axes, (r) => r.worst && configurationOf(r.worst), 'config'),
    column('is', (r) => r.first.variant_what, null, 'long'),
];

function summaryTable(title) {
    const rows = groupBy(all.points, (p) => JSON.stringify([caseOf(p), p.variant])).map(summarise).sort((a, b) => (b.n.failed > 0) - (a.n.failed > 0));
    return new Table('summary-table', title, summaryColumns(rows), rows).element;
}

function verdictPart() {
    if (all.points.length === 0) return;
    const title = hasOneCase ? 'By variant' : 'By case and variant';
    const failuresFirst = [...all.points].sort((a, b) => (b.outcome === 'failed') - (a.outcome === 'failed'));
    const lists = [{ label: 'Verdict', of: verdictOf }, { label: 'Case', of: (p) => p.case_name }];
    part('verdicts', 'Verdicts', sentence('Every variant at every configuration, failures first, compared with the double-precision reference. The bar is the '
        + 'largest error over its bound, from 1/1000 to 10 times the bound on a log scale; the upright mark is the bound.'),
    make('h3', null, title), summaryTable(title), make('h3', null, 'Every point'), new Table('verdict-table', 'Every point', verdictColumns, failuresFirst, lists).element);
}
