// Charts by Chart.js: colours of the page, marks that the library has not, drawing again when the colours change.

const hasCharts = typeof Chart !== 'undefined';
const figures = []; // those on the page: {box, config, chart}
const NOTE_WIDTH = 60;
const isNarrow = () => window.innerWidth < 640;
const pointStyles = ['circle', 'triangle', 'rect', 'rectRot', 'star', 'crossRot', 'cross', 'rectRounded'];

function theme() {
    const style = getComputedStyle(document.documentElement), colour = (name) => style.getPropertyValue('--' + name).trim();
    return { ink: colour('ink'), soft: colour('soft'), grid: colour('grid'), line: colour('line'), bad: colour('bad'),
        card: colour('card'), series: [0, 1, 2, 3, 4, 5, 6, 7].map((i) => colour('c' + i)) };
}

// '#rrggbb' with an opacity, two hex digits.
const faint = (colour, opacity = '55') => colour + opacity;

function axis(t, title, more) {
    const { ticks, ...rest } = more || {};
    return { title: { display: true, text: title, color: t.soft }, grid: { color: t.grid, borderColor: t.line },
        ticks: { color: t.soft, maxRotation: 0, autoSkipPadding: 12, ...ticks }, ...rest };
}

// On a log axis only powers of ten and, where there is room, their halves and fifths have a label.
function logTick(format) {
    return function label(value) {
        const [least, most] = [this.chart.scales[this.id].min, this.chart.scales[this.id].max];
        const lead = value / 10 ** Math.floor(Math.log10(value) + 1e-9);
        const wanted = most / least > 300 ? [1] : most / least > 8 ? [1, 2, 5] : [1, 2, 3, 4, 5, 6, 7, 8, 9];
        return wanted.some((digit) => Math.abs(digit - lead) < 1e-6) ? formatTick(format)(value) : null;
    };
}

// Of a short log axis: even steps, at most eight of them; of a long one 1, 2 and 5 of each power of ten.
function ratioTicks(min, max) {
    if (max / min >= 8) {
        const powers = [...Array(13).keys()].map((k) => 10 ** (k - 6));
        return powers.flatMap((power) => [power, 2 * power, 5 * power]).filter((v) => v >= min && v <= max).map((value) => ({ value }));
    }
    const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10].find((s) => (max - min) / s <= 8) || max - min;
    const first = Math.ceil(min / step), n = Math.max(0, Math.floor(max / step) - first + 1);
    return [...Array(n).keys()].map((k) => ({ value: (first + k) * step }));
}

// Ends of a log axis: the values and a little room.
function logEnds(values, room) {
    const positive = values.filter((v) => v > 0);
    return { min: Math.min(...positive) / room, max: Math.max(...positive) * room };
}

// ---- marks ----

// Intervals of a dataset: `intervals` [{lo, hi}] along its value axis, drawn through the middle of its marks.
const intervalMarks = {
    id: 'intervals',
    afterDatasetsDraw(chart) {
        chart.data.datasets.forEach((dataset, d) => {
            if (!dataset.intervals || !chart.isDatasetVisible(d)) return;
            const { ctx } = chart, horizontal = chart.options.indexAxis === 'y';
            const scale = chart.scales[horizontal ? 'x' : 'y'];
            ctx.save();
            ctx.beginPath();
            ctx.rect(chart.chartArea.left, chart.chartArea.top, chart.chartArea.width, chart.chartArea.height);
            ctx.clip();
            ctx.strokeStyle = dataset.intervalColor;
            ctx.lineWidth = 1.5;
            ctx.beginPath();
            chart.getDatasetMeta(d).data.forEach((mark, i) => {
                const interval = dataset.intervals[i];
                if (!interval || !known(interval.lo) || !known(interval.hi)) return;
                const at = horizontal ? mark.y : mark.x;
                const ends = [scale.getPixelForValue(interval.lo), scale.getPixelForValue(interval.hi)];
                if (Math.abs(ends[0] - ends[1]) < 8) return; // hidden by the mark
                const to = (along, across) => (horizontal ? [along, across] : [across, along]);
                ctx.moveTo(...to(ends[0], at)); ctx.lineTo(...to(ends[1], at));
                ends.forEach((end) => { ctx.moveTo(...to(end, at - 5)); ctx.lineTo(...to(end, at + 5)); });
            });
            ctx.stroke();
            ctx.restore();
        });
    },
};

