// The head, and the page as a whole.

const factList = (rows) => make('dl', { className: 'facts' }, ...rows.filter(([, text]) => text).map(([name, text]) =>
    make('div', { className: name === 'Command' ? 'wide' : '' }, make('dt', null, name), make('dd', null, name === 'Command' ? commandLine(text) : clean(text)))));

function banner() {
    const n = countOutcomes(all.points);
    const checked = n.passed + n.failed + n.caught;
    const [kind, text] = n.failed ? ['bad', '\u2717 ' + formatCount(n.failed) + ' of ' + plural(checked, 'checked point') + ' failed']
        : n.ready ? ['warn', plural(n.ready, 'point') + ' not finished: the run was interrupted, or still runs']
            : checked ? ['good', '\u2713 ' + (checked === 1 ? 'The checked point came' : 'All ' + plural(checked, 'checked point') + ' came') + ' out right'] : ['warn', 'Nothing was checked'];
    return make('div', { className: 'banner ' + kind, id: 'banner' }, make('p', null, text), make('ul', { className: 'counts' },
        ...outcomeNames.filter(([name]) => n[name]).map(([name, words]) => make('li', null, make('b', { id: 'count-' + name }, formatCount(n[name])), words)), ...speedupCounts()));
}

// Of the speed-ups, where any was asked for.
function speedupCounts() {
    const told = all.comparisons.filter((c) => c.kind === 'speedup'), n = (finding) => told.filter((c) => c.finding === finding).length;
    const rest = told.length - n('FASTER') - n('SLOWER');
    return told.length ? [make('li', null, linkTo('speedups', 'speed-ups'), ': ' + formatCount(n('FASTER')) + ' faster, ' + formatCount(n('SLOWER')) + ' slower'
        + (rest ? ', ' + formatCount(rest) + ' without a finding' : ''))] : [];
}

const cudaVersion = (v) => (v > 0 ? Math.floor(v / 1000) + '.' + Math.floor((v % 1000) / 10) : '');

function facts() {
    const { run, build, device } = report, end = run.is_open ? 'no end: interrupted, or still running' : run.exit_status === null ? '' : 'exit status ' + run.exit_status;
    const rows = [['Device', device.name + (device.memory_bytes > 0 ? ', ' + formatBytes(device.memory_bytes) : '')], ['Device UUID', device.uuid],
        ['Driver', [device.driver, cudaVersion(device.runtime_version) && 'CUDA ' + cudaVersion(device.runtime_version)].filter(Boolean).join(', ')], ['Lane', run.lane],
        ['Started', formatDate(run.started_utc)], ['End', [formatDate(run.ended_utc), end].filter(Boolean).join(', ')],
        ['Commit', build.git_commit + (build.git_dirty ? ' with uncommitted changes' : '')], ['Build', [build.assay_version, build.build_type, build.compiler, build.cuda_compiler].filter(Boolean).join(', ')],
        ['Host', [run.host, run.cpu_model, run.n_cpus > 0 && plural(run.n_cpus, 'CPU')].filter(Boolean).join(', ')], ['Seed', run.seed], ['All configurations at', fixedText()], ['Run', run.uuid + ' (number ' + run.run_id + ' of the file)'], ['Command', run.command]];
    return factList(rows);
}

function runHead() {
    const names = distinct(report.cases.map((c) => c.case_name)), what = names.length > 4 ? plural(names.length, 'case') : names.map(clean).join(', ');
    const title = (what || 'no case') + ' on ' + clean(report.device.name);
    document.title = 'Assay: ' + title;
    document.getElementById('head').append(make('p', { className: 'brand' }, 'Assay report'), make('h1', null, title), banner(), facts());
}

// ---- the page ----

const runParts = [runHead, verdictPart, timePart, speedupPart, sizePart, ratePart, rooflinePart, samplePart, sectionPart, histogramPart, historyPart, changePart, behindPart];
const comparisonParts = [comparisonHead, comparedPart, notComparedPart];

// The whole page as the address says it.
function drawPage() {
    readView();
    forgetFigures();
    for (const place of [contents, document.getElementById('head'), document.getElementById('main')]) place.replaceChildren();
    (isComparison(report) ? comparisonParts : runParts).forEach((draw) => draw());
    document.getElementById('contents').replaceChildren(contents);
    drawAll();
    if (view.part) goTo(view.part);
}

keepsSettings(document.querySelector('.skip'));
drawPage();
addEventListener('hashchange', drawPage);
for (const media of ['(prefers-color-scheme: dark)', 'print']) matchMedia(media).addEventListener('change', drawAll);
document.documentElement.dataset.isDrawn = 'yes';
