import { type ScaleLinear, type ScaleTime, scaleLinear, scaleTime } from 'd3-scale';

type Range = readonly [number, number];

/** The vertical scale of counts: from zero, with whole numbers as ticks. */
export function createCountScale(max: number, height: number): { y: ScaleLinear<number, number>; ticks: number[] } {
  const y = scaleLinear([0, Math.max(1, max)], [height, 0]).nice(4);
  return { y, ticks: y.ticks(4).filter(Number.isInteger) };
}

/** The vertical scale of percentages: always from 0 to 100, so that two charts can be compared. */
export function createPercentScale(height: number): { y: ScaleLinear<number, number>; ticks: number[] } {
  return { y: scaleLinear([0, 100], [height, 0]), ticks: [0, 25, 50, 75, 100] };
}

/** The horizontal scale of times. Its ticks are days in the viewer's time zone; in RTL, time runs from right to left. */
export function createTimeScale(domain: Range, range: Range, isRtl: boolean): ScaleTime<number, number> {
  return scaleTime(domain, mirror(range, isRtl));
}

export const mirror = ([from, to]: Range, isRtl: boolean): [number, number] => (isRtl ? [to, from] : [from, to]);

/** Keeps every second, third, … position, so that labels at them are at least `distance` apart. */
export function thinOut<Item>(items: readonly Item[], positionOf: (item: Item) => number, distance: number): Item[] {
  const [first, second] = items;
  if (first === undefined || second === undefined) return [...items];
  const step = Math.max(1, Math.ceil(distance / Math.max(1, Math.abs(positionOf(second) - positionOf(first)))));
  return items.filter((_, index) => (items.length - 1 - index) % step === 0);
}

/** Moves labels apart that would overlap, and keeps them above `max`. Returns their positions in the given order. */
export function spreadLabels(positions: readonly number[], distance: number, max: number): number[] {
  const sorted = positions.map((position, index) => ({ position, index })).sort((a, b) => b.position - a.position);
  const spread: number[] = [];
  let limit = max;
  for (const { position, index } of sorted) {
    spread[index] = Math.min(position, limit);
    limit = (spread[index] ?? 0) - distance;
  }
  return spread;
}
