import { shareOf } from '../simulation/delivery.ts';
import type { Outcome } from './run-scenario.ts';

const COLUMNS: readonly [title: string, of: (outcome: Outcome) => string][] = [
  ['scenario', ({ name }) => name],
  ['acknowledged', ({ acknowledged }) => String(acknowledged)],
  ['lost', ({ lost }) => String(lost)],
  ['duplicated', ({ duplicated }) => String(duplicated)],
  ['errors during', ({ errorsDuring }) => String(errorsDuring)],
  ['after', ({ errorsAfter }) => String(errorsAfter)],
  ['latency', ({ slowdown }) => (slowdown === undefined ? '-' : `x${slowdown.toFixed(1)}`)],
  ['by socket', ({ delivery }) => shareOf(delivery)],
  ['writes', ({ writeSeconds }) => `${writeSeconds.toFixed(1)} s`],
  ['recovery', ({ recoverySeconds }) => `${recoverySeconds.toFixed(1)} s`],
  ['', ({ problems }) => (problems.length === 0 ? 'good' : 'BAD')],
];

export function printTable(outcomes: readonly Outcome[]): void {
  const rows = [COLUMNS.map(([title]) => title), ...outcomes.map((outcome) => COLUMNS.map(([, of]) => of(outcome)))];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  console.log('');
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    );
}
