// Time along an axis, with the curves that the report has fitted.

// By axis, regime and point: the point's place on the curve's axis is the figure's only if both count the same unit.
const fitOf = new Map(report.fits.flatMap((fit) => fit.times.map(({ point_id }) => [JSON.stringify([fit.axis, fit.regime, point_id]), fit])));

function timeCurves(rows, name, { unit, of }) {
    return curveRows(rows).map(({ name: curve, group }) => {
        const points = group.map((m) => ({ x: of(m), y: m.median_ns, row: m })).sort((a, b) => a.x - b.x);
        const fit = fitOf.get(JSON.stringify([name, group[0].regime, group[0].point.point_id]));
        return { name: curve, points, clocks: distinct(group.map((m) => m.clock)).join(', '), fit: fit && fit.unit === unit ? fit : null };
    });
}

// The fitted curve between its first and last size, evenly by logarithm.
function fittedLine({ fit, points }) {
    const n = 60, from = points[0].x, to = points[points.length - 1].x;
    return [...Array(n + 1).keys()].map((k) => from * (to / from) ** (k / n)).map((x) => ({ x, y: fit.a_ns * x ** fit.b + fit.c_ns }));
}

function timeSets(t, curves) {
    return curves.flatMap((curve, i) => {
        const colour = t.series[i % t.series.length], style = pointStyles[i % pointStyles.length], isFitted = curve.fit && curve.fit.is_known;
        const sets = [{ label: clean(curve.name), data: curve.points, borderColor: colour, backgroundColor: colour, showLine: !isFitted,
            pointStyle: style, borderWidth: 1.5, ...timeMarks(t, curve.points, colour), intervals: curve.points.map((p) => intervalOf(p.row)), intervalColor: faint(colour, 'bb') }];
        if (isFitted)
            sets.push({ label: 'fit', belongsTo: clean(curve.name), data: fittedLine(curve), borderColor: colour, borderDash: [6, 4], borderWidth: 1.5, showLine: true, pointRadius: 0, pointHitRadius: 0 });
        return sets;
    });
}

function timeChart(curves, title, regime) {
    const points = curves.flatMap((curve) => curve.points);
    return (t) => ({ type: 'scatter', data: { datasets: timeSets(t, curves) },
        options: { scales: { x: sizeScale(t, title, points.map((p) => p.x)),
            y: axis(t, 'time of a call (' + regime + ')', { type: 'logarithmic', ...logEnds(points.map((p) => p.y), 1.5), ticks: { callback: logTick(formatTime) } }) },
        plugins: { tooltip: { filter: (item) => item.raw.row, callbacks: { label: ({ raw }) => pointText(raw.row.point)
                + ': ' + believedText(raw.row) + ' (' + raw.row.regime + ', ' + raw.row.clock + ' clock)' } } } } });
}

// "13.2 [11.0, 15.1] ns", in the value's unit.
function timeInterval(value, lo, hi) {
    const [size, name] = [[1e9, 's'], [1e6, 'ms'], [1e3, 'us'], [1, 'ns']].find(([least]) => (value || hi) >= least * 0.99995) || [1, 'ns'];
    return numberInterval(value / size, lo / size, hi / size, 3) + '\u00a0' + name;
}
const numberInterval = (value, lo, hi, digits) => formatNumber(value, digits) + ' [' + formatNumber(lo, digits) + ', ' + formatNumber(hi, digits) + ']';

const ofFit = (title, value, show) => column(title, (c) => (c.fit ? value(c.fit) : null), (c, v) => (known(v) ? show(c.fit, v) : ''), 'right');
const fitColumns = [
    staying(column('variant', (c) => c.name)), column('clock', (c) => c.clocks),
    ofFit('a [95 %]', (f) => f.a_ns, (f, v) => timeInterval(v, f.a_lo_ns, f.a_hi_ns)),
    ofFit('b [95 %]', (f) => f.b, (f, v) => numberInterval(v, f.b_lo, f.b_hi, 4)),
    ofFit('c [95 %]', (f) => f.c_ns, (f, v) => timeInterval(v, f.c_lo_ns, f.c_hi_ns)),
    ofFit('scatter', (f) => f.scatter, (f, v) => formatPercent(v)),
    column('sizes', (c) => c.points.length, null, 'right'),
    ofFit('log-log slope', (f) => f.slope, (f, v) => formatNumber(v, 3)),
    ofFit('standard error', (f) => f.slope_error, (f, v) => formatNumber(v, 2)),
    column('note', (c) => (c.fit ? c.fit.why : 'fewer than 3 sizes'), null, 'long'),
];

function showTimes(figure, place, choice, rows, chosen) {
    const name = choice.name + chosenText(chosen);
    if (rows.length === 0) {
        place.replaceChildren();
        figure.hide(name + ': no clock decides here, or nothing was timed.');
        return;
    }
    const scale = choice.scale(rows), curves = timeCurves(rows, choice.axis, scale), clocks = distinct(rows.map((m) => m.clock)).join(', ');
    const hasCurve = curves.some((curve) => curve.fit && curve.fit.is_known);
    place.replaceChildren(...(curves.some((curve) => curve.fit) ? [make('h3', null, 't = a x^b + c'), new Table('fit-table', 'Curves', fitColumns, curves).element] : []));
    figure.show(timeChart(curves, scale.title, choice.regime), 360,
        'Time along an axis, ' + name + ', ' + clocks + ' clock', name + ': median time, clock that decides at each size: ' + clocks
        + (hasCurve ? '. Dashed: a x^b + c, with the least squares of relative errors. ' : '. Lines only join the points. ')
        + doubtNote(curves.flatMap((curve) => curve.points)));
}

function sizePart() {
    const choices = byCaseAndRegime(deciding.filter((m) => m.median_ns > 0)).flatMap((rows) => choicesAlong(rows, 2));
    if (choices.length === 0) return;
    const figure = makeFigure('size-chart'), place = make('div');
    const control = chooserAlong('sizes', choices, (choice, rows, chosen) => showTimes(figure, place, choice, rows, chosen));
    part('sizes', 'Time along an axis', control, figure.element, place);
}

