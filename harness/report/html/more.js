// Samples in time order, sections, history; the head; and the tables of what stands behind the numbers.

// ---- samples ----

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

function samplePart() {
    const found = all.measurements.filter((m) => !m.samples.missing && m.samples.n > 0), lost = all.measurements.filter((m) => m.samples.missing);
    const gone = lost.length ? nothing(plural(lost.length, 'measurement') + ' without samples: ' + distinct(lost.map((m) => clean(m.samples.missing.replace(/^.*?samples of measurement \d+(, block \d+)?: /, '')))).slice(0, 3).join('; ')) : null;
    if (found.length === 0) {
        part('samples', 'Samples', gone || nothing('This run has no timed samples.'));
        return;
    }
    const figure = makeFigure('sample-chart');
    const ordered = [...found].sort((a, b) => (b.decides === true) - (a.decides === true));
    const control = chooser('Point, regime and clock', ordered.map((m) => ({ m, name: m.point.key + ': ' + m.regime + ', ' + m.clock + (m.decides ? '' : ' (does not decide)') })),
        ({ m }) => figure.show(sampleChart(m), 360, 'Samples of ' + sampleCaption(m), sampleCaption(m)));
    part('samples', 'Samples', sentence('Every valid sample in the order it was taken. Thin lines: where a block begins, as variants take turns.'), control,
        figure.element, gone);
}

// ---- sections ----

const sectionColumns = [...pointColumns, textColumn('section', 'name'), textColumn('regime', 'regime'), textColumn('clock', 'clock'), countColumn('launches', 'launches'),
    timeColumn('time', 'time_ns'), column('share', (s) => s.share, (s, share) => formatPercent(share), 'right')];

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
    if (all.sections.length === 0) {
        part('sections', 'Time by section', nothing('No point of this run has named sections: a case names them, and activity records must be there to time them.'));
        return;
    }
    const figure = makeFigure('section-chart');
    const choices = groupBy(all.sections, (s) => caseOf(s.point)).flatMap((rows) => ['time', 'share'].map((what) => ({ name: caseOf(rows[0].point) + ': ' + what,
        member: what === 'time' ? 'time_ns' : what, bars: groupBy(rows, (s) => s.point.point_id).slice(0, MAX_BARS) })));
    const control = chooser('Case', choices, ({ bars, name, member }) => figure.show(sectionChart(bars, distinct(bars.flat().map((s) => s.name)), member), 110 + BAR_HEIGHT * bars.length,
        'Time by section, ' + name + ': ' + bars.flat().slice(0, 30).map((s) => s.point.variant + ' ' + s.name + ' ' + formatTime(s.time_ns)).join('; '),
        name + ' of each part of one call, hot, by activity records (record clock).' + (bars.length === MAX_BARS ? ' The first ' + MAX_BARS + ' points; the table has all.' : '')));
    part('sections', 'Time by section', control, figure.element, new Table('section-table', sectionColumns, all.sections).element);
}

// ---- history ----

const formatChange = (x) => (known(x) ? (x < 0 ? '\u2212' : '+') + formatPercent(Math.abs(x)) : '');

// Where conditions change a new segment begins; a step is a change of level within one.
function historyLines(series) {
    const place = (id) => series.values.findIndex((v) => v.run_id === id);
    const changed = series.segments.filter((segment) => segment.changed && place(segment.run_id) > 0)
        .map((segment) => ({ axis: 'x', value: place(segment.run_id) - 0.5, text: clean(segment.changed).slice(0, 40) }));
    const steps = series.steps.filter((step) => place(step.run_id) > 0)
        .map((step) => ({ axis: 'x', value: place(step.run_id) - 0.5, strong: true, text: 'step ' + formatChange(step.relative) }));
    return [...changed, ...steps];
}

function stepText(series) {
    const shown = series.steps.filter((step) => series.values.findIndex((v) => v.run_id === step.run_id) > 0);
    return shown.length === 0 ? ' No step was found.' : ' Steps: ' + shown.map((step) => formatChange(step.relative) + ' (' + formatChange(step.lo) + ' to '
        + formatChange(step.hi) + ') at run ' + step.run_id).join('; ') + '.';
}

// Quartiles included, and a little more.
function roomFor(values) {
    const ends = values.flatMap((v) => [v.median_ns, v.q1_ns, v.q3_ns]).filter(known), room = (Math.max(...ends) - Math.min(...ends)) * 0.15;
    return { suggestedMin: Math.min(...ends) - room, suggestedMax: Math.max(...ends) + room };
}

