export type Item = Record<string, unknown> & { _id: string };
type Page = { data: Item[]; total: number };

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && '_id' in value;

/** The items of each response by id. Indexed once, since every change is looked up for thousands of browsers. */
const indexes = new WeakMap<object, Map<string, Item[]>>();

function index(value: unknown, items: Map<string, Item[]>): Map<string, Item[]> {
  if (typeof value !== 'object' || value === null) return items;
  if (isItem(value)) items.set(value._id, [...(items.get(value._id) ?? []), value]);
  for (const inside of Object.values(value)) index(inside, items);
  return items;
}

/** All items in a response with this id. */
export function found(data: unknown, id: string): Item[] {
  if (typeof data !== 'object' || data === null) return [];
  const known = indexes.get(data) ?? index(data, new Map());
  indexes.set(data, known);
  return known.get(id) ?? [];
}

/** The items of a list response, paged or plain. */
export const listed = (response: unknown): Item[] =>
  Array.isArray(response) ? response : ((response as Page | undefined)?.data ?? []);

export const hasMore = (page: unknown) => (page as Page).total > (page as Page).data.length;

/** The number at the end of a text, which each change increments. */
export const markOf = (value: unknown) => Number(/#(\d+)$/.exec(String(value))?.[1] ?? 0);
