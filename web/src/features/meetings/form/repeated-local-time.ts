import { HOUR_MS, MINUTE_MS } from '../layout/span.ts';

/** How many minutes UTC is ahead of a clock at a moment. */
type Offset = (at: number) => number;

const HERE: Offset = (at) => new Date(at).getTimezoneOffset();

/** No clock goes back by more, nor again within that. */
const LONGEST_MS = 3 * HOUR_MS;

/** The later moment at which the clock here shows what it shows at this one, in a night in which it goes back; undefined at any other time. */
export function secondOf(first: string, offset: Offset = HERE): string | undefined {
  const at = Date.parse(first);
  const back = offset(at + LONGEST_MS) - offset(at);
  const second = at + back * MINUTE_MS;
  return back > 0 && offset(second) === offset(at) + back ? new Date(second).toISOString() : undefined;
}
