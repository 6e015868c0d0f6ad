/** A moment in words in a zone, such as "Thursday 19 November 2026 at 10:00 (UTC)". */
export function longTime(iso: string, timeZone: string): string {
  return `${longDay(iso, timeZone)} at ${clock(iso, timeZone)} (${timeZone})`;
}

/** From when to when, the day said once where it is one day. */
export function timeSpan(start: string, end: string, timeZone: string): string {
  const first = longDay(start, timeZone);
  const last = longDay(end, timeZone);
  const until = first === last ? clock(end, timeZone) : `${last}, ${clock(end, timeZone)}`;
  return `${first}, ${clock(start, timeZone)} – ${until} (${timeZone})`;
}

const EVERY = { daily: 'Every day', weekly: 'Every week', monthly: 'Every month' } as const;

/** How a series repeats; `until` is a day as it stands in the calendar, in no zone. */
export function repetition(frequency: keyof typeof EVERY, until: string | null): string {
  return until === null ? EVERY[frequency] : `${EVERY[frequency]} until ${longDay(`${until}T00:00:00.000Z`, 'UTC')}`;
}

/** A day in words, such as "Thursday 19 November 2026". */
export function longDay(iso: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone }).format(new Date(iso)).replace(',', '');
}

function clock(iso: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone }).format(new Date(iso));
}
