// Along an axis: points that differ in nothing but one axis of numbers and the variant, and what their size is.

const axisOf = (point, name) => point.axis_values.find((a) => a.name === name);
const restText = (point, name) => JSON.stringify(point.axis_values.filter((a) => a.name !== name).map((a) => [a.name, a.text]));
const alikeBut = (rows, name) => groupBy(rows, (row) => restText(row.point, name));
const placesOf = (rows, name) => new Set(rows.map((row) => valueOf(row.point, name))).size;

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

// A choice for each axis along which these rows have `least` places or more, beginning where there are most.
function choicesAlong(rows, least) {
    return varyingAxes(rows).filter((a) => a.kind !== 'text').map(({ name }) => {
        const most = alikeBut(rows, name).sort((a, b) => placesOf(b, name) - placesOf(a, name))[0];
        return { rows, axis: name, most, n: placesOf(most, name), regime: rows[0].regime, name: casePrefix(rows[0].point) + rows[0].regime + ', along ' + name };
    }).filter((choice) => choice.n >= least).sort((a, b) => b.n - a.n);
}

// Lists of regime and axis, then of all other axes.
function chooserAlong(choices, show) {
    const first = (choice, axes) => new Map(axes.map((a) => [a.name, valueOf(choice.most[0].point, a.name)]));
    return configurationChooser('Regime and axis', byRegime(choices, (c) => c.regime), { most: 0, without: (rows, choice) => [choice.axis], first }, show);
}

const deciders = () => groupBy(deciding.filter((m) => m.point.cells > 0 && m.median_ns > 0), (m) => JSON.stringify([caseOf(m.point), m.regime]));

// A scale of sizes: of logarithms where they are far apart.
function sizeScale(t, title, xs) {
    const isLog = Math.min(...xs) > 0 && Math.max(...xs) / Math.min(...xs) >= 8;
    return axis(t, title, isLog ? { type: 'logarithmic', ...logEnds(xs, 1.3), ticks: { callback: logTick(formatCount) } } : { ticks: { callback: formatTick(formatCount) } });
}
