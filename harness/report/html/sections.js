// Time by section of a call.

const sectionColumns = [variantColumn(pointOfRow), staying(timeColumn('time', 'time_ns')), textColumn('section', 'name'), percentColumn('share', 'share'), ...placeColumns(pointOfRow),
    textColumn('regime', 'regime'), textColumn('clock', 'clock'), countColumn('launches', 'launches')];

// By time, or by share of the call: small sizes have bars that can be read then.
function sectionChart(bars, names, member) {
    const [title, format] = member === 'share' ? ['share of the time of a call', formatPercent] : ['time of a call', formatTime];
    return (t) => ({ type: 'bar', data: { labels: bars.map((rows) => barLabel(rows[0].point.variant, partsOf(rows[0].point))),
        datasets: names.map((name, i) => ({ label: clean(name), backgroundColor: t.series[i % t.series.length], borderColor: t.card, borderWidth: 1, maxBarThickness: 18,
            data: bars.map((rows) => (rows.find((s) => s.name === name) || {})[member] || 0) })) },
    options: { indexAxis: 'y', interaction: { mode: 'index', axis: 'y', intersect: false },
        scales: { y: axis(t, '', { stacked: true, title: { display: false }, ticks: { autoSkip: false, color: t.ink, font: { size: isNarrow() ? 11 : 12 } } }),
            x: axis(t, title + ' (hot, record clock)', { stacked: true, max: member === 'share' ? 1 : undefined, ticks: { callback: formatTick(format) } }) },
        plugins: { tooltip: { callbacks: { label: (item) => item.dataset.label + ': ' + format(item.raw) } } } } });
}

function sectionPart() {
    if (all.sections.length === 0) return;
    const figure = makeFigure('section-chart');
    const choices = groupBy(all.sections, (s) => caseOf(s.point)).flatMap((rows) => ['time', 'share'].map((what) => ({ name: caseOf(rows[0].point) + ': ' + what,
        member: what === 'time' ? 'time_ns' : what, bars: groupBy(rows, (s) => s.point.point_id).slice(0, MAX_BARS) })));
    const control = chooser('sections', 'Case', choices, ({ bars, name, member }) => figure.show(sectionChart(bars, distinct(bars.flat().map((s) => s.name)), member), 110 + BAR_HEIGHT * bars.length,
        'Time by section, ' + name + ': ' + bars.flat().slice(0, 30).map((s) => s.point.variant + ' ' + s.name + ' ' + formatTime(s.time_ns)).join('; '),
        name + ' of each part of one call, hot, by activity records (record clock).' + (bars.length === MAX_BARS ? ' The first ' + MAX_BARS + ' points; the table has all.' : '')));
    part('sections', 'Time by section', control, figure.element, new Table('section-table', 'Time by section', sectionColumns, all.sections).element);
}
