import { toSearchText } from '../text/search.ts';

type Order<Item> = (a: Item, b: Item) => number;

type Key = string | number | null;

/** Compares code points, like PostgreSQL's collation "C"; JavaScript compares UTF-16 units. */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const unitA = a.charCodeAt(index);
    const unitB = b.charCodeAt(index);
    if (unitA !== unitB) return rankOfUnit(unitA) - rankOfUnit(unitB);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all others. */
const rankOfUnit = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

function compareKeys(a: Key, b: Key): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return typeof a === 'string' && typeof b === 'string' ? compareCodePoints(a, b) : Number(a) - Number(b);
}

/** Orders by a key; null is last. */
export const ascending =
  <Item>(keyOf: (item: Item) => Key): Order<Item> =>
  (a, b) =>
    compareKeys(keyOf(a), keyOf(b));

/** Orders by a key in reverse; null is last here as well. */
export const descending =
  <Item>(keyOf: (item: Item) => Key): Order<Item> =>
  (a, b) => {
    const keyA = keyOf(a);
    const keyB = keyOf(b);
    return keyA === null || keyB === null ? compareKeys(keyA, keyB) : compareKeys(keyB, keyA);
  };

/** Applies the next order where the previous ones consider the items equal. */
export const inOrder =
  <Item>(...orders: readonly Order<Item>[]): Order<Item> =>
  (a, b) => {
    for (const order of orders) {
      const result = order(a, b);
      if (result !== 0) return result;
    }
    return 0;
  };

/** The key by which names are sorted. In SQL, it is `search_text(name) collate "C"`. */
export const sortKey = (name: string): string => toSearchText(name);
