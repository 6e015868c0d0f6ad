export type Item = Record<string, unknown> & { _id: string };
type Page = { data: Item[]; total: number };

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && '_id' in value;

/**
 * The items of each response by id. Each is indexed once, because every change is looked up for thousands of browsers.
 */
const indexes = new WeakMap<object, Map<string, Item[]>>();

function index(value: unknown, items: Map<string, Item[]>): Map<string, Item[]> {
  if (typeof value !== 'object' || value === null) return items;
  if (isItem(value)) items.set(value._id, [...(items.get(value._id) ?? []), value]);
  for (const nested of Object.values(value)) index(nested, items);
  return items;
}

/** Finds all items in a response with an id. */
export function findItems(data: unknown, id: string): Item[] {
  if (typeof data !== 'object' || data === null) return [];
  const itemsById = indexes.get(data) ?? index(data, new Map());
  indexes.set(data, itemsById);
  return itemsById.get(id) ?? [];
}

/** Returns the items of a list response, paged or plain. */
export const listItems = (response: unknown): Item[] =>
  Array.isArray(response) ? response : ((response as Page | undefined)?.data ?? []);

export const hasMore = (page: unknown) => (page as Page).total > (page as Page).data.length;

/** Returns the number at the end of a text, which each change increments. */
export const changeNumberOf = (value: unknown) => Number(/#(\d+)$/.exec(String(value))?.[1] ?? 0);
