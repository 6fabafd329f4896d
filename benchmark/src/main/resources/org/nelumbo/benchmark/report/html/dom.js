'use strict';
/* Elements, numbers and names. Text always enters as text, never as markup. */

function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  for (const child of children.flat()) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return element;
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/* Three digits at least, thousands separated; a count is a whole number. */
function num(value) {
  const size = Math.abs(value);
  if (size >= 100 || Number.isInteger(value)) return whole.format(value);
  return value.toFixed(size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

/* Microseconds in the unit people say them in. */
function time(micros) {
  if (micros >= 1e6) return num(micros / 1e6) + ' s';
  if (micros >= 1e3) return num(micros / 1e3) + ' ms';
  return num(micros) + ' µs';
}

function percent(part, all) {
  return all > 0 ? num(100 * part / all) + ' %' : '0 %';
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function plural(count, word) {
  return count + ' ' + word + (count === 1 ? '' : 's');
}

function badge(consistent) {
  const words = { true: ['good', 'consistent'], false: ['bad', 'NOT CONSISTENT'] }[consistent];
  return words ? el('span', { class: 'badge ' + words[0] }, words[1]) : el('span', { class: 'badge' }, 'unchecked');
}

/* A table; cells may be text, numbers already written, or elements. The first `left` columns hold text. */
function table(head, rows, left = 1) {
  const cell = (tag, content, i) => el(tag, i < left ? { class: 'left' } : {}, content);
  return el('div', { class: 'scroll' }, el('table', {},
    el('thead', {}, el('tr', {}, head.map((h, i) => cell('th', h, i)))),
    el('tbody', {}, rows.map(row => el('tr', row.total ? { class: 'total' } : {}, row.map((c, i) => cell('td', c, i)))))));
}

function card(...children) {
  return el('div', { class: 'card' }, ...children);
}

function figure(label, value, extra) {
  return el('div', { class: 'card' + (extra || '') }, el('div', { class: 'value' }, value), el('div', { class: 'label' }, label));
}

function facts(pairs) {
  return el('dl', { class: 'facts' }, pairs.filter(([, v]) => v !== '' && v !== undefined).map(([k, v]) => [el('dt', {}, k), el('dd', {}, v)]).flat());
}

/* Runs of one database are one series; a name tells it from the others. */
function seriesOf(runs) {
  const series = new Map();
  for (const run of runs) {
    const key = run.database.url + ' ' + run.database.api;
    if (!series.has(key)) series.set(key, { key, runs: [] });
    series.get(key).runs.push(run);
  }
  const all = [...series.values()];
  const short = s => s.runs[0].database.product + (s.runs[0].database.api === 'native' ? ' native' : '');
  for (const s of all) {
    const alone = all.filter(o => short(o) === short(s)).length === 1;
    s.name = alone ? short(s) : short(s) + ' ' + s.runs[0].database.url;
  }
  return all;
}

/* What can be compared with each other: one benchmark with one number of terminals and one rate. */
function groupsOf(runs) {
  const groups = new Map();
  for (const run of runs) {
    const load = run.load.loop === 'open' ? ', ' + num(run.load.offered_per_second) + ' arrivals/s' : '';
    const name = run.benchmark + ', ' + plural(run.terminals, 'terminal') + load;
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(run);
  }
  return [...groups].map(([name, members]) => ({ name, series: seriesOf(members) }));
}
