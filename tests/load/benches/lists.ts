import { loadavg } from 'node:os';
import { type Figure, median, note, percentile, type TimesByName } from '../figures.ts';
import { LIST_PATHS, type ListPath } from '../list-paths.ts';
import { startWriters } from '../list-writers.ts';
import type { World } from '../load-environment.ts';
import { type SeededLists, startSeededLists } from '../seeded-lists.ts';

const FEW = { people: 500, projects: 50, tasks: 1_000 };
const MANY = { people: 100_000, projects: 10_000, tasks: 1_000_000 };
/** In turn at either size, so that a machine that is busy for a while is so for both. */
const ROUNDS = 2;
const CALLS = 50;
const PAGES = 5;

const MOST_MS = 50;
const MOST_FOR_A_WRITE = 1.3;

type Times = { lists: TimesByName; writes: TimesByName };

/**
 * What the first five pages of each list take while twenty people write, words that are searched for the first time among them; and
 * what a write costs where there is much against where there is little.
 */
export async function benchLists(world: World): Promise<Figure[]> {
  const began = performance.now();
  const few = await startSeededLists(world, 'few', FEW);
  const many = await startSeededLists(world, 'many', MANY);
  const since = () => `${((performance.now() - began) / 1000).toFixed(0)} s`;
  world.print(`  100,000 people, 10,000 projects and 1,000,000 tasks are there after ${since()}; ${load()}`);
  const times = { few: noTimes(), many: noTimes() };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      await readBesideWriters(few, times.few);
      await readBesideWriters(many, times.many);
    }
  } finally {
    await Promise.all([few.stop(), many.stop()]);
  }
  world.print(`  measured at both sizes after ${since()}; ${load()}`);
  return [
    ...LIST_PATHS.map((path) => listFigure(path, times.few.lists[path.what] ?? [], times.many.lists[path.what] ?? [])),
    ...Object.keys(times.many.writes).map((what) =>
      writeFigure(what, times.few.writes[what] ?? [], times.many.writes[what] ?? []),
    ),
  ];
}

/** Of one minute, five and fifteen: what else this machine had to do is in the figures, too. */
const load = () =>
  `load average ${loadavg()
    .map((one) => one.toFixed(1))
    .join(', ')}`;

const noTimes = (): Times => ({ lists: {}, writes: {} });

async function readBesideWriters(lists: SeededLists, times: Times): Promise<void> {
  const writers = startWriters(lists, times.writes);
  try {
    for (const list of LIST_PATHS) {
      for (let call = 0; call < CALLS; call += 1) {
        note(times.lists, list.what, await time(lists, list, 1 + (call % PAGES)));
      }
    }
  } finally {
    await writers.stop();
  }
}

async function time(lists: SeededLists, { service, path }: ListPath, page: number): Promise<number> {
  const url = new URL(`${lists.urls[service]}/api${path(lists)}`);
  url.searchParams.set('page', String(page));
  const began = performance.now();
  const response = await fetch(url, { headers: lists.headers });
  const text = await response.text();
  const took = performance.now() - began;
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 300)}`);
  return took;
}

const told = (times: number[]) =>
  `${median(times).toFixed(1)} ms at the median, ${percentile(times, 0.95).toFixed(1)} at the 95th`;

const listFigure = ({ what, mostMs = MOST_MS }: ListPath, few: number[], many: number[]): Figure => ({
  what,
  value: percentile(many, 0.95),
  unit: ' ms',
  limit: mostMs,
  sense: 'at most',
  detail: `${told(many)}; where there is little ${told(few)}; ${(median(many) / median(few)).toFixed(2)}×`,
});

const isOfTasks = (what: string) => what.includes('/tasks');

/** What a task costs is held against its limit; the others are there to be in the way. */
const writeFigure = (what: string, few: number[], many: number[]): Figure => ({
  what: `${what}, against where there is little`,
  value: median(many) / median(few),
  unit: '×',
  limit: isOfTasks(what) ? MOST_FOR_A_WRITE : null,
  sense: 'at most',
  detail: `${told(many)} of ${many.length}; where there is little ${told(few)}`,
});
