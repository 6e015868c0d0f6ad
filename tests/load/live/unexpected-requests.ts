import type { Figure } from '../figures.ts';
import type { Ledger } from './delivery-recorder.ts';
import { figure, type Plan } from './plan.ts';

/**
 * So much of all that is asked may be for what the answer before it had, as nobody can see of numbers; and names, which reach another service
 * by its own way, are asked for a second time (`web/src/realtime/delayed-refetch.ts`).
 */
const TOLD_LATE_SHARE = 0.03;

export function strayFigures(ledger: Ledger): Figure[] {
  const kinds = Object.groupBy(ledger.strays(), ({ kind }) => kind);
  const [late, other] = [kinds['told late'] ?? [], kinds.other ?? []];
  return [
    figure({ what: 'requests where nothing had changed', value: other.length, unit: '', limit: 0 }),
    figure({
      what: 'requests for what the answer before had already, told after it was asked for',
      value: (100 * late.length) / Math.max(1, ledger.requests()),
      unit: ' %',
      limit: 100 * TOLD_LATE_SHARE,
      detail: `${late.length} of ${ledger.requests()}`,
    }),
  ];
}

export function tellStrays(ledger: Ledger, print: Plan['print']): void {
  const lines = ledger
    .strays()
    .map(({ kind, path, screen, after }) => `${kind}: ${path} of a ${screen} after ${after}`);
  for (const [line, same = []] of Object.entries(Object.groupBy(lines, (line) => line)))
    print(`  ${same.length} × ${line}`);
}
