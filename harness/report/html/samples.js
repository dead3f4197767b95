// Samples of one measurement: in time order, how often which time was seen, and the middles of blocks.

function sampleSets(t, s) {
    const at = (i) => i * s.bucket, colour = t.series[0], line = (label, values, more) => ({ label, data: values.map((y, i) => ({ x: at(i), y })), borderColor: colour,
        backgroundColor: faint(colour), pointRadius: 0, borderWidth: 1, showLine: true, ...more });
    const times = s.bucket === 1
        ? [line('time of a call', s.time_ns, { showLine: false, pointRadius: 2.2, backgroundColor: colour })]
        : [line('highest of ' + s.bucket, s.max_ns, { fill: '+1' }), line('lowest of ' + s.bucket, s.min_ns, {})];
    if (!s.sm_clock_mhz) return times;
    return [...times, line('SM clock', s.sm_clock_mhz, { yAxisID: 'clock', borderColor: t.series[1], backgroundColor: t.series[1], borderWidth: 1.5,
        stepped: 'middle', spanGaps: false, order: -1 })];
}

// Where a block begins; a process's first more strongly.
function blockLines(m) {
    let at = 0, process = null;
    return m.blocks.map((block) => {
        const line = { axis: 'x', value: at, strong: block.process !== process, text: block.process !== process && block.process !== null ? 'process ' + block.process : '' };
        process = block.process;
        at += block.n_samples;
        return line;
    });
}

function sampleChart(m) {
    const s = m.samples, title = 'time of a call (' + m.regime + ', ' + m.clock + ' clock)';
    return (t) => {
        const clocks = (s.sm_clock_mhz || []).filter(known), middle = clocks.length ? (Math.min(...clocks) + Math.max(...clocks)) / 2 : 0;
        const half = clocks.length ? Math.max(Math.max(...clocks) - middle, 0.01 * middle) * 1.2 : 0;
        return { type: 'scatter', data: { datasets: sampleSets(t, s) },
            options: { interaction: { mode: 'nearest', axis: 'x', intersect: false },
                scales: { x: axis(t, 'sample, in time order', { min: 0, max: Math.max(1, s.n) }), y: axis(t, title, { ticks: { callback: formatTick(formatTime) } }),
                    ...(clocks.length ? { clock: axis(t, 'SM clock, MHz', { position: 'right', min: middle - half, max: middle + half, grid: { display: false },
                        ticks: { callback: (v) => formatNumber(v, 4) } }) } : {}) },
                plugins: { lines: { at: blockLines(m) }, tooltip: { callbacks: { label: ({ raw, dataset }) => 'sample ' + raw.x + ', ' + dataset.label + ': '
                    + (dataset.yAxisID === 'clock' ? formatNumber(raw.y) + ' MHz' : formatTime(raw.y)) } } } } };
    };
}

function sampleCaption(m) {
    const s = m.samples, said = [m.point.key + ', ' + m.regime + ', ' + m.clock + ' clock' + (m.decides ? ' (decides)' : '') + ': ' + plural(s.n, 'valid sample') + ' in '
        + plural(m.blocks.length, 'block') + ', median ' + formatTime(m.median_ns) + ', stopped by ' + m.stop_reason + '.'];
    if (m.launches_per_sample > 1) said.push('A sample is ' + m.launches_per_sample + ' calls; times are of one.');
    if (s.bucket > 1) said.push('Downsampled: each step stands for ' + s.bucket + ' samples and shows their lowest and highest time and mean clock.');
    if (m.n_throttled || m.n_discarded) said.push('Left out: ' + (m.n_throttled || 0) + ' throttled, ' + (m.n_discarded || 0) + ' whose gate opened too early.');
    if (!s.sm_clock_mhz) said.push('The SM clock was not read.');
    if (m.nvml) said.push('Clock reasons, power and temperature are unknown: ' + m.nvml + '.');
    return said.join(' ');
}

const measurementName = (m) => m.point.key + ': ' + m.regime + ', ' + m.clock + (m.decides ? '' : ' (does not decide)');

