// History: the times of a point run by run, card by card, with segments and steps; and the runs that a run was compared with.

const formatChange = (x) => (known(x) ? (x < 0 ? '\u2212' : '+') + formatPercent(Math.abs(x)) : '');
const changeInterval = (x) => (known(x.lo) ? ' [' + formatChange(x.lo) + ', ' + formatChange(x.hi) + ']' : '');

// ---- a series ----

// A series' runs with what is known of them: {...value, run, segment (what changed before it), step}.
function historyRows(series) {
    const runs = new Map(report.history_runs.map((run) => [run.run_id, run]));
    const segments = new Map(series.segments.map((s) => [s.run_id, s])), steps = new Map(series.steps.map((s) => [s.run_id, s]));
    return series.values.map((value, i) => ({ ...value, run: runs.get(value.run_id), segment: i > 0 ? segments.get(value.run_id) : null, step: i > 0 ? steps.get(value.run_id) : null }));
}

const cardName = (run) => (run.device_uuid ? 'card ' + clean(run.device_uuid).slice(0, 12) : 'card without a name');

// Where conditions change a new segment begins; a step is a change of level within one.
function historyLines(rows) {
    const at = (i) => ({ axis: 'x', value: i - 0.5 });
    return rows.flatMap(({ segment, step }, i) => [segment && segment.changed ? { ...at(i), text: clean(segment.changed).slice(0, 40) } : null,
        step ? { ...at(i), strong: true, text: 'step ' + formatChange(step.relative) } : null]).filter(Boolean);
}

function stepText(rows) {
    const steps = rows.filter((row) => row.step);
    return steps.length === 0 ? ' No step was found.' : ' Steps: ' + steps.map(({ step, run_id }) => formatChange(step.relative) + ' (' + formatChange(step.lo) + ' to '
        + formatChange(step.hi) + ') at run ' + run_id).join('; ') + '.';
}

// Quartiles included, and a little more.
function roomFor(values) {
    const ends = values.flatMap((v) => [v.median_ns, v.q1_ns, v.q3_ns]).filter(known), room = (Math.max(...ends) - Math.min(...ends)) * 0.15;
    return { suggestedMin: Math.min(...ends) - room, suggestedMax: Math.max(...ends) + room };
}

function historyChart(series, rows) {
    const cards = groupBy(rows, (row) => row.run.device_uuid);
    return (t) => ({ type: 'line', data: { labels: rows.map(({ run }) => [run.started_utc.slice(0, 10), 'run ' + run.run_id]),
        datasets: cards.map((mine, i) => ({ label: cardName(mine[0].run), data: rows.map((row) => (mine.includes(row) ? row.median_ns : null)), spanGaps: true, pointStyle: pointStyles[i % pointStyles.length],
            intervals: rows.map((row) => (mine.includes(row) ? { lo: row.q1_ns, hi: row.q3_ns } : null)), intervalColor: faint(t.series[i % t.series.length], '99'),
            borderColor: t.series[i % t.series.length], backgroundColor: t.series[i % t.series.length], borderWidth: 1.5, pointRadius: 4 })) },
    options: { interaction: { mode: 'index', intersect: false },
        scales: { x: axis(t, 'run, oldest first', { offset: true }), y: axis(t, 'median time of a call (' + series.regime + ', ' + series.clock + ' clock)', { ...roomFor(rows), ticks: { callback: formatTick(formatTime) } }) },
        plugins: { legend: { display: cards.length > 1 }, lines: { at: historyLines(rows) }, tooltip: { filter: (item) => known(item.raw), callbacks: {
            title: ([item]) => (item ? formatDate(rows[item.dataIndex].run.started_utc) : ''), label: (item) => historyText(rows[item.dataIndex]) } } } } });
}

function historyText({ median_ns, run }) {
    return formatTime(median_ns) + ', run ' + run.run_id + ', ' + cardName(run) + ', commit ' + clean(run.git_commit).slice(0, 12) + (run.git_dirty ? ' with changes' : '') + ', driver ' + clean(run.driver);
}

const historyColumns = [staying(column('run', (r) => r.run_id, null, 'right')), staying(timeColumn('median', 'median_ns')), column('started', (r) => r.run.started_utc, (r, utc) => formatDate(utc)),
    column('segment begins', (r) => (r.segment ? r.segment.changed : ''), null, 'long'), column('step', (r) => (r.step ? r.step.relative : null), (r, x) => (r.step ? formatChange(x) + changeInterval(r.step) : ''), 'right'),
    timeColumn('q1', 'q1_ns'), timeColumn('q3', 'q3_ns'), countColumn('samples', 'n_samples'), countColumn('processes', 'n_processes'),
    column('card', (r) => r.run.device_uuid), column('driver', (r) => r.run.driver), column('commit', (r) => r.run.git_commit, (r, commit) => clean(commit).slice(0, 12) + (r.run.git_dirty ? ' with changes' : ''))];

function historyPart() {
    const series = report.history.filter((s) => s.values.length > 1);
    if (series.length === 0) return;
    const figure = makeFigure('history-chart'), place = make('div');
    const control = chooser('history', 'Point, regime and clock', series.map((s) => ({ s, name: s.key + ': ' + s.regime + ', ' + s.clock + ' clock' })), ({ s, name }) => {
        const rows = historyRows(s), [before, last] = rows.slice(-2);
        figure.show(historyChart(s, rows), 340, 'History of ' + name + ': ' + rows.map((row) => formatTime(row.median_ns)).join(', '), name + ': median and quartiles of '
            + plural(rows.length, 'run') + ' on ' + plural(distinct(rows.map((row) => row.run.device_uuid)).length, 'card') + ' of this kind, up to this one. The last is '
            + formatNumber(last.median_ns / before.median_ns) + ' times the one before; this alone is no finding. Dotted: a new segment, as something changed; dashed: a step.' + stepText(rows));
        place.replaceChildren(new Table('history-table', 'History of one point', historyColumns, rows).element);
    });
    part('history', 'History', control, figure.element, place);
}

// ---- comparisons of this run ----

const changeTags = { SLOWER: 'bad', FASTER: 'good', SAME: 'good', CANNOT_TELL: 'warn' };
const changeTag = (verdict) => tag(changeTags[verdict] || 'plain', verdict);
const changeOf = column('change [95 %]', (c) => c.effect, (c, x) => (known(x) ? make('span', null, formatChange(x), make('span', { className: 'interval' }, changeInterval(c))) : ''), 'right');
const changeColumns = [staying(column('verdict', (c) => c.verdict, (c, verdict) => changeTag(verdict))), staying(changeOf), textColumn('point', 'key'), textColumn('regime', 'regime'),
    textColumn('clock', 'clock'), numberColumn('p, corrected', 'p_corrected', 2), column('in cycles', (c) => c.cycles_effect, (c, x) => formatChange(x), 'right'),
    column('against run', (c) => (c.from_run_id === null ? c.from_run : c.from_run_id), null, 'right'), textColumn('why', 'reason', 'long')];

function changePart() {
    if (report.changes.length > 0)
        part('changes', 'Changes', sentence('This run compared with others, as recorded by assay compare --record: time here over time there, minus 1, with its 95 % interval.'),
            new Table('change-table', 'Changes', changeColumns, report.changes, [{ label: 'Verdict', of: (c) => c.verdict }]).element);
}
