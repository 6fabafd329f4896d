/* Puts the page together from the results in the element `data`. */

const data = JSON.parse(document.getElementById('data').textContent);
const root = document.getElementById('report');

function headline(run) {
  const total = run.total;
  const tries = total.committed + total.rolled_back + total.aborts;
  const cards = [figure('committed transactions a second', num(run.committed_per_second), ' headline')];
  for (const m of run.metrics) cards.push(figure(m.label, num(m.value)));
  cards.push(figure('median latency', time(total.latency_micros.p50)));
  cards.push(figure('99 % of latencies are below', time(total.latency_micros.p99)));
  cards.push(figure('of all tries aborted', percent(total.aborts, tries)));
  if (total.unknown) cards.push(figure('transactions of unknown outcome', num(total.unknown)));
  if (run.load.loop === 'open') cards.push(figure('of ' + num(run.load.offered) + ' arrivals not started in time', num(run.load.not_started)));
  cards.push(figure('checks: ' + run.checks.filter(c => c.offending_rows === 0).length + ' of ' + run.checks.length + ' hold', badge(run.consistent)));
  return [el('div', { class: 'cards' }, cards), ...run.deviations.filter(isWarning).map(d => el('p', { class: 'warning' }, d))];
}

/* A deviation that begins with a word in capitals makes the numbers worthless for a comparison. */
function isWarning(deviation) {
  return /^[A-Z]{3,}\b/.test(deviation);
}

function comparison(group) {
  const first = median(group.series[0].runs.map(r => r.committed_per_second));
  const rows = group.series.map(s => {
    const rates = s.runs.map(r => r.committed_per_second);
    const run = s.runs[0];
    const sum = f => s.runs.reduce((all, r) => all + f(r), 0);
    const verdicts = [...new Set(s.runs.map(r => r.consistent))];
    return [s.name, run.database.version, num(median(rates)), num(Math.min(...rates)) + ' – ' + num(Math.max(...rates)), String(rates.length),
      num(first / median(rates)), time(median(s.runs.map(r => r.total.latency_micros.p50))), time(median(s.runs.map(r => r.total.latency_micros.p99))),
      percent(sum(r => r.total.aborts), sum(r => r.total.committed + r.total.rolled_back + r.total.aborts)), badge(verdicts.length === 1 ? verdicts[0] : 'false')];
  });
  const curves = group.series.map(s => ({ name: s.name, curve: s.runs[0].total.latency_curve }));
  return [
    el('div', { class: 'plots' }, comparisonPlot(group), curvePlot('Latency', 'first round of each', curves)),
    el('div', { class: 'card', style: 'margin-top:14px' },
      table(['database', 'version', 'median /s', 'lowest – highest', 'rounds', 'first / this', 'p50', 'p99', 'aborted', 'checks'], rows),
      el('p', { class: 'soft', style: 'margin:10px 0 0' }, 'What ' + group.series[0].runs[0].database.isolation + ' means:'),
      el('ul', { class: 'soft' }, group.series.map(s => el('li', {}, s.name + ': ' + s.runs[0].database.meaning)))),
  ];
}

function typesTable(run) {
  const row = t => {
    const l = t.latency_micros;
    return [t.name, num(t.committed), num(t.committed / run.measured_seconds), time(l.p50), time(l.p95), time(l.p99), time(l.p999), time(l.max),
      time(t.service_micros.p99), num(t.rolled_back), num(t.aborts), num(t.retries), num(t.gave_up), num(t.unknown)];
  };
  const rows = run.types.map(row);
  rows.push(Object.assign(row(run.total), { total: true }));
  return card(table(['transaction', 'committed', '/s', 'p50', 'p95', 'p99', 'p99.9', 'longest', 'service p99', 'rolled back', 'aborts', 'retries', 'given up', 'unknown'], rows),
    el('p', { class: 'soft', style: 'margin:10px 0 0' }, 'Latency runs from the ' + (run.load.loop === 'open' ? 'arrival' : 'first try') +
      ' to the last answer, retries and waiting included; service time is the last try alone.'));
}

function causes(run) {
  const rows = run.types.flatMap(t => t.causes.map(c => [t.name, c.name, c.sql_state, c.vendor_code ? String(c.vendor_code) : '', c.treatment.replace('_', ' '), num(c.count)]));
  if (!rows.length) return card(el('h3', {}, 'Aborts by cause'), el('p', { class: 'soft' }, 'none'));
  return card(el('h3', {}, 'Aborts by cause'), table(['transaction', 'cause', 'SQLState', 'code', 'then', 'tries'], rows, 5),
    el('p', { class: 'soft', style: 'margin:10px 0 0' }, 'Waited between tries: ' + time(run.total.back_off_millis * 1e3)));
}

