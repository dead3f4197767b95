// Speed-ups, roofline.

// ---- speed-ups ----

const findingKinds = { FASTER: 'good', SLOWER: 'bad', NO_DIFFERENCE: 'plain', NO_INTERVAL: 'warn', CANNOT_TELL: 'warn' };
const kindNames = { speedup: 'speed-up', aa: 'A/A' };
const comparisonColumns = [
    ...pointColumns,
    textColumn('against', 'against'), column('kind', (c) => c.kind, (c, kind) => kindNames[kind] || kind), textColumn('regime', 'regime'), textColumn('clock', 'clock'),
    numberColumn('ratio', 'ratio'), numberColumn('95 % from', 'lo'), numberColumn('to', 'hi'),
    column('finding', (c) => c.finding, (c, finding) => tag(findingKinds[finding] || 'plain', finding)),
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
    if (all.comparisons.length === 0) {
        part('speedups', 'Speed-ups', nothing('This run compares no variants: nothing was timed beside its baseline.'));
        return;
    }
    const table = new Table('comparison-table', comparisonColumns, [...all.comparisons].sort((a, b) => (a.kind === 'aa') - (b.kind === 'aa')));
    if (told.length === 0) {
        part('speedups', 'Speed-ups', intro, nothing('No speed-up can be told here: the table gives each reason.'), table.element);
        return;
    }
    const figure = makeFigure('speedup-chart');
    const choices = groupBy(told, (c) => JSON.stringify([caseOf(c.point), c.regime, c.clock])).map((rows) => ({ rows,
        name: casePrefix(rows[0].point) + rows[0].regime + ', ' + rows[0].clock + ' clock' }));
    const control = configurationChooser('Regime and clock', byRegime(choices, (c) => c.rows[0].regime), { most: FEW_BARS }, (choice, rows, chosen) => showSpeedups(figure, choice, rows, chosen));
    part('speedups', 'Speed-ups', intro, control, figure.element, table.element);
}

// ---- roofline ----

function rooflinePoints(rows) {
    const declared = rows.filter((m) => m.flops > 0 && m.bytes_declared > 0)
        .map((m) => ({ x: m.flops / m.bytes_declared, y: m.flops / m.median_ns, row: m, point: m.point, what: 'declared' }));
    const counted = rows.filter((m) => m.point.counted && m.regime === 'cold').map((m) => {
        const c = m.point.counted, flops = (c.fp32_flops || 0) + (c.fp64_flops || 0);
        return { x: flops / c.dram_bytes, y: flops / m.median_ns, row: m, point: m.point, what: 'counted' };
    });
    return [...declared, ...counted].filter((p) => p.x > 0 && p.y > 0 && Number.isFinite(p.x) && Number.isFinite(p.y));
}

// The measured roofs that these points stand under: one for each bandwidth, most and least.
function roofsOf(points) {
    const rows = points.map((p) => p.row).filter((m) => known(m.ceiling_bytes_per_s)), most = Math.max(0, ...rows.map((m) => m.ceiling_flops || 0));
    const rates = distinct(rows.map((m) => m.ceiling_bytes_per_s)).sort((a, b) => b - a);
    return { flops: most / 1e9, rates: distinct([rates[0], rates[rates.length - 1]]).filter(known).map((rate) => rate / 1e9) };
}

function roofSets(t, roofs, least, most) {
    return roofs.rates.map((rate, i) => {
        const top = (x) => (roofs.flops > 0 ? Math.min(x * rate, roofs.flops) : x * rate);
        const xs = [least, roofs.flops / rate, most].filter((x) => x >= least && x <= most);
        return { label: formatNumber(rate) + ' GB/s' + (roofs.flops > 0 ? ', ' + formatNumber(roofs.flops) + ' Gflop/s' : '') + ' (measured)',
            data: xs.map((x) => ({ x, y: top(x) })), borderColor: i ? t.soft : t.ink, borderDash: i ? [6, 4] : [], borderWidth: 2, showLine: true,
            pointRadius: 0, pointStyle: 'line', pointHitRadius: 0 };
    });
}

const rooflineName = (p) => clean((hasOneCase ? '' : caseOf(p.point) + ' ') + p.point.variant) + (p.what === 'counted' ? ' (counted)' : '');
const formatRate = (v) => (v >= 1e4 ? formatCount(v) : formatNumber(v, 1));

