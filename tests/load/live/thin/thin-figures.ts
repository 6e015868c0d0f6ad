import { type Figure, median, percentile } from '../../figures.ts';
import { formatCores } from '../cpu.ts';
import type { DeliveryRecorder } from '../delivery-recorder.ts';
import { figure } from '../plan.ts';
import type { BareReplay } from './bare-replay.ts';
import type { Commands } from './load-commands.ts';
import type { ScreenDifferences } from './screen-differences.ts';
import type { WrittenChange } from './written-change.ts';

type Results = {
  count: number;
  writes: readonly WrittenChange[];
  recorder: DeliveryRecorder;
  report: Commands['report']['output'];
  differences: ScreenDifferences;
  bare: BareReplay;
  cores: Record<string, number>;
  memory: Record<string, number>;
  load: { cores: number; loopDelayMs: { p50: number; p99: number; max: number } };
  durationSeconds: number;
  caughtUpMs: number;
  engineCount: number;
  print: (line: string) => void;
};

const MAX_EXAMPLES = 12;

const none = (name: string, found: readonly string[], detail = '') =>
  figure({
    name,
    value: found.length,
    unit: '',
    limit: 0,
    detail: [detail, ...found.slice(0, MAX_EXAMPLES)].filter((text) => text !== '').join('; '),
  });

export function thinFigures(results: Results): Figure[] {
  const { report, print } = results;
  for (const [path, requests] of Object.entries(report.requestsByPath)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 12))
    print(`  ${requests} × ${path}`);
  return [...latencyFigures(results), ...deliveryFigures(results), ...requestFigures(results), ...cpuFigures(results)];
}

const seconds = (ms: number) => ms / 1_000;

function latencyFigures({ report, writes }: Results): Figure[] {
  const durations = writes.map(({ durationMs }) => durationMs);
  const writing = `a write takes ${median(durations).toFixed(0)} ms at the median, ${percentile(durations, 0.95).toFixed(0)} ms p95`;
  return Object.entries(report.latencies).map(([name, { count, p50, p95, max }]) =>
    figure({
      name: `commit to receipt, ${name}`,
      value: seconds(p95),
      unit: ' s',
      limit: 1,
      detail: `95th percentile of ${count}; median ${seconds(p50).toFixed(2)} s, maximum ${seconds(max).toFixed(2)} s; ${writing}`,
    }),
  );
}

function deliveryFigures({ report, differences, recorder, engineCount, count }: Results): Figure[] {
  return [
    none('changes that no thin client received', report.unreceived),
    figure({
      name: 'pairs of a thin client and a change that its group received, and it did not',
      value: report.missing.count,
      unit: '',
      limit: 0,
      detail: `${count} clients, ${report.receivedCount} changes; ${report.missing.examples.join('; ')}`,
    }),
    none('thin clients whose screen differs from that of their browser', differences.thin, `${engineCount} groups`),
    none('browsers that differ from a fresh load', differences.fresh, `${engineCount} browsers`),
    figure({ name: 'chats with unread messages', value: report.unreadChats, unit: '', limit: 0 }),
    none('changes that some browser did not show', recorder.notShown()),
    figure({ name: 'connections lost', value: report.lost + report.resyncs, unit: '', limit: 0 }),
  ];
}

function requestFigures({ report, writes, recorder, count, engineCount, caughtUpMs }: Results): Figure[] {
  const per100 = (requests: number, browsers: number) => (requests * 100) / writes.length / browsers;
  const busiest = Math.max(0, ...[...recorder.perBrowser().values()].map((requests) => requests.length));
  const failed = Object.values(recorder.statuses()).reduce((sum, failures) => sum + failures, report.failures);
  return [
    figure({
      name: 'requests of thin clients per 100 changes and client',
      value: per100(report.requests, count),
      unit: '',
      limit: 2,
      detail: `${report.requests} requests of ${count} clients for ${writes.length} changes`,
    }),
    figure({
      name: 'requests of browsers per 100 changes and browser',
      value: per100(recorder.requests(), engineCount),
      unit: '',
      limit: 2,
      detail: `${recorder.requests()} requests of ${engineCount} browsers; the busiest ${busiest}`,
    }),
    figure({
      name: 'last request after the last change',
      value: seconds(caughtUpMs),
      unit: ' s',
      detail: 'of any client or browser',
    }),
    figure({ name: 'requests that failed', value: failed, unit: '', limit: 0 }),
  ];
}

function cpuFigures({ cores, bare, report, memory, load, durationSeconds, count }: Results): Figure[] {
  const { 'all browsers': browsers = 0, ...ours } = cores;
  const sumOf = (used: readonly (readonly [string, number])[]) => used.reduce((sum, [, each]) => sum + each, 0);
  const total = sumOf(Object.entries(ours));
  const withoutGateways = sumOf(Object.entries(ours).filter(([name]) => !name.startsWith('gateway')));
  const { frames, bytes, distinct } = report.sent;
  const perSecond = (value: number) => (value / durationSeconds).toFixed(0);
  const { p50, p99, max } = load.loopDelayMs;
  return [
    figure({ name: 'CPU of all our processes', value: total, unit: ' cores', limit: 1.5, detail: formatCores(ours) }),
    figure({
      name: 'CPU of all our processes against a bare socket.io server',
      value: total / bare.cores,
      unit: '×',
      limit: 2.5,
      detail: `${bare.cores.toFixed(2)} cores; without the gateway ${(withoutGateways / bare.cores).toFixed(2)}×, chat alone ${((ours.chat ?? 0) / bare.cores).toFixed(2)}×`,
    }),
    figure({
      name: 'frames to thin clients per second',
      value: frames / durationSeconds,
      unit: '',
      detail: `${perSecond(bytes / 1_024)} KB/s to ${count} clients, ${perSecond(distinct)} distinct frames/s; ${bare.frames} of ${frames} frames replayed`,
    }),
    figure({
      name: 'CPU of the load process',
      value: load.cores,
      unit: ' cores',
      detail: `event loop delay ${p50.toFixed(0)} ms at the median, ${p99.toFixed(0)} ms p99, ${max.toFixed(0)} ms maximum; ${bare.loadCores.toFixed(2)} cores in the replay; browsers and writes ${browsers.toFixed(2)}`,
    }),
    figure({
      name: 'memory of chat per client',
      value: ((memory.chat ?? 0) * 1_024) / count,
      unit: ' KB',
      detail: Object.entries(memory)
        .map(([name, mb]) => `${name} ${mb.toFixed(0)} MB`)
        .join(', '),
    }),
  ];
}
