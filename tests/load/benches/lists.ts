import { loadavg } from 'node:os';
import { type Figure, median, percentile, recordTime, type TimesByName } from '../figures.ts';
import { LIST_PATHS, type ListPath } from '../list-paths.ts';
import { startWriters } from '../list-writers.ts';
import type { LoadEnvironment } from '../load-environment.ts';
import { type SeededLists, startSeededLists } from '../seeded-lists.ts';

const SMALL_WORKSPACE = { users: 500, projects: 50, tasks: 1_000 };
const LARGE_WORKSPACE = { users: 100_000, projects: 10_000, tasks: 1_000_000 };
/** Rounds alternate between the sizes, so that other load on the machine affects both. */
const ROUNDS = 2;
const CALLS = 50;
const PAGES = 5;

const MAX_MS = 50;
const MAX_WRITE_RATIO = 1.3;

type Times = { lists: TimesByName; writes: TimesByName };

/**
 * Measures the response times of the first five pages of each list and of new searches while twenty users write, and
 * the cost of writes in a large workspace against a small one.
 */
export async function benchLists(environment: LoadEnvironment): Promise<Figure[]> {
  const startedAt = performance.now();
  const small = await startSeededLists(environment, 'few', SMALL_WORKSPACE);
  const large = await startSeededLists(environment, 'many', LARGE_WORKSPACE);
  const elapsed = () => `${((performance.now() - startedAt) / 1000).toFixed(0)} s`;
  environment.print(`  100,000 users, 10,000 projects, and 1,000,000 tasks seeded after ${elapsed()}; ${formatLoad()}`);
  const times = { small: emptyTimes(), large: emptyTimes() };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      await readDuringWrites(small, times.small);
      await readDuringWrites(large, times.large);
    }
  } finally {
    await Promise.all([small.stop(), large.stop()]);
  }
  environment.print(`  measured at both sizes after ${elapsed()}; ${formatLoad()}`);
  return [
    ...LIST_PATHS.map((path) =>
      listFigure(path, times.small.lists[path.name] ?? [], times.large.lists[path.name] ?? []),
    ),
    ...Object.keys(times.large.writes).map((name) =>
      writeFigure(name, times.small.writes[name] ?? [], times.large.writes[name] ?? []),
    ),
  ];
}

/**
 * Formats the load averages of one, five, and fifteen minutes, because other work of the machine affects the figures.
 */
const formatLoad = () =>
  `load average ${loadavg()
    .map((average) => average.toFixed(1))
    .join(', ')}`;

const emptyTimes = (): Times => ({ lists: {}, writes: {} });

async function readDuringWrites(lists: SeededLists, times: Times): Promise<void> {
  const writers = startWriters(lists, times.writes);
  try {
    for (const list of LIST_PATHS) {
      for (let call = 0; call < CALLS; call += 1) {
        recordTime(times.lists, list.name, await timeRequest(lists, list, 1 + (call % PAGES)));
      }
    }
  } finally {
    await writers.stop();
  }
}

async function timeRequest(lists: SeededLists, { service, path }: ListPath, page: number): Promise<number> {
  const url = new URL(`${lists.urls[service]}/api${path(lists)}`);
  url.searchParams.set('page', String(page));
  const startedAt = performance.now();
  const response = await fetch(url, { headers: lists.headers });
  const text = await response.text();
  const durationMs = performance.now() - startedAt;
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${text.slice(0, 300)}`);
  return durationMs;
}

const formatTimes = (times: number[]) =>
  `${median(times).toFixed(1)} ms at the median, ${percentile(times, 0.95).toFixed(1)} at the 95th`;

const listFigure = ({ name, maxMs = MAX_MS }: ListPath, small: number[], large: number[]): Figure => ({
  name,
  value: percentile(large, 0.95),
  unit: ' ms',
  limit: maxMs,
  sense: 'at most',
  detail: `${formatTimes(large)}; in a small workspace ${formatTimes(small)}; ${(median(large) / median(small)).toFixed(2)}×`,
});

const isTaskCall = (name: string) => name.includes('/tasks');

/** Only tasks have a limit; the other writes are background load. */
const writeFigure = (name: string, small: number[], large: number[]): Figure => ({
  name: `${name}, against a small workspace`,
  value: median(large) / median(small),
  unit: '×',
  limit: isTaskCall(name) ? MAX_WRITE_RATIO : null,
  sense: 'at most',
  detail: `${formatTimes(large)} of ${large.length}; in a small workspace ${formatTimes(small)}`,
});
