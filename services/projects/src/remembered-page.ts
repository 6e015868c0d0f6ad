import { createMemory, type Memory } from '@atrium/service-kit/remember';

/** A stretch of a list: who stands there, in order, how many there are in all, and the state of all lists in which that is so. */
export type Stretch = { generation: number; total: number; ids: string[] };

/** Stretches of lists that take long to find: a search, or a page far down. */
export type ListMemory = Memory<Stretch>;

/** As many stretches as a process keeps; each is some 50 kB. */
const MOST_STRETCHES = 100;

export const createListMemory = (): ListMemory => createMemory(MOST_STRETCHES);

type Page = { limit: number; offset: number };

/** A list that takes long to find: what tells it from another, and how it is found and read. */
type Remembered<Row> = {
  memory: ListMemory;
  filter: object;
  /** Finds who stands on a stretch of it. */
  find(stretch: Page): Promise<Stretch>;
  /** Reads rows by their ids, in that order. */
  read(ids: string[]): Promise<(Row & { generation: number })[]>;
  /** The state of all lists now, which a row carries with it. */
  state(): Promise<number>;
};

/** So far down a list is read as it stands. */
const NEAR = 100;
const STRETCH = 1_000;
const LARGEST_PAGE = 100;

/** Whether a page is found once rather than each time: one of a search, and one far down. */
export const isWorthRemembering = (filter: { search?: string | undefined }, { offset }: Page) =>
  Boolean(filter.search) || offset >= NEAR;

/** A page from the stretch it begins in, which is found once for as long as nothing changes. */
export async function rememberedPage<Row>(list: Remembered<Row>, page: Page): Promise<{ rows: Row[]; total: number }> {
  const start = Math.floor(page.offset / STRETCH) * STRETCH;
  // The last page that begins in the stretch may reach over its end.
  const find = () => list.find({ limit: STRETCH + LARGEST_PAGE, offset: start });
  const key = JSON.stringify([start, list.filter]);
  const read = ({ ids }: Stretch) => list.read(ids.slice(page.offset - start, page.offset - start + page.limit));

  const known = await list.memory(key, find);
  const rows = await read(known);
  const generation = rows[0]?.generation ?? (await list.state());
  if (generation === known.generation) return { rows, total: known.total };
  const fresh = await list.memory(key, find, generation);
  return { rows: await read(fresh), total: fresh.total };
}
