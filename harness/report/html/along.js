// Along an axis: points that differ in nothing but one axis of numbers and the variant, and what their size is.

const axisOf = (point, name) => point.axis_values.find((a) => a.name === name);
const alikeBut = (rows, name) => groupBy(rows, (row) => JSON.stringify(row.point.axis_values.filter((a) => a.name !== name).map((a) => [a.name, a.text])));
const placesOf = (rows, sizeOf) => new Set(rows.map(sizeOf)).size;

// What sizes along this axis are of: '' (a number), 'side' where all grids are squares or all are cubes, else 'cells'.
function unitAlong(rows, name) {
    const grids = rows.map((row) => axisOf(row.point, name));
    if (grids[0].kind !== 'grid') return '';
    const isCube = grids[0].value_z > 1;
    return grids.every((g) => g.value_y === g.value_x && g.value_z === (isCube ? g.value_x : 1)) ? 'side' : 'cells';
}

function sizeAlong(point, name, unit) {
    const { value_x, value_y, value_z } = axisOf(point, name);
    return unit === 'cells' ? value_x * value_y * value_z : value_x;
}

const axisTitle = (name, unit) => clean(name) + (unit ? ', ' + unit : '');

// A choice of what to draw along: {rows, name, regime, axis, most, n, scale(rows) -> {title, of(row)}}. `axis` gets no list, for it is
// what is drawn along; `most` are the rows that the lists begin with, which have `n` places.
function choiceAlong(rows, title, axisName, placeOf, scale) {
    const most = alikeBut(rows, axisName).sort((a, b) => placesOf(b, placeOf) - placesOf(a, placeOf))[0];
    return { rows, axis: axisName, most, n: placesOf(most, placeOf), scale, regime: rows[0].regime, name: casePrefix(rows[0].point) + rows[0].regime + ', along ' + title };
}

// For each axis along which these rows have `least` places or more, most places first.
function choicesAlong(rows, least) {
    return varyingAxes(rows).filter((a) => a.kind !== 'text').map(({ name }) => choiceAlong(rows, name, name, (row) => valueOf(row.point, name), (shown) => {
        const unit = unitAlong(shown, name);
        return { unit, title: axisTitle(name, unit), of: (row) => sizeAlong(row.point, name, unit) };
    })).filter((choice) => choice.n >= least).sort((a, b) => b.n - a.n);
}

// Rows of each curve: of one variant, and of one word of every axis of words that these rows differ in. The curve has its name.
function curveRows(rows) {
    const words = varyingAxes(rows).filter((a) => a.kind === 'text').map((a) => a.name);
    const nameOf = ({ point }) => [point.variant, ...words.map((name) => name + '=' + valueOf(point, name))].join(', ');
    return groupBy(rows, nameOf).map((group) => ({ name: nameOf(group[0]), group }));
}

// Lists of regime and axis (setting `key`), then of all other axes; those of words offer all, each in curves of its own.
function chooserAlong(key, choices, show) {
    const first = (choice, axes) => new Map(axes.map((a) => [a.name, valueOf(choice.most[0].point, a.name)]));
    const rule = { most: 0, hasAll: (axis) => axis.kind === 'text', without: (rows, choice) => [choice.axis], first };
    return configurationChooser(key, 'Regime and axis', byRegime(choices, (c) => c.regime), rule, show);
}

const byCaseAndRegime = (rows) => groupBy(rows, (m) => JSON.stringify([caseOf(m.point), m.regime]));

// An axis of sizes: of logarithms where they are far apart.
function sizeScale(t, title, xs) {
    const isLog = Math.min(...xs) > 0 && Math.max(...xs) / Math.min(...xs) >= 8;
    return axis(t, title, isLog ? { type: 'logarithmic', ...logEnds(xs, 1.3), ticks: { callback: logTick(formatCount) } } : { ticks: { callback: formatTick(formatCount) } });
}
