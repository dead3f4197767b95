// Tables that sort, filter and leave columns out as the reader likes. A cell keeps the value as the database has it in data-value.

const MAX_ROWS = 200; // shown at first; the rest on demand

// Unknown values come last, whichever way a column is sorted.
const isEmpty = (value) => value === null || value === undefined || value === '';
function compareValues(a, b, direction) {
    if (isEmpty(a) || isEmpty(b)) return isEmpty(a) - isEmpty(b);
    if (typeof a === 'string' || typeof b === 'string')
        return direction * String(a).localeCompare(String(b), 'en', { numeric: true });
    return direction * (a - b || 0);
}

// columns: {title, value(row), show(row, value) -> text or element, kind: text, long, config or right, stays, isOff}: `stays` at the left
// when the others scroll away, at most two of them, which come first; `isOff` until the reader asks for it. A column without a value is none.
// lists: [{label, of(row), first}]: lists of all texts that of(row) has, of which the one is chosen; `first`: at first.
class Table {
    constructor(id, title, columns, rows, lists = []) {
        Object.assign(this, { id, title, rows, texts: new Map(), limit: setting(id + '.rows') === 'all' ? Infinity : MAX_ROWS });
        this.columns = columns.filter((c) => c.stays || rows.some((row) => !isEmpty(c.value(row)) || (c.show && !isEmpty(c.show(row, c.value(row))))));
        this.readSettings();
        this.lists = lists.map((list) => this.list(list)).filter((list) => list.texts.length > 1);
        this.body = make('tbody');
        this.headRow = make('tr');
        this.more = make('button', { type: 'button', className: 'more', hidden: true });
        this.more.addEventListener('click', () => {
            this.limit = Infinity;
            keepSetting(this.id + '.rows', 'all');
            this.fill();
        });
        this.table = make('table', { id }, make('thead', null, this.headRow), this.body);
        this.element = make('div', { className: 'sheet' }, this.tools(), make('div', { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Table: ' + title }, this.table), this.more);
        this.drawHead();
        this.fill();
    }

    // ---- settings ----

    readSettings() {
        const sort = setting(this.id + '.sort') || '', title = sort.replace(/^-/, '');
        this.sorted = this.columns.some((c) => c.title === title) ? { title, direction: sort.startsWith('-') ? -1 : 1 } : null;
        const changed = (setting(this.id + '.columns') || '').split('|');
        this.columns.forEach((c) => { c.isShown = c.stays || !c.isOff !== changed.includes(c.title); });
        this.shown = this.columns.filter((c) => c.isShown);
        this.find = setting(this.id + '.find') || '';
    }

    keepColumns() {
        const changed = this.columns.filter((c) => !c.stays && c.isShown === Boolean(c.isOff)).map((c) => c.title);
        this.shown = this.columns.filter((c) => c.isShown);
        keepSetting(this.id + '.columns', changed.join('|'));
        this.drawHead();
        this.fill();
    }

    // ---- what stands above ----

    tools() {
        const words = make('input', { type: 'search', value: this.find, placeholder: 'words; -word leaves out', 'aria-label': 'Filter: ' + this.title });
        words.addEventListener('input', () => {
            this.find = words.value;
            keepSetting(this.id + '.find', words.value);
            this.fill();
        });
        this.count = make('output');
        const chosen = this.columns.filter((c) => !c.stays);
        return make('div', { className: 'controls tools' }, make('label', null, 'Filter', words), ...this.lists.map((list) => list.element),
            chosen.length > 1 ? this.columnList(chosen) : null, this.count);
    }

    list({ label, of, first }) {
        const texts = distinct(this.rows.map(of).filter((text) => !isEmpty(text))), key = this.id + '.' + label;
        const start = first && texts.includes(first) ? first : 'all', options = ['all', ...texts.sort()];
        const select = make('select', null, ...options.map((text) => make('option', { value: text }, clean(text))));
        const wanted = setting(key);
        select.value = wanted !== null && options.includes(wanted) ? wanted : start;
        select.addEventListener('change', () => {
            keepSetting(key, select.value === start ? null : select.value);
            this.fill();
        });
        return { texts, element: make('label', null, label, select), keeps: (row) => select.selectedIndex <= 0 || of(row) === select.value };
    }

    columnList(columns) {
        const box = (column) => {
            const input = make('input', { type: 'checkbox', checked: column.isShown });
            input.addEventListener('change', () => {
                column.isShown = input.checked;
                this.keepColumns();
            });
            return make('label', null, input, column.title);
        };
        const summary = make('summary', null, 'Columns'), details = make('details', { className: 'columns' }, summary, make('div', null, ...columns.map(box)));
        details.addEventListener('keydown', (event) => {
            if (event.key !== 'Escape') return;
            details.open = false;
            summary.focus();
        });
        return details;
    }

    // ---- head and rows ----

    drawHead() {
        this.headRow.replaceChildren(...this.shown.map((column, i) => this.head(column, i)));
        this.table.classList.toggle('has-two', this.shown.length > 1 && Boolean(this.shown[1].stays));
        if (this.watch) this.watch.disconnect();
        this.watch = new ResizeObserver(() => this.table.style.setProperty('--second', this.headRow.cells[0].offsetWidth + 'px'));
        this.watch.observe(this.headRow.cells[0]);
    }

    head(column, i) {
        const button = make('button', { type: 'button' }, column.title), isSorted = this.sorted && this.sorted.title === column.title;
        button.addEventListener('click', () => this.sort(column.title));
        return make('th', { scope: 'col', className: (column.kind === 'right' ? 'right ' : '') + this.place(column, i),
            'aria-sort': isSorted ? (this.sorted.direction > 0 ? 'ascending' : 'descending') : null }, button);
    }

    place(column, i) {
        return column.stays ? ['first', 'second'][i] : '';
    }

    sort(title) {
        const direction = this.sorted && this.sorted.title === title ? -this.sorted.direction : 1;
        this.sorted = { title, direction };
        keepSetting(this.id + '.sort', (direction < 0 ? '-' : '') + title);
        const at = this.shown.findIndex((c) => c.title === title);
        this.drawHead();
        this.headRow.cells[at].firstChild.focus();
        this.fill();
    }

    cell(column, i, row) {
        const value = column.value(row), shown = column.show ? column.show(row, value) : value;
        const cell = make('td', { className: (column.kind || 'text') + ' ' + this.place(column, i) }, isEmpty(shown) ? '' : typeof shown === 'object' ? shown : clean(shown));
        if (value !== null && value !== undefined) cell.dataset.value = String(value);
        if (column.kind === 'config' && value) {
            cell.title = clean(value);
            cell.classList.toggle('wide', shown.length > 24);
        }
        if (column.stays) cell.classList.toggle('short', cell.textContent.length <= 28);
        if (column.kind === 'right' && known(value)) cell.title = String(value);
        return cell;
    }

    // Everything that a row says, in small letters.
    textOf(row) {
        if (!this.texts.has(row))
            this.texts.set(row, this.columns.map((c) => {
                const value = c.value(row), shown = c.show ? c.show(row, value) : '';
                return [value, shown && typeof shown === 'object' ? shown.textContent : shown].filter((x) => !isEmpty(x)).join(' ');
            }).join(' ').toLowerCase());
        return this.texts.get(row);
    }

    found() {
        const words = this.find.toLowerCase().split(/\s+/).filter((word) => word && word !== '-');
        return this.rows.filter((row) => this.lists.every((list) => list.keeps(row)) && words.every((word) => (
            word.startsWith('-') ? !this.textOf(row).includes(word.slice(1)) : this.textOf(row).includes(word))));
    }

    fill() {
        let rows = this.found();
        const by = this.sorted && this.columns.find((c) => c.title === this.sorted.title);
        if (by) rows = rows.map((row) => [by.value(row), row]).sort((a, b) => compareValues(a[0], b[0], this.sorted.direction)).map((x) => x[1]);
        this.more.hidden = rows.length <= this.limit;
        this.more.textContent = 'Show all ' + formatCount(rows.length) + ' rows';
        this.count.textContent = rows.length === this.rows.length ? plural(rows.length, 'row') : formatCount(rows.length) + ' of ' + plural(this.rows.length, 'row');
        this.body.replaceChildren(...rows.slice(0, this.limit).map((row) => make('tr', null, ...this.shown.map((column, i) => this.cell(column, i, row)))));
    }
}

// ---- columns that several tables have ----

const column = (title, value, show, kind) => ({ title, value, show, kind });
const staying = (c) => ({ ...c, stays: true });
// Half of the interval, as the text report has it.
const formatUncertainty = (x) => (!known(x) || x === Infinity ? '' : x < 1e-4 ? '<0.01\u00a0%' : formatNumber(100 * x, 2) + '\u00a0%');
const offAtFirst = (c) => ({ ...c, isOff: true });
const textColumn = (title, name, kind) => column(title, (row) => row[name], null, kind);
const timeColumn = (title, name) => column(title, (row) => row[name], (row, ns) => formatTime(ns), 'right');
const numberColumn = (title, name, digits) => column(title, (row) => row[name], (row, x) => formatNumber(x, digits), 'right');
const percentColumn = (title, name) => column(title, (row) => row[name], (row, x) => formatPercent(x), 'right');
const countColumn = (title, name) => column(title, (row) => row[name], (row, n) => formatCount(n), 'right');
// In a run of one case the column's title names the axes, and its cells have their values alone.
const movingNames = distinct(all.points.map((p) => partsOf(p).map((a) => a.name).join(', ')));
const isNamedOnce = hasOneCase && movingNames.length === 1 && movingNames[0] !== '';
const configurationTitle = isNamedOnce ? clean(movingNames[0]) : 'configuration';
const configurationOf = (point) => (isNamedOnce ? partsOf(point).map((a) => axisValue(a.text)).join(', ') : axesOf(point));
// A name may be broken behind its underscores.
const breakable = (name) => make('span', null, ...clean(name).split(/(?<=_)/).flatMap((word, i) => (i ? [make('wbr'), word] : [word])));
const variantColumn = (pointOf) => staying(column('variant', (row) => pointOf(row).variant, (row, name) => breakable(name)));
const placeColumns = (pointOf) => [
    ...(hasOneCase ? [] : [column('case', (row) => pointOf(row).case_name, (row) => caseOf(pointOf(row)))]),
    column(configurationTitle, (row) => pointOf(row).axes, (row) => configurationOf(pointOf(row)), 'config'),
];
const pointOfRow = (row) => row.point;

const tag = (kind, text) => make('span', { className: 'tag ' + kind }, clean(text));

// ---- how far a time is to be believed ----

// What the text report says, too; nothing where there is no doubt.
const doubtOf = (m) => m.cannot ? 'no clock decides' : m.doubt;

// A time that is not to be believed looks like one.
function believedTime(m, ns) {
    const text = formatTime(ns), doubt = doubtOf(m);
    return doubt ? make('span', { className: 'doubted' }, text, make('span', { className: 'doubt' }, clean(doubt))) : make('span', { className: 'believed' }, text);
}

// Ends of the median's interval, for a figure.
const intervalOf = (m) => (known(m.uncertainty) ? { lo: m.median_ns * (1 - m.uncertainty), hi: m.median_ns * (1 + m.uncertainty) } : null);
const believedText = (m) => formatTime(m.median_ns) + (known(m.uncertainty) ? ' \u00b1 ' + formatUncertainty(m.uncertainty) : '') + (doubtOf(m) ? ', ' + doubtOf(m) : '');