function historyChart(series, runs) {
    return (t) => ({ type: 'line', data: { labels: series.values.map((v) => [runs.get(v.run_id).started_utc.slice(0, 10), 'run ' + v.run_id]),
        datasets: [{ label: 'median', data: series.values.map((v) => v.median_ns), intervals: series.values.map((v) => ({ lo: v.q1_ns, hi: v.q3_ns })),
            intervalColor: faint(t.series[0], '99'), borderColor: t.series[0], backgroundColor: t.series[0], borderWidth: 1.5, pointRadius: 4 }] },
    options: { interaction: { mode: 'index', intersect: false },
        scales: { x: axis(t, 'run, oldest first', { offset: true }), y: axis(t, 'median time of a call (' + series.regime + ', ' + series.clock + ' clock)', { ...roomFor(series.values), ticks: { callback: formatTick(formatTime) } }) },
        plugins: { legend: { display: false }, lines: { at: historyLines(series) }, tooltip: { callbacks: {
            title: ([item]) => formatDate(runs.get(series.values[item.dataIndex].run_id).started_utc),
            label: (item) => historyText(series.values[item.dataIndex], runs) } } } } });
}

function historyText(value, runs) {
    const run = runs.get(value.run_id);
    return formatTime(value.median_ns) + ', run ' + value.run_id + ', commit ' + clean(run.git_commit).slice(0, 12) + (run.git_dirty ? ' with changes' : '') + ', driver ' + clean(run.driver);
}

function historyPart() {
    const series = report.history.filter((s) => s.values.length > 1), runs = new Map(report.history_runs.map((run) => [run.run_id, run]));
    if (series.length === 0) {
        part('history', 'History', nothing('This file has no earlier run that timed the same points on this device, so that there is no history to draw.'));
        return;
    }
    const figure = makeFigure('history-chart');
    const control = chooser('Point, regime and clock', series.map((s) => ({ s, name: s.key + ': ' + s.regime + ', ' + s.clock + ' clock' })), ({ s, name }) => {
        const last = s.values[s.values.length - 1], before = s.values[s.values.length - 2];
        figure.show(historyChart(s, runs), 320, 'History of ' + name + ': ' + s.values.map((v) => formatTime(v.median_ns)).join(', '), name + ': median and quartiles of '
            + plural(s.values.length, 'run') + ' on this device, up to this one. The last is ' + formatNumber(last.median_ns / before.median_ns)
            + ' times the one before; this alone is no finding.' + stepText(s));
    });
    part('history', 'History', control, figure.element);
}

// ---- changes ----

const changeTags = { SLOWER: 'bad', FASTER: 'good', SAME: 'good', CANNOT_TELL: 'warn' };
const changeColumns = [column('verdict', (c) => c.verdict, (c, verdict) => tag(changeTags[verdict], verdict)), textColumn('point', 'key'), textColumn('regime', 'regime'),
    textColumn('clock', 'clock'), column('change', (c) => c.effect, (c, x) => formatChange(x), 'right'), column('from', (c) => c.lo, (c, x) => formatChange(x), 'right'),
    column('to', (c) => c.hi, (c, x) => formatChange(x), 'right'), numberColumn('p, corrected', 'p_corrected', 2), column('in cycles', (c) => c.cycles_effect, (c, x) => formatChange(x), 'right'),
    column('against run', (c) => (c.from_run_id === null ? clean(c.from_run) : c.from_run_id), null, 'right'), textColumn('why', 'reason', 'long')];

function changePart() {
    if (report.changes.length === 0)
        return;
    part('changes', 'Changes', sentence('This run held against others, as it was recorded (assay compare --record): time here over time there, less 1, with its 95 % interval.'),
        new Table('change-table', changeColumns, report.changes).element);
}

// ---- times and what stands behind them ----

function flagsOf(m) {
    return [m.is_below_floor === true ? 'near the floor of ' + formatTime(m.floor_ns) : '', m.share_of_ceiling > 1 ? 'above the measured ceiling' : '', m.decision || ''].filter(Boolean).join('; ');
}

