// Tables that sort and, where asked to, filter. A cell keeps the value as the database has it in data-value.

const MAX_ROWS = 400; // shown at first; the rest on demand

// Unknown values come last, whichever way a column is sorted.
function compareValues(a, b, direction) {
    const unknownA = a === null || a === undefined || a === '', unknownB = b === null || b === undefined || b === '';
    if (unknownA || unknownB) return unknownA - unknownB;
    if (typeof a === 'string' || typeof b === 'string')
        return direction * String(a).localeCompare(String(b), 'en', { numeric: true });
    return direction * (a - b || 0);
}

// columns: {title, value(row), show(row, value) -> text or element, kind: text, long or right}
class Table {
    constructor(id, columns, rows) {
        this.columns = columns;
        this.rows = rows;
        this.keep = () => true;
        this.limit = MAX_ROWS;
        this.sorted = null;
        this.body = make('tbody');
        this.heads = columns.map((column, index) => this.head(column, index));
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
const pointColumns = [
    column('case', (row) => row.point.case_name, (row) => caseOf(row.point)),
    column('configuration', (row) => row.point.axes, (row) => axesOf(row.point)),
    column('variant', (row) => row.point.variant),
];

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
    column('case', (p) => p.case_name, (p) => caseOf(p)),
    column('configuration', (p) => p.axes, axesOf),
    column('variant', (p) => p.variant),
    column('verdict', verdictOf, (p, v) => tag(outcomeKinds[p.outcome], v)),
    column('worst error / bound', (p) => p.worst_ratio, ratioBar, 'right'),
    column('input', (p) => p.worst_input),
    column('output', (p) => p.worst_output),
    column('reason', (p) => p.reason || (p.outcome === 'reference' ? 'the reference itself: no check' : ''), null, 'long'),
];

function option(text) {
    return make('option', { value: text }, clean(text));
}

function verdictPart() {
    const intro = sentence('Every variant at every configuration, held against the double-precision reference. The bar is the '
        + 'largest error over its bound, from 1/1000 to 10 times the bound on a log scale; the upright mark is the bound.');
    if (all.points.length === 0) {
        part('verdicts', 'Verdicts', nothing('This run planned no point.'));
        return;
    }
    const table = new Table('verdict-table', verdictColumns, all.points);
    const words = make('input', { type: 'search', id: 'filter-text', placeholder: 'any part of a row' });
    const verdicts = make('select', { id: 'filter-verdict' }, make('option', { value: '' }, 'all verdicts'),
        ...distinct(all.points.map(verdictOf)).sort().map(option));
    const cases = make('select', { id: 'filter-case' }, make('option', { value: '' }, 'all cases'),
        ...distinct(all.points.map((p) => p.case_name)).sort().map(option));
    const count = make('output', { id: 'filter-count' });
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
    part('verdicts', 'Verdicts', intro, make('div', { className: 'controls' }, make('label', null, 'Filter', words),
        make('label', null, 'Verdict', verdicts), make('label', null, 'Case', cases), count), table.element);
}