function usage(run) {
  const u = run.usage;
  return card(el('h3', {}, 'What this process used in the measured time'), facts([
    ['processor time', time(u.cpu_micros_per_transaction) + ' a transaction'],
    ['garbage', num(u.allocated_bytes_per_transaction) + ' bytes a transaction'],
    ['collections', plural(u.gc_count, 'collection') + ', ' + num(u.gc_millis) + ' ms'],
    ['compiler', num(u.compile_millis) + ' ms'],
    ['heap afterwards', num(u.heap_after_megabytes) + ' MB'],
    ['resident', u.resident_megabytes ? num(u.resident_megabytes) + ' MB' : ''],
    ['loading took', num(run.load_seconds) + ' s'],
  ]), el('p', { class: 'soft', style: 'margin:10px 0 0' }, 'An embedded database is in these numbers; of a server only the driver is.'));
}

function load(run) {
  const l = run.load;
  const warmup = num(run.warmup.seconds) + ' s' + (run.warmup.automatic ? (run.warmup.steady ? ', throughput steady' : ', throughput NOT steady') : '');
  const open = l.loop === 'open';
  return card(el('h3', {}, 'Load'), facts([
    ['loop', open ? 'open: ' + num(l.offered_per_second) + ' arrivals a second, ' + l.arrivals : 'closed: each terminal sends its next transaction when the last one has ended'],
    ['terminals', String(run.terminals)], ['warm-up', warmup], ['measured', num(run.measured_seconds) + ' s'],
    ['arrivals', open ? num(l.offered) + ', of which ' + num(l.started_late) + ' found no terminal free and ' + num(l.not_started) + ' were not started before the end' : ''],
    ['seed', String(run.seed)],
    ...Object.entries(run.parameters).map(([k, v]) => [k.replaceAll('_', ' '), v]),
  ]));
}

function costs(run) {
  if (!run.costs.length) return null;
  const rows = run.costs.map(c => [c.name, num(c.transactions), num(c.round_trips), num(c.reads), num(c.writes), num(c.compare_and_swaps), num(c.fetch_and_adds), num(c.bytes_in), num(c.bytes_out)]);
  return el('div', { class: 'card wide' }, el('h3', {}, 'What a committed transaction asks of the memory pool, on average'),
    table(['transaction', 'counted', 'round trips', 'READ', 'WRITE', 'CAS', 'FAA', 'bytes in', 'bytes out'], rows));
}

/* A condition a line, a moment a column. */
function checks(run) {
  if (!run.checks.length) return card(el('h3', {}, 'Consistency checks'), el('p', { class: 'soft' }, 'not checked'));
  const moments = [...new Set(run.checks.map(c => c.moment))];
  const names = [...new Set(run.checks.map(c => c.name))];
  const verdict = c => !c ? '' : c.offending_rows
    ? el('span', { class: 'badge bad', title: c.sample.join('; ') }, num(c.offending_rows) + (c.offending_rows === 1 ? ' row breaks it' : ' rows break it'))
    : el('span', { class: 'badge good' }, 'holds');
  const rows = names.map(n => [el('span', { class: 'wrap' }, n), ...moments.map(m => verdict(run.checks.find(c => c.name === n && c.moment === m)))]);
  const broken = run.checks.filter(c => c.offending_rows);
  return card(el('h3', {}, 'Consistency checks'), table(['condition', ...moments], rows),
    ...broken.map(c => el('p', {}, c.name + ', ' + c.moment + ': ' + c.sample.join('; '))));
}

function notes(title, lines) {
  return lines.length ? card(el('h3', {}, title), el('ul', {}, lines.map(l => el('li', {}, l)))) : null;
}

function setup(run) {
  const h = run.host;
  return [
    card(el('h3', {}, 'Database'), facts([['product', run.database.product + ' ' + run.database.version], ['driver', run.database.driver], ['URL', run.database.url],
      ['API', run.database.api], ['isolation', run.database.isolation + ': ' + run.database.meaning]])),
    card(el('h3', {}, 'Machine'), facts([['processor', h.cpu + ', ' + plural(h.cores, 'core')], ['memory', num(h.memory_megabytes) + ' MB'], ['system', h.system],
      ['load before', h.load_average >= 0 ? num(h.load_average) + ' processes' : ''], ['Java', h.java], ['collector', h.collector], ['heap', 'at most ' + num(h.heap_max_megabytes) + ' MB'],
      ['flags', h.flags.join(' ')], ['harness', h.harness], ['commit', h.commit]])),
    card(el('h3', {}, 'Options'), facts(Object.entries(run.setup.options))),
  ];
}

