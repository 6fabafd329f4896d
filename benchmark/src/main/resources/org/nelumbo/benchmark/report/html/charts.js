/* The plots. Colours come from the style sheet, so that a change of theme draws them anew. */

const charts = [];

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function series(i) {
  return color('--c' + (i % 8));
}

/* A plot that is drawn again when the theme changes: `make` gives its configuration. */
function plot(title, note, make, shape) {
  const canvas = el('canvas', { role: 'img', 'aria-label': title });
  charts.push({ canvas, make, chart: null });
  return el('div', { class: 'card' + (shape === 'wide' ? ' wide' : '') },
    el('h3', {}, title, note ? el('span', { class: 'soft' }, '  ' + note) : null),
    el('div', { class: 'plot' + (shape === 'short' ? ' short' : ''), ...(typeof shape === 'number' ? { style: 'height:' + shape + 'px' } : {}) }, canvas));
}

function drawAll() {
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  Chart.defaults.color = color('--soft');
  Chart.defaults.borderColor = color('--grid');
  Chart.defaults.animation = false;
  Chart.defaults.maintainAspectRatio = false;
  for (const each of charts) {
    if (each.chart) each.chart.destroy();
    each.chart = each.canvas.isConnected ? new Chart(each.canvas, each.make()) : null;
  }
}

/* Greys out the warm-up at the left of a timeline. */
const warmupShade = {
  id: 'warmupShade',
  beforeDatasetsDraw(chart, _, options) {
    if (!options.seconds) return;
    const { ctx, chartArea: area, scales } = chart;
    const right = Math.min(area.right, scales.x.getPixelForValue(options.seconds));
    ctx.save();
    ctx.fillStyle = color('--mute-back');
    ctx.fillRect(area.left, area.top, right - area.left, area.height);
    if (options.label && right - area.left > 55) {
      ctx.fillStyle = color('--soft');
      ctx.font = '11px ' + Chart.defaults.font.family;
      ctx.fillText('warm-up', area.left + 6, area.top + 13);
    }
    ctx.restore();
  },
};

/* Lines from the lowest to the highest round over each bar. */
const whiskers = {
  id: 'whiskers',
  afterDatasetsDraw(chart, _, options) {
    if (!options.ranges) return;
    const { ctx, scales } = chart;
    ctx.save();
    ctx.strokeStyle = color('--ink');
    ctx.lineWidth = 1.5;
    chart.getDatasetMeta(0).data.forEach((bar, i) => {
      const [low, high] = options.ranges[i].map(v => scales.x.getPixelForValue(v));
      ctx.beginPath();
      ctx.moveTo(low, bar.y); ctx.lineTo(high, bar.y);
      ctx.moveTo(low, bar.y - 5); ctx.lineTo(low, bar.y + 5);
      ctx.moveTo(high, bar.y - 5); ctx.lineTo(high, bar.y + 5);
      ctx.stroke();
    });
    ctx.restore();
  },
};

function secondsAxis() {
  return { type: 'linear', title: { display: true, text: 'seconds' }, grid: { display: false }, min: 0 };
}

function line(label, data, i, more) {
  return { label, data, borderColor: series(i), backgroundColor: series(i), borderWidth: 1.8, pointRadius: 0, pointHitRadius: 8, ...more };
}

function lineChart(datasets, x, y, plugins, tooltip) {
  return {
    type: 'line',
    data: { datasets },
    options: {
      interaction: { mode: 'nearest', axis: 'x', intersect: false },
      scales: { x, y },
      plugins: { legend: { display: datasets.length > 1, labels: { boxWidth: 14, boxHeight: 2 } }, tooltip: { callbacks: tooltip }, ...plugins },
    },
    plugins: [warmupShade],
  };
}

/* The last interval is cut short by the end of the run; a rate over it would be wrong. */
function wholeIntervals(run) {
  const width = run.timeline.length > 1 ? run.timeline[1].second - run.timeline[0].second : 1;
  const end = run.warmup.seconds + run.measured_seconds;
  const whole = run.timeline.filter(t => t.second + width <= end + 0.001);
  return { width, list: whole.length ? whole : run.timeline };
}

