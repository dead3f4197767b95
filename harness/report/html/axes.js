// Configurations: what tells the points of a case apart, and lists to choose one by.

// Long whole numbers in groups of three digits.
const axisValue = (text) => (/^\d{5,}$/.test(text) ? formatCount(text) : text);
const axisText = (a) => a.name + '=' + axisValue(a.text);
const valueOf = (point, name) => (point.axis_values.find((a) => a.name === name) || { text: null }).text;

function groupBy(rows, key) {
    const groups = new Map();
    rows.forEach((row) => {
        const name = key(row), group = groups.get(name);
        if (group) group.push(row);
        else groups.set(name, [row]);
    });
    return [...groups.values()];
}

// Axes of a case that have one value in all its configurations; none where there is one configuration only.
function fixedAxes(points) {
    const configurations = groupBy(points, (p) => p.axes).map(([first]) => first);
    if (configurations.length < 2) return [];
    return configurations[0].axis_values.filter((a) => configurations.every((p) => valueOf(p, a.name) === a.text));
}

const fixed = new Map(groupBy(all.points, caseOf).map((points) => [caseOf(points[0]), fixedAxes(points)]));
const isFixed = (point, name) => fixed.get(caseOf(point)).some((a) => a.name === name);

// The axes that tell this point from the others of its case, less those in `without`.
const partsOf = (point, without = new Map()) => point.axis_values.filter((a) => !isFixed(point, a.name) && !without.has(a.name));
const axesOf = (point, without) => partsOf(point, without).map(axisText).join(', ');

// What the page leaves out of every configuration: said once.
function fixedText() {
    const said = [...fixed].filter(([, axes]) => axes.length).map(([name, axes]) => [name, axes.map(axisText).join(', ')]);
    return said.map(([name, text]) => (fixed.size > 1 ? name + ': ' : '') + text).join('; ');
}

// The axes that these rows differ in: {name, kind, values}.
function varyingAxes(rows) {
    const found = new Map();
    rows.forEach((row) => row.point.axis_values.forEach((a) => {
        if (!found.has(a.name)) found.set(a.name, { name: a.name, kind: a.kind, values: new Set() });
        found.get(a.name).values.add(a.text);
    }));
    return [...found.values()].map((a) => ({ ...a, values: [...a.values] })).filter((a) => a.values.length > 1);
}

const isChosen = (row, chosen) => [...chosen].every(([name, text]) => valueOf(row.point, name) === text);

// Values for as many axes as leave at most so many rows: the largest size, the first word.
function firstChoice(rows, axes, most) {
    const chosen = new Map();
    for (const { name, kind } of axes) {
        if (rows.length <= most) break;
        chosen.set(name, valueOf(rows[kind === 'text' ? 0 : rows.length - 1].point, name));
        rows = rows.filter((row) => isChosen(row, chosen));
    }
    return chosen;
}

// What the address says of axes in place of what is chosen at first: 'all' or '=' and a value.
function readAxes(key, axes, chosen) {
    axes.forEach(({ name, values }) => {
        const said = setting(key + '.' + name);
        if (said === 'all') chosen.delete(name);
        else if (said && values.includes(said.slice(1))) chosen.set(name, said.slice(1));
    });
}

// A list for one axis; `hasAll`: or for all its values.
function axisSelect(key, axis, chosen, hasAll, changed) {
    const texts = hasAll ? [null, ...axis.values] : axis.values;
    const select = make('select', { 'data-axis': axis.name }, ...texts.map((text, i) => make('option', { value: String(i) }, text === null ? 'all' : clean(axisValue(text)))));
    select.selectedIndex = Math.max(0, texts.indexOf(chosen.has(axis.name) ? chosen.get(axis.name) : null));
    select.addEventListener('change', () => {
        const text = texts[select.selectedIndex];
        if (text === null) chosen.delete(axis.name);
        else chosen.set(axis.name, text);
        keepSetting(key + '.' + axis.name, text === null ? 'all' : '=' + text);
        changed();
    });
    return make('label', null, clean(axis.name), select);
}

// Lists for what to draw: one of `choices` [{name, rows}], then one list for each axis that its rows differ in.
// rule: {most, hasAll(axis), without(rows, choice), first(choice, axes)}: how many rows may be drawn before an axis is set, at
// first; does its list offer all values (else if `most` is above 0); names of axes without a list; what to set at first, if not
// the largest sizes. With `most` 0 every axis is set at first. Calls show(choice, rows, chosen). `key` names the settings.
function configurationChooser(key, label, choices, rule, show) {
    const box = make('div', { className: 'controls' }), place = make('div', { className: 'controls axes' });
    const choose = (choice) => {
        const without = rule.without ? rule.without(choice.rows, choice) : [];
        const axes = varyingAxes(choice.rows).filter((a) => !without.includes(a.name));
        const chosen = rule.first ? rule.first(choice, axes) : firstChoice(choice.rows, axes, rule.most);
        readAxes(key, axes, chosen);
        const draw = () => show(choice, choice.rows.filter((row) => isChosen(row, chosen)), chosen);
        place.replaceChildren(...axes.map((a) => axisSelect(key, a, chosen, rule.hasAll ? rule.hasAll(a) : rule.most > 0, draw)));
        draw();
    };
    box.append(chooser(key, label, choices, choose), place);
    return box;
}

// Regimes in the order in which people ask for them.
const regimes = ['cold', 'hot', 'graph', 'e2e'];
const byRegime = (choices, regimeOf) => [...choices].sort((a, b) => regimes.indexOf(regimeOf(a)) - regimes.indexOf(regimeOf(b)));

// What was chosen, for a caption: " at a=1, b=2".
const chosenText = (chosen) => (chosen.size ? ' at ' + [...chosen].map(([name, text]) => axisText({ name, text })).join(', ') : '');
