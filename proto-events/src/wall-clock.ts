// Times in a time zone are in milliseconds as if the clock there showed UTC.

const DAY_MS = 24 * 60 * 60_000;

const FIELDS = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;

/** By time zone: creating one takes a hundred times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function getFormat(timeZone: string): Intl.DateTimeFormat {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', { ...FIELDS, second: 'numeric', hourCycle: 'h23', timeZone });
  formats.set(timeZone, format);
  return format;
}

/** Returns what a clock in the zone shows, in milliseconds as if it were UTC. */
export function toWallClock(timeZone: string, at: number): number {
  const parts = new Map(
    getFormat(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
}

/** Returns when the clock first shows this; a time that a day skips is as much later as the clock is set forward. */
export function toInstant(timeZone: string, wallClock: number): number {
  const [before, after] = [wallClock - DAY_MS, wallClock + DAY_MS].map(
    (nearby) => wallClock - (toWallClock(timeZone, nearby) - nearby),
  ) as [number, number];
  return toWallClock(timeZone, before) !== wallClock && toWallClock(timeZone, after) === wallClock ? after : before;
}

/** Returns the calendar day (YYYY-MM-DD) in a time zone. */
export const dayInZone = (time: string | number | Date, timeZone: string): string =>
  new Date(toWallClock(timeZone, new Date(time).getTime())).toISOString().slice(0, 10);
