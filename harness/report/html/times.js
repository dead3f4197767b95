// Times, and the tables of what stands behind the numbers.

const speedupOf = new Map(all.comparisons.filter((c) => c.kind === 'speedup' && c.against === c.point.baseline).map((c) => [c.point.point_id + c.regime, c]));
const ownSpeedup = (m) => speedupOf.get(m.point.point_id + m.regime) || {};

function speedupCell({ ratio, lo, hi }) {
    if (!known(ratio)) return '';
    return formatNumber(ratio, 3) + '\u00d7' + (known(lo) ? ' [' + formatNumber(lo, 3) + ', ' + formatNumber(hi, 3) + ']' : ', no interval');
}

const timeColumns = [
    variantColumn(pointOfRow), staying(column('time', (m) => m.median_ns, (m, ns) => (m.cannot ? tag('warn', 'CANNOT_TELL') : believedTime(m, ns)), 'right')),
    column('\u00b1', (m) => m.uncertainty, (m, x) => formatUncertainty(x), 'right'),
    ...placeColumns(pointOfRow), textColumn('regime', 'regime'), textColumn('clock', 'clock'),
    column('speed-up', (m) => ownSpeedup(m).ratio, (m) => speedupCell(ownSpeedup(m)), 'right'), percentColumn('of ceiling', 'share_of_ceiling'),
    numberColumn('GB/s', 'gb_per_s'), numberColumn('Gflop/s', 'gflop_per_s'), offAtFirst(numberColumn('1e9/s', 'giga_per_s')),
    offAtFirst(timeColumn('q1', 'q1_ns')), offAtFirst(timeColumn('q3', 'q3_ns')), offAtFirst(countColumn('samples', 'n_samples')), offAtFirst(countColumn('processes', 'n_processes')),
    offAtFirst(percentColumn('spread', 'process_spread')), offAtFirst(countColumn('throttled', 'n_throttled')), offAtFirst(countColumn('discarded', 'n_discarded')),
    offAtFirst(numberColumn('SM MHz', 'sm_clock_mhz')), offAtFirst(timeColumn('floor', 'floor_ns')), textColumn('tuning', 'tuning'),
    offAtFirst(textColumn('decided by', 'decision')), textColumn('why', 'reason', 'long'),
];

function timePart() {
    const rows = [...all.measurements, ...all.undecided.map((u) => ({ ...u, cannot: true, clock: '' }))].sort((a, b) => a.point.ordinal - b.point.ordinal);
    if (rows.length === 0) return;
    const lists = [{ label: 'Clocks', of: (m) => (m.decides === true || m.cannot ? 'those that decide' : 'the others'), first: 'those that decide' }, { label: 'Regime', of: (m) => m.regime },
        { label: 'Case', of: (m) => m.point.case_name }];
    part('times', 'Times', sentence('Time of one call: the median, and how far it can be off. One clock decides in each regime; others are there to be compared with it. A time in grey '
        + 'with a word below it is doubtful. CANNOT_TELL: no clock decides, and why.'), new Table('time-table', 'Times', timeColumns, rows, lists).element);
}

// ---- what stands behind them ----

const shape = (x, y, z) => (x ? [x, y, z].join('x') : ''); // a copy has none, and an imported file may not say it
const sharedBytes = (l) => l.static_shared_bytes + l.dynamic_shared_bytes;

// Equal launches of a point as one, with their number and the time of all.
function foldedLaunches() {
    const alike = (l) => JSON.stringify([l.point.point_id, l.kernel, l.grid_x, l.grid_y, l.grid_z, l.block_x, l.block_y, l.block_z, l.registers, l.local_bytes, sharedBytes(l), l.code_hash, l.regime, l.clock]);
    return groupBy(all.launches, alike).map((group) => ({ ...group[0], n: group.length, time_ns: known(group[0].time_ns) ? group.reduce((sum, l) => sum + l.time_ns, 0) : null }));
}

// [title, id, rows, columns]
const behind = () => [
    ['Kernels of a call', 'launch-table', foldedLaunches(), [variantColumn(pointOfRow), staying(timeColumn('time', 'time_ns')), column('kernel', (l) => l.kernel, (l) => kernelName(l.kernel)),
        countColumn('launches', 'n'), ...placeColumns(pointOfRow), column('grid', (l) => shape(l.grid_x, l.grid_y, l.grid_z), null, 'right'), column('block', (l) => shape(l.block_x, l.block_y, l.block_z), null, 'right'),
        countColumn('registers', 'registers'), countColumn('local B', 'local_bytes'), column('shared B', sharedBytes, null, 'right'), textColumn('regime', 'regime'), textColumn('clock', 'clock'), offAtFirst(textColumn('code', 'code_hash'))]],
    ['Counters', 'counter-table', all.counters.filter((c) => !binName.test(c.name)), [variantColumn(pointOfRow), staying(numberColumn('value of a call', 'value', 6)), textColumn('counter', 'name'),
        column('status', (c) => c.status, (c, s) => tag(s === 'ok' ? 'good' : 'warn', s)), ...placeColumns(pointOfRow), textColumn('regime', 'regime'), textColumn('replay', 'replay'), textColumn('reason', 'reason', 'long')]],
    ['Tuning trials', 'trial-table', all.trials, [variantColumn(pointOfRow), staying(timeColumn('median', 'median_ns')), textColumn('choice', 'tuning'), column('chosen', (r) => (r.is_chosen ? 'yes' : '')), textColumn('verdict', 'verdict'),
        ...placeColumns(pointOfRow), textColumn('regime', 'regime'), textColumn('clock', 'clock'), textColumn('reason', 'reason', 'long')]],
    ['Floor and ceilings', 'ceiling-table', report.ceilings, [textColumn('kind', 'kind'), column('rate', (c) => c.rate, (c, r) => (known(r) ? formatNumber(r / 1e9) + (c.kind === 'fma' ? '\u00a0Gflop/s' : '\u00a0GB/s') : ''), 'right'),
        textColumn('regime', 'regime'), textColumn('clock', 'clock'), column('working set', (c) => c.working_set_bytes || null, (c, b) => (b > 0 ? formatBytes(b) : ''), 'right'), timeColumn('time of a call', 'median_ns')]],
    ['Measuring policy', 'policy-table', report.policies.flatMap((policy) => Object.entries(policy).filter(([name, value]) => name !== 'policy_id' && value !== null)
        .map(([name, value]) => ({ policy: policy.policy_id, name, value }))), [textColumn('threshold', 'name'), column('value', (r) => r.value, null, 'right'), column('policy', (r) => r.policy, null, 'right')]],
];

function behindPart() {
    const tables = behind().filter(([, , rows]) => rows.length > 0);
    if (tables.length > 0)
        part('behind', 'Behind the numbers', ...tables.flatMap(([title, id, rows, columns]) => [make('h3', null, title), new Table(id, title, columns, rows).element]));
}