// Bars between the ends that most samples have; where bars stand closest together the kernel mostly is.
function seenChart(m) {
    const { from, step, n } = m.samples.seen, at = (ns) => (step > 0 ? (ns - from) / step - 0.5 : 0);
    return (t) => ({ type: 'bar', data: { labels: n.map((_, i) => formatTick(formatTime)(from + (i + 0.5) * step)),
        datasets: [{ label: 'samples', data: n, backgroundColor: faint(t.series[0], 'cc'), categoryPercentage: 1, barPercentage: 0.94 }] },
    options: { interaction: { mode: 'index', intersect: false },
        scales: { x: axis(t, 'time of a call (' + m.regime + ', ' + m.clock + ' clock)', { grid: { display: false } }), y: axis(t, 'samples', { min: 0, ticks: { precision: 0 } }) },
        plugins: { legend: { display: false }, lines: { at: [{ axis: 'x', value: at(m.median_ns), strong: true, text: 'median' }, { axis: 'x', value: at(m.q1_ns) }, { axis: 'x', value: at(m.q3_ns) }] } } } });
}

function seenCaption(m) {
    const { below, above } = m.samples.seen, beyond = [below && formatCount(below) + ' faster', above && formatCount(above) + ' slower'].filter(Boolean);
    return 'How often which time was seen (' + m.regime + ', ' + m.clock + ' clock); lines: median and quartiles.' + (beyond.length ? ' Beyond the ends: ' + beyond.join(', ') + '.' : '');
}

// Middles of blocks in their order, a colour for each process.
function blockChart(m) {
    const blocks = m.blocks.map((block, i) => ({ x: i + 1, y: block.median_ns, process: block.process })).filter((b) => known(b.y));
    return (t) => ({ type: 'scatter', data: { datasets: groupBy(blocks, (b) => b.process).map((data, i) => ({ label: 'process ' + data[0].process, data, pointRadius: 4,
        pointStyle: pointStyles[i % pointStyles.length], borderColor: t.series[i % t.series.length], backgroundColor: t.series[i % t.series.length] })) },
    options: { scales: { x: axis(t, 'block, in time order', { min: 0, max: blocks.length + 1, ticks: { precision: 0 } }),
        y: axis(t, 'median of a block', { ticks: { callback: formatTick(formatTime) } }) },
    plugins: { tooltip: { callbacks: { label: ({ raw, dataset }) => 'block ' + raw.x + ', ' + dataset.label + ': ' + formatTime(raw.y) } } } } });
}

const blockCaption = (m) => 'The median of each block (' + m.regime + ', ' + m.clock + ' clock), as processes took turns'
    + (known(m.process_spread) ? '; the medians of processes lie ' + formatPercent(m.process_spread) + ' apart.' : '.');

function showSamples({ order, seen, blocks }, m) {
    order.show(sampleChart(m), 340, 'Samples of ' + sampleCaption(m), sampleCaption(m));
    seen.show(seenChart(m), 260, 'Distribution of samples of ' + measurementName(m) + ': median ' + formatTime(m.median_ns) + ', quartiles ' + formatTime(m.q1_ns)
        + ' and ' + formatTime(m.q3_ns), seenCaption(m));
    const n = m.blocks.filter((block) => known(block.median_ns)).length;
    blocks.element.hidden = n < 2;
    if (n > 1)
        blocks.show(blockChart(m), 260, 'Medians of ' + plural(n, 'block') + ' of ' + measurementName(m), blockCaption(m));
}

function samplePart() {
    const found = all.measurements.filter((m) => !m.samples.missing && m.samples.n > 0), lost = all.measurements.filter((m) => m.samples.missing);
    if (found.length === 0) return;
    const gone = lost.length ? note(plural(lost.length, 'measurement') + ' without samples: ' + distinct(lost.map((m) => clean(m.samples.missing.replace(/^.*?samples of measurement \d+(, block \d+)?: /, '')))).slice(0, 3).join('; ')) : null;
    const figures = { order: makeFigure('sample-chart'), seen: makeFigure('seen-chart'), blocks: makeFigure('block-chart') };
    const choices = [...found].sort((a, b) => (b.decides === true) - (a.decides === true)).map((m) => ({ m, name: measurementName(m) }));
    const control = chooser('samples', 'Point, regime and clock', choices, ({ m }) => showSamples(figures, m));
    part('samples', 'Samples', sentence('Every valid sample of one measurement. Thin lines: where a block begins, as variants take turns.'), control,
        figures.order.element, make('div', { className: 'pair' }, figures.seen.element, figures.blocks.element), gone);
}
