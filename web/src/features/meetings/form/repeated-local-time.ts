import { HOUR_MS, MINUTE_MS } from '../layout/span.ts';

/** Minutes from local time to UTC at an instant. */
type Offset = (at: number) => number;

const LOCAL_OFFSET: Offset = (at) => new Date(at).getTimezoneOffset();

/** No zone sets its clocks back further, or twice within that time. */
const MAX_SHIFT_MS = 3 * HOUR_MS;

/** The second instant with the same local time, in a night when clocks go back; otherwise undefined. */
export function secondOccurrence(first: string, offset: Offset = LOCAL_OFFSET): string | undefined {
  const at = Date.parse(first);
  const back = offset(at + MAX_SHIFT_MS) - offset(at);
  const second = at + back * MINUTE_MS;
  return back > 0 && offset(second) === offset(at) + back ? new Date(second).toISOString() : undefined;
}
