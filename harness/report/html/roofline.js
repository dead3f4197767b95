// The roofline: rates of arithmetic under what was measured of the machine's memories and of its arithmetic.

// The highest and the lowest rate that go with the median's interval.
const rateInterval = (m, rate) => (known(m.uncertainty) && m.uncertainty < 1 ? { lo: rate / (1 + m.uncertainty), hi: rate / (1 - m.uncertainty) } : null);

function rooflinePoints(rows) {
    const declared = rows.filter((m) => m.flops > 0 && m.bytes_declared > 0)
        .map((m) => ({ x: m.flops / m.bytes_declared, y: m.flops / m.median_ns, row: m, point: m.point, what: 'declared' }));
    const counted = rows.filter((m) => m.point.counted && m.regime === 'cold').map((m) => {
        const c = m.point.counted, flops = (c.fp32_flops || 0) + (c.fp64_flops || 0);
        return { x: flops / c.dram_bytes, y: flops / m.median_ns, row: m, point: m.point, what: 'counted' };
    });
    return [...declared, ...counted].filter((p) => p.x > 0 && p.y > 0 && Number.isFinite(p.x) && Number.isFinite(p.y));
}

// Where the bytes of a call come from: of a flushed cache from DRAM, else from L2 if it holds all of them.
function memoryOf(m) {
    const l2 = report.device.l2_bytes;
    if (m.regime === 'cold' || (l2 > 0 && m.working_set_bytes > l2)) return 'DRAM';
    return l2 > 0 && m.working_set_bytes > 0 ? 'L2' : 'memory';
}

// The measured roofs that these points stand under, of each memory the highest, which working sets move.
function roofsOf(points) {
    const rows = points.map((p) => p.row).filter((m) => known(m.ceiling_bytes_per_s));
    return { flops: Math.max(0, ...rows.map((m) => m.ceiling_flops || 0)) / 1e9,
        memories: groupBy(rows, memoryOf).map((group) => ({ name: memoryOf(group[0]), rate: Math.max(...group.map((m) => m.ceiling_bytes_per_s)) / 1e9 })) };
}

const roofName = ({ name, rate }) => name + ': ' + formatNumber(rate) + ' GB/s';

function roofSets(t, { flops, memories }, least, most) {
    const line = (label, data, more) => ({ label, data, borderWidth: 2, showLine: true, pointRadius: 0, pointStyle: 'line', pointHitRadius: 0, borderColor: t.ink, ...more });
    const looks = { DRAM: {}, L2: { borderDash: [6, 4], borderColor: t.soft }, memory: { borderDash: [2, 3] } };
    const highest = Math.max(...memories.map((memory) => memory.rate));
    const slopes = memories.map((memory) => {
        const end = flops > 0 ? Math.min(most, flops / memory.rate) : most;
        return line(roofName(memory), [least, end].filter((x) => x >= least).map((x) => ({ x, y: x * memory.rate })), { name: memory.name, isNamedBelow: memory.rate < highest, ...looks[memory.name] });
    });
    const first = flops > 0 ? Math.max(least, flops / highest) : most;
    return flops > 0 ? [...slopes, line('fp32: ' + formatNumber(flops) + ' Gflop/s', [first, most].map((x) => ({ x, y: flops })), { name: 'fp32', borderColor: t.soft })] : slopes;
}

const rooflineName = (p) => clean((hasOneCase ? '' : caseOf(p.point) + ' ') + p.point.variant) + (p.what === 'counted' ? ' (counted)' : '');
const formatRate = (v) => (v >= 1e4 ? formatCount(v) : formatNumber(v, 1));

function rooflineText({ x, y, row, what }) {
    const counted = what === 'counted' ? ' (counted)' : '';
    return [pointText(row.point), formatNumber(x, 3) + ' flop/B, ' + formatNumber(y) + ' Gflop/s' + counted,
        known(row.share_of_ceiling) ? formatPercent(row.share_of_ceiling) + ' of the ceiling, by declared bytes' : 'no ceiling of this regime and working set',
        believedText(row) + ' (' + row.regime + ', ' + row.clock + ' clock)'];
}

function rooflineChart(points, regime) {
    const roofs = roofsOf(points), xs = points.map((p) => p.x), ridges = roofs.flops > 0 ? roofs.memories.map((memory) => roofs.flops / memory.rate) : [];
    const least = Math.min(...xs) / 4, most = Math.max(...xs, ...ridges) * 4, variants = distinct(points.map((p) => caseOf(p.point) + ' ' + p.point.variant));
    return (t) => {
        const sets = groupBy(points, rooflineName).map((data) => {
            const i = variants.indexOf(caseOf(data[0].point) + ' ' + data[0].point.variant), colour = t.series[i % t.series.length];
            return { label: rooflineName(data[0]), data, borderColor: colour, borderWidth: 1.5, backgroundColor: data[0].what === 'counted' ? t.card : faint(colour, 'aa'),
                ...timeMarks(t, data, colour, data[0].what === 'counted' ? t.card : faint(colour, 'aa')), pointStyle: pointStyles[i % pointStyles.length],
                intervals: data.map((p) => rateInterval(p.row, p.y)), intervalColor: faint(colour, 'bb') };
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
    const roofs = roofsOf(points);
    figure.show(rooflineChart(points, choice.name), 400, 'Roofline, ' + name + ', ' + clocks + ' clock: '
        + points.slice(0, 20).map((p) => p.point.variant + ' ' + formatNumber(p.y) + ' Gflop/s at ' + formatNumber(p.x, 3) + ' flop per byte').join('; '),
    name + ', ' + clocks + ' clock. ' + 'Filled marks: bytes and flops as the case declares them. '
        + (counted ? 'Hollow marks: bytes through DRAM and flops as counted. ' : '')
        + (roofs.memories.length ? 'Lines: bandwidths and fp32 rate measured in this run, of each memory the highest of the working sets shown. ' : 'No ceiling was measured in this run. ')
        + doubtNote(points));
}

function rooflinePart() {
    const choices = groupBy(rooflinePoints(deciding), (p) => p.row.regime).map((rows) => ({ rows, name: rows[0].row.regime }));
    if (choices.length === 0) return;
    const figure = makeFigure('roofline-chart');
    const control = configurationChooser('roofline', 'Regime', byRegime(choices, (c) => c.name), { most: Infinity }, (choice, points, chosen) => showRoofline(figure, choice, points, chosen));
    part('roofline', 'Roofline', control, figure.element);
}
