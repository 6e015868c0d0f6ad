import { timeParts } from './formats.ts';

/** Returns the current date in a time zone, as YYYY-MM-DD. */
export function isoDateIn(timeZone: string, now = new Date()): string {
  const parts = timeParts(now, { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const value = (name: string) => parts.find(({ type }) => type === name)?.value ?? '';
  return `${value('year')}-${value('month')}-${value('day')}`;
}
