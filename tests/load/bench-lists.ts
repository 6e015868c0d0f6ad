import { type Figure, median } from './figures.ts';
import { LIST_PATHS, type ListPath } from './list-paths.ts';
import { type SeededLists, startSeededLists } from './seeded-lists.ts';
import type { World } from './world.ts';

const FEW = { people: 500, projects: 50, tasks: 1_000 };
const MANY = { people: 50_000, projects: 5_000, tasks: 100_000 };
const WARM_UPS = 15;
const CALLS = 120;

/** What each list takes at the median where there is much against where there is little, called in turn on one connection. */
export async function benchLists(world: World): Promise<Figure[]> {
  const few = await startSeededLists(world, 'few', FEW);
  const began = performance.now();
  const many = await startSeededLists(world, 'many', MANY);
  world.print(`  50,000 people, 5,000 projects and 100,000 tasks seeded in ${seconds(began)} s`);
  try {
    const figures: Figure[] = [];
    for (const list of LIST_PATHS) figures.push(await compare(list, few, many));
    return figures;
  } finally {
    await Promise.all([few.stop(), many.stop()]);
  }
}

const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(0);

async function compare(list: ListPath, few: SeededLists, many: SeededLists): Promise<Figure> {
  const times: { few: number[]; many: number[] } = { few: [], many: [] };
  for (let turn = 0; turn < WARM_UPS + CALLS; turn += 1) {
    const [little, much] = [await time(list, few, turn), await time(list, many, turn)];
    if (turn < WARM_UPS) continue;
    times.few.push(little);
    times.many.push(much);
  }
  const [little, much] = [median(times.few), median(times.many)];
  return {
    what: list.what,
    value: much / little,
    unit: '×',
    limit: 1.5,
    sense: 'at most',
    detail: `${much.toFixed(2)} ms against ${little.toFixed(2)} ms`,
  };
}

async function time({ service, path }: ListPath, lists: SeededLists, turn: number): Promise<number> {
  const url = `${lists.urls[service]}/api${path(lists, turn)}`;
  const began = performance.now();
  const response = await fetch(url, { headers: lists.headers });
  const text = await response.text();
  const took = performance.now() - began;
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 300)}`);
  return took;
}
