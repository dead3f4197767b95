// A page of two runs: what is judged of each point, as `assay compare` judges it.

const axesText = (change) => change.axes.replaceAll(';', ', ');
const compared = report.changes.filter((c) => c.kind === 'compared'), notCompared = report.changes.filter((c) => c.kind !== 'compared');
const kindWords = { no_number: 'no number on a side', different: 'the sides stand on different things', undecided: 'no clock decides on a side', only_a: 'only in A', only_b: 'only in B' };
const kindOf = (c) => (c.is_new_failure ? 'FAILED in B' : kindWords[c.kind]);
// Why a side is not to be believed as it is; and that a change rests on time alone.
const isOfTimeAlone = (c) => (c.verdict === 'SLOWER' || c.verdict === 'FASTER') && !known(c.cycles_effect);
const notesOf = (c) => [c.doubt_a && 'A: ' + c.doubt_a, c.doubt_b && 'B: ' + c.doubt_b, isOfTimeAlone(c) && 'cycles unknown'].filter(Boolean).join('; ');
const comparedLists = [{ label: 'Verdict', of: (c) => c.verdict }, { label: 'Regime', of: (c) => c.regime }, { label: 'Case', of: (c) => c.case_name }];

const changePlace = [...(hasOneCase ? [] : [textColumn('case', 'case_name')]), column('configuration', axesText, null, 'config'), textColumn('regime', 'regime'), textColumn('clock', 'clock')];
const notesColumn = column('note', notesOf), medianColumns = [timeColumn('median of A', 'median_a_ns'), timeColumn('median of B', 'median_b_ns')];
const comparedColumns = [
    variantColumn((c) => c), staying(changeOf), timeColumn('A', 'time_a_ns'), timeColumn('B', 'time_b_ns'), column('verdict', (c) => c.verdict, (c, verdict) => changeTag(verdict)), notesColumn,
    ...changePlace, ...medianColumns, percentColumn('margin', 'margin'), numberColumn('p, corrected', 'p_corrected', 2),
    column('in cycles [95 %]', (c) => c.cycles_effect, (c, x) => (known(x) ? formatChange(x) + changeInterval({ lo: c.cycles_lo, hi: c.cycles_hi }) : ''), 'right'),
    offAtFirst(countColumn('processes of A', 'processes_a')), offAtFirst(countColumn('processes of B', 'processes_b')), offAtFirst(countColumn('would decide', 'processes_needed')),
    textColumn('across', 'why', 'long'), textColumn('found', 'reason', 'long'), offAtFirst(textColumn('next', 'next', 'long')),
];
const notComparedColumns = [variantColumn((c) => c), staying(column('what', kindOf, (c, text) => (c.is_new_failure ? tag('bad', text) : text))), ...changePlace,
    textColumn('verdict of A', 'verdict_a'), textColumn('verdict of B', 'verdict_b'), ...medianColumns, notesColumn, textColumn('why', 'why', 'long')];

// ---- chart ----

const comparedName = (c) => shorten(clean([c.variant, axesText(c), c.regime].filter(Boolean).join(', ')), isNarrow() ? 21 : 60);

function comparedChart(rows) {
    const { threshold } = rows[0], ends = rows.flatMap((c) => [c.effect, c.lo, c.hi, -threshold, threshold]).filter(known);
    return (t) => {
        const colours = { FASTER: t.series[0], SLOWER: t.series[1], SAME: t.series[2] };
        return { type: 'bar', data: { labels: rows.map(comparedName), datasets: [{ data: rows.map((c) => c.effect), intervals: rows, intervalColor: t.ink, maxBarThickness: 16, minBarLength: 2,
            notes: rows.map((c) => formatChange(c.effect)), backgroundColor: rows.map((c) => faint(colours[c.verdict] || t.soft, 'aa')) }] },
        options: { indexAxis: 'y', layout: { padding: { right: NOTE_WIDTH } }, interaction: { mode: 'index', axis: 'y', intersect: false },
            scales: { y: axis(t, '', { title: { display: false }, grid: { display: false }, ticks: { autoSkip: false, color: t.ink, font: { size: isNarrow() ? 11 : 12 } } }),
                x: axis(t, 'time of B over time of A, less 1', { suggestedMin: Math.min(...ends), suggestedMax: Math.max(...ends), ticks: { callback: formatTick(formatChange) } }) },
            plugins: { legend: { display: false }, lines: { at: [{ axis: 'x', value: 0, strong: true }, { axis: 'x', value: -threshold }, { axis: 'x', value: threshold }] },
                tooltip: { callbacks: { title: ([item]) => clean(rows[item.dataIndex].key), label: (item) => comparedText(rows[item.dataIndex]) } } } } };
    };
}

