// Rates along one axis of a case: what it gains or loses as there is more of something, such as threads that contend.

const rateOf = (m) => m.point.cells / m.median_ns; // in 1e9 a second

// Rows that differ in nothing but this axis and the variant.
const alikeBut = (rows, axisName) => groupBy(rows, (m) => JSON.stringify(m.point.axis_values.filter((a) => a.name !== axisName).map(axisText)));
const stepsOf = (rows, axisName) => new Set(rows.map((m) => valueOf(m.point, axisName))).size;

// A choice for each axis of numbers along which something was timed at three places at least, beginning where there are most.
function rateChoices(rows) {
    return varyingAxes(rows).filter((a) => a.kind === 'int').map(({ name }) => {
        const most = alikeBut(rows, name).sort((a, b) => stepsOf(b, name) - stepsOf(a, name))[0];
        return { rows, axis: name, most, regime: rows[0].regime, name: casePrefix(rows[0].point) + rows[0].regime + ', along ' + name };
    }).filter((choice) => stepsOf(choice.most, choice.axis) >= 3);
}

function rateCurves(rows, axisName) {
    return groupBy(rows, (m) => m.point.variant).map((group) => ({ name: group[0].point.variant,
        points: group.map((m) => ({ x: Number(valueOf(m.point, axisName)), y: rateOf(m), row: m })).sort((a, b) => a.x - b.x) }));
}

function rateChart(curves, axisName) {
    return (t) => {
        const points = curves.flatMap((curve) => curve.points), xs = points.map((p) => p.x);
        const isLog = Math.min(...xs) > 0 && Math.max(...xs) / Math.min(...xs) >= 8;
        const x = isLog ? { type: 'logarithmic', ...logEnds(xs, 1.3), ticks: { callback: logTick(formatCount) } } : { ticks: { callback: formatTick(formatCount) } };
        return { type: 'scatter', data: { datasets: curves.map((curve, i) => ({ label: clean(curve.name), data: curve.points, showLine: true,
            borderColor: t.series[i % t.series.length], backgroundColor: t.series[i % t.series.length],
            pointStyle: pointStyles[i % pointStyles.length], pointRadius: 4, borderWidth: 1.5 })) },
        options: { scales: { x: axis(t, axisName, x),
            y: axis(t, 'rate: 1e9 cells or elements a second', { type: 'logarithmic', ...logEnds(points.map((p) => p.y), 1.5), ticks: { callback: logTick(formatNumber) } }) },
        plugins: { legend: { position: 'bottom', labels: { color: t.ink, usePointStyle: true } },
            tooltip: { callbacks: { label: ({ raw }) => pointText(raw.row.point) + ': ' + formatNumber(raw.y) + 'e9 a second ('
                + raw.row.regime + ', ' + raw.row.clock + ' clock)' } } } } };
    };
}

function showRates(figure, choice, rows, chosen) {
    const curves = rateCurves(rows, choice.axis), name = choice.name + chosenText(chosen);
    if (curves.length === 0) {
        figure.hide(name + ': no clock decides here, or nothing was timed.');
        return;
    }
    const clocks = distinct(rows.map((m) => m.clock)).join(', ');
    figure.show(rateChart(curves, choice.axis), 360 + legendHeight(curves.map((curve) => curve.name)), 'Rate along an axis, ' + name + ', ' + clocks + ' clock',
        name + ': the size of the case over the median time, clock that decides at each point: ' + clocks + '. Lines only join the points.');
}

function ratePart() {
    const usable = deciding.filter((m) => m.point.cells > 0 && m.median_ns > 0);
    const choices = groupBy(usable, (m) => JSON.stringify([caseOf(m.point), m.regime])).flatMap(rateChoices);
    if (choices.length === 0) {
        part('rates', 'Rate along an axis', nothing('No case was timed at three values of one axis, all others alike, by a clock that decides.'));
        return;
    }
    const figure = makeFigure('rate-chart');
    const first = (choice, axes) => new Map(axes.map((a) => [a.name, valueOf(choice.most[0].point, a.name)]));
    const control = configurationChooser('Regime and axis', byRegime(choices, (c) => c.regime), { most: 0, without: (rows, choice) => [choice.axis], first },
        (choice, rows, chosen) => showRates(figure, choice, rows, chosen));
    part('rates', 'Rate along an axis', control, figure.element);
}

