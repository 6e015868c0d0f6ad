import { GRID_MINUTES } from '@atrium/proto-events/http/meeting-planning';
import type { Span } from './spans.ts';

/** Every current time zone offset is a multiple of this, including Nepal and Lord Howe Island. */
const GRID_MS = GRID_MINUTES * 60_000;

const onGrid = (at: number) => Math.ceil(at / GRID_MS) * GRID_MS;

type Search = {
  /** Sorted and disjoint. */
  working: readonly Span[];
  busy: readonly Span[];
  from: number;
  durationMs: number;
  most: number;
};

/** The next times on the grid within working hours and without meetings; they do not overlap. */
export function freeTimes({ working, busy, from, durationMs, most }: Search): Span[] {
  const found: Span[] = [];
  let taken = 0;
  for (const [opens, closes] of working) {
    let start = onGrid(Math.max(opens, from));
    while (start + durationMs <= closes && found.length < most) {
      while ((busy[taken]?.[1] ?? Number.POSITIVE_INFINITY) <= start) taken += 1;
      const [begins, ends] = busy[taken] ?? [Number.POSITIVE_INFINITY, 0];
      if (begins < start + durationMs) start = onGrid(ends);
      else {
        found.push([start, start + durationMs]);
        start = onGrid(start + durationMs);
      }
    }
  }
  return found;
}
