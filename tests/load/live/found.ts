export type Item = Record<string, unknown> & { _id: string };
type Page = { data: Item[]; total: number };

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && '_id' in value;

/** Of each answer what stands in it, by its id: looked through once, for thousands of browsers are asked about every change. */
const indexes = new WeakMap<object, Map<string, Item[]>>();

function index(value: unknown, items: Map<string, Item[]>): Map<string, Item[]> {
  if (typeof value !== 'object' || value === null) return items;
  if (isItem(value)) items.set(value._id, [...(items.get(value._id) ?? []), value]);
  for (const inside of Object.values(value)) index(inside, items);
  return items;
}

/** Everything in an answer that has this id. */
export function found(data: unknown, id: string): Item[] {
  if (typeof data !== 'object' || data === null) return [];
  const known = indexes.get(data) ?? index(data, new Map());
  indexes.set(data, known);
  return known.get(id) ?? [];
}

/** The items of a list: a page, or a plain one. */
export const listed = (answer: unknown): Item[] =>
  Array.isArray(answer) ? answer : ((answer as Page | undefined)?.data ?? []);

export const hasMore = (page: unknown) => (page as Page).total > (page as Page).data.length;

/** The number that a text ends in: each change writes the next. */
export const markOf = (value: unknown) => Number(/#(\d+)$/.exec(String(value))?.[1] ?? 0);
