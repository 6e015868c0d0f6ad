/** One line of the report: what was measured, the value, and its limit, if any. */
export type Figure = {
  name: string;
  value: number;
  unit: string;
  /** Null for figures without a limit. */
  limit: number | null;
  sense: 'at least' | 'at most';
  detail: string;
};

const isWithinLimit = ({ value, limit, sense }: Figure) =>
  limit === null || (sense === 'at least' ? value >= limit : value <= limit);

const format = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));

/** Prints every figure with its limit; returns whether all limits are met. */
export function report(figures: readonly Figure[], print: (line: string) => void): boolean {
  print('');
  for (const figure of figures) {
    const { name, value, unit, limit, sense, detail } = figure;
    const limitResult = isWithinLimit(figure) ? 'ok  ' : 'MISS';
    const verdict = limit === null ? '    ' : limitResult;
    const limitText = limit === null ? 'no limit' : `${sense} ${limit}${unit}`;
    print(`${verdict} ${name}: ${format(value)}${unit} (${limitText})  ${detail}`);
  }
  return figures.every(isWithinLimit);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The value below which `share` (0 to 1) of the numbers lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Milliseconds, by name. */
export type TimesByName = Record<string, number[]>;

export function recordTime(times: TimesByName, name: string, ms: number): void {
  const recorded = times[name] ?? [];
  recorded.push(ms);
  times[name] = recorded;
}
