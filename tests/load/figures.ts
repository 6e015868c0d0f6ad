/** One line of the report: what was measured, how it came out, and the limit it is held against, if it has one. */
export type Figure = {
  what: string;
  value: number;
  unit: string;
  /** Null for what is measured to be known, and may come out as it likes. */
  limit: number | null;
  sense: 'at least' | 'at most';
  detail: string;
};

/** Whether a figure keeps its limit. */
export const keeps = ({ value, limit, sense }: Figure) =>
  limit === null || (sense === 'at least' ? value >= limit : value <= limit);

const format = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));

/** Prints every figure, beside its limit if it has one; answers whether all keep theirs. */
export function report(figures: readonly Figure[], print: (line: string) => void): boolean {
  print('');
  for (const figure of figures) {
    const { what, value, unit, limit, sense, detail } = figure;
    const kept = keeps(figure) ? 'ok  ' : 'MISS';
    const verdict = limit === null ? '    ' : kept;
    const held = limit === null ? 'no limit' : `${sense} ${limit}${unit}`;
    print(`${verdict} ${what}: ${format(value)}${unit} (${held})  ${detail}`);
  }
  return figures.every(keeps);
}

/** The middle of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The value below which `share` (0 to 1) of the numbers lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Milliseconds of what was timed, by its name. */
export type TimesByName = Record<string, number[]>;

/** Adds one. */
export function note(times: TimesByName, what: string, ms: number): void {
  const taken = times[what] ?? [];
  taken.push(ms);
  times[what] = taken;
}