const comparedText = (c) => c.verdict + ', ' + formatChange(c.effect) + changeInterval(c) + ', ' + c.regime + ', ' + c.clock + ' clock';

function showCompared(figure, { name, rows }) {
    const shown = rows.slice(0, MAX_BARS);
    figure.show(comparedChart(shown), 60 + BAR_HEIGHT * shown.length, 'Changes, ' + name + ': ' + shown.map((c) => c.key + ' ' + comparedText(c)).join('; '),
        name + ', worst first: the change that is judged, with its 95 % interval. Blue: FASTER; orange: SLOWER; green: SAME; grey: CANNOT_TELL. Dotted: the threshold of '
        + formatPercent(rows[0].threshold) + '.' + (rows.length > shown.length ? ' The first ' + MAX_BARS + ' of ' + rows.length + '; the table has all.' : ''));
}

function comparedPart() {
    if (compared.length === 0) return;
    const figure = makeFigure('compared-chart'), told = compared.filter((c) => known(c.effect));
    const choices = [['all but SAME', (c) => c.verdict !== 'SAME'], ['all', () => true]].map(([name, keep]) => ({ name, rows: told.filter(keep) })).filter(({ rows }) => rows.length > 0);
    part('compared', 'Compared', sentence('Time of B over time of A, less 1, with its 95 % interval: from the mean of ln(time) over the processes of each side, which is what is judged; A and B are these means as times. '
        + 'Medians are of all samples, for orientation. A note says why a side is not to be believed as it is.'), ...(choices.length ? [chooser('compared', 'Chart', choices, (choice) => showCompared(figure, choice)), figure.element] : []),
    new Table('compared-table', 'Compared', comparedColumns, compared, comparedLists).element);
}

function notComparedPart() {
    if (notCompared.length > 0)
        part('not-compared', 'Not compared', new Table('not-compared-table', 'Not compared', notComparedColumns, notCompared, [{ label: 'What', of: kindOf }]).element);
}

// ---- head ----

function comparisonBanner({ slower, faster, same, cannot_tell, new_failures }) {
    const [kind, text] = new_failures ? ['bad', '\u2717 ' + plural(new_failures, 'point') + ' fail in B that do not in A'] : slower ? ['bad', '\u2717 ' + plural(slower, 'line') + ' SLOWER']
        : cannot_tell || !compared.length ? ['warn', compared.length ? plural(cannot_tell, 'line') + ' CANNOT_TELL' : 'Nothing could be compared'] : ['good', '\u2713 Nothing is slower'];
    const counts = [[slower, 'SLOWER'], [cannot_tell, 'CANNOT_TELL'], [faster, 'FASTER'], [same, 'SAME'], [notCompared.length, 'not compared']].filter(([n]) => n > 0);
    return make('div', { className: 'banner ' + kind, id: 'banner' }, make('p', null, text),
        make('ul', { className: 'counts' }, ...counts.map(([n, words]) => make('li', null, make('b', null, formatCount(n)), words))));
}

const sideText = ({ path, runs }) => path + ': ' + runs.map((run) => 'run ' + run.run_id + ' of ' + formatDate(run.started_utc) + ', commit ' + (run.git_commit || 'unknown').slice(0, 12) + (run.git_dirty ? ' with changes' : '')).join('; ');

function comparisonHead() {
    const names = distinct(report.changes.map((c) => c.case_name)), title = (names.length > 4 ? plural(names.length, 'case') : names.map(clean).join(', ')) + ': B against A';
    document.title = 'Assay: ' + title;
    document.getElementById('head').append(make('p', { className: 'brand' }, 'Assay comparison'), make('h1', null, title), comparisonBanner(report.summary),
        factList([['A', sideText(report.a)], ['B', sideText(report.b)]]));
}
