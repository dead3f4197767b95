// Speed-ups.

// ---- speed-ups ----

const findingKinds = { FASTER: 'good', SLOWER: 'bad', NO_DIFFERENCE: 'plain', NO_INTERVAL: 'warn', CANNOT_TELL: 'warn' };
const kindNames = { speedup: 'speed-up', aa: 'A/A' };

// Measurements that ratios are of, by all that names one.
const timeId = (point, variant, row) => JSON.stringify([point.case_name, point.case_version, point.axes, variant, row.regime, row.clock]);
const timesById = new Map(all.measurements.map((m) => [timeId(m.point, m.point.variant, m), m]));

// Which of the two times is not to be believed as it is, and why: in the words of the table of times.
function doubtsOf(c) {
    return distinct([c.point.variant, c.against]).map((variant) => [variant, timesById.get(timeId(c.point, variant, c))])
        .filter(([, m]) => m && doubtOf(m)).map(([variant, m]) => variant + ': ' + doubtOf(m)).join('; ');
}

const comparisonColumns = [
    variantColumn(pointOfRow), staying(numberColumn('ratio', 'ratio')), numberColumn('95 % from', 'lo'), numberColumn('to', 'hi'),
    column('finding', (c) => c.finding, (c, finding) => tag(findingKinds[finding] || 'plain', finding)),
    column('note', doubtsOf, (c, text) => (text ? make('span', { className: 'note' }, clean(text)) : '')), textColumn('against', 'against'), ...placeColumns(pointOfRow),
    column('kind', (c) => c.kind, (c, kind) => kindNames[kind] || kind), textColumn('regime', 'regime'), textColumn('clock', 'clock'),
    countColumn('pairs', 'n_pairs'), countColumn('processes', 'n_processes'), textColumn('reason', 'reason', 'long'),
];
const MAX_BARS = 40, FEW_BARS = 16;

// `chosen`: the axes that all bars share.
function speedupChart(rows, chosen) {
    const against = distinct(rows.map((r) => r.against)), other = (r) => (against.length > 1 ? ' vs ' + r.against : '');
    return (t) => {
        const colours = { FASTER: t.series[0], SLOWER: t.series[1] };
        const ends = rows.flatMap((r) => [r.ratio, r.lo, r.hi, 1]).filter(known);
        return { type: 'bar',
            data: { labels: rows.map((r) => barLabel(r.point.variant + other(r), partsOf(r.point, chosen))),
                datasets: [{ data: rows.map((r) => [1, r.ratio]), intervals: rows, intervalColor: t.ink, maxBarThickness: 16,
                    notes: rows.map((r) => formatNumber(r.ratio, 3)),
                    backgroundColor: rows.map((r) => faint(colours[r.finding] || t.soft, 'aa')), minBarLength: 2 }] },
            options: { indexAxis: 'y', layout: { padding: { right: NOTE_WIDTH } }, interaction: { mode: 'index', axis: 'y', intersect: false },
                scales: { y: axis(t, '', { title: { display: false }, grid: { display: false }, ticks: { autoSkip: false, color: t.ink, font: { size: isNarrow() ? 11 : 12 } } }),
                    x: axis(t, 'speed-up' + (against.length === 1 ? ' over ' + clean(against[0]) : ''), { type: 'logarithmic',
                        min: Math.min(...ends) * 0.95, max: Math.max(...ends) * 1.05, afterBuildTicks: (scale) => { scale.ticks = ratioTicks(scale.min, scale.max); }, ticks: { callback: formatTick((v) => formatNumber(v, 3)) } }) },
                plugins: { legend: { display: false }, lines: { at: [{ axis: 'x', value: 1, strong: true }] },
                    tooltip: { callbacks: { title: ([item]) => pointText(rows[item.dataIndex].point), label: (item) => speedupText(rows[item.dataIndex]) } } } } };
    };
}

// A point in one line of a tooltip: variant first.
const pointText = (point) => clean([(hasOneCase ? '' : caseOf(point) + ' ') + point.variant, axesOf(point)].filter(Boolean).join(', '));

function speedupText(r) {
    const interval = known(r.lo) ? ', 95 % interval ' + formatNumber(r.lo) + ' to ' + formatNumber(r.hi) : ', no interval';
    return formatNumber(r.ratio) + ' times as fast as ' + clean(r.against) + interval + ' (' + r.finding + ')';
}

// What stands before a choice's name where there are several cases.
const casePrefix = (point) => (hasOneCase ? '' : caseOf(point) + ': ');

function showSpeedups(figure, choice, rows, chosen) {
    const name = choice.name + chosenText(chosen), shown = rows.slice(0, MAX_BARS), rest = rows.length - shown.length;
    const untold = all.comparisons.filter((c) => c.kind === 'speedup' && !known(c.ratio)).length;
    if (shown.length === 0) {
        figure.hide(name + ': no speed-up was told here.');
        return;
    }
    figure.show(speedupChart(shown, chosen), 60 + BAR_HEIGHT * shown.length, 'Speed-ups, ' + name + ': '
        + shown.map((r) => r.point.variant + ' ' + axesOf(r.point) + ' ' + speedupText(r)).join('; '),
    name + '; log scale. Blue: faster; orange: slower; grey: the interval holds 1, or there is none.'
        + (rest ? ' The first ' + MAX_BARS + ' of ' + rows.length + '; the table has all.' : '')
        + (untold ? ' ' + plural(untold, 'speed-up') + ' of this run cannot be told: see the table for why.' : ''));
}

function speedupPart() {
    const told = all.comparisons.filter((c) => c.kind === 'speedup' && known(c.ratio));
    const intro = sentence('Time of the other variant over the time of this one, paired block by block: above 1 this one is faster. '
        + 'The interval is over processes.');
    if (all.comparisons.length === 0) return;
    const lists = [{ label: 'Kind', of: (c) => kindNames[c.kind] || c.kind }, { label: 'Regime', of: (c) => c.regime }, { label: 'Finding', of: (c) => c.finding }];
    const table = new Table('comparison-table', 'Speed-ups', comparisonColumns, [...all.comparisons].sort((a, b) => (a.kind === 'aa') - (b.kind === 'aa')), lists);
    if (told.length === 0) {
        part('speedups', 'Speed-ups', intro, note('No speed-up can be told here: the table gives each reason.'), table.element);
        return;
    }
    const figure = makeFigure('speedup-chart');
    const choices = groupBy(told, (c) => JSON.stringify([caseOf(c.point), c.regime, c.clock])).map((rows) => ({ rows,
        name: casePrefix(rows[0].point) + rows[0].regime + ', ' + rows[0].clock + ' clock' }));
    const control = configurationChooser('speedups', 'Regime and clock', byRegime(choices, (c) => c.rows[0].regime), { most: FEW_BARS }, (choice, rows, chosen) => showSpeedups(figure, choice, rows, chosen));
    part('speedups', 'Speed-ups', intro, control, figure.element, table.element);
}