function detail(run) {
  const curves = [{ name: 'latency', curve: run.total.latency_curve, color: 0 }];
  if (run.load.loop === 'open' || run.total.retries) curves.push({ name: 'service time', curve: run.total.service_curve, color: 1, more: { borderDash: [5, 4] } });
  const byType = run.types.length > 1 ? curvePlot('Latency by transaction', 'percentiles', run.types.filter(t => t.latency_curve.length).map(t => ({ name: t.name, curve: t.latency_curve }))) : null;
  return [
    ...headline(run),
    el('h2', {}, 'Over time'),
    el('div', { class: 'plots' }, throughputPlot(run), latencyPlot(run)),
    el('h2', {}, 'Latency'),
    el('div', { class: 'plots' }, curvePlot('Latency of all transactions', 'percentiles', curves), byType),
    el('h2', {}, 'Transactions'), typesTable(run),
    el('div', { class: 'columns', style: 'margin-top:14px' }, causes(run), load(run), usage(run), costs(run)),
    el('h2', {}, 'Can it be trusted?'),
    el('div', { class: 'columns' }, notes('Where it departs from the specification', run.deviations), notes('What else to know', run.remarks), checks(run)),
    el('h2', {}, 'Set-up'), el('div', { class: 'columns' }, setup(run)),
    el('h2', {}, 'To repeat it'), el('pre', {}, run.setup.command),
  ];
}

function runName(run, i, all) {
  const same = all.filter(r => r.database.url === run.database.url && r.database.api === run.database.api && r.benchmark === run.benchmark && r.terminals === run.terminals);
  return [run.benchmark, run.database.product + (run.database.api === 'native' ? ' native' : ''), plural(run.terminals, 'terminal'),
    run.database.url, same.length > 1 ? 'round ' + (same.indexOf(run) + 1) : ''].filter(Boolean).join(' · ');
}

function themeButton() {
  const button = el('button', { type: 'button', title: 'light or dark' }, 'light / dark');
  button.addEventListener('click', () => {
    const dark = document.documentElement.dataset.theme === 'dark';
    document.documentElement.dataset.theme = dark ? 'light' : 'dark';
    drawAll();
  });
  return button;
}

function show() {
  const runs = data.runs;
  const first = runs[0];
  const dark = matchMedia('(prefers-color-scheme: dark)');
  document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light';
  root.replaceChildren(el('header', {}, el('div', {}, el('h1', {}, document.title),
    el('div', { class: 'soft' }, first.setup.started_at.replace('T', ' ').replace('Z', ' UTC') + ' · ' + first.host.cpu + ', ' + plural(first.host.cores, 'core') + ' · ' + first.database.isolation)), themeButton()));
  for (const group of groupsOf(runs).filter(g => g.series.length > 1 || g.series[0].runs.length > 1)) {
    root.append(el('h2', {}, group.name), ...comparison(group));
  }
  for (const note of data.notes) root.append(el('p', { class: 'soft' }, note));
  const details = el('div', {});
  const choose = i => {
    charts.splice(0, charts.length, ...charts.filter(c => c.canvas.isConnected && !details.contains(c.canvas)));
    details.replaceChildren(...detail(runs[i]).filter(Boolean));
    drawAll();
  };
  if (runs.length > 1) {
    const select = el('select', { 'aria-label': 'run' }, runs.map((r, i) => el('option', { value: i }, runName(r, i, runs))));
    select.addEventListener('change', () => choose(Number(select.value)));
    root.append(el('div', { class: 'picker' }, el('h2', {}, 'One run:'), select));
  }
  root.append(details);
  if (data.command) root.append(el('h2', {}, 'To repeat the whole comparison'), el('pre', {}, data.command));
  root.append(el('footer', {}, 'Times are measured by the harness in the JVM that runs the terminals. All numbers are in this file: ', exportLink()));
  choose(0);
  addEventListener('beforeprint', drawAll);
}

/* The results as JSON, for those who want to compute with them. */
function exportLink() {
  const link = el('a', { href: '#', download: 'results.json' }, 'save them as JSON');
  link.addEventListener('click', () => {
    link.href = URL.createObjectURL(new Blob([JSON.stringify({ format: data.format, runs: data.runs }, null, 2)], { type: 'application/json' }));
  });
  return link;
}

show();
