import { overlaps, type Span } from './span.ts';

/** `column` of `columns`; `spread` is the number of columns it can extend over to the right. */
export type Placed<T> = { item: T; column: number; columns: number; spread: number };

/** Lays out overlapping items side by side, each as wide as possible without covering another. */
export function placeSideBySide<T extends Span>(items: readonly T[]): Placed<T>[] {
  const sorted = items.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const placed: Placed<T>[] = [];
  let cluster: T[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const item of sorted) {
    if (item.start >= end) {
      placed.push(...placeCluster(cluster));
      cluster = [];
    }
    cluster.push(item);
    end = Math.max(end, item.end);
  }
  return [...placed, ...placeCluster(cluster)];
}

function placeCluster<T extends Span>(items: readonly T[]): Placed<T>[] {
  const columns: T[][] = [];
  const columnOf = new Map<T, number>();
  for (const item of items) {
    const freeColumn = columns.findIndex((columnItems) => (columnItems.at(-1)?.end ?? 0) <= item.start);
    const index = freeColumn === -1 ? columns.push([]) - 1 : freeColumn;
    columns[index]?.push(item);
    columnOf.set(item, index);
  }
  return items.map((item) => {
    const column = columnOf.get(item) ?? 0;
    const blockedColumn = columns.findIndex(
      (others, index) => index > column && others.some((other) => overlaps(item, other)),
    );
    return {
      item,
      column,
      columns: columns.length,
      spread: (blockedColumn === -1 ? columns.length : blockedColumn) - column,
    };
  });
}
