// Histograms of facts: those whose names end in .2eKK are shares of what lies from 2^KK to 2^(KK+1).

const binName = /^(.+)\.2e(\d+)$/;

// By name: bins [{k, share}], those of a share of 0 as well.
function histogramsOf(point) {
    const bins = factsOf(point).map((fact) => [binName.exec(fact.name), fact.value]).filter(([name]) => name);
    return groupBy(bins.map(([name, share]) => ({ name: name[1], k: Number(name[2]), share })), (bin) => bin.name)
        .filter((group) => group.some((bin) => bin.share > 0));
}

// From the first bin with anything in it to the last.
function binRange(histograms) {
    const ks = histograms.flat().filter((bin) => bin.share > 0).map((bin) => bin.k), first = Math.min(...ks);
    return [...Array(Math.max(...ks) - first + 1).keys()].map((i) => first + i);
}

const shareAt = (histogram, k) => (histogram.find((bin) => bin.k === k) || { share: 0 }).share;
const binText = (k) => formatCount(2 ** k) + ' to ' + formatCount(2 ** (k + 1));

function histogramChart(histograms) {
    const range = binRange(histograms);
    return (t) => ({ type: 'bar', data: { labels: range.map((k) => formatCount(2 ** k)),
        datasets: histograms.map((bins, i) => ({ label: clean(bins[0].name), data: range.map((k) => shareAt(bins, k)), backgroundColor: faint(t.series[i % t.series.length], 'cc'),
            borderColor: t.series[i % t.series.length], categoryPercentage: 0.96, barPercentage: 0.96 })) },
    options: { interaction: { mode: 'index', intersect: false },
        scales: { x: axis(t, 'at least (bins of a factor of 2)'), y: axis(t, 'share of all', { min: 0, ticks: { callback: formatTick(formatPercent) } }) },
        plugins: { tooltip: { callbacks: { title: ([item]) => binText(range[item.dataIndex]), label: (item) => item.dataset.label + ': ' + formatPercent(item.raw) } } } } });
}

function showHistograms(figure, choice, rows, chosen) {
    const name = choice.name + chosenText(chosen);
    if (rows.length === 0) {
        figure.hide(name + ': no histogram here.');
        return;
    }
    const histograms = histogramsOf(rows[0].point);
    figure.show(histogramChart(histograms), 300, 'Histograms of facts, ' + name + ': ' + histograms.map((bins) => clean(bins[0].name) + ' '
        + binRange([bins]).map((k) => binText(k) + ' ' + formatPercent(shareAt(bins, k))).join(', ')).join('; '),
    name + ': shares as the check of this point found them, in its last launch; no time of the report is in it.');
}

// Only where there is any: most cases have none.
function histogramPart() {
    const rows = all.points.filter((point) => histogramsOf(point).length > 0).map((point) => ({ point }));
    if (rows.length === 0) return;
    const figure = makeFigure('histogram-chart');
    const choices = groupBy(rows, (row) => JSON.stringify([caseOf(row.point), row.point.variant])).map((group) => ({ rows: group, name: casePrefix(group[0].point) + group[0].point.variant }));
    const control = configurationChooser('histograms', 'Variant', choices, { most: 0 }, (choice, shown, chosen) => showHistograms(figure, choice, shown, chosen));
    part('histograms', 'Histograms of facts', control, figure.element);
}

