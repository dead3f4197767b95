// Rates along an axis of a case, a fact or a tuning value: what it gains or loses as there is more of something, such as threads
// that contend.

// What the check of a point has read from its outputs, by name.
const factsOf = (point) => point.counters.filter((c) => c.replay === 'check' && known(c.value));
const factOf = (point, name) => (factsOf(point).find((c) => c.name === name) || { value: null }).value;

// Along the fact that the case names for it, which changes with an axis.
function choicesAlongFact(rows) {
    const name = rows[0].point.rate_along, usable = name ? rows.filter((row) => known(factOf(row.point, name))) : [];
    const changes = (a) => alikeBut(usable, a.name).some((group) => placesOf(group, (row) => factOf(row.point, name)) > 1);
    const by = varyingAxes(usable).filter((a) => a.kind !== 'text').find(changes);
    if (!by) return [];
    const of = (row) => factOf(row.point, name);
    return [choiceAlong(usable, name, by.name, of, () => ({ title: clean(name), of }))].filter((choice) => choice.n >= 3);
}

// "block=256,tile=2"
const tuningOf = (text) => new Map(text.split(',').map((pair) => pair.split('=')));

// Trials that differ from the chosen one in this value alone.
function trialsAlong(trials, name) {
    return groupBy(trials, (trial) => trial.point.point_id).flatMap((group) => {
        const chosen = tuningOf((group.find((trial) => trial.is_chosen) || group[0]).tuning);
        return chosen.has(name) ? group.filter((trial) => [...tuningOf(trial.tuning)].every(([other, value]) => other === name || chosen.get(other) === value)) : [];
    });
}

function choicesAlongTuning(trials) {
    return distinct(trials.flatMap((trial) => [...tuningOf(trial.tuning).keys()])).map((name) => {
        const rows = trialsAlong(trials, name), of = (trial) => Number(tuningOf(trial.tuning).get(name));
        return choiceAlong(rows, name + ' (tuning)', null, of, () => ({ title: clean(name), of }));
    }).filter((choice) => choice.n >= 3);
}

function rateCurves(rows, of) {
    return curveRows(rows).map(({ name, group }) => ({ name,
        points: group.map((m) => ({ x: of(m), y: m.giga_per_s, row: m })).sort((a, b) => a.x - b.x) }));
}

// "cells or elements", or what a case counts of them.
const countedText = (fact) => 'cells or elements' + (fact ? ' x ' + clean(fact) : '');

function rateChart(curves, title, fact) {
    return (t) => {
        const points = curves.flatMap((curve) => curve.points);
        return { type: 'scatter', data: { datasets: curves.map((curve, i) => ({ label: clean(curve.name), data: curve.points, showLine: true,
            borderColor: t.series[i % t.series.length], backgroundColor: t.series[i % t.series.length],
            pointStyle: pointStyles[i % pointStyles.length], borderWidth: 1.5, ...timeMarks(t, curve.points, t.series[i % t.series.length]),
            intervals: curve.points.map((p) => rateInterval(p.row, p.y)), intervalColor: faint(t.series[i % t.series.length], 'bb') })) },
        options: { scales: { x: sizeScale(t, title, points.map((p) => p.x)),
            y: axis(t, 'rate: 1e9 ' + countedText(fact) + ' a second', { type: 'logarithmic', ...logEnds(points.map((p) => p.y), 1.5), ticks: { callback: logTick(formatNumber) } }) },
        plugins: { tooltip: { callbacks: { label: ({ raw }) => pointText(raw.row.point) + ': ' + formatNumber(raw.y) + 'e9 a second ('
                + raw.row.regime + ', ' + raw.row.clock + ' clock)' } } } } };
    };
}

function showRates(figure, choice, rows, chosen) {
    const name = choice.name + chosenText(chosen);
    if (rows.length === 0) {
        figure.hide(name + ': no clock decides here, or nothing was timed.');
        return;
    }
    const { title, of } = choice.scale(rows), curves = rateCurves(rows, of), clocks = distinct(rows.map((m) => m.clock)).join(', '), fact = rows[0].point.rate_fact;
    figure.show(rateChart(curves, title, fact), 360, 'Rate along an axis, ' + name + ', ' + clocks + ' clock',
        name + ': the size of the case over the median time' + (fact ? ', times ' + clean(fact) + ' as the check found it' : '')
        + (choice.axis ? ', clock that decides at each point: ' : ', clock of the search: ') + clocks + '. Lines only join the points. ' + doubtNote(curves.flatMap((curve) => curve.points)));
}

function ratePart() {
    const hasRate = (m) => m.giga_per_s > 0 && m.clock;
    const choices = [...byCaseAndRegime(deciding.filter(hasRate)).flatMap((rows) => [...choicesAlongFact(rows), ...choicesAlong(rows, 3)]),
        ...byCaseAndRegime(all.trials.filter(hasRate)).flatMap(choicesAlongTuning)];
    if (choices.length === 0) return;
    const figure = makeFigure('rate-chart');
    part('rates', 'Rate along an axis', chooserAlong('rates', choices, (choice, rows, chosen) => showRates(figure, choice, rows, chosen)), figure.element);
}