function throughputPlot(run) {
  const { width, list } = wholeIntervals(run);
  const at = f => list.map(t => ({ x: t.second + width / 2, y: f(t) }));
  const datasets = () => {
    const all = [line('committed/s', at(t => t.committed / width), 0, { fill: 'origin', backgroundColor: series(0) + '22' })];
    if (list.some(t => t.aborts)) all.push(line('aborts/s', at(t => t.aborts / width), 3));
    if (list.some(t => t.unknown)) all.push(line('unknown/s', at(t => t.unknown / width), 4));
    return all;
  };
  return plot('Throughput', 'transactions a second', () => lineChart(datasets(), secondsAxis(), { beginAtZero: true, ticks: { callback: num } },
    { warmupShade: { seconds: run.warmup.seconds, label: true } }, { label: c => c.dataset.label + ': ' + num(c.parsed.y) }));
}

function latencyPlot(run) {
  const { width, list } = wholeIntervals(run);
  const busy = list.filter(t => t.latency_micros.max > 0);
  const at = key => busy.map(t => ({ x: t.second + width / 2, y: t.latency_micros[key] }));
  return plot('Latency', 'of each second, logarithmic', () => lineChart(
    [line('median', at('p50'), 2), line('95 %', at('p95'), 1), line('99 %', at('p99'), 0), line('longest', at('max'), 7, { borderWidth: 1, borderDash: [3, 3] })],
    secondsAxis(), { type: 'logarithmic', ticks: { callback: decade(time) }, suggestedMax: roomAbove(busy.map(t => t.latency_micros.max)) },
    { warmupShade: { seconds: run.warmup.seconds } }, { label: c => c.dataset.label + ': ' + time(c.parsed.y) }));
}

/* The end of a logarithmic axis that does not cut the highest line. */
function roomAbove(values) {
  return 1.3 * Math.max(1, ...values);
}

/* Labels a logarithmic axis at 1, 10, 100 ...; a short one at 1, 2, 5, 10 ... */
function decade(format) {
  return function (value) {
    const digits = this.max / this.min > 300 ? [1] : [1, 2, 5];
    const digit = value / 10 ** Math.floor(Math.log10(value) + 1e-9);
    return digits.some(d => Math.abs(d - digit) < 0.01) ? format(value) : '';
  };
}

/* How many nines: 90 % is at 10, 99 % at 100, so that tails get room. */
const nines = p => 100 / (100 - p);
const ninesTicks = [50, 90, 99, 99.9, 99.99, 99.999, 99.9999];

function percentileAxis() {
  return {
    type: 'logarithmic', min: 1, title: { display: true, text: 'of all transactions' }, grid: { display: true },
    afterBuildTicks: axis => { axis.ticks = ninesTicks.map(p => ({ value: nines(p) })).filter(t => t.value <= axis.max * 1.001); },
    ticks: { autoSkip: false, maxRotation: 0, callback: v => Number((100 - 100 / v).toFixed(4)) + ' %' },
  };
}

function curvePlot(title, note, curves) {
  const points = curve => curve.filter(p => p.percentile < 100).map(p => ({ x: nines(p.percentile), y: Math.max(p.micros, 0.01) }));
  return plot(title, note, () => lineChart(curves.map((c, i) => line(c.name, points(c.curve), c.color ?? i, c.more)), percentileAxis(),
    { type: 'logarithmic', ticks: { callback: decade(time) }, suggestedMax: roomAbove(curves.flatMap(c => points(c.curve).map(p => p.y))) }, {},
    { title: items => Number((100 - 100 / items[0].parsed.x).toFixed(4)) + ' %', label: c => c.dataset.label + ': ' + time(c.parsed.y) }));
}

function comparisonPlot(group) {
  const rates = group.series.map(s => s.runs.map(r => r.committed_per_second));
  return plot(group.name, 'committed a second: median, lowest and highest round', () => ({
    type: 'bar',
    data: { labels: group.series.map(s => s.name), datasets: [{ data: rates.map(median), backgroundColor: group.series.map((_, i) => series(i) + 'cc'), maxBarThickness: 30 }] },
    options: {
      indexAxis: 'y',
      scales: { x: { beginAtZero: true, suggestedMax: Math.max(...rates.flat()) * 1.02, ticks: { callback: num } }, y: { grid: { display: false }, ticks: { color: color('--ink') } } },
      plugins: { legend: { display: false }, whiskers: { ranges: rates.map(r => [Math.min(...r), Math.max(...r)]) }, tooltip: { callbacks: { label: c => num(c.parsed.x) + '/s' } } },
    },
    plugins: [whiskers],
  }), 70 + 44 * group.series.length);
}