const timeColumns = [...pointColumns, textColumn('regime', 'regime'), textColumn('clock', 'clock'),
    column('decides', (m) => (m.cannot ? 'CANNOT_TELL' : m.decides === true ? 'yes' : m.decides === false ? 'no' : 'not judged'), (m, text) => (m.cannot ? tag('warn', text) : text)),
    timeColumn('median', 'median_ns'), timeColumn('q1', 'q1_ns'), timeColumn('q3', 'q3_ns'), countColumn('samples', 'n_samples'), countColumn('processes', 'n_processes'),
    column('spread', (m) => m.process_spread, (m, x) => formatPercent(x), 'right'), numberColumn('GB/s', 'gb_per_s'), numberColumn('Gflop/s', 'gflop_per_s'),
    column('of ceiling', (m) => m.share_of_ceiling, (m, x) => formatPercent(x), 'right'), numberColumn('SM MHz', 'sm_clock_mhz'), textColumn('tuning', 'tuning'),
    column('why', (m) => m.reason || flagsOf(m), null, 'long')];

function timePart() {
    const rows = [...all.measurements, ...all.undecided.map((u) => ({ ...u, cannot: true, clock: '' }))].sort((a, b) => a.point.ordinal - b.point.ordinal);
    if (rows.length === 0) {
        part('times', 'Times', nothing(report.device.can_time ? 'Nothing was timed in this run.' : 'The device of this run gives no times that mean something: it was checked only.'));
        return;
    }
    const table = new Table('time-table', timeColumns, rows), which = [['deciding clocks', (m) => m.decides === true || m.cannot], ['all clocks', () => true]];
    const hasDeciding = rows.some(which[0][1]);
    const control = chooser('Rows', (hasDeciding ? which : which.slice(1)).map(([name, keep]) => ({ name, keep })), ({ keep }) => table.filter(keep));
    part('times', 'Times', sentence('Time of one call. One clock decides in each regime; other clocks are there to be held against it. CANNOT_TELL: no clock decides, and why.'),
        control, table.element);
}

const shape = (x, y, z) => (x ? [x, y, z].join('x') : ''); // a copy has none, and an imported file may not say it
const behind = [
    ['Kernels of a call', 'launch-table', () => all.launches, [...pointColumns, column('kernel', (l) => l.kernel, (l) => kernelName(l.kernel)),
        column('grid', (l) => shape(l.grid_x, l.grid_y, l.grid_z), null, 'right'), column('block', (l) => shape(l.block_x, l.block_y, l.block_z), null, 'right'),
        countColumn('registers', 'registers'), countColumn('local B', 'local_bytes'), column('shared B', (l) => l.static_shared_bytes + l.dynamic_shared_bytes, null, 'right'),
        textColumn('regime', 'regime'), textColumn('clock', 'clock'), timeColumn('time', 'time_ns'), textColumn('code', 'code_hash')], 'No activity records of kernels in this run.'],
    ['Counters', 'counter-table', () => all.counters.filter((c) => !binName.test(c.name)), [...pointColumns, textColumn('counter', 'name'), column('status', (c) => c.status, (c, s) => tag(s === 'ok' ? 'good' : 'warn', s)),
        numberColumn('value of a call', 'value', 6), textColumn('regime', 'regime'), textColumn('replay', 'replay'), textColumn('reason', 'reason', 'long')], 'Nothing was counted in this run.'],
    ['Tuning trials', 'trial-table', () => all.trials, [...pointColumns, textColumn('choice', 'tuning'), column('chosen', (r) => r.is_chosen, (r, is) => (is ? 'yes' : '')), textColumn('verdict', 'verdict'),
        textColumn('regime', 'regime'), textColumn('clock', 'clock'), timeColumn('median', 'median_ns'), textColumn('reason', 'reason', 'long')], 'No variant was tuned in this run.'],
    ['Floor and ceilings', 'ceiling-table', () => report.ceilings, [textColumn('kind', 'kind'), textColumn('regime', 'regime'), textColumn('clock', 'clock'),
        column('working set', (c) => c.working_set_bytes, (c, b) => (b > 0 ? formatBytes(b) : ''), 'right'), timeColumn('time of a call', 'median_ns'),
        column('rate', (c) => c.rate, (c, r) => (known(r) ? formatNumber(r / 1e9) + (c.kind === 'fma' ? '\u00a0Gflop/s' : '\u00a0GB/s') : ''), 'right')], 'Floor and ceilings were not measured in this run.'],
];

