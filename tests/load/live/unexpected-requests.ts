import type { Figure } from '../figures.ts';
import type { DeliveryRecorder } from './delivery-recorder.ts';
import { figure, type Plan } from './plan.ts';

/** Tolerated share of requests whose previous response already had the change, which only the service can know. */
const MAX_LATE_UPDATE_SHARE = 0.03;

export function unexpectedRequestFigures(recorder: DeliveryRecorder): Figure[] {
  const kinds = Object.groupBy(recorder.unexpectedRequests(), ({ kind }) => kind);
  const late = kinds['late update'] ?? [];
  const other = kinds.other ?? [];
  return [
    figure({ name: 'requests where nothing had changed', value: other.length, unit: '', limit: 0 }),
    figure({
      name: 'requests for changes that the previous response already had',
      value: (100 * late.length) / Math.max(1, recorder.requests()),
      unit: ' %',
      limit: 100 * MAX_LATE_UPDATE_SHARE,
      detail: `${late.length} of ${recorder.requests()}`,
    }),
  ];
}

export function printUnexpectedRequests(recorder: DeliveryRecorder, print: Plan['print']): void {
  const lines = recorder
    .unexpectedRequests()
    .map(({ kind, path, screen, after }) => `${kind}: ${path} of a ${screen} after ${after}`);
  for (const [line, occurrences = []] of Object.entries(Object.groupBy(lines, (line) => line)))
    print(`  ${occurrences.length} × ${line}`);
}
