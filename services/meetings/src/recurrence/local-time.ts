import { Temporal } from 'temporal-polyfill';

export const localTime = (at: Date, timezone: string): Temporal.PlainDateTime => zoned(at, timezone).toPlainDateTime();

/** Returns the first of two instants with the same local time (RFC 5545, section 3.3.5). */
export function toWallClock(at: Date, timezone: string): Date {
  const localDateTime = localTime(at, timezone);
  return new Date(localDateTime.toZonedDateTime(timezone, { disambiguation: 'earlier' }).epochMilliseconds);
}

/** Returns the local day as YYYY-MM-DD, shifted by `offset` days. */
export function localDay(at: Date, timezone: string, offset = 0): string {
  return zoned(at, timezone).toPlainDate().add({ days: offset }).toString();
}

export function dayRange(at: Date, timezone: string): { from: Date; to: Date } {
  const day = zoned(at, timezone).toPlainDate();
  const start = (date: Temporal.PlainDate) => new Date(date.toZonedDateTime(timezone).epochMilliseconds);
  return { from: start(day), to: start(day.add({ days: 1 })) };
}

export const zoned = (at: Date, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone);

/** Returns a day as YYYY-MM-DD. Converts a timestamp to the local day in the zone of the meeting. */
export function toLastDay(date: string | null, timezone: string): string | null {
  if (date === null || date.length === 'YYYY-MM-DD'.length) return date;
  return localDay(new Date(date), timezone);
}

/** Turns February 29 into March 1. */
export function addOneYear(at: Date): Date {
  const later = new Date(at);
  later.setUTCFullYear(at.getUTCFullYear() + 1);
  return later;
}