function behindPart() {
    const policies = report.policies.flatMap((policy) => Object.entries(policy).filter(([name, value]) => name !== 'policy_id' && value !== null)
        .map(([name, value]) => ({ policy: policy.policy_id, name, value })));
    const tables = [...behind, ['Measuring policy', 'policy-table', () => policies, [column('policy', (r) => r.policy, null, 'right'), textColumn('threshold', 'name'), column('value', (r) => r.value, null, 'right')],
        'No policy: nothing was timed.']];
    part('behind', 'Behind the numbers', ...tables.flatMap(([title, id, rows, columns, empty]) =>
        [make('h3', null, title), rows().length ? new Table(id, columns, rows()).element : nothing(empty)]));
}

// ---- head ----

function banner() {
    const n = countOutcomes(all.points);
    const checked = n.passed + n.failed + n.caught;
    const [kind, text] = n.failed ? ['bad', '\u2717 ' + formatCount(n.failed) + ' of ' + plural(checked, 'checked point') + ' failed']
        : n.ready ? ['warn', plural(n.ready, 'point') + ' not finished: the run was interrupted, or still runs']
            : checked ? ['good', '\u2713 ' + (checked === 1 ? 'The checked point came' : 'All ' + plural(checked, 'checked point') + ' came') + ' out right'] : ['warn', 'Nothing was checked'];
    return make('div', { className: 'banner ' + kind, id: 'banner', role: 'status' }, make('p', null, text), make('ul', { className: 'counts' },
        ...outcomeNames.filter(([name]) => n[name]).map(([name, words]) => make('li', null, make('b', { id: 'count-' + name }, formatCount(n[name])), words)), ...speedupCounts()));
}

// Of the speed-ups, where any was asked for.
function speedupCounts() {
    const told = all.comparisons.filter((c) => c.kind === 'speedup'), n = (finding) => told.filter((c) => c.finding === finding).length;
    const rest = told.length - n('FASTER') - n('SLOWER');
    return told.length ? [make('li', null, make('a', { href: '#speedups' }, 'speed-ups'), ': ' + formatCount(n('FASTER')) + ' faster, ' + formatCount(n('SLOWER')) + ' slower'
        + (rest ? ', ' + formatCount(rest) + ' without a finding' : ''))] : [];
}

const cudaVersion = (v) => (v > 0 ? Math.floor(v / 1000) + '.' + Math.floor((v % 1000) / 10) : '');

function facts() {
    const { run, build, device } = report, end = run.is_open ? 'no end: interrupted, or still running' : run.exit_status === null ? '' : 'exit status ' + run.exit_status;
    const rows = [['Device', device.name + (device.memory_bytes > 0 ? ', ' + formatBytes(device.memory_bytes) : '')], ['Device UUID', device.uuid],
        ['Driver', [device.driver, cudaVersion(device.runtime_version) && 'CUDA ' + cudaVersion(device.runtime_version)].filter(Boolean).join(', ')], ['Lane', run.lane],
        ['Started', formatDate(run.started_utc)], ['End', [formatDate(run.ended_utc), end].filter(Boolean).join(', ')],
        ['Commit', build.git_commit + (build.git_dirty ? ' with uncommitted changes' : '')], ['Build', [build.assay_version, build.build_type, build.compiler, build.cuda_compiler].filter(Boolean).join(', ')],
        ['Host', [run.host, run.cpu_model, run.n_cpus && plural(run.n_cpus, 'CPU')].filter(Boolean).join(', ')], ['Seed', run.seed], ['All configurations at', fixedText()], ['Run', run.uuid + ' (number ' + run.run_id + ' of the file)'], ['Command', run.command]];
    return make('dl', { className: 'facts' }, ...rows.filter(([, text]) => text).map(([name, text]) =>
        make('div', { className: name === 'Command' ? 'wide' : '' }, make('dt', null, name), make('dd', { className: name === 'Command' ? 'code' : '' }, clean(text)))));
}

function head() {
    const names = distinct(report.cases.map((c) => c.case_name)), what = names.length > 4 ? plural(names.length, 'case') : names.map(clean).join(', ');
    const title = (what || 'no case') + ' on ' + clean(report.device.name);
    document.title = 'Assay: ' + title;
    document.getElementById('head').append(make('h1', null, title), banner(), facts());
}

// ---- the page ----

head();
verdictPart();
speedupPart();
timePart();
sizePart();
ratePart();
rooflinePart();
samplePart();
sectionPart();
histogramPart();
historyPart();
changePart();
behindPart();
document.getElementById('contents').append(contents);
drawAll();
for (const media of ['(prefers-color-scheme: dark)', 'print']) matchMedia(media).addEventListener('change', drawAll);