// A dataset's `notes`, one for each bar, in a column right of the area.
const noteMarks = {
    id: 'notes',
    afterDatasetsDraw(chart) {
        const { ctx, chartArea: area } = chart;
        ctx.save();
        ctx.font = '12px system-ui, sans-serif';
        ctx.textAlign = 'right';
        ctx.textBaseline = 'middle';
        chart.data.datasets.forEach((dataset, d) => (dataset.notes || []).forEach((note, i) => {
            ctx.fillStyle = chart.options.color;
            ctx.fillText(note, area.right + NOTE_WIDTH - 4, chart.getDatasetMeta(d).data[i].y);
        }));
        ctx.restore();
    },
};

// A dataset's `name`, written at the beginning of its line: above it, or below.
const nameMarks = {
    id: 'names',
    afterDatasetsDraw(chart) {
        const { ctx } = chart;
        ctx.save();
        ctx.font = '12px system-ui, sans-serif';
        ctx.fillStyle = chart.options.color;
        chart.data.datasets.forEach((dataset, d) => {
            const start = dataset.name && chart.isDatasetVisible(d) ? chart.getDatasetMeta(d).data[0] : null;
            if (start) ctx.fillText(dataset.name, start.x + 8, start.y + (dataset.isNamedBelow ? 16 : -10));
        });
        ctx.restore();
    },
};

// Lines across the whole area: options.plugins.lines.at [{axis, value, text, strong}].
const lineMarks = {
    id: 'lines',
    afterDatasetsDraw(chart, args, options) {
        const { ctx, chartArea: area } = chart, t = theme();
        ctx.save();
        ctx.font = '11px system-ui, sans-serif';
        (options.at || []).forEach((line) => {
            const at = chart.scales[line.axis].getPixelForValue(line.value);
            if (!(at >= area.left && at <= area.right)) return;
            ctx.strokeStyle = line.strong ? t.soft : t.line;
            ctx.setLineDash(line.strong ? [5, 4] : [2, 3]);
            ctx.beginPath(); ctx.moveTo(at, area.top); ctx.lineTo(at, area.bottom); ctx.stroke();
            if (!line.text) return;
            ctx.fillStyle = t.soft;
            const width = ctx.measureText(line.text).width;
            ctx.fillText(line.text, Math.max(area.left, Math.min(at + 4, area.right - width)), area.top + 11);
        });
        ctx.restore();
    },
};

// Marks of times: small and grey where a time is not to be believed. Each of `points` has its measurement as `row`.
function timeMarks(t, points, colour, fill = colour) {
    const doubts = points.map((p) => Boolean(doubtOf(p.row)));
    return { pointRadius: doubts.map((doubt) => (doubt ? 2.5 : 4.5)), pointBackgroundColor: doubts.map((doubt) => (doubt ? t.card : fill)),
        pointBorderColor: doubts.map((doubt) => (doubt ? t.soft : colour)) };
}

// What a caption says of them.
const doubtNote = (points) => (points.some((p) => known(p.row.uncertainty)) ? 'Upright bars: 95 % interval. ' : '')
    + (points.some((p) => doubtOf(p.row)) ? 'Small grey marks: not to be believed (' + distinct(points.flatMap((p) => (doubtOf(p.row) || '').split(', ').filter(Boolean))).join(', ') + ').' : '');

// ---- figures ----

function options(t, more) {
    const { plugins, ...rest } = more;
    return { animation: false, responsive: true, maintainAspectRatio: false, color: t.ink,
        interaction: { mode: 'nearest', intersect: false, axis: 'xy' }, ...rest,
        plugins: { ...plugins, legend: { display: false } } };
}

// ---- the legend: a button for each set, which shows and hides it ----

// Sets that the reader has hidden.
const hiddenKey = (figure) => figure.canvas.id + '.hidden';
const hiddenSets = (figure) => (setting(hiddenKey(figure)) || '').split('|').filter(Boolean);
const nameOfSet = (set) => set.belongsTo || set.label;

function toggleSet(figure, name) {
    const hidden = hiddenSets(figure);
    keepSetting(hiddenKey(figure), (hidden.includes(name) ? hidden.filter((other) => other !== name) : [...hidden, name]).join('|'));
    drawFigure(figure);
}

