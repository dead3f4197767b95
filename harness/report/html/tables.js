// Tables that sort and, where asked to, filter. A cell keeps the value as the database has it in data-value.

const MAX_ROWS = 200; // shown at first; the rest on demand

// Unknown values come last, whichever way a column is sorted.
function compareValues(a, b, direction) {
    const unknownA = a === null || a === undefined || a === '', unknownB = b === null || b === undefined || b === '';
    if (unknownA || unknownB) return unknownA - unknownB;
    if (typeof a === 'string' || typeof b === 'string')
        return direction * String(a).localeCompare(String(b), 'en', { numeric: true });
    return direction * (a - b || 0);
}

// columns: {title, value(row), show(row, value) -> text or element, kind: text, long, config or right}
class Table {
    constructor(id, columns, rows) {
        // A column of words with none in it says nothing.
        this.columns = columns.filter((c) => c.kind !== 'long' || rows.some(c.value));
        this.rows = rows;
        this.keep = () => true;
        this.limit = MAX_ROWS;
        this.sorted = null;
        this.body = make('tbody');
        this.heads = this.columns.map((column, index) => this.head(column, index));
        this.more = make('button', { type: 'button', className: 'more', hidden: true });
        this.more.addEventListener('click', () => { this.limit = Infinity; this.fill(); });
        const table = make('table', { id }, make('thead', null, make('tr', null, ...this.heads)), this.body);
        this.element = make('div', null, make('div', { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': id },
            table), this.more);
        this.fill();
    }

    head(column, index) {
        const button = make('button', { type: 'button' }, column.title);
        button.addEventListener('click', () => this.sort(index));
        return make('th', { scope: 'col', className: column.kind === 'right' ? 'right' : '' }, button);
    }

    sort(index) {
        const direction = this.sorted && this.sorted.index === index ? -this.sorted.direction : 1;
        this.sorted = { index, direction };
        this.heads.forEach((head, i) => (i === index
            ? head.setAttribute('aria-sort', direction > 0 ? 'ascending' : 'descending') : head.removeAttribute('aria-sort')));
        this.fill();
    }

    filter(keep) {
        this.keep = keep;
        this.fill();
    }

    cell(column, row) {
        const value = column.value(row), shown = column.show ? column.show(row, value) : value;
        const cell = make('td', { className: column.kind || 'text' },
            shown === null || shown === undefined ? '' : typeof shown === 'object' ? shown : clean(shown));
        if (value !== null && value !== undefined) cell.dataset.value = String(value);
        if (column.kind === 'config' && value) {
            cell.title = clean(value);
            cell.classList.toggle('wide', shown.length > 24);
        }
        if (column.kind === 'right' && known(value)) cell.title = String(value);
        return cell;
    }

    fill() {
        let rows = this.rows.filter(this.keep);
        if (this.sorted) {
            const { index, direction } = this.sorted, value = this.columns[index].value;
            rows = rows.map((row) => [value(row), row]).sort((a, b) => compareValues(a[0], b[0], direction)).map((x) => x[1]);
        }
        this.n = rows.length;
        this.more.hidden = rows.length <= this.limit;
        this.more.textContent = 'Show all ' + formatCount(rows.length) + ' rows';
        this.body.replaceChildren(...rows.slice(0, this.limit).map((row) =>
            make('tr', { className: row.decides === true || row.is_chosen === true ? 'chosen' : '' },
                ...this.columns.map((column) => this.cell(column, row)))));
    }
}

// ---- columns that several tables have ----

const column = (title, value, show, kind) => ({ title, value, show, kind });
const textColumn = (title, name, kind) => column(title, (row) => row[name], null, kind);
const timeColumn = (title, name) => column(title, (row) => row[name], (row, ns) => formatTime(ns), 'right');
const numberColumn = (title, name, digits) => column(title, (row) => row[name], (row, x) => formatNumber(x, digits), 'right');
const countColumn = (title, name) => column(title, (row) => row[name], (row, n) => formatCount(n), 'right');
// In a run of one case the column's title names the axes, and its cells have their values alone.
const movingNames = distinct(all.points.map((p) => partsOf(p).map((a) => a.name).join(', ')));
const isNamedOnce = hasOneCase && movingNames.length === 1 && movingNames[0] !== '';
const configurationTitle = isNamedOnce ? clean(movingNames[0]) : 'configuration';
const configurationOf = (point) => (isNamedOnce ? partsOf(point).map((a) => axisValue(a.text)).join(', ') : axesOf(point));
const columnsOfPoint = (pointOf) => [
    ...(hasOneCase ? [] : [column('case', (row) => pointOf(row).case_name, (row) => caseOf(pointOf(row)))]),
    column(configurationTitle, (row) => pointOf(row).axes, (row) => configurationOf(pointOf(row)), 'config'),
    column('variant', (row) => pointOf(row).variant),
];
const pointColumns = columnsOfPoint((row) => row.point);

const tag = (kind, text) => make('span', { className: 'tag ' + kind }, clean(text));

// ---- verdicts ----

const outcomeKinds = { passed: 'good', reference: 'plain', caught: 'good', failed: 'bad', skipped: 'plain', ready: 'warn' };
const verdictOf = (point) => point.verdict || 'not finished';

// From a thousandth of the bound to ten times it, on a log scale; the mark is the bound itself.
const placeOfRatio = (ratio) => Math.min(100, Math.max(0, 25 * (Math.log10(ratio) + 3)));

function ratioBar(point, ratio) {
    const isNaN_ = !known(ratio) && point.outcome === 'failed' && point.worst_output;
    if (!known(ratio) && !isNaN_) return null;
    const over = isNaN_ || !(ratio <= 1), text = isNaN_ ? 'NaN' : formatNumber(ratio, 3);
    const fill = make('span', { className: 'fill' + (over ? ' over' : '') }), bound = make('span', { className: 'bound' });
    fill.style.width = (isNaN_ ? 100 : placeOfRatio(ratio)) + '%';
    bound.style.left = '75%';
    return make('span', { className: 'ratio' }, make('span', { className: 'track', 'aria-hidden': 'true' }, fill, bound),
        make('span', { className: 'value' }, text));
}

const verdictColumns = [
    ...columnsOfPoint((p) => p),
    column('verdict', verdictOf, (p, v) => tag(outcomeKinds[p.outcome], v)),
    column('worst error / bound', (p) => p.worst_ratio, ratioBar, 'right'),
    column('input', (p) => p.worst_input),
    column('output', (p) => p.worst_output),
    column('reason', (p) => p.reason || (p.outcome === 'reference' ? 'the reference: no check' : ''), null, 'long'),
    ...(all.points.some((p) => p.replay) ? [column('to repeat it', (p) => p.replay, (p, line) => line && make('code', null, clean(line)), 'long')] : []),
];

function option(text) {
    return make('option', { value: text }, clean(text));
}

// ---- their summary ----

const outcomeNames = [['passed', 'passed'], ['failed', 'failed'], ['caught', 'broken on purpose, caught'], ['skipped', 'skipped'],
    ['reference', 'references (no check)'], ['ready', 'not finished']];
const countOutcomes = (points) => Object.fromEntries(outcomeNames.map(([name]) => [name, points.filter((p) => p.outcome === name).length]));
const isWorse = (a, b) => b === null || (known(a.worst_ratio) && !(known(b.worst_ratio) && a.worst_ratio <= b.worst_ratio));

// A case's variant in one row: how many points came out how, and the worst of those that were checked.
function summarise(points) {
    const failed = points.filter((p) => p.outcome === 'failed'), n = countOutcomes(points);
    const judged = failed.length ? failed : points.filter((p) => p.outcome === 'passed');
    const worst = failed.find((p) => p.worst_output && !known(p.worst_ratio)) || judged.reduce((w, p) => (isWorse(p, w) ? p : w), null);
    return { first: points[0], n, all: points.length, worst };
}

const summaryColumns = (rows) => [
    ...(hasOneCase ? [] : [column('case', (r) => r.first.case_name, (r) => caseOf(r.first))]),
    column('variant', (r) => r.first.variant),
    column('points', (r) => r.all, (r, n) => formatCount(n), 'right'),
    ...outcomeNames.filter(([name]) => rows.some((r) => r.n[name])).map(([name]) => column(name === 'ready' ? 'not finished' : name, (r) => r.n[name],
        (r, n) => (name === 'failed' && n ? tag('bad', formatCount(n)) : formatCount(n)), 'right')),
    column('worst error / bound', (r) => r.worst && r.worst.worst_ratio, (r) => r.worst && ratioBar(r.worst, r.worst.worst_ratio), 'right'),
    column('in output', (r) => r.worst && r.worst.worst_output),
    column('of input', (r) => r.worst && r.worst.worst_input),
    column('at', (r) => r.worst && r.worst.axes, (r) => r.worst && configurationOf(r.worst), 'config'),
];

function summaryTable() {
    const rows = groupBy(all.points, (p) => JSON.stringify([caseOf(p), p.variant])).map(summarise).sort((a, b) => (b.n.failed > 0) - (a.n.failed > 0));
    return new Table('summary-table', summaryColumns(rows), rows).element;
}

// What each variant is, where its case says so.
function describedTable() {
    const rows = groupBy(all.points, (p) => JSON.stringify([caseOf(p), p.variant])).map(([first]) => first).filter((p) => p.variant_what);
    const columns = [...(hasOneCase ? [] : [column('case', (p) => p.case_name, caseOf)]), textColumn('variant', 'variant'), textColumn('is', 'variant_what')];
    return rows.length ? [make('h3', null, 'What the variants are'), new Table('described-table', columns, rows).element] : [];
}

function verdictPart() {
    const intro = sentence('Every variant at every configuration, failures first, held against the double-precision reference. The bar is the '
        + 'largest error over its bound, from 1/1000 to 10 times the bound on a log scale; the upright mark is the bound.');
    if (all.points.length === 0) {
        part('verdicts', 'Verdicts', nothing('This run planned no point.'));
        return;
    }
    const failuresFirst = [...all.points].sort((a, b) => (b.outcome === 'failed') - (a.outcome === 'failed'));
    const table = new Table('verdict-table', verdictColumns, failuresFirst);
    const words = make('input', { type: 'search', id: 'filter-text', placeholder: 'any part of a row' });
    const verdicts = make('select', { id: 'filter-verdict' }, make('option', { value: '' }, 'all verdicts'),
        ...distinct(all.points.map(verdictOf)).sort().map(option));
    const cases = make('select', { id: 'filter-case' }, make('option', { value: '' }, 'all cases'),
        ...distinct(all.points.map((p) => p.case_name)).sort().map(option));
    const count = make('output', { id: 'filter-count' });
    const caseList = make('label', { hidden: hasOneCase }, 'Case', cases);
    const rowText = (p) => [p.case_name, p.axes, p.variant, verdictOf(p), p.worst_input, p.worst_output, p.reason, p.key]
        .join(' ').toLowerCase();
    const apply = () => {
        const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean), { selectedIndex: v } = verdicts, { selectedIndex: c } = cases;
        table.filter((p) => (v === 0 || verdictOf(p) === verdicts.value) && (c === 0 || p.case_name === cases.value)
            && wanted.every((word) => rowText(p).includes(word)));
        count.textContent = formatCount(table.n) + ' of ' + plural(all.points.length, 'point');
    };
    words.addEventListener('input', apply);
    verdicts.addEventListener('change', apply);
    cases.addEventListener('change', apply);
    apply();
    part('verdicts', 'Verdicts', intro, make('h3', null, hasOneCase ? 'By variant' : 'By case and variant'), summaryTable(), ...describedTable(), make('h3', null, 'Every point'), make('div', { className: 'controls' }, make('label', null, 'Filter', words),
        make('label', null, 'Verdict', verdicts), caseList, count), table.element);
}
