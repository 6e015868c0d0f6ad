/** Half-open interval in milliseconds of UNIX time. */
export type Span = readonly [start: number, end: number];

/** Sorted and disjoint. */
export function union(spans: readonly Span[]): Span[] {
  const merged: [number, number][] = [];
  for (const [start, end] of [...spans].sort(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else if (end > start) merged.push([start, end]);
  }
  return merged;
}

/** Both inputs must be sorted and disjoint. */
export function intersection(one: readonly Span[], other: readonly Span[]): Span[] {
  const shared: Span[] = [];
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    const [a, b] = [one[i], other[j]] as [Span, Span];
    const [start, end] = [Math.max(a[0], b[0]), Math.min(a[1], b[1])];
    if (start < end) shared.push([start, end]);
    if (a[1] < b[1]) i += 1;
    else j += 1;
  }
  return shared;
}
