// Rates along one axis of a case: what it gains or loses as there is more of something, such as threads that contend.

const rateOf = (m) => m.point.cells / m.median_ns; // in 1e9 a second

function rateCurves(rows, name, unit) {
    return groupBy(rows, (m) => m.point.variant).map((group) => ({ name: group[0].point.variant,
        points: group.map((m) => ({ x: sizeAlong(m.point, name, unit), y: rateOf(m), row: m })).sort((a, b) => a.x - b.x) }));
}

function rateChart(curves, title) {
    return (t) => {
        const points = curves.flatMap((curve) => curve.points);
        return { type: 'scatter', data: { datasets: curves.map((curve, i) => ({ label: clean(curve.name), data: curve.points, showLine: true,
            borderColor: t.series[i % t.series.length], backgroundColor: t.series[i % t.series.length],
            pointStyle: pointStyles[i % pointStyles.length], pointRadius: 4, borderWidth: 1.5 })) },
        options: { scales: { x: sizeScale(t, title, points.map((p) => p.x)),
            y: axis(t, 'rate: 1e9 cells or elements a second', { type: 'logarithmic', ...logEnds(points.map((p) => p.y), 1.5), ticks: { callback: logTick(formatNumber) } }) },
        plugins: { legend: { position: 'bottom', labels: { color: t.ink, usePointStyle: true } },
            tooltip: { callbacks: { label: ({ raw }) => pointText(raw.row.point) + ': ' + formatNumber(raw.y) + 'e9 a second ('
                + raw.row.regime + ', ' + raw.row.clock + ' clock)' } } } } };
    };
}

function showRates(figure, choice, rows, chosen) {
    const name = choice.name + chosenText(chosen);
    if (rows.length === 0) {
        figure.hide(name + ': no clock decides here, or nothing was timed.');
        return;
    }
    const unit = unitAlong(rows, choice.axis), curves = rateCurves(rows, choice.axis, unit), clocks = distinct(rows.map((m) => m.clock)).join(', ');
    figure.show(rateChart(curves, axisTitle(choice.axis, unit)), 360 + legendHeight(curves.map((curve) => curve.name)), 'Rate along an axis, ' + name + ', ' + clocks + ' clock',
        name + ': the size of the case over the median time, clock that decides at each point: ' + clocks + '. Lines only join the points.');
}

function ratePart() {
    const choices = deciders().flatMap((rows) => choicesAlong(rows, 3));
    if (choices.length === 0) {
        part('rates', 'Rate along an axis', nothing('No case was timed at three values of one axis, all others alike, by a clock that decides.'));
        return;
    }
    const figure = makeFigure('rate-chart');
    part('rates', 'Rate along an axis', chooserAlong(choices, (choice, rows, chosen) => showRates(figure, choice, rows, chosen)), figure.element);
}