// The mark of a set as its chart has it; of a bar, its colour.
function swatch(set, isBar) {
    const canvas = make('canvas', { width: 36, height: 32 }), ctx = canvas.getContext('2d');
    ctx.scale(2, 2);
    ctx.lineWidth = 2;
    ctx.strokeStyle = set.borderColor;
    ctx.fillStyle = set.backgroundColor || 'transparent';
    ctx.setLineDash(set.borderDash || []);
    Chart.helpers.drawPoint(ctx, { pointStyle: isBar ? 'rect' : set.pointStyle || 'circle', radius: set.pointStyle === 'line' ? 9 : 5, borderWidth: 2, rotation: 0 }, 9, 8);
    return make('img', { alt: '', width: 18, height: 16, src: canvas.toDataURL() });
}

// Where a chart needs none, or a set belongs to another one, there is no button. The keyboard stays where it is.
function drawLegend(figure, config, hidden) {
    const { legend: list } = figure, plugins = config.options.plugins || {}, at = [...list.children].indexOf(document.activeElement);
    const sets = plugins.legend && plugins.legend.display === false ? [] : config.data.datasets.filter((set) => !set.belongsTo);
    list.hidden = sets.length === 0;
    list.replaceChildren(...sets.map((set) => {
        const button = make('button', { type: 'button', 'aria-pressed': String(!hidden.includes(set.label)) }, swatch(set, config.type === 'bar'), set.label);
        button.addEventListener('click', () => toggleSet(figure, set.label));
        return button;
    }));
    if (at >= 0 && list.children[at]) list.children[at].focus();
}

function drawFigure(figure) {
    if (figure.chart) figure.chart.destroy();
    const t = theme(), config = figure.config(t), looks = options(t, config.options), hidden = hiddenSets(figure);
    config.data.datasets.forEach((set) => { set.hidden = hidden.includes(nameOfSet(set)); });
    drawLegend(figure, config, hidden);
    figure.chart = new Chart(figure.canvas, { type: config.type, data: config.data, options: looks,
        plugins: [intervalMarks, lineMarks, noteMarks, nameMarks] });
}

// A figure whose chart can be exchanged: show(config, height, description, caption); config(theme) makes the chart.
function makeFigure(id) {
    const canvas = make('canvas', { id, role: 'img' }), box = make('div', { className: 'canvas' }, canvas);
    const legend = make('div', { className: 'legend', role: 'group', 'aria-label': 'Shown in the chart', hidden: true });
    const caption = make('figcaption'), element = make('figure', null, box, legend, caption);
    const figure = { canvas, legend, chart: null, config: null };
    const hide = (text) => {
        caption.textContent = clean(text);
        box.hidden = legend.hidden = true;
    };
    const show = (config, height, description, text) => {
        caption.textContent = clean(text);
        if (!hasCharts) {
            box.replaceChildren(note('This program was built without the chart library (Debian: libjs-chart.js). The numbers are '
                + 'in the tables.'));
            return;
        }
        canvas.setAttribute('aria-label', clean(description));
        box.hidden = false;
        box.style.height = height + 'px';
        figure.config = config;
        if (element.isConnected) drawFigure(figure);
    };
    figures.push(figure);
    return { element, show, hide };
}

function forgetFigures() {
    figures.splice(0).forEach((figure) => figure.chart && figure.chart.destroy());
}

// Charts measure themselves: they are drawn once they are on the page, and again when the colours change.
function drawAll() {
    if (!hasCharts) return;
    figures.filter((figure) => figure.config).forEach(drawFigure);
}

// The middle of a name gives way: variants differ at their ends.
function shorten(text, room) {
    if (text.length <= room) return text;
    const end = Math.ceil((room - 1) / 2);
    return text.slice(0, room - 1 - end) + '\u2026' + text.slice(-end);
}

// A label of one line for a bar: the variant, then the axes, by value alone where names leave no room for the bar.
function barLabel(variant, axes) {
    const room = isNarrow() ? 21 : 60, whole = clean([variant, ...axes.map(axisText)].join(', '));
    if (whole.length <= room) return whole;
    const values = axes.map((a) => ', ' + axisValue(a.text)).join('');
    return shorten(clean(variant), Math.max(9, room - values.length)) + shorten(clean(values), room - 9);
}

// A bar is as high in every figure.
const BAR_HEIGHT = 26;