function rooflineText({ x, y, row, what }) {
    const counted = what === 'counted' ? ' (counted)' : '';
    return [pointText(row.point), formatNumber(x, 3) + ' flop/B, ' + formatNumber(y) + ' Gflop/s' + counted,
        known(row.share_of_ceiling) ? formatPercent(row.share_of_ceiling) + ' of the ceiling, by declared bytes' : 'no ceiling of this regime and working set',
        formatTime(row.median_ns) + ' (' + row.regime + ', ' + row.clock + ' clock)'];
}

function rooflineChart(points, regime) {
    const roofs = roofsOf(points), xs = points.map((p) => p.x), ridge = roofs.flops > 0 && roofs.rates[0] ? roofs.flops / roofs.rates[0] : 0;
    const least = Math.min(...xs) / 4, most = Math.max(Math.max(...xs), ridge) * 4, variants = distinct(points.map((p) => caseOf(p.point) + ' ' + p.point.variant));
    return (t) => {
        const sets = groupBy(points, rooflineName).map((data) => {
            const i = variants.indexOf(caseOf(data[0].point) + ' ' + data[0].point.variant), colour = t.series[i % t.series.length];
            return { label: rooflineName(data[0]), data, borderColor: colour, pointRadius: 5, borderWidth: 1.5,
                backgroundColor: data[0].what === 'counted' ? t.card : faint(colour, 'aa'), pointStyle: pointStyles[i % pointStyles.length] };
        });
        return { type: 'scatter', data: { datasets: [...roofSets(t, roofs, least, most), ...sets] },
            options: { scales: { x: axis(t, 'arithmetic intensity, flop per byte', { type: 'logarithmic', min: least, max: most, ticks: { callback: logTick((v) => formatNumber(v, 1)) } }),
                y: axis(t, 'Gflop/s (' + regime + ')', { type: 'logarithmic', ...logEnds([...points.map((p) => p.y), roofs.flops], 1.6), ticks: { callback: logTick(formatRate) } }) },
            plugins: { tooltip: { filter: (item) => item.raw.row, callbacks: { label: ({ raw }) => rooflineText(raw) } } } } };
    };
}

function showRoofline(figure, choice, points, chosen) {
    const name = choice.name + chosenText(chosen), clocks = distinct(points.map((p) => p.row.clock)).join(', '), counted = points.filter((p) => p.what === 'counted').length;
    if (points.length === 0) {
        figure.hide(name + ': no clock decides here, or nothing was timed.');
        return;
    }
    const names = [...distinct(points.map(rooflineName)), ...roofsOf(points).rates.map(() => 'xxxx GB/s, xxxxx Gflop/s (measured)')];
    figure.show(rooflineChart(points, choice.name), 400 + legendHeight(names), 'Roofline, ' + name + ', ' + clocks + ' clock: '
        + points.slice(0, 20).map((p) => p.point.variant + ' ' + formatNumber(p.y) + ' Gflop/s at ' + formatNumber(p.x, 3) + ' flop per byte').join('; '),
    name + ', ' + clocks + ' clock. ' + 'Filled marks: bytes and flops as the case declares them. '
        + (counted ? 'Hollow marks: bytes through DRAM and flops as counted. ' : 'No bytes were counted in this regime in this run. ')
        + (roofsOf(points).rates.length ? 'Lines: bandwidth and fp32 rate measured in this run (highest and lowest bandwidth of the working sets shown).'
            : 'No ceiling was measured in this run.'));
}

function rooflinePart() {
    const choices = groupBy(rooflinePoints(deciding), (p) => p.row.regime).map((rows) => ({ rows, name: rows[0].row.regime }));
    if (choices.length === 0) {
        part('roofline', 'Roofline', nothing('A roofline needs a time that a clock decides and a case that declares arithmetic and bytes; this '
            + 'run has none.'));
        return;
    }
    const figure = makeFigure('roofline-chart');
    const control = configurationChooser('Regime', byRegime(choices, (c) => c.name), { most: Infinity }, (choice, points, chosen) => showRoofline(figure, choice, points, chosen));
    part('roofline', 'Roofline', control, figure.element);
}
