// What every part of the page stands on: the report's data, the view in the address, elements, numbers as people read them.

// The data are the base64 of a gzip file.
async function readReport() {
    const packed = Uint8Array.from(atob(document.getElementById('report').textContent.trim().replace(/\s+/g, '')), (c) => c.charCodeAt(0));
    return JSON.parse(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).text());
}

const isComparison = (data) => data.format === 'assay compare';
// A page of two runs has no points of its own, and its cases are those of its changes.
const casesOf = (data) => [...new Set((data.changes || []).map((c) => c.case_name))].map((case_name) => ({ case_name }));
const read = await readReport(), report = isComparison(read) ? { points: [], cases: casesOf(read), fits: [], ...read } : read;

// ---- the view: part and settings, as the address has them behind '#': times?time-table.find=vec4&time-table.sort=-time ----

const view = { part: '', settings: new URLSearchParams() };

// What stands in the address may be cut off in a mail or a chat: then it names no part.
function decodedPart(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return '';
    }
}

function readView() {
    const [part, ...settings] = location.hash.slice(1).split('?');
    view.part = decodedPart(part);
    view.settings = new URLSearchParams(settings.join('?'));
}

function writeView() {
    const settings = view.settings.toString();
    history.replaceState(null, '', '#' + encodeURIComponent(view.part) + (settings ? '?' + settings : ''));
}

const setting = (name) => view.settings.get(name);

// What is as it was at first (value null or '') is not kept.
function keepSetting(name, value) {
    if (value === null || value === '') view.settings.delete(name);
    else view.settings.set(name, value);
    writeView();
}

function dropSettings(prefix) {
    [...view.settings.keys()].filter((name) => name.startsWith(prefix)).forEach((name) => view.settings.delete(name));
}

function goTo(id) {
    const place = document.getElementById(id);
    if (!place) return;
    view.part = id;
    place.scrollIntoView();
}

// ---- elements ----

// A new element. Text from the report only ever becomes a text node.
function make(tag, properties, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties || {})) {
        if (value === null || value === undefined || value === false) continue;
        if (name in element && name !== 'list') element[name] = value;
        else element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
}

// Text of others: control characters become escapes that can be seen.
function clean(text) {
    const letters = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
    return String(text).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
        (c) => letters[c] || '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
}

// ---- numbers ----

const known = (value) => typeof value === 'number' && !Number.isNaN(value);

function formatNumber(value, digits = 4) {
    if (!known(value)) return '';
    if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
    if (value === 0) return '0';
    const rounded = Number(value.toPrecision(digits)), size = Math.abs(rounded);
    if (size >= 1e7 || size < 1e-3) return value.toExponential(digits - 1).replace('e+', 'e');
    return rounded.toFixed(Math.max(0, digits - 1 - Math.floor(Math.log10(size))));
}

function inUnits(value, units) {
    if (!known(value)) return '';
    const [size, name] = units.find(([least]) => Math.abs(value) >= least * 0.99995) || units[units.length - 1];
    return formatNumber(value / size) + '\u00a0' + name;
}

const formatTime = (ns) => inUnits(ns, [[1e9, 's'], [1e6, 'ms'], [1e3, 'us'], [1, 'ns']]);
// Of an axis: no digits that are all zero.
const formatTick = (format) => (value) => format(value).replace(/(\.\d*?)0+(?=\D|$)/, '$1').replace(/\.(?=\D|$)/, '');
const formatBytes = (bytes) => inUnits(bytes, [[1e12, 'TB'], [1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'B']]);
const formatCount = (n) => (known(n) || /^\d+$/.test(n) ? String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f') : '');
const formatDate = (utc) => (utc ? utc.replace('T', ' ').replace(/\.\d+Z$/, ' UTC') : '');
const formatPercent = (share) => (known(share) ? formatNumber(100 * share, 3) + '\u00a0%' : '');
const plural = (n, one, many = one + 's') => formatCount(n) + '\u00a0' + (n === 1 ? one : many);

// ---- the report as flat lists ----

// Each row of a point's list, with its point.
function rowsOf(member) {
    return report.points.flatMap((point) => point[member].map((row) => ({ ...row, point })));
}

const all = {
    points: report.points,
    measurements: rowsOf('measurements'),
    undecided: rowsOf('cannot_tell'),
    comparisons: rowsOf('comparisons'),
    launches: rowsOf('launches'),
    sections: rowsOf('sections'),
    counters: rowsOf('counters'),
    trials: rowsOf('tuning_trials'),
};
const deciding = all.measurements.filter((m) => m.decides === true && known(m.median_ns));

const distinct = (values) => [...new Set(values)];
const hasOneCase = report.cases.length < 2; // then its name is in the title alone
const caseOf = (point) => point.case_name + (moreVersions(point.case_name) ? ' v' + point.case_version : '');
function moreVersions(name) {
    return report.cases.filter((c) => c.case_name === name).length > 1;
}

// The name of a kernel in its mangled one, as the source has it.
function kernelName(mangled) {
    if (!mangled.startsWith('_Z')) return mangled;
    let at = mangled.startsWith('_ZL') ? 3 : 2, name = mangled;
    if (mangled[at] === 'N') at++;
    for (;;) {
        const digits = /^\d+/.exec(mangled.slice(at));
        if (!digits) return name;
        at += digits[0].length;
        name = mangled.slice(at, at + Number(digits[0]));
        at += Number(digits[0]);
    }
}

// ---- parts of the page ----

const contents = make('ul');

// Goes where the link says as the browser does, but that settings stay in the address.
function keepsSettings(link) {
    link.addEventListener('click', (event) => {
        const id = link.getAttribute('href').slice(1);
        event.preventDefault();
        goTo(id);
        writeView();
        document.getElementById(id).focus({ preventScroll: true });
    });
    return link;
}

const linkTo = (id, text) => keepsSettings(make('a', { href: '#' + id }, text));

// A part with a heading; it is listed in the navigation.
function part(id, title, ...children) {
    document.getElementById('main').append(make('section', { id, tabIndex: -1, 'aria-labelledby': id + '-title' }, make('h2', { id: id + '-title' }, title), ...children));
    contents.append(make('li', null, linkTo(id, title)));
}

const sentence = (text) => make('p', null, text);
const note = (text) => make('p', { className: 'empty' }, text);

// A list to choose from: [{name, ...}]; calls back with what was chosen, once at the start too. What is chosen is the setting `key`.
function chooser(key, label, choices, choose) {
    const select = make('select', null, ...choices.map((c, i) => make('option', { value: String(i) }, clean(c.name))));
    select.selectedIndex = Math.max(0, choices.findIndex((c) => c.name === setting(key)));
    select.addEventListener('change', () => {
        const choice = choices[select.selectedIndex];
        dropSettings(key + '.');
        keepSetting(key, select.selectedIndex ? choice.name : null);
        choose(choice);
    });
    choose(choices[select.selectedIndex]);
    return make('div', { className: 'controls', hidden: choices.length < 2 }, make('label', null, label, select));
}

// A line for a shell, with a button that copies it. Where copying is forbidden the line is selected.
function commandLine(text) {
    const code = make('code', null, clean(text)), button = make('button', { type: 'button', className: 'copy', 'aria-label': 'Copy the line' }, 'Copy');
    const say = (word) => {
        button.textContent = word;
        setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    };
    button.addEventListener('click', () => navigator.clipboard.writeText(text).then(() => say('Copied'), () => {
        getSelection().selectAllChildren(code);
        say('Selected');
    }));
    return make('span', { className: 'command' }, code, button);
}
